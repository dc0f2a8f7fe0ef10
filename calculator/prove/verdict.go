package prove

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/purehpa/hpa/calculator/internal/words"
)

// worst fills in the longest times.
func (r *running) worst(ctx context.Context) error {
	for _, x := range []struct {
		kind  untilKind
		worst *Worst
	}{
		{scaledUp, &r.WorstUp}, {carried, &r.WorstTolerated}, {scaledDown, &r.WorstDown}, {settled, &r.WorstSettle},
	} {
		c, err := r.constant(ctx, until{kind: x.kind})
		if errors.Is(err, errGaveUp) {
			return nil
		}
		if err != nil {
			return err
		}
		if *x.worst, err = c.worst(newWalker(r.base.world, r.known, r.base.checks)); err != nil {
			return err
		}
	}
	r.Timed = true
	return nil
}

// constant returns the courses of constant loads until something.
func (r *running) constant(ctx context.Context, u until) (*courses, error) {
	if c := r.held[u]; c != nil {
		return c, nil
	}
	wanted := map[int32]bool{}
	for i := range r.properties {
		if p := &r.properties[i]; p.until == u {
			wanted[int32(r.base.syncs(p.within))] = true
		}
	}
	c, err := r.base.courses(ctx, u, wanted, -1, math.MaxInt32)
	if err == nil {
		r.held[u] = c
	}
	return c, err
}

// syncs returns how many syncs a time is sure to have.
func (w *world) syncs(within time.Duration) int {
	return int(min(within/(w.setup.Period()+w.timings[0].jitter), 1<<20))
}

// worst returns the longest time, and a course that takes it.
func (c *courses) worst(v *walker) (w Worst, err error) {
	if c.last < 0 && !c.never {
		return w, nil
	}
	end, err := c.end(v)
	if err != nil {
		return w, err
	}
	steps, start, err := end.steps(v)
	if err != nil {
		return w, err
	}
	n := int(end.syncs)
	w = Worst{Never: c.never, Load: float64(steps[len(steps)-1].own.round()) / 1000, Size: steps[len(steps)-n].size}
	if !c.never {
		w.Time = end.in.time(n)
	}
	claim := fmt.Sprintf("Until %v: %v", c.until, w)
	w.Course, err = end.in.replay(claim, steps, start, func(time.Duration) string { return "" })
	if errors.Is(err, errNoTimes) {
		return w, nil
	}
	if w.Course != nil {
		w.Course.Because = nil
	}
	return w, err
}

// end returns a course that takes longest, or forever.
func (c *courses) end(v *walker) (course, error) {
	switch {
	case c.never:
		return c.again, nil
	case c.until.kind == settled:
		return c.longest, nil
	}
	return c.longest.extend(v)
}

// judge returns the verdict on a property.
func (r *running) judge(ctx context.Context, i int) (Verdict, error) {
	p := &r.properties[i]
	v := Verdict{Claim: p.claim, Outcome: Proved, States: r.States, Depth: r.Depth}
	var err error
	switch {
	case p.watch != nil:
		err = r.watched(ctx, p, &v)
	case p.until.kind != 0:
		err = r.late(ctx, p, &v)
	case p.each != nil:
		err = r.broken(r.base, r.base.check(i), &v)
	}
	if errors.Is(err, errNoTimes) || errors.Is(err, errGaveUp) {
		v.Outcome, v.Depth, err = Undecided, 0, nil
	}
	return v, err
}

// check returns the index of the check of a property.
func (g *graph) check(property int) int {
	for i, c := range g.checks {
		if c.property == property {
			return i
		}
	}
	return 0
}

// watched searches for what breaks a property with a memory.
func (r *running) watched(ctx context.Context, p *Property, v *Verdict) error {
	w, err := r.world(r.setup, *p)
	if err != nil {
		return err
	}
	known := r.known
	if r.Jitter > 0 {
		known = newPieceTable()
	}
	g := newGraph(w, known, nil, r.MaxStates)
	g.progress = r.report(p.claim)
	if err := g.search(ctx); err != nil {
		return err
	}
	v.States, v.Depth = g.states(), g.depth
	return r.broken(g, 0, v)
}

