package prove

import (
	"context"
	"fmt"
	"math"
)

// Search says which courses of load to try: all those in which the
// load at each sync is one of the levels. The zero Search has whole numbers as
// levels.
//
// States that decide alike from now on count as one; see
// calculator.State.AppendKey. So there are finitely many, but their number
// grows fast with the levels, the syncs in a window, and maxReplicas. If they
// are too many, use fewer levels, a longer Setup.SyncPeriod, or Around.
type Search struct {
	// Levels are the loads to try, in replicas, at most 256 of them. Nil means
	// every whole number from 0 to maxReplicas, which is at most 255.
	Levels []float64
	// Around leaves to each size only the levels around it, where the decision
	// changes. With an Around of 2 and a tolerance of 10%, 50 replicas have
	// these of the levels from 0 to 100:
	//
	//	0 100     the lowest and the highest one
	//	50        the highest one up to the target
	//	45 55     the last ones within tolerance
	//	44 43     as many beyond it as Around says
	//	56 57
	//
	// Zero leaves all levels to all sizes. With an Around of 1, Kubernetes'
	// default rules have 250,000 states for up to 200 replicas.
	Around int
	// Troubles may happen in any sync, each on its own or with others:
	//
	//	Troubles: []prove.Trouble{
	//		{Kind: prove.MetricFails},
	//		{Kind: prove.MetricsLate, N: 1},
	//	}
	//
	// Two of the same kind do not happen in one sync, unless they are of
	// different metrics. N is from 0 to 255, and above 0 if it counts pods,
	// syncs or percents. Each trouble doubles the decisions at a state, or
	// nearly so.
	Troubles []Trouble
	// MaxStates is how many states to visit before giving up, at the end of a
	// sync. Zero means 1,000,000, which take 400 to 600 MB.
	MaxStates int
}

const defaultMaxStates = 1_000_000

// Run tries every course of load, on all processors. The error names the setup,
// search or property that is not valid, or wraps that of the context, which ends
// a search within a sync.
func (s Search) Run(ctx context.Context, setup *Setup, properties ...Property) (*Result, error) {
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
		w.remember = max(w.remember, setup.Syncs(properties[i].window))
	}
	if w.remember > math.MaxUint8 {
		return nil, fmt.Errorf("prove: a window of %d syncs is too long for a search", w.remember)
	}
	if err := g.search(ctx); err != nil {
		return nil, err
	}
	x := &Result{Complete: g.complete, States: g.reached, Transitions: len(g.next), Depth: g.depth, partial: g.partial}
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
