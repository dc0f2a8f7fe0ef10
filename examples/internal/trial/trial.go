// Package trial sets up simulations from flags: a measured load, the span to
// report on, and the world around the autoscaler. Programs that use it have the
// same flags with the same defaults, and so the same figures.
//
//	flags := trial.Defaults()
//	flags.Define(fs)
//	…                                         // fs.Parse
//	series, err := flags.Load.Decode(file)
//	t, err := flags.Trial(series)
//	scenario, err := t.Scenario(&flags.World, spec)
//	for row, err := range scenario.Run(&calculator.Autoscaler{Settings: &flags.Settings, Spec: spec}) {
//		…                                     // rows before t.Reported are the warm-up
//	}
//
// Errors of flags name the flag. The package opens no files, and is small
// enough for a web page.
package trial

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/simulate"
	"github.com/purehpa/hpa/examples/internal/cli"
	"github.com/purehpa/hpa/metrics"
)

// Flags are those of a trial: the load, its span, the chance, and the world
// around the autoscaler. Most callers should start from [Defaults].
type Flags struct {
	Load LoadFlags
	// From and To are the time to report on. Zero means the first value, and
	// the end of the last one.
	From, To time.Time
	// WarmUp is how long to simulate before From, at most from the first value
	// on.
	WarmUp time.Duration
	// Rollouts are the times from the start of the report to single rollouts,
	// beside those of the world.
	Rollouts []time.Duration
	Seed     uint64
	World
}

// Defaults returns what holds without flags.
func Defaults() *Flags { return &Flags{WarmUp: time.Hour, Seed: 1, World: defaultWorld()} }

// SpanUsage is the help for the flags of the span.
const SpanUsage = `  -from, -to TIME     the time to report on (all)
  -warm-up DURATION   how long to simulate before -from (1h)
`

// SeedUsage is the help for the flag of the chance.
const SeedUsage = `  -seed N             the first seed (1)
`

// Define defines all flags, with the fields as their defaults. The flags of the
// world alone are defined by [World.Define].
func (f *Flags) Define(fs *flag.FlagSet) {
	f.Load.define(fs)
	fs.Func("from", "", f.Load.moment(&f.From))
	fs.Func("to", "", f.Load.moment(&f.To))
	fs.Func("warm-up", "", cli.Duration(&f.WarmUp))
	fs.Func("rollout", "", durations(&f.Rollouts))
	fs.Uint64Var(&f.Seed, "seed", f.Seed, "")
	f.World.Define(fs)
}

// Trial is a load with the checked span and capacity.
type Trial struct {
	// The simulation is from Begin until End. The report begins at Reported:
	// earlier rows are the warm-up, and do not count.
	Begin, Reported, End time.Time
	// Capacity is the load that a pod of the flags' world can serve, in
	// milli-units.
	Capacity metrics.Milli

	series   *Series
	slope    bool
	seed     uint64
	rollouts []time.Time // single ones
}

// Trial checks the span, the rollouts and the capacity against the load.
func (f *Flags) Trial(s *Series) (*Trial, error) {
	if len(s.LoadSeries) == 0 {
		return nil, errors.New("the load has no values")
	}
	first := s.LoadSeries[0].Time
	t := &Trial{Reported: first, End: s.End, series: s, slope: f.Load.Slope, seed: f.Seed}
	if !f.From.IsZero() {
		t.Reported = f.From
	}
	if !f.To.IsZero() {
		t.End = f.To
	}
	switch {
	case t.Reported.Before(first) || !t.Reported.Before(s.End):
		return nil, fmt.Errorf("-from %s is not within the load, from %s to %s", clock(t.Reported), clock(first), clock(s.End))
	case t.End.After(s.End) || !t.End.After(t.Reported):
		return nil, fmt.Errorf("-to %s is not between %s and %s", clock(t.End), clock(t.Reported), clock(s.End))
	}
	t.Begin = t.Reported.Add(-f.WarmUp)
	if t.Begin.Before(first) {
		t.Begin = first
	}
	for _, after := range f.Rollouts {
		at := t.Reported.Add(after)
		if after < 0 || !at.Before(t.End) {
			return nil, fmt.Errorf("-rollout %v is not within the report, which ends after %v", after, t.End.Sub(t.Reported))
		}
		t.rollouts = append(t.rollouts, at)
	}
	var err error
	t.Capacity, err = t.capacity(&f.World)
	return t, err
}

// capacity returns the capacity of a pod in milli-units.
func (t *Trial) capacity(w *World) (metrics.Milli, error) {
	m := metrics.Milli(math.Round(min(w.Capacity, 1e15) * 1000))
	if w.Capacity == 0 {
		m = (t.series.Highest() + 39) / 40
	}
	if m <= 0 {
		return 0, errors.New("-capacity is 0")
	}
	return m, nil
}

// maxRollouts bounds the rollouts of a run, which are all listed.
const maxRollouts = 1_000_000

// Scenario returns the simulation of an autoscaler in a world: that of the flags
// or, in a sweep, a variation. The spec is as the release admits it. A scenario
// with an argument that cannot be simulated fails as it runs, in its first sync.
func (t *Trial) Scenario(w *World, spec *autoscaling.HorizontalPodAutoscalerSpec) (simulate.Scenario, error) {
	capacity, err := t.capacity(w)
	if err != nil {
		return simulate.Scenario{}, err
	}
	lasts := t.End.Sub(t.Begin)
	if w.RolloutPeriod > 0 && lasts/w.RolloutPeriod > maxRollouts {
		return simulate.Scenario{}, fmt.Errorf("-rollouts %v: more than %d rollouts", w.RolloutPeriod, maxRollouts)
	}
	d := w.Deployment(spec, capacity, t.Begin, t.End)
	if len(t.rollouts) > 0 {
		d.Rollouts = append(d.Rollouts, t.rollouts...)
		slices.SortFunc(d.Rollouts, time.Time.Compare)
		d.Rollouts = slices.CompactFunc(d.Rollouts, time.Time.Equal)
	}
	s := simulate.Scenario{
		Start:      t.Begin,
		Duration:   lasts,
		SyncPeriod: w.Sync,
		Load:       t.series.LoadSeries,
		Workload:   d,
		Replicas:   w.Replicas,
		Seed:       t.seed,
	}
	if t.slope {
		s.Load = simulate.Interpolated{Series: t.series.LoadSeries, Step: w.Sync}
	}
	return s, nil
}
