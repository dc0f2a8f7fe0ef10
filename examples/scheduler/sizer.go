package main

import (
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/stabilize"
)

// sizer decides how many workers there should be. It has three parts of the
// library, each used by itself: one proposal, the windows that hold it against
// recent ones, and the limits of how fast the number may change.
type sizer struct {
	least, most int32
	// perWorker is how many jobs there should be for each worker, waiting or
	// being done.
	perWorker metrics.Milli
	tolerance metrics.Tolerance
	windows   stabilize.Windows
	limits    *behavior.Behavior

	asked   stabilize.History
	changes behavior.Events
}

// newSizer returns a sizer of 2 to 40 workers: it leaves a fifth of them idle,
// follows the load up at once, and down once it has been low for three minutes,
// by a quarter a minute.
func newSizer() *sizer {
	up := behavior.DefaultScaleUp() // four, or as many again, in 15 seconds
	now, wait := int32(0), int32(180)
	up.StabilizationWindowSeconds = &now
	down := behavior.Rules{
		StabilizationWindowSeconds: &wait,
		SelectPolicy:               behavior.SelectMax,
		Policies:                   []behavior.Policy{{Type: behavior.PercentPolicy, Value: 25, PeriodSeconds: 60}},
	}
	return &sizer{
		least:     2,
		most:      40,
		perWorker: 800,
		tolerance: metrics.Symmetric(0.1),
		windows:   stabilize.Windows{Down: time.Duration(wait) * time.Second},
		limits:    &behavior.Behavior{ScaleUp: &up, ScaleDown: &down},
	}
}

// verdict is a number of workers, and what kept it from being another one.
type verdict struct {
	workers, asked     int32
	held, paced, bound bool
}

// size returns how many workers there should be, and takes it that there will
// be as many.
func (s *sizer) size(now time.Time, workers int32, jobs int) (verdict, error) {
	p, err := calculator.ExternalAverageValue(&calculator.ValueMetric{
		Values:         []metrics.Milli{metrics.Milli(jobs) * 1000},
		StatusReplicas: workers,
		Tolerance:      s.tolerance,
	}, s.perWorker)
	if err != nil {
		return verdict{}, err
	}
	s.asked.Start(now, workers)
	stable := s.asked.Stabilize(now, workers, p.Replicas, s.windows)
	s.asked.Record(now, p.Replicas, s.windows)
	limited, _ := s.limits.Limit(now, workers, stable.Replicas, s.least, s.most, &s.changes, nil)
	s.changes.Record(now, workers, limited.Replicas, s.limits)
	return verdict{
		workers: limited.Replicas,
		asked:   p.Replicas,
		held:    stable.Reason != stabilize.NotStabilized,
		paced:   limited.Reason == behavior.ScaleUpLimit || limited.Reason == behavior.ScaleDownLimit,
		bound:   limited.Reason == behavior.TooFewReplicas || limited.Reason == behavior.TooManyReplicas,
	}, nil
}
