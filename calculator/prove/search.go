package prove

import (
	"context"
	"fmt"
	"math"
	"time"
)

// Search says which courses of load to try. The zero Search tries all loads
// from 0 to twice maxReplicas, with a sync each Setup.SyncPeriod, and without
// troubles.
type Search struct {
	// Low and High are the bounds of the load, in replicas. Any load between
	// them may follow any other, from one sync to the next. A High of zero means
	// twice maxReplicas.
	Low, High float64
	// Levels are the loads to try instead of all between bounds, at most 65,536.
	Levels []float64
	// Edges are loads that the functions of Always, Watch and LeadsTo compare
	// with, such as the 8 of `tr.Load > 8`. They see one load of all that decide
	// alike, which are then on one side of the edge. Where metrics are late, the
	// edges alone tell a sync's loads apart until metrics show them.
	Edges []float64
	// Ages are times that the functions of Watch and LeadsTo compare
	// Transition.Ago with. They matter with a jitter.
	Ages []time.Duration
	// Jitter is how much the time from one sync to the next may differ from
	// Setup.SyncPeriod, up to half of it, exclusive. It does not go with metrics
	// that are late.
	Jitter time.Duration
	// Missed is how many syncs in a row may not happen, up to 8. It does not go
	// with metrics that are late.
	Missed int
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
	// MaxStates is how many states to keep before giving up, and how many of
	// constant loads within a replica of each other. Zero means 4,000,000, which
	// take up to 6 GB.
	MaxStates int
	// Untimed leaves out the longest times of the Result, which take longest to
	// find.
	Untimed bool
	// Progress is called now and then, by one goroutine at a time. The search
	// gives up if it returns false.
	Progress func(Progress) bool
}

// Progress is how far a search is.
type Progress struct {
	// Claim is what is searched for, empty for the states that all properties
	// need.
	Claim string
	// States is the number of states that were found for it, Depth the number
	// of syncs that lead to the last one.
	States, Depth int
}

const (
	defaultMaxStates = 4_000_000
	maxMissed        = 8
	maxLevels        = 1 << 16
)

// Run tries every course of load, on all processors. The error names the setup,
// search or property that is not valid, or wraps that of the context, which ends
// a search within a sync.
func (s Search) Run(ctx context.Context, setup *Setup, properties ...Property) (*Result, error) {
	r, err := s.start(setup, properties)
	if err != nil {
		return nil, err
	}
	if err := r.all(ctx); err != nil {
		return nil, cannotGoOn(err)
	}
	return &r.Result, nil
}

// running is a search that runs.
type running struct {
	Search
	Result
	setup      *Setup
	properties []Property
	known      *pieceTable
	// base has the states that courses of load lead to, and held the courses of
	// constant loads from them, by what they go on until.
	base *graph
	held map[until]*courses
}

func (s Search) start(setup *Setup, properties []Property) (*running, error) {
	if err := s.problem(setup); err != nil {
		return nil, err
	}
	if s.MaxStates == 0 {
		s.MaxStates = defaultMaxStates
	}
	if s.High == 0 {
		s.High = max(2*float64(setup.Spec.Bounds().Max), s.Low)
	}
	for i := range properties {
		if p := properties[i].problem; p != nil {
			if err := p(&s); err != nil {
				return nil, err
			}
		}
	}
	w, err := s.world(setup)
	if err != nil {
		return nil, err
	}
	r := &running{Search: s, setup: setup, properties: properties, known: newPieceTable(), held: map[until]*courses{}}
	var checks []*check
	for i := range properties {
		if p := &properties[i]; p.each != nil {
			checks = append(checks, &check{i, p.each})
		}
	}
	r.remedy = s.remedyOf(setup)
	r.base = newGraph(w, r.known, checks, r.MaxStates)
	r.base.progress = r.report("")
	return r, nil
}

// all visits the states, and then judges the properties one by one.
func (r *running) all(ctx context.Context) error {
	if err := r.base.search(ctx); err != nil {
		return err
	}
	r.Complete, r.States, r.Transitions, r.Depth = r.base.complete, r.base.states(), r.base.transitions, r.base.depth
	for i := range r.properties {
		v, err := r.judge(ctx, i)
		if err != nil {
			return err
		}
		r.Verdicts = append(r.Verdicts, v)
	}
	if !r.Complete {
		return nil
	}
	if r.Untimed {
		r.remedy = ""
		return nil
	}
	return r.worst(ctx)
}

// report returns the function that reports on the progress of a graph.
func (r *running) report(claim string) func(states, depth int) bool {
	if r.Progress == nil {
		return nil
	}
	return func(states, depth int) bool { return r.Progress(Progress{claim, states, depth}) }
}

// problem returns why there can be no search.
func (s Search) problem(setup *Setup) error {
	if err := setup.Validate(); err != nil {
		return err
	}
	switch most := setup.Spec.Bounds().Max; {
	case setup.Syncs(setup.Lag) > maxLag:
		return fmt.Errorf("prove: Setup.Lag: %v is too long for a search", setup.Lag)
	case setup.Startup > time.Hour/2:
		return fmt.Errorf("prove: Setup.Startup: %v is too long for a search", setup.Startup)
	case most > math.MaxUint8:
		return fmt.Errorf("prove: spec.maxReplicas: %d is too many for a search", most)
	case s.MaxStates < 0 || s.MaxStates > math.MaxInt32:
		return fmt.Errorf("prove: Search.MaxStates: %d is not a number of states", s.MaxStates)
	case !(s.Low >= 0 && s.Low <= math.MaxInt32):
		return fmt.Errorf("prove: Search.Low: %v is not a load", s.Low)
	case !(s.High == 0 || s.High >= s.Low && s.High <= math.MaxInt32):
		return fmt.Errorf("prove: Search.High: %v is not a load from Search.Low", s.High)
	case s.Missed < 0 || s.Missed > maxMissed:
		return fmt.Errorf("prove: Search.Missed: %d is not from 0 to %d", s.Missed, maxMissed)
	case s.Jitter < 0 || s.Jitter >= setup.Period()/2:
		return fmt.Errorf("prove: Search.Jitter: %v is not less than half of a sync period", s.Jitter)
	}
	for _, l := range s.Edges {
		if !(l >= 0 && l <= math.MaxInt32) {
			return fmt.Errorf("prove: Search.Edges: %v is not a load", l)
		}
	}
	for i, a := range s.Ages {
		if err := timed(fmt.Sprintf("Search.Ages[%d]", i), a)(&s); err != nil {
			return err
		}
	}
	return s.problemOfTroubles(setup)
}

func (s Search) problemOfTroubles(setup *Setup) error {
	late := setup.Lag > 0
	for i, x := range s.Troubles {
		path := fmt.Sprintf("Search.Troubles[%d]", i)
		switch counts := x.Kind.OfPods() || x.Kind == MetricsLate || x.Kind == Surge; {
		case x.N < 0 || x.N > math.MaxUint8:
			return fmt.Errorf("prove: %s: %d is not from 0 to %d", path, x.N, math.MaxUint8)
		case x.Kind > LastTrouble:
			return invalid(path+".Kind", x.Kind.String(), "must be known")
		case x.Kind.OfMetric() && int(x.N) >= len(setup.Spec.Metrics):
			return invalid(path+".N", x.N, "must be the index of a metric")
		case counts && x.N == 0:
			return invalid(path+".N", x.N, "must be above 0")
		}
		late = late || x.Kind == MetricsLate
	}
	if late && (s.Jitter > 0 || s.Missed > 0) {
		return fmt.Errorf("prove: Search.Jitter and Search.Missed do not go with late metrics")
	}
	return nil
}
