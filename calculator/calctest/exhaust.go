package calctest

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/purehpa/hpa/calculator/internal/words"
)

// Search says which courses of load [Exhaust] tries: all those in which the load at
// each sync is one of the levels. The zero Search has whole numbers as levels.
//
// States that decide alike from now on count as one; see calculator.State.AppendKey.
// So there are finitely many, but their number grows fast with the levels, the syncs
// in a window, and maxReplicas. If they are too many, use fewer levels, a longer
// Setup.SyncPeriod, or Around.
type Search struct {
	// Levels are the loads to try, in replicas, at most 256 of them. Nil means every
	// whole number from 0 to maxReplicas, which is at most 255.
	Levels []float64
	// Around leaves to each size only the levels around it, where the decision
	// changes. With an Around of 2 and a tolerance of 10%, 50 replicas have these of
	// the levels from 0 to 100:
	//
	//	0 100     the lowest and the highest one
	//	50        the highest one up to the target
	//	45 55     the last ones within tolerance
	//	44 43     as many beyond it as Around says
	//	56 57
	//
	// Zero leaves all levels to all sizes. With an Around of 1, Kubernetes' default
	// rules have 250,000 states for up to 200 replicas.
	Around int
	// Troubles may happen in any sync, each on its own or with others:
	//
	//	Troubles: []calctest.Trouble{
	//		{Kind: calctest.MetricFails},
	//		{Kind: calctest.MetricsLate, N: 1},
	//	}
	//
	// Two of the same kind do not happen in one sync, unless they are of different
	// metrics. N is from 0 to 255, and above 0 if it counts pods, syncs or percents. Each
	// trouble doubles the decisions at a state, or nearly so.
	Troubles []Trouble
	// MaxStates is how many states to visit before giving up, at the end of a sync.
	// Zero means 1,000,000, which take 400 to 600 MB.
	MaxStates int
}

const defaultMaxStates = 1_000_000

// Exhausted is the outcome of a search.
type Exhausted struct {
	// Complete reports whether all states were visited. If so, what was not found
	// does not exist; see Exhaust for what that means. If not, only courses of up to
	// Depth syncs were tried.
	Complete bool
	// States is the number of states, and Transitions that of decisions.
	States, Transitions int
	// Depth is the number of syncs that it takes to reach all states.
	Depth int
	// These are the longest times that a load takes, from any state, if it then stays
	// the same and no trouble happens.
	//
	//	WorstUp          until the size is at least what the load needs
	//	WorstTolerated   until the load is within the scaleUp tolerance, or the size maxReplicas
	//	WorstDown        until the size is at most what the load needs
	//	WorstSettle      until the size changes no more
	//
	// A load needs its number of replicas, rounded up and within bounds. The load may
	// have changed right after a sync, so times count from one period before the first
	// sync that sees it. They are zero unless the search is complete.
	WorstUp, WorstTolerated, WorstDown, WorstSettle Worst
	// Counterexamples are those of the properties that do not hold, in their order.
	// Each is a shortest course of load, as a table.
	Counterexamples []string

	// partial reports that sizes lacked levels.
	partial bool
}

// Worst is the longest time that something takes.
type Worst struct {
	// Never reports that it may never happen. Time is then zero.
	Never bool
	Time  time.Duration
	// Load is the load that takes so long, and Size the size at its first sync. Both
	// are zero if Time is.
	Load float64
	Size int32
}

// String returns the time, such as "1m30s, from 1 replica at load 5".
func (w Worst) String() string {
	switch {
	case w.Never:
		return fmt.Sprintf("never, from %s at load %s", words.Count(w.Size, "replica"), number(w.Load))
	case w.Time == 0:
		return "at once"
	}
	return fmt.Sprintf("%s, from %s at load %s", words.Span(w.Time), words.Count(w.Size, "replica"), number(w.Load))
}

