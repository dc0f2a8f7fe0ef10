package calctest

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/purehpa/hpa/calculator/internal/words"
)

// Search says which courses of load to try in [Exhaust]: every one in which the load
// at each sync is one of the levels, from every size within bounds with an empty
// history.
//
// It is finite, as only what still matters of a state counts; see
// calculator.State.AppendKey. The number of states grows fast with the levels, with
// the syncs in the windows and with maxReplicas. A longer SyncPeriod and fewer levels
// make it smaller.
type Search struct {
	// Levels are the loads in replicas. Nil means every number from 0 to
	// maxReplicas.
	Levels []float64
	// Around, if it is not 0, leaves to each sync only levels around its size: the
	// lowest and the highest one, the one at the target, those at both edges of
	// tolerance, and so many beyond each edge. So sizes of hundreds can be searched.
	Around int
	// Troubles are what may happen in any sync besides load, alone or together. Those
	// of a kind exclude each other, unless they are of different metrics. N is up to
	// 255.
	Troubles []Trouble
	// MaxStates is how many states are visited, and those of the last sync beyond
	// them. Zero means 1,000,000, some 300 MB.
	MaxStates int
}

const defaultMaxStates = 1_000_000

// Exhausted is the outcome of a search.
type Exhausted struct {
	// Complete reports whether all reachable states were visited. If so, what was
	// not found does not exist, within the limits that Exhaust documents.
	Complete bool
	// States is the number of states, and Transitions that of decisions.
	States, Transitions int
	// Depth is the number of syncs after which no state is new or, if the search is
	// not complete, up to which all courses were tried.
	Depth int
	// WorstUp is the longest time that a load takes until the size is what it needs:
	// the load rounded up, up to maxReplicas. WorstTolerated is the same until the
	// load is within tolerance, as in AnswersStep. WorstDown is the longest time
	// until the size is no more than what the load needs, at least minReplicas.
	// WorstSettle is the longest time until the size changes no more.
	//
	// All start at any reachable state, and from then on the load is constant and no
	// metric fails. They count from one period before the first sync that sees the
	// load, as it may have changed right after the sync before. So a time is the
	// number of syncs that it takes, in periods. Times are zero unless the search is
	// complete.
	WorstUp, WorstTolerated, WorstDown, WorstSettle Worst
	// Counterexamples are those of the properties that do not hold, in their order.
	// Each is a shortest course of load, as a table.
	Counterexamples []string
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
		return fmt.Sprintf("%d states, %d decisions, incomplete after %d syncs\n", x.States, x.Transitions, x.Depth)
	}
	return fmt.Sprintf("%d states, %d decisions, all within %d syncs\nscaled up: %v\nwithin tolerance: %v\nscaled down: %v\nsettled: %v\n",
		x.States, x.Transitions, x.Depth, x.WorstUp, x.WorstTolerated, x.WorstDown, x.WorstSettle)
}

// Exhaust tries every course of load, and fails t for each property that does not
// hold, with a shortest counterexample. A search that is not complete fails t, too.
//
//	func TestRules(t *testing.T) {
//		setup := calctest.Manifest(t, "hpa.json")
//		calctest.Exhaust(t, setup, calctest.Search{Levels: []float64{0, 5, 10}},
//			calctest.CarriedWithin(time.Minute),
//			calctest.SettledWithin(10*time.Minute))
//	}
//
// A complete search is a proof for these levels on this grid of syncs: for any course
// of them, however long, with pods that all start in Setup.Startup and share the load.
// It says nothing about levels in between, where a ratio may be rounded or tolerated
// otherwise, about syncs that are late, about pods that fail, restarts, changes by
// others, or a history from other rules. [Invariants] draw these.
//
// Each sync of a Setup.Lag multiplies the states. All processors are used.
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

// Run is [Exhaust] without a test. The error is that of a setup or search that is not
// valid.
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
		g.checks = append(g.checks, &check{Property: &properties[i]})
		w.remember = max(w.remember, setup.syncs(properties[i].window))
	}
	if w.remember > math.MaxUint8 {
		return nil, fmt.Errorf("calctest: a window of %d syncs is too long for a search", w.remember)
	}
	if err := g.search(); err != nil {
		return nil, err
	}
	x := &Exhausted{Complete: g.complete, States: g.reached, Transitions: len(g.next), Depth: g.depth}
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
