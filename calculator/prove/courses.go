package prove

import (
	"cmp"
	"context"
	"hash/maphash"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// courses are those courses of constant loads until something that matter.
type courses struct {
	until until
	// last is the most syncs after which something is open or, if it has to
	// settle, after which the size changes, -1 for none. longest is such a course.
	last    int32
	longest course
	// never reports that some courses go on forever, and again is one that
	// repeats itself.
	never bool
	again course
	// found has for each wanted number of syncs a course that is open then. If
	// the size has to settle, it has for each number a course that ends with a
	// change.
	found map[int32]course
}

// course is a course of constant loads: its end, the stretches up to that, the
// last one first, and the node that they follow.
type course struct {
	stretch
	all  []stretch
	node int32
	in   *graph
	band int // by number
}

// before reports whether one is shown rather than the other, of those that are
// as long. Any is shown rather than none.
func (c *course) before(o *course) bool {
	return o.in == nil || cmp.Or(cmp.Compare(c.began, o.began), cmp.Compare(c.band, o.band)) < 0
}

// join lets these courses have others of another band.
func (c *courses) join(o *courses) {
	if o.last > c.last || o.last == c.last && o.longest.before(&c.longest) {
		c.last, c.longest = o.last, o.longest
	}
	if o.never && (!c.never || o.again.before(&c.again)) {
		c.never, c.again = true, o.again
	}
	for n, x := range o.found {
		if was := c.found[n]; x.before(&was) {
			c.found[n] = x
		}
	}
}

// courses returns the courses of constant loads, and those of the wanted numbers
// of syncs. They begin at the nodes of a depth, -1 for all, and have fewer syncs
// than end.
func (g *graph) courses(ctx context.Context, u until, wanted map[int32]bool, depth, end int32) (*courses, error) {
	var opens [256]span
	for size := range opens {
		opens[size] = g.open(u, int32(size))
	}
	all, bands := noCourses(u), g.bands()
	var lock sync.Mutex
	states := g.states()
	report := func(more int, syncs int32) error {
		lock.Lock()
		defer lock.Unlock()
		if states += more; g.progress != nil && !g.progress(states, int(syncs)) {
			return errGaveUp
		}
		return nil
	}
	within, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var next atomic.Int32
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			v, room := newWalker(g.world, g.known, nil), &stretches{}
			for at := next.Add(1); int(at) <= len(bands); at = next.Add(1) {
				room.n = 0
				b := &band{
					graph: g, until: u, number: int(at), loads: bands[at-1], opens: &opens, wanted: wanted, best: noCourses(u), all: room,
					due: map[int32]*bucket{}, hash: maphash.MakeSeed(),
				}
				if err := b.run(within, v, depth, end, report); err != nil {
					stop(err)
					return
				}
				lock.Lock()
				all.join(&b.best)
				lock.Unlock()
			}
		})
	}
	workers.Wait()
	if err := errorOf(ctx.Err(), context.Cause(within)); err != nil {
		return nil, err
	}
	return &all, nil
}

func noCourses(u until) courses {
	return courses{until: u, last: -1, found: map[int32]course{}}
}

// bands returns the loads in spans of a replica, those above maxReplicas in one.
// One after the other, their courses need less memory.
func (w *world) bands() (all []span) {
	for low := w.all.low; low <= w.all.high; {
		high := w.all.high
		if low <= int64(w.bounds.Max)*1000 {
			high = min(high, low/1000*1000+1000)
		}
		all = append(all, span{low, high})
		low = high + 1
	}
	return all
}

// some reports whether the search has a load of the span.
func (w *world) some(s span) bool {
	return !s.empty() && (w.levels == nil || slices.ContainsFunc(w.levels, s.has))
}
