package simulate

import (
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/metrics"
)

// Workload is what is to be scaled, before it runs. [Deployment] is one; a
// caller that knows better writes another.
type Workload interface {
	// Plant returns the workload at the beginning of a run. Each run has its
	// own. An error ends the run before it begins.
	Plant(b *Begin) (Plant, error)
}

// Begin is what a plant begins with.
type Begin struct {
	// Time is when the run begins.
	Time time.Time
	// Load is the load, whose first value is taken as having been there before.
	Load Load
	// Replicas is the size at the beginning, and these pods are ready. Zero
	// leaves it to the workload to take the size that fits the load.
	Replicas int32
	// Seed is what all random numbers come from.
	Seed uint64
	// SyncPeriod is how often Observe is called.
	SyncPeriod time.Duration
	// Spec and Settings are the autoscaler's: they say which metrics there must
	// be, and what their targets are.
	Spec     *calculator.Spec
	Settings *calculator.Settings
}

// Plant is a workload that runs, with its metrics: all that an autoscaler sees
// and changes. It is called with times that never go back, in this order:
//
//	Observe(t0), Scale(t0) if the size changes, Advance(t1), Observe(t1), …
//
// For a simulation to be repeatable, it must depend on nothing but what it is
// called with.
type Plant interface {
	// Observe fills in what a sync at now sees. The memory is the plant's, and
	// what it held before is the last observation.
	Observe(now time.Time, obs *calculator.Observation)
	// Scale asks for another size: it sets spec.replicas of the scale.
	Scale(now time.Time, replicas int32)
	// Advance lets time pass until to, and tells what happened since the last
	// call.
	Advance(to time.Time, load Load) Service
}

// Service is how a workload fared over a span of time. Loads are averages over
// it, in milli-units.
type Service struct {
	// Load is what was asked for.
	Load metrics.Milli
	// Unserved is what of it could not be served, and is lost.
	Unserved metrics.Milli
	// Capacity is what the ready pods could have served at most; 0 if nobody
	// knows.
	Capacity metrics.Milli
	// TargetLoad is what the ready pods can serve before a metric is above its
	// target by more than is tolerated.
	TargetLoad metrics.Milli
	// AboveTarget is what of Load went beyond that.
	AboveTarget metrics.Milli
	// TimeUnserved and TimeAboveTarget are for how long there was any of it.
	TimeUnserved, TimeAboveTarget time.Duration
	// PodTime is the time of all pods together, from their creation until they
	// are gone.
	PodTime time.Duration
}
