package prove

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

var errGaveUp = errors.New("prove: the search gave up")

// step is a sync of a course, as far as it is known: what it may see and what
// it does.
type step struct {
	pieces   []piece // that metrics show
	own      span    // of edge
	troubles uint8
	timing   uint8
	missed   uint8 // before the next step
	pick     pick
	size     int32
	after    int32
	asked    []int // what a property with a memory asks Transition.Ago
}

// path returns the steps from a start to a node.
func (g *graph) path(v *walker, id int32) (steps []step, start *node, err error) {
	for g.nodes[id].from >= 0 {
		n := &g.nodes[id]
		s, err := g.step(v, n.from, n.edge)
		if err != nil {
			return nil, nil, err
		}
		steps, id = append(steps, s), n.from
	}
	slices.Reverse(steps)
	return steps, &g.nodes[id], nil
}

// step returns an edge of a node as a step.
func (g *graph) step(v *walker, node, edge int32) (step, error) {
	n := &g.nodes[node]
	edges, err := v.expand(n.spot, n.sets, g.limit)
	if err != nil {
		return step{}, err
	}
	e := edges[edge]
	s := step{pieces: e.pieces, own: e.own, troubles: e.troubles, timing: e.timing, missed: e.missed, pick: e.pick, size: n.size(), after: e.after}
	if v.watch != nil {
		seen := v.sight(v.place(n.spot), e.troubles, e.timing)
		tr := v.transition(e, &seen)
		tr.asked = &s.asked
		v.watch.next(v.notes.of(seen.watch), &tr, func(any) {})
	}
	return s, nil
}

// steps returns the steps of a course of constant load.
func (c *course) steps(v *walker) ([]step, *node, error) {
	steps, start, err := c.in.path(v, c.node)
	size := c.in.nodes[c.node].size()
	load := span{c.loads.round(), c.loads.round()}
	for _, s := range slices.Backward(c.all) {
		next := step{pieces: []piece{{load, s.asks}}, own: load, timing: s.timing, pick: s.pick, size: size, after: s.size}
		if s.told != heldLoad {
			next.pieces[0].span = c.in.spans.of(s.told)
		}
		steps = append(steps, next)
		for range s.waits {
			next.pieces, next.pick, next.size = slices.Clone(next.pieces), pick{high: c.in.most}, s.size
			steps = append(steps, next)
		}
		size = s.size
	}
	return steps, start, err
}

// extend returns the course with one more sync, after which it may be done.
func (c *course) extend(v *walker) (course, error) {
	var next []stretch
	err := v.follow(c.spot, c.sets, c.loads, func(e *edge) { next = append(next, c.next(-1, e)) })
	if err != nil {
		return *c, err
	}
	return course{next[0], append(next[:1:1], c.all...), c.node, c.in, c.band}, nil
}

// choose leaves each step the pieces that later ones allow.
func (w *world) choose(steps []step) error {
	for j := range steps {
		k := steps[j].pick
		age := 0
		for i := j - 1; i >= 0; i-- {
			age += 1 + int(steps[i].missed)
			if age > w.downs || !w.inDown(w.timings[steps[j].timing].ago(age)) {
				break
			}
			low := int32(none)
			if age == k.age {
				low = k.low
			}
			left := slices.DeleteFunc(slices.Clone(steps[i].pieces), func(p piece) bool {
				n := w.counts(p.asks, steps[i].after)
				if i == 0 { // which recorded the size, too
					n = max(n, w.counts(steps[0].size, steps[0].after))
				}
				return n < low || n > k.high
			})
			if len(left) == 0 {
				return fmt.Errorf("sync %d of a course allows no load", i)
			}
			steps[i].pieces = left
		}
	}
	return nil
}

// loads returns the pieces of one of which each step has a load: those of the
// last step that metrics show it in. tried is the step that the last one shows.
func (w *world) loads(steps []step) (all [][]piece, tried int) {
	all = make([][]piece, len(steps))
	for i := range steps {
		s := &steps[i]
		all[i] = []piece{{span: s.own}}
		tried = i - w.lateness(s.troubles, i)
		all[tried] = s.pieces
	}
	return all, tried
}

// timeline returns the steps as a timeline. Loads stay as they are where they
// may; the last one is that which was tried.
func (w *world) timeline(steps []step, start *node) (*Timeline, error) {
	if err := w.choose(steps); err != nil {
		return nil, err
	}
	waits, err := w.schedule(steps)
	if err != nil {
		return nil, err
	}
	tl := &Timeline{Setup: w.setup, Size: start.size(), ScaledToZero: start.size() == 0}
	load := int64(-1)
	loads, tried := w.loads(steps)
	for i, s := range steps {
		if i == tried || !slices.ContainsFunc(loads[i], func(p piece) bool { return p.has(load) }) {
			load = loads[i][0].round()
		}
		segment := Segment{Syncs: 1, Load: float64(load) / 1000, Troubles: w.troubles[s.troubles], Wait: waits[i]}
		once := slices.ContainsFunc(segment.Troubles, func(x Trouble) bool { return x.Kind.once() })
		if n := len(tl.Segments); n > 0 && !once {
			last := &tl.Segments[n-1]
			if last.Load == segment.Load && last.Wait == segment.Wait && slices.Equal(last.Troubles, segment.Troubles) {
				last.Syncs++
				continue
			}
		}
		tl.Segments = append(tl.Segments, segment)
	}
	return tl, nil
}

// replay runs the steps as a timeline, which must lead to the same sizes.
func (w *world) replay(claim string, steps []step, start *node, how func(since time.Duration) string) (*Counterexample, error) {
	tl, err := w.timeline(steps, start)
	if err != nil {
		return nil, err
	}
	x := &Counterexample{Timeline: tl, Claim: claim}
	n, same := 0, true
	Runner{}.run(tl, func(s *Sync) bool {
		x.Add(s)
		same = same && s.After == steps[n].after
		if n++; n == len(steps) {
			x.Broken = how(s.Now.Sub(Start))
			d := *s.Decision
			x.Because = &d
		}
		return true
	})
	if !same {
		return nil, fmt.Errorf("the search and its timeline lead to other sizes: %v", tl)
	}
	return x, nil
}
