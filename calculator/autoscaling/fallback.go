package autoscaling

import "time"

// ExternalMetricFallback is what a metric proposes once it has failed for a
// while (KEP-5679). Other metrics, the bounds and the behavior count as they do
// for any proposal.
type ExternalMetricFallback struct {
	// FailureDurationSeconds is how long the metric must have failed without a
	// break, at least 180; nil stands for 180.
	FailureDurationSeconds *int32 `json:"failureDurationSeconds,omitempty"`
	// Replicas is the size proposed, at least 1.
	Replicas int32 `json:"replicas"`
	// Behavior says how Replicas and the current size make the proposal. The
	// empty one is the KEP's; the others are KEDA's.
	Behavior FallbackBehavior `json:"behavior,omitempty"`
}

// FallbackBehavior says how a fallback's replicas and the current size make a
// proposal.
type FallbackBehavior string

const (
	// FallbackStatic proposes the fallback's replicas. The empty behavior is
	// the same.
	FallbackStatic FallbackBehavior = "static"
	// FallbackCurrent proposes the current size.
	FallbackCurrent FallbackBehavior = "currentReplicas"
	// FallbackIfHigher proposes the larger of both.
	FallbackIfHigher FallbackBehavior = "currentReplicasIfHigher"
	// FallbackIfLower proposes the smaller of both.
	FallbackIfLower FallbackBehavior = "currentReplicasIfLower"
)

// leastFailureSeconds is the default and the least of FailureDurationSeconds.
const leastFailureSeconds = 180

// After returns how long the metric must have failed.
func (f *ExternalMetricFallback) After() time.Duration {
	if f == nil || f.FailureDurationSeconds == nil {
		return leastFailureSeconds * time.Second
	}
	return time.Duration(*f.FailureDurationSeconds) * time.Second
}

// Propose returns the size proposed at the current size.
func (f *ExternalMetricFallback) Propose(current int32) int32 {
	switch f.Behavior {
	case FallbackCurrent:
		return current
	case FallbackIfHigher:
		return max(current, f.Replicas)
	case FallbackIfLower:
		return min(current, f.Replicas)
	}
	return f.Replicas
}
