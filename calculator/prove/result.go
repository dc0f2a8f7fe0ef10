package prove

import (
	"fmt"
	"strings"
	"time"

	"github.com/purehpa/hpa/calculator/internal/words"
)

// Result is the outcome of a search.
type Result struct {
	// Complete reports whether all states were visited. If not, only courses of
	// up to Depth syncs were tried.
	Complete bool
	// States is the number of states, and Transitions that of what may follow
	// them. A state stands for all that can do no more than it. Depth is the
	// number of syncs that it takes to reach all of them.
	States, Transitions int
	Depth               int
	// Timed reports whether the longest times were found, which takes a complete
	// search, and most of its time. They are zero without.
	Timed bool
	// These are the longest times that a load takes, from any state, if it then
	// stays the same and no trouble happens.
	//
	//	WorstUp          until the size is at least what the load needs
	//	WorstTolerated   until the load is within the scaleUp tolerance, or the size maxReplicas
	//	WorstDown        until the size is at most what the load needs
	//	WorstSettle      until the size changes no more
	//
	// A load needs its number of replicas, rounded up and within bounds. The
	// load may have changed right after a sync, so times count from one period
	// before the first sync at that load, which metrics that are late do not show
	// yet. With a Search.Jitter they are upper bounds: each sync counts as late as
	// it may be.
	WorstUp, WorstTolerated, WorstDown, WorstSettle Worst
	// Verdicts are those on the properties, in their order.
	Verdicts []Verdict

	remedy string // of a search that ended early
}

// remedyOf returns what to try if a search is not complete.
func (s *Search) remedyOf(setup *Setup) string {
	tries := []string{fmt.Sprintf("a MaxStates above %d", s.MaxStates), fmt.Sprintf("a copy of the rules with fewer than %s", words.Count(setup.Spec.MaxReplicas, "replica"))}
	if n := len(s.Troubles); n > 0 {
		tries = append(tries, fmt.Sprintf("less than %s at once", words.Count(n, "trouble")))
	}
	if s.Missed > 0 {
		tries = append(tries, fmt.Sprintf("fewer than %s in a row that do not happen", words.Count(s.Missed, "sync")))
	}
	switch n := len(s.Levels); {
	case n > 2:
		tries = append(tries, fmt.Sprintf("fewer than %d levels", n))
	case n == 0:
		tries = append(tries, "some Levels")
	}
	tries = append(tries, fmt.Sprintf("a SyncPeriod longer than %s", words.Span(setup.Period())))
	return "next, try " + strings.Join(tries[:len(tries)-1], ", ") + ", or " + tries[len(tries)-1]
}

// Outcome is what a search found out about a property.
type Outcome string

const (
	// Proved: it holds for all courses.
	Proved Outcome = "Proved"
	// Broken: it does not hold for the Counterexample.
	Broken Outcome = "Broken"
	// Undecided: it holds for all courses that were tried, which are not all.
	Undecided Outcome = "Undecided"
)

// Verdict is the outcome of a search for one property.
type Verdict struct {
	Claim   string
	Outcome Outcome
	// Counterexample is a shortest course that breaks the property.
	Counterexample *Counterexample
	// States is the number of states that were visited, for the property alone
	// if it has a memory. Depth is the number of syncs of the longest courses of
	// which all were tried; 0 if the property is Undecided and about constant
	// loads, or if no times of syncs were found for what breaks it.
	States, Depth int
}

// String returns the verdict: the claim if it is proved, the counterexample if
// it is broken.
func (v *Verdict) String() string {
	switch v.Outcome {
	case Broken:
		return v.Counterexample.String()
	case Undecided:
		if v.Depth == 0 {
			return fmt.Sprintf("%s\n\nNot decided: the search ended with %d states.\n", v.Claim, v.States)
		}
		return fmt.Sprintf("%s\n\nNot decided: it holds for courses of up to %s, in %d states.\n", v.Claim, words.Count(v.Depth, "sync"), v.States)
	}
	return v.Claim + "\n\nProved.\n"
}

// Worst is the longest time that something takes.
type Worst struct {
	// Never reports that it may never happen. Time is then zero.
	Never bool
	Time  time.Duration
	// Load is the load that takes so long, and Size the size at its first sync.
	// Both are zero if Time is.
	Load float64
	Size int32
	// Course is a course that takes so long. It ends with the last sync of the
	// time, or after the syncs that repeat forever. Its Claim says which time it
	// is. It is nil for a time of zero that is not Never, and if no times of
	// syncs within the Search.Jitter were found for it.
	Course *Counterexample
}

// String returns the time, such as "1m30s, from 1 replica at load 5".
func (w Worst) String() string {
	switch {
	case w.Never:
		return fmt.Sprintf("never, from %s at load %s", words.Count(w.Size, "replica"), words.Number(w.Load))
	case w.Time == 0:
		return "at once"
	}
	return fmt.Sprintf("%s, from %s at load %s", words.Span(w.Time), words.Count(w.Size, "replica"), words.Number(w.Load))
}

// String returns the outcome in a few lines.
func (x *Result) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d states, %d decisions, ", x.States, x.Transitions)
	if !x.Complete {
		fmt.Fprintf(&b, "incomplete after %s\n%s\n", words.Count(x.Depth, "sync"), x.remedy)
		return b.String()
	}
	fmt.Fprintf(&b, "all within %s\n", words.Count(x.Depth, "sync"))
	if !x.Timed {
		if x.remedy != "" {
			fmt.Fprintf(&b, "the longest times were not found\n%s\n", x.remedy)
		}
		return b.String()
	}
	fmt.Fprintf(&b, "scaled up: %v\nwithin tolerance: %v\nscaled down: %v\nsettled: %v\n",
		x.WorstUp, x.WorstTolerated, x.WorstDown, x.WorstSettle)
	return b.String()
}
