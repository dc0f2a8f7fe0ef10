package prove

import (
	"fmt"
	"slices"
	"time"

	"github.com/purehpa/hpa/calculator/internal/words"
)

// notNegative returns the problem of a property of that name about a time.
func notNegative(name string, d time.Duration) func([]float64) error {
	return func([]float64) error {
		if d < 0 {
			return invalid(name, d.String(), "must not be negative")
		}
		return nil
	}
}

// Always claims that no decision breaks a property of the caller's: check
// returns how it does, or "". It is called by several goroutines, and must not
// depend on what it was called for before.
//
//	prove.Always("No sync removes more than half.", func(tr *prove.Transition) string {
//		if tr.After < tr.Size/2 {
//			return fmt.Sprintf("%d becomes %d", tr.Size, tr.After)
//		}
//		return ""
//	})
func Always(claim string, check func(*Transition) string) Property {
	return Property{claim: claim, each: func(_ *walker, tr *Transition) string { return check(tr) }}
}

// NeverBelow claims that no sync scales down below what the highest load of the
// window needs, the load rounded up. The window ends with the sync, and is
// exclusive: a load of exactly its age no longer counts. No stabilization
// window keeps that where metrics fail or are late.
func NeverBelow(window time.Duration) Property {
	return Property{
		claim:  fmt.Sprintf("The size does not fall below what the load of the last %s needs.", words.Span(window)),
		window: window,
		each: func(v *walker, tr *Transition) string {
			if tr.After >= tr.Size {
				return ""
			}
			if load := v.highest(v.setup.Syncs(window)); tr.After < v.needs(load) {
				return fmt.Sprintf("the load was %s within %s, and %d becomes %d", words.Number(load), words.Span(window), tr.Size, tr.After)
			}
			return ""
		},
		problem: notNegative("NeverBelow", window),
	}
}

// CarriedWithin claims that a load that stays constant is carried within that
// time, from any state and without troubles: it is within the scaleUp
// tolerance, or the size is maxReplicas. The time is Result.WorstTolerated,
// which starts one period before the first sync that sees the load.
// AnswersStep of package calctest starts at that sync.
func CarriedWithin(within time.Duration) Property {
	return Property{
		claim: fmt.Sprintf("A constant load is carried within %s.", words.Span(within)),
		all: func(g *graph) *lapse {
			return g.late(within, g.tolerated, "is still too small")
		},
		problem: notNegative("CarriedWithin", within),
	}
}

// SettledWithin claims that a load that stays constant makes the size change
// for no longer than that time, from any state and without troubles. The time
// is Result.WorstSettle.
func SettledWithin(within time.Duration) Property {
	return Property{
		claim: fmt.Sprintf("A constant load settles within %s.", words.Span(within)),
		all: func(g *graph) *lapse {
			l := g.late(within, g.settling, "still changes")
			g.toChange(l, within < g.setup.Period())
			return l
		},
		problem: notNegative("SettledWithin", within),
	}
}

// late returns the shortest course to a node for which the syncs at a level
// exceed the time, and then that level for so long.
func (g *graph) late(within time.Duration, syncs func(level int) []int32, still string) *lapse {
	most := int32(min(within/g.setup.Period(), never-1))
	var first *lapse
	for _, l := range each(g, func(level int) *lapse { return g.lateAt(level, most, syncs(level), still) }) {
		if first == nil || l != nil && g.nodes[l.node].depth < g.nodes[first.node].depth {
			first = l
		}
	}
	return first
}

// lateAt is late for one level, and the most syncs that it may take.
func (g *graph) lateAt(level int, most int32, syncs []int32, still string) *lapse {
	n := slices.IndexFunc(syncs[:g.reached], func(took int32) bool { return took > most })
	if n < 0 {
		return nil
	}
	at := time.Duration(g.nodes[n].depth) * g.setup.Period()
	how := fmt.Sprintf("the load has been %s since %s, perhaps since %s, and the size %s",
		words.Number(g.levels[level]), words.Clock(at), words.Clock(at-g.setup.Period()), still)
	if syncs[n] == never {
		how += ", and will forever"
	}
	return &lapse{int32(n), slices.Repeat([]input{{level: uint8(level)}}, int(max(most, 1))), how}
}

// toChange extends the course until the size changes, in its first sync if that
// counts.
func (g *graph) toChange(l *lapse, first bool) {
	if l == nil {
		return
	}
	at, in := l.node, l.inputs[0]
	if first {
		l.inputs = nil
	}
	for range l.inputs {
		at = g.after(at, in)
	}
	for {
		next := g.after(at, in)
		l.inputs = append(l.inputs, in)
		if g.nodes[next].size != g.nodes[at].size {
			return
		}
		at = next
	}
}

// TurnsWithin claims that the size turns at most so many times, from up to down
// or from down to up, while the load stays between low and high, inclusive, for
// however long, from any state, and without troubles. With low and high equal
// it claims that a constant load does not make the size flap.
//
// The load is one of the levels of the search. With Search.Around it is one of
// those of the size at each sync, and must not stay beyond them. That no level
// is within is an error.
func TurnsWithin(low, high float64, turns int) Property {
	within := func(l float64) bool { return low <= l && l <= high }
	return Property{
		claim: fmt.Sprintf("A load from %s to %s makes the size turn at most %s.", words.Number(low), words.Number(high), words.Count(turns, "time")),
		all: func(g *graph) *lapse {
			var band []input
			for i, l := range g.levels {
				if within(l) {
					band = append(band, input{level: uint8(i)})
				}
			}
			b := &turning{graph: g, band: band, turns: max(turns, 0)}
			return b.find()
		},
		problem: func(levels []float64) error {
			if !slices.ContainsFunc(levels, within) {
				return invalid("TurnsWithin", words.Number(low)+" to "+words.Number(high), "no level is within")
			}
			return nil
		},
	}
}
