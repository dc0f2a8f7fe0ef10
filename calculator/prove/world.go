package prove

import (
	"encoding/binary"
	"math"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/stabilize"
)

// world is what a search goes through. Its places are, in bytes:
//
//	size
//	fresh         1 if there was no recommendation yet
//	watch         of a property with a memory, by number, in four bytes
//	missed        the syncs that did not happen before this one, if a property may look
//	young         of each age in syncs from 1, the number of pods, as long as a pod
//	              of that age may still count differently from an old one
//	n, past       the last syncs that metrics may still show, the oldest first: size,
//	              young, loads by number in four bytes, troubles, and how many of
//	              the pods are still there
//	n, ups        of each age, the recommendation that the scaleUp window has
//	key           of the state without recommendations
//
// What the scaleDown window has is beside them: of each sync, the set of sizes
// that it may have recommended. A place and such sets are a node.
type world struct {
	setup   *Setup
	bounds  behavior.Bounds
	aims    []Aim
	windows stabilize.Windows
	// sets are the numbers of sets of sizes. most is the largest size, which
	// higher recommendations count as.
	sets *table
	most int32
	// lazy reports whether recommendations that the size does not depend on yet
	// are kept as sets.
	lazy bool
	// all are the loads of the search, in thousandths. levels are those that it
	// names, nil for all. edges are the loads at which a piece of them ends.
	all    span
	levels []int64
	edges  []int64
	// spans are the numbers of loads that a late metric may show, heldLoad that
	// of a load that stays the same.
	spans *numbers[span]
	// troubles are the sets of what can happen in a sync, the first one empty.
	// late is the number of syncs by which metrics are late with each of them,
	// and lag the longest.
	troubles [][]Trouble
	late     []int
	lag      int
	// timings say how long ago the last syncs may have been, the first one on
	// the grid. missed is how many syncs may not happen in a row. slack is how
	// much later than on the grid a sync may be that still counts.
	timings []timing
	missed  int
	slack   time.Duration
	// ages, downs and ups are the numbers of ages at which pods are young and
	// windows have recommendations.
	ages, downs, ups int
	// pods are the ages at which pods count in another way.
	pods []time.Duration
	// fallback reports that proposals may depend on the state.
	fallback bool
	watch    *watch
	notes    *numbers[any]
	// neutral is the key of an empty state.
	neutral []byte
}

// span is loads in thousandths of a replica, the ends included.
type span struct{ low, high int64 }

// noLoads is an empty span.
var noLoads = span{1, 0}

func (s span) empty() bool { return s.low > s.high }

func (s span) and(o span) span { return span{max(s.low, o.low), min(s.high, o.high)} }

// width returns the number of loads.
func (s span) width() int64 { return max(s.high-s.low+1, 0) }

func (s span) has(load int64) bool { return s.low <= load && load <= s.high }

// none is the recommendation of a sync that makes none.
const none = -1

// place is the bytes of a node, taken apart. Its pods are the size and the
// young ones.
type place struct {
	spot                 string // without what is watched
	pods, past, ups, key []byte
	fresh                bool
	watch                uint32
	missed               int
}

func (p *place) size() int32 { return int32(p.pods[0]) }

// Where the head of a place has what.
const (
	freshAt   = 1
	watchAt   = 2
	missedAt  = 6
	headBytes = 7
)

// place takes a node apart.
func (w *world) place(node string) (p place) {
	spot := []byte(node)
	p.fresh = spot[freshAt] != 0
	p.watch = binary.LittleEndian.Uint32(spot[watchAt:])
	p.missed = int(spot[missedAt])
	rest := spot[headBytes:]
	p.pods = append([]byte{spot[0]}, rest[:w.ages]...)
	p.past, rest = cut(rest[w.ages:], w.pastSize())
	p.ups, p.key = cut(rest, 2)
	clear(spot[watchAt:headBytes])
	p.spot = string(spot)
	return p
}

// cut cuts off a list of entries of a size, which starts with their number.
func cut(b []byte, size int) (list, rest []byte) {
	n := 1 + int(b[0])*size
	return b[1:n], b[n:]
}

// starts returns the places of every size with an empty history.
func (w *world) starts() (spots [][]byte) {
	for size := w.bounds.Min; size <= w.bounds.Max; size++ {
		var st calculator.State
		if size == 0 {
			st.Conditions = []autoscaling.HorizontalPodAutoscalerCondition{{Type: autoscaling.ScaledToZero, Status: autoscaling.ConditionTrue}}
		}
		spot := append([]byte{byte(size), 1, 0, 0, 0, 0, 0}, make([]byte, w.ages+2)...) // no young pods, no past, no ups
		spots = append(spots, st.AppendKey(spot, Start, &w.setup.Settings, w.setup.Spec))
	}
	return spots
}

// inDown and inUp report whether the windows have a recommendation of the age.
func (w *world) inDown(age time.Duration) bool {
	if w.setup.Spec.Behavior == nil {
		return age <= w.windows.Down
	}
	return age < w.windows.Down
}

func (w *world) inUp(age time.Duration) bool {
	return w.setup.Spec.Behavior != nil && age < w.windows.Up
}

// syncsWithin returns the number of ages from 1 that may be within something.
func (w *world) syncsWithin(has func(time.Duration) bool) int {
	n := 0
	for has(w.shortest(n + 1)) {
		n++
	}
	return n
}

// shortest returns the least time of so many syncs.
func (w *world) shortest(syncs int) time.Duration {
	return time.Duration(syncs)*w.setup.Period() - w.slackOf(syncs)
}

func (w *world) slackOf(syncs int) time.Duration {
	if len(w.timings) == 0 {
		return 0
	}
	return w.timings[0].jitter * time.Duration(min(syncs, math.MaxInt16))
}
