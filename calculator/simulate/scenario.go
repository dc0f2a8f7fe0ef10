package simulate

import (
	"iter"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/metrics"
)

// Scenario is what an autoscaler is tried on: a load, a workload and a span of
// time. It is read only, so that one can serve any number of runs.
type Scenario struct {
	// Start is when the first sync is, and Duration how long it goes on from
	// there; it is positive. Both ends lie between the years 1678 and 2261.
	Start    time.Time
	Duration time.Duration
	// SyncPeriod is how often the autoscaler decides; zero is
	// calculator.SyncPeriod.
	SyncPeriod time.Duration
	// Load is what is asked of the workload.
	Load Load
	// Workload is what is scaled.
	Workload Workload
	// Replicas is the size at the beginning. Zero is the smallest one within
	// the autoscaler's bounds with which the load is not above target.
	Replicas int32
	// Seed is what all random numbers come from. The nth pod starts as fast
	// under any autoscaler.
	Seed uint64
}

// Autoscaler is a set of rules to try.
type Autoscaler struct {
	// Name is for people.
	Name string
	// Spec is valid, and has its defaults (calculator.Spec.SetDefaults).
	Spec *calculator.Spec
	// Settings are the controller's flags.
	Settings calculator.Settings
	// State is what the autoscaler remembers at the beginning; the zero State
	// of one that has never run. It is left as it is.
	State calculator.State
}

// Run simulates the autoscaler in a closed loop: each sync decides on what the
// workload shows, and the workload takes on the size decided. It yields a row
// for each sync as it goes, and keeps none. Each range over it begins anew, and
// yields the same.
//
// An error, which is an *InputError or what calculator.Decision.Err says of
// arguments, is yielded once, with a zero Row, and ends it.
func (s *Scenario) Run(a *Autoscaler) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		r, err := s.begin("autoscaler", a)
		if err != nil {
			yield(Row{}, err)
			return
		}
		for r.left > 0 {
			row, err := r.step()
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// run is a simulation under way.
type run struct {
	load     Load
	period   time.Duration
	spec     *calculator.Spec
	settings calculator.Settings
	plant    Plant
	state    calculator.State

	now  time.Time
	left time.Duration
	obs  calculator.Observation
	d    calculator.Decision
}

// margin keeps what lies a little before and after a simulation within the
// range of metrics.Instant.
const margin = 48 * time.Hour

// begin checks the arguments; name is that of a in errors.
func (s *Scenario) begin(name string, a *Autoscaler) (*run, error) {
	switch {
	case s == nil:
		return nil, inputErrorf("scenario", "nil")
	case s.Duration <= 0:
		return nil, inputErrorf("scenario.duration", "%v is not positive", s.Duration)
	case s.SyncPeriod < 0:
		return nil, inputErrorf("scenario.syncPeriod", "%v is negative", s.SyncPeriod)
	case s.Replicas < 0:
		return nil, inputErrorf("scenario.replicas", "%d is negative", s.Replicas)
	case !inRange(s.Start.Add(-margin)):
		return nil, inputErrorf("scenario.start", "%v is out of range", s.Start)
	case !inRange(s.Start.Add(s.Duration).Add(margin)):
		return nil, inputErrorf("scenario.duration", "%v ends out of range", s.Duration)
	case s.Workload == nil:
		return nil, inputErrorf("scenario.workload", "nil")
	case a == nil:
		return nil, inputErrorf(name, "nil")
	case a.Spec == nil:
		return nil, inputErrorf(name+".spec", "nil")
	}
	if err := checkLoad(s.Load); err != nil {
		return nil, err
	}
	r := &run{
		load:     s.Load,
		period:   s.SyncPeriod,
		spec:     a.Spec,
		settings: a.Settings,
		state:    a.State.Clone(),
		now:      s.Start,
		left:     s.Duration,
	}
	if r.period == 0 {
		r.period = calculator.SyncPeriod
	}
	var err error
	r.plant, err = s.Workload.Plant(&Begin{
		Time:       s.Start,
		Load:       s.Load,
		Replicas:   s.Replicas,
		Seed:       s.Seed,
		SyncPeriod: r.period,
		Spec:       r.spec,
		Settings:   &r.settings,
	})
	if err == nil && r.plant == nil {
		err = inputErrorf("scenario.workload", "its plant is nil")
	}
	return r, err
}

func checkLoad(l Load) error {
	switch l := l.(type) {
	case nil:
		return inputErrorf("scenario.load", "nil")
	case Steady:
		if l < 0 {
			return inputErrorf("scenario.load", "%v is negative", metrics.Milli(l))
		}
	case Series:
		if p := l.problem(); p != "" {
			return inputErrorf("scenario.load", "%s", p)
		}
	case Sloped:
		return checkLoad(l.Series)
	}
	return nil
}

// inRange reports whether t is neither before nor after what an Instant reaches.
func inRange(t time.Time) bool { return metrics.At(t).Time().Equal(t) }

// step makes one sync, and lets the time pass until the next one.
func (r *run) step() (Row, error) {
	now := r.now
	r.plant.Observe(now, &r.obs)
	calculator.DecideInto(&r.d, now, &r.settings, r.spec, &r.obs, &r.state)
	d := &r.d
	// A scale that could not be read is a sync like any other.
	if d.Zone == calculator.NoZone && r.obs.ScaleError == nil {
		return Row{}, d.Err()
	}
	if d.Rescale {
		r.plant.Scale(now, d.DesiredReplicas)
		r.state.Applied(now, d)
	}
	row := rowOf(d, &r.obs)
	row.Span = min(r.period, r.left)
	r.now = now.Add(row.Span)
	r.left -= row.Span
	row.Service = r.plant.Advance(r.now, r.load)
	return row, nil
}
