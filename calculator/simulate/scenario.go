package simulate

import (
	"cmp"
	"fmt"
	"iter"
	"reflect"
	"time"

	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
)

// Scenario is a load on a workload over a span of time. Runs only read it.
type Scenario struct {
	// Start is the time of the first sync. The second one is at a random time
	// within a SyncPeriod, so that syncs have no fixed phase to the load. Duration
	// is positive. Start and end must be between the years 1678 and 2261.
	Start    time.Time
	Duration time.Duration
	// SyncPeriod is the time between later syncs. Zero means calculator.SyncPeriod.
	// Duration must not be longer than MaxSteps of it.
	SyncPeriod time.Duration
	// Load is the demand on the workload.
	Load Load
	// Workload is what is scaled.
	Workload Workload
	// Replicas is the size at the start. Zero means the smallest size within the
	// autoscaler's bounds at which the load is not above target.
	Replicas int32
	// Seed is the seed of all random numbers, phases too. The nth pod draws the
	// same ones under any autoscaler.
	Seed uint64
}

// Autoscaler is an autoscaler to try. Runs only read it.
type Autoscaler struct {
	// Name is for people.
	Name string
	// Spec must be valid and have its defaults, see
	// autoscaling.HorizontalPodAutoscalerSpec.SetDefaults.
	Spec *autoscaling.HorizontalPodAutoscalerSpec
	// Settings are the controller's flags.
	Settings calculator.Settings
	// State is the state at the start. The zero State is that of an autoscaler
	// that has never run.
	State calculator.State
	// Propose returns the proposer of one run, with a memory of its own; nil means that
	// the library makes all proposals. For a metric of type Proposal, the readings have
	// the value of the gauge of its name, 0 without a gauge.
	Propose func() calculator.Proposer
}

// proposer returns the proposer of one run, nil if there is none.
func (a *Autoscaler) proposer() calculator.Proposer {
	if a.Propose == nil {
		return nil
	}
	return a.Propose()
}

// propose has the proposer put its proposals into readings of its own.
func propose(by calculator.Proposer, now time.Time, obs *calculator.Observation, readings []calculator.Reading) []calculator.Reading {
	if by == nil {
		return readings
	}
	obs.Readings = append(readings[:0], obs.Readings...)
	by(now, obs)
	return obs.Readings
}

func (a *Autoscaler) check(path string) error {
	switch {
	case a == nil:
		return field.Required(path, "")
	case a.Spec == nil:
		return field.Required(path+".spec", "")
	}
	return nil
}

// Run simulates the autoscaler in a closed loop and yields a row for each sync.
// Each sync decides on what the workload shows, and the workload takes on the
// desired size. Each loop over the result is a run of its own and yields the same
// rows.
//
// An error ends the run and is yielded once, with a zero Row. It is a *field.Error,
// or calculator.Decision.Err of a sync that cannot be decided on.
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

type run struct {
	load     Load
	period   time.Duration
	spec     *autoscaling.HorizontalPodAutoscalerSpec
	settings calculator.Settings
	plant    Plant
	state    calculator.State
	proposer calculator.Proposer
	readings []calculator.Reading

	now time.Time
	// next is the time until the next sync, left that until the end.
	next, left time.Duration
	obs        calculator.Observation
	d          calculator.Decision
}

// MaxSteps bounds the syncs of a run, and the steps of its Interpolated load. It is
// 47 years of a sync every 15 seconds.
const MaxSteps = 100_000_000

// checkSteps returns the error of a step that fits too often into a duration.
func checkSteps(path string, step, d time.Duration) error {
	if d/step < MaxSteps {
		return nil
	}
	return field.Invalid(path, step.String(), fmt.Sprintf("makes more than %d steps in %v", MaxSteps, d))
}

// margin keeps times shortly before and after a run within the range of
// metrics.Instant.
const margin = 48 * time.Hour

// begin returns a run after checking the arguments. name is the path of a.
func (s *Scenario) begin(name string, a *Autoscaler) (*run, error) {
	switch {
	case s == nil:
		return nil, field.Required("scenario", "")
	case s.Duration <= 0:
		return nil, field.Invalid("scenario.duration", s.Duration.String(), "must be positive")
	case s.SyncPeriod < 0:
		return nil, negative("scenario.syncPeriod", s.SyncPeriod)
	case s.Replicas < 0:
		return nil, field.Invalid("scenario.replicas", s.Replicas, mustNotBeNegative)
	case !inRange(s.Start.Add(-margin)):
		return nil, field.Invalid("scenario.start", s.Start.Format(time.RFC3339Nano), "out of range")
	case !inRange(s.Start.Add(s.Duration).Add(margin)):
		return nil, field.Invalid("scenario.duration", s.Duration.String(), "the end is out of range")
	case pointee(s.Workload) == nil:
		return nil, field.Required("scenario.workload", "")
	}
	if err := a.check(name); err != nil {
		return nil, err
	}
	period := cmp.Or(s.SyncPeriod, calculator.SyncPeriod)
	if err := checkSteps("scenario.syncPeriod", period, s.Duration); err != nil {
		return nil, err
	}
	if err := checkLoad("scenario.load", s.Load, s.Duration); err != nil {
		return nil, err
	}
	r := &run{
		load:     s.Load,
		period:   period,
		spec:     a.Spec,
		settings: a.Settings,
		state:    a.State.Clone(),
		proposer: a.proposer(),
		now:      s.Start,
		left:     s.Duration,
	}
	phase := NewRand(s.Seed, drawSync)
	r.next = 1 + time.Duration(phase.Below(uint64(period)))
	var err error
	r.plant, err = s.Workload.Plant(&RunConfig{
		Start:      s.Start,
		Load:       s.Load,
		Replicas:   s.Replicas,
		Seed:       s.Seed,
		SyncPeriod: r.period,
		Spec:       r.spec,
		Settings:   &r.settings,
	})
	if err == nil && r.plant == nil {
		err = field.Required("scenario.workload", "its plant is nil")
	}
	return r, err
}

// pointee returns what v points to, if that has the methods of T: they panic if v is
// nil, for which it returns a nil T. Anything else is returned as it is.
func pointee[T any](v T) (to T) {
	p := reflect.ValueOf(v)
	if p.Kind() != reflect.Pointer || !p.Type().Elem().Implements(reflect.TypeFor[T]()) {
		return v
	}
	if !p.IsNil() {
		to = p.Elem().Interface().(T)
	}
	return to
}

// inRange reports whether t is within the range of metrics.Instant.
func inRange(t time.Time) bool { return metrics.At(t).Time().Equal(t) }

// step makes one sync and advances to the next one.
func (r *run) step() (Row, error) {
	now := r.now
	r.plant.Observe(now, &r.obs)
	r.readings = propose(r.proposer, now, &r.obs, r.readings)
	calculator.DecideInto(&r.d, now, &r.settings, r.spec, &r.obs, &r.state)
	d := &r.d
	// A sync that cannot read the scale still counts.
	if d.Zone == calculator.NoZone && r.obs.ScaleError == nil {
		return Row{}, d.Err()
	}
	// What was observed is the plant's memory: it is gone once the plant changes.
	row := rowOf(d, &r.obs)
	if d.Rescale {
		r.plant.Scale(now, d.DesiredReplicas)
		r.state.Applied(now, d)
	}
	row.Span = min(r.next, r.left)
	r.next = r.period
	r.now = now.Add(row.Span)
	r.left -= row.Span
	row.Performance = r.plant.Advance(r.now, r.load)
	end, _ := r.load.At(r.now.Add(-1))
	row.EndLoad = max(end, 0)
	return row, nil
}
