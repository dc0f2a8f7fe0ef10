package pace

import (
	"math"
	"slices"
)

// Walk is the fastest course of a size, sync by sync, while each sync asks for
// the same other size.
//
//	w := rules.Steady(1, 10)
//	for w.Next(budget) {
//		fmt.Println(w.Sync, w.Size)
//	}
type Walk struct {
	// Sync is the last sync, from 0, and Size the size after it.
	Sync int64
	Size int32
	// Work is the number of limits computed so far.
	Work int
	// Stuck reports that the size never changes again.
	Stuck bool

	rules *Rules
	to    int32
	// before is the size before the first change, if past is set.
	before  int32
	past    bool
	begun   bool
	changed bool
	// changes are the syncs at which the size changed, and the sizes after
	// them.
	changes []change
	// starts are for each policy the index of the change that is its start, -1
	// if it starts before the first one.
	starts []int
}

type change struct {
	sync int64
	size int32
}

// Steady returns the walk from a size that has not changed within any period.
func (r *Rules) Steady(from, to int32) *Walk { return r.walk(from, to, math.MinInt64/2) }

// Recent returns the walk from a size that it has had for so many syncs, and
// the other size before that.
func (r *Rules) Recent(before, from, to int32, syncs int64) *Walk {
	w := r.walk(from, to, -syncs)
	w.before, w.past = before, true
	return w
}

// Blocked returns the walk from a size that it has had for so many syncs, and
// before that the worst history: no policy allows anything before its period
// has passed.
func (r *Rules) Blocked(from, to int32, syncs int64) *Walk { return r.walk(from, to, -syncs) }

func (r *Rules) walk(from, to int32, since int64) *Walk {
	return &Walk{
		Size: from, rules: r, to: to,
		changes: []change{{since, from}},
		starts:  slices.Repeat([]int{-1}, len(r.Policies)),
	}
}

// Next goes on to the next sync: the one after a change, or else the next one
// that changes the size. It reports whether there is one that takes no more
// work, in all, than the budget.
func (w *Walk) Next(budget int) bool {
	if w.Size == w.to || w.Stuck {
		return false
	}
	if w.begun && w.changed {
		w.Sync++
	}
	for first := !w.begun || w.changed; ; first = false {
		if !first && !w.jump() {
			return false
		}
		if w.Work >= budget {
			return false
		}
		w.begun, w.changed = true, w.step()
		if first || w.changed {
			return true
		}
	}
}

// step computes the size after the sync, and reports whether it changed.
func (w *Walk) step() bool {
	w.Work += max(len(w.starts), 1)
	for i := range w.starts {
		for next := w.starts[i] + 1; next < len(w.changes) && w.changes[next].sync+w.rules.Policies[i].Syncs <= w.Sync; next++ {
			w.starts[i] = next
		}
	}
	limit, ok := w.rules.limit(w.Size, func(i int) (int32, bool) {
		if w.starts[i] < 0 {
			return w.before, w.past
		}
		return w.changes[w.starts[i]].size, true
	})
	size := min(max(limit, w.Size), w.to)
	if !w.rules.Up {
		size = max(min(limit, w.Size), w.to)
	}
	if !ok || size == w.Size {
		return false
	}
	w.Size = size
	w.changes = append(w.changes, change{w.Sync, size})
	return true
}

// jump goes to the next sync at which a policy has another start.
func (w *Walk) jump() bool {
	soonest := int64(math.MaxInt64)
	for i, start := range w.starts {
		if start+1 < len(w.changes) {
			soonest = min(soonest, w.changes[start+1].sync+w.rules.Policies[i].Syncs)
		}
	}
	if soonest == math.MaxInt64 {
		w.Stuck = true
		return false
	}
	w.Sync = soonest
	return true
}
