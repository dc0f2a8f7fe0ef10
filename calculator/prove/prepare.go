package prove

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/purehpa/hpa/podgroup"
)

func (s Search) world(setup *Setup) (*world, error) {
	if err := s.problem(setup); err != nil {
		return nil, err
	}
	w := &world{setup: setup, aims: newWorkload(&Timeline{Setup: setup}).aims, troubles: together(s.Troubles)}
	if n := len(w.troubles); n > math.MaxUint8 {
		return nil, fmt.Errorf("prove: Search.Troubles: %d are too many for a search", len(s.Troubles))
	}
	most := setup.Spec.Bounds().Max
	for _, x := range s.Troubles {
		if x.Kind == Resized {
			most = max(most, x.N)
		}
	}
	if err := w.setLevels(s, most); err != nil {
		return nil, err
	}
	for _, set := range w.troubles {
		segments := make([]Segment, len(w.levels))
		for i, l := range w.levels {
			segments[i] = Segment{Syncs: 1, Load: l, Troubles: set}
		}
		w.segments = append(w.segments, segments)
		w.late = append(w.late, setup.Syncs(setup.Lag)+segments[0].number(MetricsLate))
	}
	w.lag = slices.Max(w.late)
	if w.lag > maxLag {
		return nil, fmt.Errorf("prove: Search.Troubles: metrics late by %d syncs are too late for a search", w.lag)
	}
	w.ages = max(setup.Syncs(s.settled(setup))-1+w.lag, 0)
	return w, nil
}

// maxLag is the largest number of syncs that metrics may be late.
const maxLag = 100

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
	case s.Around < 0:
		return fmt.Errorf("prove: Search.Around: %d is negative", s.Around)
	case s.MaxStates < 0 || s.MaxStates > math.MaxInt32:
		return fmt.Errorf("prove: Search.MaxStates: %d is not a number of states", s.MaxStates)
	}
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
	}
	return nil
}

// settled returns the age from which pods count as all older ones.
func (s Search) settled(setup *Setup) time.Duration {
	age := setup.Startup
	for i := range setup.Spec.Metrics {
		if m := setup.Spec.Metrics[i].Resolve(); m.Resource() != podgroup.CPU {
			continue
		}
		age = max(age, setup.Startup+sampleWindow) // the first samples are too early
		if slices.ContainsFunc(s.Troubles, func(x Trouble) bool { return x.Kind == PodsUnready }) {
			age = max(age, setup.Settings.CPUInitializationPeriod)
		}
	}
	return min(age, time.Hour)
}

// together returns the sets of troubles that can happen together, smaller ones
// first. Two of a kind cannot, unless they are of different metrics.
func together(all []Trouble) [][]Trouble {
	sets := [][]Trouble{nil}
	for _, x := range all {
		for _, set := range sets {
			excludes := func(y Trouble) bool {
				return x.Kind == y.Kind && !(x.Kind.OfMetric() && x.N != y.N)
			}
			if !slices.ContainsFunc(set, excludes) {
				sets = append(sets, append(slices.Clip(set), x))
			}
		}
		if len(sets) > math.MaxUint8 {
			break // too many
		}
	}
	slices.SortStableFunc(sets, func(a, b []Trouble) int { return cmp.Compare(len(a), len(b)) })
	return sets
}
