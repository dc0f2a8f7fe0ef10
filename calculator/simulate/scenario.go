package simulate

import (
	"cmp"
	"errors"
	"iter"
	"time"

	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator"
)

// Scenario is a load on a workload over a span of time. Runs only read it.
type Scenario struct {
	// Start is the time of the first sync. The second one is at a random time
	// within a SyncPeriod, so that syncs have no fixed phase to the load.
	// Duration is positive. Start and end must be between the years 1678 and
	// 2261.
	Start    time.Time
	Duration time.Duration
	// SyncPeriod is the time between later syncs. Zero means
	// calculator.SyncPeriod. Duration is at most MaxSteps sync periods.
	SyncPeriod time.Duration
	// Load is the demand on the workload.
	Load Load
	// Workload is what is scaled.
	Workload Workload
	// Replicas is the size at the start. Zero means the smallest size within
	// the autoscaler's bounds at which the load is not above target.
	Replicas int32
	// Seed is the seed of all random numbers, phases too. The nth pod draws the
	// same ones under any autoscaler.
	Seed uint64
}

// Run simulates the autoscaler in a closed loop and yields a row for each sync.
// Each sync decides on what the workload shows, and the workload takes on the
// desired size. The autoscaler is only read: its clone decides. Each loop
// over the result is a run of its own and yields the same rows.
//
// For a metric of type Proposal, the readings that a proposer sees have the
// value of the gauge of its name, 0 without a gauge. What is above target is
// held against [Gauge.Target].
//
// An error ends the run and is yielded once, with a zero Row. It is a
// *field.Error, or calculator.Decision.Err of a sync that cannot be decided on.
func (s *Scenario) Run(a *calculator.Autoscaler) iter.Seq2[Row, error] {
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
	load       Load
	period     time.Duration
	autoscaler calculator.Autoscaler
	plant      Plant

	now time.Time
	// next is the time until the next sync, left that until the end.
	next, left time.Duration
	obs        calculator.Observation
	d          calculator.Decision
}

// begin returns a run after checking the arguments. name is the path of a.
func (s *Scenario) begin(name string, a *calculator.Autoscaler) (*run, error) {
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
	case a == nil:
		return nil, field.Required(name, "")
	case a.Spec == nil:
		return nil, field.Required(name+".spec", "")
	}
	settings, err := a.Settings.OrDefault()
	if bad := (*field.Error)(nil); errors.As(err, &bad) {
		return nil, field.Required(name+"."+bad.Field, bad.Detail)
	}
	period := cmp.Or(s.SyncPeriod, calculator.SyncPeriod)
	if err := checkSteps("scenario.syncPeriod", period, s.Duration); err != nil {
		return nil, err
	}
	if err := checkLoad("scenario.load", s.Load, s.Duration); err != nil {
		return nil, err
	}
	r := &run{
		load:       s.Load,
		period:     period,
		autoscaler: a.Clone(),
		now:        s.Start,
		left:       s.Duration,
	}
	r.autoscaler.Settings = &settings // never nil, for the plant
	phase := NewRand(s.Seed, drawSync)
	r.next = 1 + time.Duration(phase.Below(uint64(period)))
	r.plant, err = s.Workload.Plant(&RunConfig{
		Start:      s.Start,
		Load:       s.Load,
		Replicas:   s.Replicas,
		Seed:       s.Seed,
		SyncPeriod: r.period,
		Spec:       r.autoscaler.Spec,
		Settings:   r.autoscaler.Settings,
	})
	if err == nil && r.plant == nil {
		err = field.Required("scenario.workload", "its plant is nil")
	}
	return r, err
}

// step makes one sync and advances to the next one.
func (r *run) step() (Row, error) {
	now := r.now
	r.plant.Observe(now, &r.obs)
	r.autoscaler.DecideInto(&r.d, now, &r.obs)
	d := &r.d
	// A sync that cannot read the scale still counts.
	if d.Zone == calculator.NoZone && r.obs.ScaleError == nil {
		return Row{}, d.Err()
	}
	// What was observed is the plant's memory: it is gone once the plant
	// changes.
	row := rowOf(d, &r.obs)
	row.State = &r.autoscaler.State
	if d.Rescale {
		r.plant.Scale(now, d.DesiredReplicas)
		r.autoscaler.Applied(now, d)
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
