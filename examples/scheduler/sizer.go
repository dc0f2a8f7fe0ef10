package main

import (
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/metrics"
)

// sizer decides how many workers there should be.
type sizer struct{ behavior.Scaler }

// bounds are the least and the most workers.
var bounds = behavior.Bounds{Min: 2, Max: 40}

// perWorker is how many jobs there should be for each worker, waiting or being
// done. A fifth of the workers is idle.
const perWorker metrics.Milli = 800

// newSizer returns a sizer that scales up at once, by four workers or to twice
// as many in 15 seconds. It scales down once the load has been low for three
// minutes, by a quarter a minute.
func newSizer() *sizer {
	window := int32(180)
	rules := &behavior.Behavior{ScaleDown: &behavior.ScalingRules{
		StabilizationWindowSeconds: &window,
		Policies:                   []behavior.Policy{{Type: behavior.PercentPolicy, Value: 25, PeriodSeconds: 60}},
	}}
	rules.SetDefaults()
	return &sizer{behavior.Scaler{Behavior: rules}}
}

// size decides for so many workers and jobs. Call Applied once there are as
// many workers as it says.
func (s *sizer) size(now time.Time, workers int32, jobs int) behavior.Step {
	p, err := calculator.ProposeExternalAverageValue(&calculator.ValueMetric{
		Values:         []metrics.Milli{metrics.Milli(jobs) * 1000},
		StatusReplicas: workers,
		Tolerance:      metrics.Symmetric(0.1),
	}, perWorker)
	if err != nil {
		return behavior.Step{Replicas: workers, Err: err}
	}
	return s.Step(now, behavior.Change{Current: workers, Desired: p.Replicas}, bounds)
}