// broken fills in the verdict on what an edge of the graph breaks.
func (r *running) broken(g *graph, i int, v *Verdict) error {
	b := g.breaches[i]
	if b.node < 0 {
		if !g.complete {
			v.Outcome = Undecided
		}
		return nil
	}
	walker := newWalker(g.world, g.known, g.checks)
	steps, start, err := g.path(walker, b.node)
	if err != nil {
		return err
	}
	last, err := g.step(walker, b.node, b.edge)
	if err != nil {
		return err
	}
	v.Outcome = Broken
	v.Counterexample, err = g.replay(v.Claim, append(steps, last), start, func(now time.Duration) string {
		return fmt.Sprintf("At %s, %s.", words.Clock(now), b.how)
	})
	return err
}

// late fills in the verdict on a time until something.
func (r *running) late(ctx context.Context, p *Property, v *Verdict) error {
	if !r.base.complete {
		v.Outcome, v.Depth = Undecided, 0
		return nil
	}
	c, err := r.constant(ctx, p.until)
	if err != nil {
		return err
	}
	walker := newWalker(r.base.world, r.known, r.base.checks)
	end, err := r.shortest(ctx, walker, c, p.until, int32(r.base.syncs(p.within)))
	if err != nil || end == nil {
		return err
	}
	steps, start, err := end.steps(walker)
	if err != nil {
		return err
	}
	since := end.in.time(len(steps) - int(end.syncs))
	v.Outcome = Broken
	v.Counterexample, err = end.in.replay(p.claim, steps, start, func(now time.Duration) string {
		how := fmt.Sprintf("At %s, the load has been %s since %s, perhaps since %s, and the size %s",
			words.Clock(now), words.Number(float64(steps[len(steps)-1].own.round())/1000), words.Clock(since), words.Clock(since-r.setup.Period()), p.until.still())
		if c.never {
			how += ", and will forever: the last syncs repeat"
		}
		return how + "."
	})
	return err
}

// shortest returns a shortest course of constant load that takes more than so
// many syncs, nil if there is none. Of the states that courses come to in as
// many syncs, those at the fewest are looked at first.
func (r *running) shortest(ctx context.Context, v *walker, c *courses, u until, most int32) (*course, error) {
	if c.never { // the course repeats itself, which is the shortest way to say so
		return &c.again, nil
	}
	end, err := c.breaks(v, u, most)
	if err != nil || end == nil {
		return nil, err
	}
	// Stretches that were made one may have begun at another depth.
	steps, _, err := end.steps(v)
	if err != nil {
		return nil, err
	}
	least, length := max(most, 1), int32(len(steps))
	if u.kind == settled {
		least = most + 1
	}
	for depth := int32(0); depth+least < length; depth++ {
		near, err := r.base.courses(ctx, u, map[int32]bool{most: true}, depth, length-depth)
		if err != nil {
			return nil, err
		}
		nearer, err := near.breaks(v, u, most)
		if err != nil {
			return nil, err
		}
		if nearer != nil && depth+nearer.syncs < length {
			end, length = nearer, depth+nearer.syncs
		}
	}
	return end, nil
}

// breaks returns a shortest course of constant load that takes more than so many
// syncs, nil if there is none.
func (c *courses) breaks(v *walker, u until, most int32) (*course, error) {
	if u.kind == settled {
		var best *course
		for _, o := range c.found {
			if o.syncs > most && (best == nil || o.began+o.syncs < best.began+best.syncs || o.began+o.syncs == best.began+best.syncs && o.syncs < best.syncs) {
				best = &o
			}
		}
		return best, nil
	}
	o, ok := c.found[most]
	if !ok {
		return nil, nil
	}
	if most == 0 {
		o, err := o.extend(v)
		return &o, err
	}
	return &o, nil
}

// still says what lasts too long.
func (u until) still() string {
	switch u.kind {
	case settled:
		return "still changes"
	case released:
		return "is still too large"
	}
	return "is still too small"
}
