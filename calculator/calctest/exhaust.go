package calctest

import (
	"context"
	"fmt"
	"math"
	"testing"
)

// Exhaust tries every course of load, and fails t for each property that does
// not hold, with a shortest counterexample. A search that is not complete fails
// t, too. All processors are used.
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
// If Exhaust passes, the properties hold for every course of load, however
// long, that
//
//   - starts at any size within bounds, with an empty history,
//   - has one of the levels as its load at each sync, with Search.Around one of
//     those around the size at that sync,
//   - has a sync each Setup.SyncPeriod, to the nanosecond,
//   - has pods that serve after Setup.Startup and share the load evenly,
//   - has metrics that all show the whole load with the age of Setup.Lag,
//   - and has no troubles except those of Search.Troubles.
//
// The worst times, [CarriedWithin] and [SettledWithin] are about loads that
// stay the same. With Search.Around these, too, are levels around the size at
// first. They then stay whatever the size becomes.
//
// # What is not proved
//
// Nothing is proved about other loads. There are rules for which loads of 4 and
// 5 settle, and one of 4.4 flaps for ever: it asks for 5 replicas, and is then
// below their tolerance. So choose levels between the sizes, too, such as each
// size times the edges of tolerance, and see whether finer ones find more.
//
// Nor is anything proved about late syncs, pods that differ, a restart that
// loses the state, or a change of the rules. [Invariants] and [Timelines] draw
// what happens besides load; they find much, and prove nothing.
//
// Each sync of lag multiplies the states, and so does what [NeverBelow]
// remembers.
func Exhaust(t testing.TB, setup *Setup, s Search, properties ...Property) *Exhausted {
	t.Helper()
	x, err := s.Run(t.Context(), setup, properties...)
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

// Run is [Exhaust] without a test. The error names the setup, search or
// property that is not valid, or wraps that of the context, which ends a search
// within a sync.
func (s Search) Run(ctx context.Context, setup *Setup, properties ...Property) (*Exhausted, error) {
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
	if err := g.search(ctx); err != nil {
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
