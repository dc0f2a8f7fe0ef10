package prove

import (
	"fmt"
	"time"

	"github.com/purehpa/hpa/calculator/internal/words"
)

// Result is the outcome of a search.
type Result struct {
	// Complete reports whether all states were visited. If so, what was not
	// found does not exist; the package says what that means. If not, only
	// courses of up to Depth syncs were tried.
	Complete bool
	// States is the number of states, and Transitions that of decisions.
	States, Transitions int
	// Depth is the number of syncs that it takes to reach all states.
	Depth int
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
	// before the first sync that sees it. They are zero unless the search is
	// complete.
	WorstUp, WorstTolerated, WorstDown, WorstSettle Worst
	// Counterexamples are those of the properties that do not hold, in their
	// order. Each is a shortest course of load, as a table.
	Counterexamples []string

	// partial reports that sizes lacked levels.
	partial bool
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
	if !x.Complete {
		return fmt.Sprintf("%d states, %d decisions, incomplete after %d syncs%s\n", x.States, x.Transitions, x.Depth, x.where())
	}
	return fmt.Sprintf("%d states, %d decisions, all within %d syncs%s\nscaled up: %v\nwithin tolerance: %v\nscaled down: %v\nsettled: %v\n",
		x.States, x.Transitions, x.Depth, x.where(), x.WorstUp, x.WorstTolerated, x.WorstDown, x.WorstSettle)
}

func (x *Result) where() string {
	if x.partial {
		return ", at loads around the size"
	}
	return ""
}
