package prove

import (
	"encoding/binary"
	"slices"
	"time"

	"github.com/purehpa/hpa/calculator"
)

// watch is a property with a memory, which each sync changes. It may go on in
// several ways, of which each must hold.
type watch struct {
	// bounds are times that the property tells apart, and edges loads.
	bounds []time.Duration
	edges  []int64
	start  any
	// once reports that it looks at the load of one sync: the first one that leaves
	// another memory than start.
	once bool
	next func(memory any, tr *Transition, emit func(any)) (how string)
}

// decides reports whether a property looks at decisions.
func (v *walker) decides() bool { return len(v.checks) > 0 }

// judge adds the edge, once for each memory that follows, or says which property
// it breaks.
func (v *walker) judge(e *edge, s *sight) {
	if v.watch == nil && len(v.checks) == 0 {
		v.join(e)
		return
	}
	tr := v.transition(e, s)
	if v.decides() {
		tr.Observation, tr.Decision = &s.seen.scene.obs, &v.d
	}
	breaks := func(i int, how string) {
		broken := *e
		broken.broken, broken.how = i, how
		v.join(&broken)
	}
	for i, c := range v.checks {
		if how := c.each(&tr); how != "" {
			breaks(i, how)
		}
	}
	if v.watch == nil {
		v.join(e)
		return
	}
	var memories []any
	if how := v.watch.next(v.notes.of(s.watch), &tr, func(m any) { memories = append(memories, m) }); how != "" {
		breaks(0, how)
		return
	}
	for _, m := range memories {
		way := *e
		way.sets, way.pieces = slices.Clone(e.sets), slices.Clone(e.pieces)
		spot := []byte(e.spot)
		binary.LittleEndian.PutUint32(spot[watchAt:], v.notes.number(m))
		way.spot = string(spot)
		v.join(&way)
	}
}

// transition returns an edge as properties see it.
func (v *walker) transition(e *edge, s *sight) Transition {
	held := int32(none)
	for _, set := range e.sets {
		held = max(held, v.list[set].high)
	}
	return Transition{
		Load: float64(e.own.round()) / 1000, Troubles: v.world.troubles[s.troubles],
		Size: s.size(), After: e.after,
		timing: s.when, missed: s.missed, asks: e.pieces[0].asks, held: held, choice: s.choice,
	}
}

// Transition is a decision of a search. It is valid until the function that got
// it returns.
type Transition struct {
	// Load is the load in replicas: one of those that the decision is the same
	// for. Troubles are those of Search.Troubles that happen.
	Load     float64
	Troubles []Trouble
	// Size is the size before the sync, as others left it, After the size after
	// it.
	Size, After int32
	// Observation is what the sync saw, and Decision what it decided. The
	// conditions are not those of the course of load. Times are relative to
	// Decision.Now, which is the same for all. Both are nil but for Always, as
	// otherwise many syncs share a decision.
	Observation *calculator.Observation
	Decision    *calculator.Decision

	timing *timing
	missed int
	// asks is what the sync recommends, none for nothing, and held the highest
	// recommendation that the scaleDown window may have after it.
	asks, held int32
	choice     choice
	asked      *[]int // collects what Ago is asked
}

// Ago returns how long ago a sync was, as a number of syncs that were due: 0 is
// this one. With a Search.Jitter, the time is not exact, but as the real one is
// it compares with the windows and periods of the rules, with the times of
// [LeadsTo] and other properties, and with Search.Ages.
func (tr *Transition) Ago(syncs int) time.Duration {
	if tr.asked != nil {
		*tr.asked = append(*tr.asked, syncs)
	}
	return tr.timing.ago(syncs)
}

// Since returns how many syncs were due since the one before, which is 1 unless
// syncs did not happen.
func (tr *Transition) Since() int { return tr.missed + 1 }