// String returns the outcome in a few lines.
func (x *Exhausted) String() string {
	if !x.Complete {
		return fmt.Sprintf("%d states, %d decisions, incomplete after %d syncs%s\n", x.States, x.Transitions, x.Depth, x.where())
	}
	return fmt.Sprintf("%d states, %d decisions, all within %d syncs%s\nscaled up: %v\nwithin tolerance: %v\nscaled down: %v\nsettled: %v\n",
		x.States, x.Transitions, x.Depth, x.where(), x.WorstUp, x.WorstTolerated, x.WorstDown, x.WorstSettle)
}

func (x *Exhausted) where() string {
	if x.partial {
		return ", at loads around the size"
	}
	return ""
}

// Exhaust tries every course of load, and fails t for each property that does not
// hold, with a shortest counterexample. A search that is not complete fails t, too.
// All processors are used.
//
//	func TestRules(t *testing.T) {
//		setup := calctest.Manifest(t, "hpa.json")
//		calctest.Exhaust(t, setup, calctest.Search{Levels: []float64{0, 5, 10}},
//			calctest.CarriedWithin(time.Minute),
//			calctest.SettledWithin(10*time.Minute))
//	}
//
// # What is proved
//
// If Exhaust passes, the properties hold for every course of load, however long, that
//
//   - starts at any size within bounds, with an empty history,
//   - has one of the levels as its load at each sync, with Search.Around one of those
//     around the size at that sync,
//   - has a sync each Setup.SyncPeriod, to the nanosecond,
//   - has pods that serve after Setup.Startup and share the load evenly,
//   - has metrics that all show the whole load, as old as Setup.Lag says,
//   - and has none of the troubles but those of Search.Troubles.
//
// The worst times, [CarriedWithin] and [SettledWithin] are about loads that stay the
// same. With Search.Around these, too, are levels around the size at first. They then
// stay whatever the size becomes.
//
// # What is not proved
//
// Nothing is proved about other loads. There are rules for which loads of 4 and 5
// settle, and one of 4.4 flaps for ever: it asks for 5 replicas, and is then below their
// tolerance. So choose levels between the sizes, too, such as each size times the edges
// of tolerance, and see whether finer ones find more.
//
// Nor is anything proved about syncs that are late, pods that differ, a restart that
// loses the state, or rules that were others before. [Invariants] and [Timelines] draw
// what happens besides load; they find much, and prove nothing.
//
// Each sync of lag multiplies the states, and so does what [NeverBelow] remembers.
func Exhaust(t testing.TB, setup *Setup, s Search, properties ...Property) *Exhausted {
	t.Helper()
	x, err := s.Run(setup, properties...)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range x.Counterexamples {
		t.Errorf("%s", text)
	}
	if !x.Complete {
		t.Errorf("calctest: %v", x)
	}
	return x
}

// Run is [Exhaust] without a test. The error is that of a setup, search or property that
// is not valid.
func (s Search) Run(setup *Setup, properties ...Property) (*Exhausted, error) {
	w, err := s.world(setup)
	if err != nil {
		return nil, err
	}
	g := &graph{world: w, max: s.MaxStates}
	if g.max == 0 {
		g.max = defaultMaxStates
	}
	for i := range properties {
		if p := properties[i].problem; p != nil {
			if err := p(w.levels); err != nil {
				return nil, err
			}
		}
		g.checks = append(g.checks, &check{Property: &properties[i]})
		w.remember = max(w.remember, setup.syncs(properties[i].window))
	}
	if w.remember > math.MaxUint8 {
		return nil, fmt.Errorf("calctest: a window of %d syncs is too long for a search", w.remember)
	}
	if err := g.search(); err != nil {
		return nil, err
	}
	x := &Exhausted{Complete: g.complete, States: g.reached, Transitions: len(g.next), Depth: g.depth, partial: g.partial}
	if g.complete {
		g.worst(x)
	}
	for _, c := range g.checks {
		text, err := g.counterexample(c)
		if err != nil {
			return nil, err
		}
		if text != "" {
			x.Counterexamples = append(x.Counterexamples, text)
		}
	}
	return x, nil
}
