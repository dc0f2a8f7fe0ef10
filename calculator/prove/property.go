package prove

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/purehpa/hpa/calculator/internal/words"
)

// Property is what a [Search] is to prove about all courses of load. The zero
// Property holds.
type Property struct {
	claim string
	// each returns how a decision breaks the property, "" if it does not.
	each func(*Transition) string
	// watch is what has a memory.
	watch func(*world) *watch
	// until is what a constant load leads to within a time.
	until  until
	within time.Duration
	// problem returns why the property says nothing in a search.
	problem func(*Search) error
}

// String returns the claim, in a sentence.
func (p Property) String() string { return p.claim }

// longestTime is the longest time that a property may be about: a year, whose
// numbers of syncs fit into any int.
const longestTime = 366 * 24 * time.Hour

// timed returns the problem of a property of that name about a time.
func timed(name string, d time.Duration) func(*Search) error {
	return func(*Search) error {
		switch {
		case d < 0:
			return invalid(name, d.String(), "must not be negative")
		case d > longestTime:
			return invalid(name, d.String(), "must not be longer than a year")
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
	return Property{claim: claim, each: check}
}

// CarriedWithin claims that a load that stays constant is carried within that
// time, from any state and without troubles: it is within the scaleUp
// tolerance, or the size is maxReplicas. The time is Result.WorstTolerated,
// which starts one period before the first sync at that load. AnswersStep of
// package calctest starts at that sync.
func CarriedWithin(within time.Duration) Property {
	return Property{
		claim:   fmt.Sprintf("A constant load is carried within %s.", words.Span(within)),
		until:   until{kind: carried},
		within:  within,
		problem: timed("CarriedWithin", within),
	}
}

// ReleasedWithin claims that a load that stays constant leaves no more pods
// than that factor times what it needs, within that time, from any state and
// without troubles. A load needs its number of replicas, rounded up and within
// bounds. A factor of 1 is out of reach of most rules: a size within the
// scaleDown tolerance stays. The time starts one period before the first sync at
// that load.
func ReleasedWithin(within time.Duration, factor float64) Property {
	return Property{
		claim:  fmt.Sprintf("A constant load has no more than %s times the pods that it needs after %s.", words.Number(factor), words.Span(within)),
		until:  until{released, factor},
		within: within,
		problem: func(s *Search) error {
			if !(factor >= 1 && factor <= math.MaxInt32) {
				return invalid("ReleasedWithin", words.Number(factor), "must be a factor of at least 1")
			}
			return timed("ReleasedWithin", within)(s)
		},
	}
}

// SettledWithin claims that a load that stays constant makes the size change
// for no longer than that time, from any state and without troubles. The time
// is Result.WorstSettle.
func SettledWithin(within time.Duration) Property {
	return Property{
		claim:   fmt.Sprintf("A constant load settles within %s.", words.Span(within)),
		until:   until{kind: settled},
		within:  within,
		problem: timed("SettledWithin", within),
	}
}

// NeverBelow claims that no sync scales down below what the highest load of the
// window needs, the load rounded up. The window ends with the sync, and is
// exclusive: a load of exactly its age no longer counts. No stabilization
// window keeps that where metrics fail or are late.
func NeverBelow(window time.Duration) Property {
	return Property{
		claim:   fmt.Sprintf("The size does not fall below what the load of the last %s needs.", words.Span(window)),
		watch:   func(w *world) *watch { return neverBelow(w, window) },
		problem: timed("NeverBelow", window),
	}
}

// RemovedAtMost claims that no more than so many pods are removed within any
// span of time. The span is exclusive: what was removed exactly as long ago
// counts no more.
func RemovedAtMost(pods int32, within time.Duration) Property {
	return atMost("RemovedAtMost", "removed", pods, within, func(tr *Transition) int32 { return tr.Size - tr.After })
}

// AddedAtMost claims that no more than so many pods are added within any span
// of time, which is exclusive.
func AddedAtMost(pods int32, within time.Duration) Property {
	return atMost("AddedAtMost", "added", pods, within, func(tr *Transition) int32 { return tr.After - tr.Size })
}

// arePlural returns "is removed" or "are removed".
func arePlural(n int32, done string) string {
	if n == 1 {
		return "is " + done
	}
	return "are " + done
}

func atMost(name, done string, pods int32, within time.Duration, count func(*Transition) int32) Property {
	return Property{
		claim: fmt.Sprintf("No more than %s %s within %s.", words.Count(pods, "pod"), arePlural(pods, done), words.Span(within)),
		watch: func(*world) *watch { return changesAtMost(done, pods, within, count) },
		problem: func(s *Search) error {
			if pods < 0 {
				return invalid(name, pods, "must not be negative")
			}
			return timed(name, within)(s)
		},
	}
}

// TurnsWithin claims that the size turns at most so many times, from up to down
// or from down to up, while the load stays between low and high, inclusive, for
// however long, from any state, and without troubles. With low and high equal
// it claims that a load which stays so does not make the size flap.
//
// A load of the search must be within.
func TurnsWithin(low, high float64, turns int) Property {
	return Property{
		claim: fmt.Sprintf("A load from %s to %s makes the size turn at most %s.", words.Number(low), words.Number(high), words.Count(turns, "time")),
		watch: func(*world) *watch { return turnsAtMost(span{milli(low), milli(high)}, max(turns, 0)) },
		problem: func(s *Search) error {
			within := func(l float64) bool { return low <= l && l <= high }
			some := low <= high && low <= s.High && s.Low <= high
			if s.Levels != nil {
				some = slices.ContainsFunc(s.Levels, within)
			}
			if !some {
				return invalid("TurnsWithin", words.Number(low)+" to "+words.Number(high), "must have a load of the search")
			}
			return nil
		},
	}
}

// LeadsTo claims that where when has held for a time, then holds within another
// one, in a sync no later than that. With zero times, when need only hold in one
// sync, and then must hold in the same.
//
//	prove.LeadsTo("Two minutes above 8 are answered within a minute.",
//		func(tr *prove.Transition) bool { return tr.Load > 8 }, 2*time.Minute,
//		func(tr *prove.Transition) bool { return tr.After >= 8 }, time.Minute)
//
// That needs Search.Edges with the 8. The functions are called by several
// goroutines.
func LeadsTo(claim string, when func(*Transition) bool, lasting time.Duration, then func(*Transition) bool, within time.Duration) Property {
	return Property{
		claim: claim,
		watch: func(*world) *watch { return leadsTo(when, lasting, then, within) },
		problem: func(s *Search) error {
			return errorOf(timed("LeadsTo", lasting)(s), timed("LeadsTo", within)(s))
		},
	}
}

// Watch claims what needs a memory: from start on, each sync gives the memory
// of the next one, or says how it breaks the claim. The memory must have few
// values, as each multiplies the states. Step is called by several goroutines,
// and must depend on its arguments only. Search.Edges and Search.Ages have the
// loads and times that it compares with.
//
//	// No more than three scale-ups follow one another.
//	prove.Watch("…", 0, func(ups int, tr *prove.Transition) (int, string) {
//		switch {
//		case tr.After <= tr.Size:
//			return 0, ""
//		case ups == 3:
//			return ups, "the fourth scale-up in a row"
//		}
//		return ups + 1, ""
//	})
func Watch[Memory comparable](claim string, start Memory, step func(Memory, *Transition) (Memory, string)) Property {
	return Property{claim: claim, watch: func(*world) *watch {
		return &watch{start: start, next: func(m any, tr *Transition, emit func(any)) string {
			after, how := step(m.(Memory), tr)
			emit(after)
			return how
		}}
	}}
}
