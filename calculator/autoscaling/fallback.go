package autoscaling

import (
	"strconv"
	"time"
)

// ExternalMetricFallback is what a metric proposes once it has failed for a while
// (KEP-5679). Other metrics, the bounds and the behavior count as they do for any
// proposal.
type ExternalMetricFallback struct {
	// FailureDurationSeconds is how long the metric must have failed without a break,
	// at least 180; nil stands for 180.
	FailureDurationSeconds *int32 `json:"failureDurationSeconds,omitempty"`
	// Replicas is the size proposed, at least 1.
	Replicas int32 `json:"replicas"`
	// Behavior says how Replicas and the current size make the proposal. The empty one
	// is the KEP's; the others are KEDA's.
	Behavior FallbackBehavior `json:"behavior,omitempty"`
}

// FallbackBehavior says how a fallback's replicas and the current size make a proposal.
type FallbackBehavior string

const (
	// FallbackStatic proposes the fallback's replicas. The empty behavior is the same.
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

func (f *ExternalMetricFallback) clone() *ExternalMetricFallback {
	c := clone(f)
	if c != nil {
		c.FailureDurationSeconds = clone(f.FailureDurationSeconds)
	}
	return c
}

// Fallback returns the fallback of the metric, nil if it has none. Only External and
// Proposal metrics have one.
func (s *MetricSpec) Fallback() *ExternalMetricFallback {
	switch {
	case s == nil:
	case s.External != nil && s.Type == ExternalMetricSourceType:
		return s.External.Fallback
	case s.Proposal != nil && s.Type == ProposalMetricSourceType:
		return s.Proposal.Fallback
	}
	return nil
}

// HasFallback reports whether any metric has one. It is false for nil.
func (s *HorizontalPodAutoscalerSpec) HasFallback() bool {
	if s != nil {
		for i := range s.Metrics {
			if s.Metrics[i].Fallback() != nil {
				return true
			}
		}
	}
	return false
}

// fallback complains of what no fallback can be.
func (c *complaints) fallback(path string, f *ExternalMetricFallback) {
	seconds := int32(f.After() / time.Second)
	c.invalid(seconds < leastFailureSeconds, path, ".failureDurationSeconds", seconds,
		"must be greater than or equal to "+strconv.Itoa(leastFailureSeconds))
	c.invalid(f.Replicas < 1, path, ".replicas", f.Replicas, "must be greater than 0")
	switch f.Behavior {
	case "", FallbackStatic, FallbackCurrent, FallbackIfHigher, FallbackIfLower:
	default:
		c.unsupported(path+".behavior", f.Behavior,
			`"currentReplicas", "currentReplicasIfHigher", "currentReplicasIfLower", "static"`)
	}
}
