package prove

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/podgroup"
)

// world returns what the search goes through for these properties.
func (s Search) world(setup *Setup, properties ...Property) (*world, error) {
	b := setup.Spec.Bounds()
	w := &world{
		setup: setup, bounds: b, aims: AimsOf(setup.Spec), troubles: together(s.Troubles), spans: numbersFrom(noLoads), most: b.Max, missed: s.Missed,
		windows: setup.Spec.Behavior.Windows(setup.Settings.DownscaleStabilization),
		neutral: (&calculator.State{}).AppendKey(nil, Start, &setup.Settings, setup.Spec),
	}
	if n := len(w.troubles); n > math.MaxUint8 {
		return nil, fmt.Errorf("prove: Search.Troubles: %d are too many for a search", len(s.Troubles))
	}
	for _, x := range s.Troubles {
		if x.Kind == Resized {
			w.most = max(w.most, x.N)
		}
	}
	for i := range setup.Spec.Metrics {
		w.fallback = w.fallback || setup.Spec.Metrics[i].Fallback() != nil
	}
	for _, set := range w.troubles {
		segment := Segment{Troubles: set}
		w.late = append(w.late, setup.Syncs(setup.Lag)+segment.number(MetricsLate))
	}
	if w.lag = slices.Max(w.late); w.lag > maxLag {
		return nil, fmt.Errorf("prove: Search.Troubles: metrics late by %d syncs are too late for a search", w.lag)
	}
	w.lazy = w.mayBeLazy(s)
	if err := w.setTimings(s, properties); err != nil {
		return nil, err
	}
	w.sets = newTable(w.most, w.downs)
	return w, w.setLoads(s)
}

// maxLag is the largest number of syncs that metrics may be late.
const maxLag = 100

// setTimings sets when syncs may be, and for how many of them what counts.
func (w *world) setTimings(s Search, properties []Property) (err error) {
	moments := w.moments(s)
	for i := range properties {
		if p := &properties[i]; p.watch != nil {
			w.watch = p.watch(w)
			w.notes = numbersFrom(w.watch.start)
			w.edges = append(w.edges, w.watch.edges...)
			w.watch.bounds = slices.Concat(w.watch.bounds, s.Ages)
			for _, b := range w.watch.bounds {
				if b > 0 {
					moments = append(moments, b)
				}
			}
		}
	}
	if w.timings, err = timings(w.setup.Period(), s.Jitter, moments); err != nil {
		return err
	}
	w.slack = time.Duration(slices.Max(moments)/w.setup.Period()+1) * s.Jitter
	w.ages = w.syncsWithin(func(age time.Duration) bool { return age < s.settled(w.setup) }) + w.lag
	w.downs = w.syncsWithin(w.inDown)
	w.ups = w.syncsWithin(w.inUp)
	if most := max(w.ages, w.downs, w.ups); most > math.MaxUint8 {
		return fmt.Errorf("prove: %d syncs in a window are too many for a search; name a longer Setup.SyncPeriod", most)
	}
	return nil
}

// setLoads sets the loads, and those at which pieces end.
func (w *world) setLoads(s Search) error {
	w.all = span{milli(s.Low), milli(s.High)}
	for _, e := range s.Edges {
		w.edges = append(w.edges, milli(e), milli(e)+1)
	}
	slices.Sort(w.edges)
	w.edges = slices.Compact(w.edges)
	if s.Levels == nil {
		return nil
	}
	for i, l := range s.Levels {
		if !(l >= 0 && l <= math.MaxInt32) {
			return fmt.Errorf("prove: Search.Levels[%d]: %v is not a load", i, l)
		}
		w.levels = append(w.levels, milli(l))
	}
	switch {
	case len(w.levels) == 0:
		return errors.New("prove: Search.Levels: the list is empty")
	case len(w.levels) > maxLevels:
		return fmt.Errorf("prove: Search.Levels: %d are too many for a search", len(w.levels))
	}
	slices.Sort(w.levels)
	w.levels = slices.Compact(w.levels)
	w.all = span{w.levels[0], w.levels[len(w.levels)-1]}
	return nil
}

// mayBeLazy: see world.lazy.
func (w *world) mayBeLazy(s Search) bool {
	set := &w.setup.Settings
	if set.Corrections != 0 || set.ColdStart != calculator.RecommendCurrent || set.Cooldown != (behavior.Cooldown{}) || w.setup.Proposer != nil {
		return false
	}
	if w.setup.Spec.Behavior != nil && w.windows.Up > w.windows.Down {
		return false
	}
	return !slices.ContainsFunc(s.Troubles, func(x Trouble) bool { return x.Kind == Resized })
}

// moments are the times at which something is another way.
func (w *world) moments(s Search) (all []time.Duration) {
	add := func(d time.Duration) {
		if d > 0 {
			all = append(all, d)
		}
	}
	if b := w.setup.Spec.Behavior; b == nil {
		add(w.windows.Down + 1)
	} else {
		add(w.windows.Down)
		add(w.windows.Up)
		for _, r := range []*behavior.ScalingRules{b.ScaleUp, b.ScaleDown} {
			for _, p := range r.Policies {
				add(time.Duration(p.PeriodSeconds) * time.Second)
			}
		}
	}
	for _, age := range []time.Duration{w.setup.Startup, s.settled(w.setup)} {
		if age > 0 {
			w.pods = append(w.pods, age)
		}
	}
	all = append(all, w.pods...)
	if len(all) == 0 {
		all = []time.Duration{1}
	}
	return all
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
