package prove

import (
	"fmt"
	"time"

	"github.com/purehpa/hpa/calculator/internal/words"
)

// needed is a load that the size must not fall below, for a while: the size
// that it needs, and how many syncs ago it was. A zero size is none.
type needed struct {
	size int32
	ago  int
}

// neverBelow watches one load at a time, whichever it is.
func neverBelow(in *world, window time.Duration) *watch {
	b := in.bounds
	w := &watch{start: needed{}, once: true, bounds: []time.Duration{window}}
	for n := int64(b.Min); n < int64(b.Max); n++ {
		w.edges = append(w.edges, n*1000+1)
	}
	needs := func(load int64) int32 {
		return int32(min(max((load+999)/1000, int64(b.Min)), int64(b.Max)))
	}
	how := func(tr *Transition, size int32) string {
		if tr.After >= tr.Size || tr.After >= size {
			return ""
		}
		return fmt.Sprintf("the load of the last %s needs %d, and %d becomes %d", words.Span(window), size, tr.Size, tr.After)
	}
	w.next = func(memory any, tr *Transition, emit func(any)) string {
		m := memory.(needed)
		if m.size == 0 {
			if tr.choice != partOfLoads {
				emit(m)
			}
			if tr.choice == anyLoad {
				return ""
			}
			m = needed{size: needs(milli(tr.Load))}
			if window <= 0 {
				return ""
			}
		} else if m.ago += tr.Since(); tr.Ago(m.ago) >= window {
			return ""
		}
		if m.size > b.Min && !in.keepsAbove(m.size, window, tr) {
			emit(m)
		}
		return how(tr, m.size)
	}
	return w
}

// keepsAbove reports whether no later sync of a window scales down below a size,
// as a recommendation that is as high would hold it: that of this sync, or one that
// makes a lower size rise. Without a behavior, earlier ones may do so.
func (w *world) keepsAbove(size int32, window time.Duration, tr *Transition) bool {
	switch {
	case !w.lazy || window > w.windows.Down:
		return false
	case tr.asks >= size:
		return true
	case w.setup.Spec.Behavior == nil && tr.held >= size:
		return false
	}
	return tr.After < size
}

// changed are pods that were added or removed since a sync.
type changed struct {
	pods int32
	ago  int
	on   bool
}

// changesAtMost watches the changes from one sync on, whichever it is.
func changesAtMost(done string, pods int32, within time.Duration, count func(*Transition) int32) *watch {
	return &watch{start: changed{}, bounds: []time.Duration{within}, next: func(memory any, tr *Transition, emit func(any)) string {
		m, n := memory.(changed), max(count(tr), 0)
		switch {
		case !m.on:
			emit(m)
			if n == 0 || within <= 0 {
				return ""
			}
			m.on = true
		default:
			if m.ago += tr.Since(); tr.Ago(m.ago) >= within {
				return ""
			}
		}
		m.pods += n
		if m.pods > pods {
			return fmt.Sprintf("%s %s within %s", words.Count(m.pods, "pod"), arePlural(m.pods, done), words.Span(within))
		}
		emit(m)
		return ""
	}}
}

// turned is how often the size turned since a sync, and which way it went last.
type turned struct {
	on    bool
	way   int8 // 1 is up, -1 is down, 0 none yet
	times int
}

// turnsAtMost watches the turns from one sync on while the load is within the
// band.
func turnsAtMost(band span, turns int) *watch {
	return &watch{start: turned{}, edges: []int64{band.low, band.high + 1}, next: func(memory any, tr *Transition, emit func(any)) string {
		m := memory.(turned)
		if !m.on {
			emit(m)
			m.on = true
		}
		if !band.has(milli(tr.Load)) || len(tr.Troubles) > 0 {
			return ""
		}
		way := int8(0)
		switch {
		case tr.After > tr.Size:
			way = 1
		case tr.After < tr.Size:
			way = -1
		}
		if way != 0 {
			if m.way == -way {
				m.times++
			}
			m.way = way
		}
		if m.times > turns {
			return fmt.Sprintf("the size turns for the %s time, from %d to %d", words.Ordinal(m.times), tr.Size, tr.After)
		}
		emit(m)
		return ""
	}}
}

// waiting is for how many syncs something held, and then for how many another
// thing lacks. Both are -1 while they do not count.
type waiting struct{ held, lacks int }

// late says how what something leads to breaks.
const late = "it does not"

func leadsTo(when func(*Transition) bool, lasting time.Duration, then func(*Transition) bool, within time.Duration) *watch {
	return &watch{start: waiting{-1, -1}, bounds: []time.Duration{lasting, within, within + 1}, next: func(memory any, tr *Transition, emit func(any)) string {
		m := memory.(waiting)
		switch holds := when(tr); {
		case !holds:
			m.held = -1
		case m.held < 0:
			m.held = 0
		case tr.Ago(m.held) < lasting:
			m.held += tr.Since()
		}
		switch {
		case m.lacks >= 0:
			if m.lacks += tr.Since(); tr.Ago(m.lacks) > within {
				return late
			}
		case m.held >= 0 && tr.Ago(m.held) >= lasting:
			m.lacks = 0
		}
		if m.lacks >= 0 && then(tr) {
			m.lacks = -1
		}
		if m.lacks >= 0 && tr.Ago(m.lacks) >= within {
			return late
		}
		emit(m)
		return ""
	}}
}
