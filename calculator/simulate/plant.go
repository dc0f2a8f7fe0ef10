package simulate

import (
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
)

// Workload is a description of what is scaled. [Deployment] is one; callers may
// write others.
type Workload interface {
	// Plant returns the workload at the start of a run. Each run has its own.
	// An error ends the run before its first sync.
	Plant(c *RunConfig) (Plant, error)
}

// RunConfig is the configuration of a run, as its Plant gets it.
type RunConfig struct {
	// Start is the time of the first sync.
	Start time.Time
	// Load is the load. Before Start it was what it is then.
	Load Load
	// Replicas is the number of pods at the start, all ready. Zero means the
	// smallest size that fits the load.
	Replicas int32
	// Seed is the seed of all random numbers.
	Seed uint64
	// SyncPeriod is the time between calls of Observe, from the second one on.
	SyncPeriod time.Duration
	// Spec and Settings are the autoscaler's. They name the metrics and their
	// targets.
	Spec     *autoscaling.HorizontalPodAutoscalerSpec
	Settings *calculator.Settings
}

// Plant is a running workload with its metrics, the controlled system of a
// control loop. A run calls it with times that never go back, in this order:
//
//	Observe(t0), Scale(t0) if the size changes, Advance(t1), Observe(t1), …
//
// Runs are reproducible only if it depends on these calls alone.
type Plant interface {
	// Observe sets obs to what a sync at now sees. The memory remains the
	// plant's, which may change it from its next call on: the sync is over by
	// then.
	Observe(now time.Time, obs *calculator.Observation)
	// Scale sets spec.replicas of the scale.
	Scale(now time.Time, replicas int32)
	// Advance lets time pass until to, and returns the performance since the
	// last call.
	Advance(to time.Time, load Load) Performance
}

// Performance is how well a workload served its load over a span of time. Loads
// are averages over the span, in milli-units.
type Performance struct {
	// Load is the demand.
	Load metrics.Milli
	// Unserved is the part of Load that could not be served; it is lost.
	Unserved metrics.Milli
	// Capacity is the largest load that the ready pods could serve; 0 means no
	// limit or unknown.
	Capacity metrics.Milli
	// TargetLoad is the largest load that the ready pods serve with all metrics
	// within the tolerance of their targets, not more than any Capacity.
	TargetLoad metrics.Milli
	// AboveTarget is the part of Load beyond TargetLoad.
	AboveTarget metrics.Milli
	// TargetUnknown reports that no metric has a target to hold the load
	// against. TargetLoad is then what the ready pods could serve, and
	// AboveTarget a lower bound.
	TargetUnknown bool
	// TimeUnserved and TimeAboveTarget are how long there was such load.
	TimeUnserved, TimeAboveTarget time.Duration
	// PodTime is the sum of the pods' times, from creation until removed.
	PodTime time.Duration
}
