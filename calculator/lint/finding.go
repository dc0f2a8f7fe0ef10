package lint

import (
	"fmt"
	"time"

	"github.com/purehpa/hpa/calculator/internal/words"
	"github.com/purehpa/hpa/metrics"
)

// Kind is a kind of setting that is legal and likely to be regretted.
type Kind string

const (
	// UnreachableSize: no load scales to some sizes within the bounds, while all
	// pods are ready and have samples. Tolerance keeps the size; beyond it the
	// ratio, rounded up, is already another one. Utilization in whole percent
	// leaves further gaps.
	UnreachableSize Kind = "UnreachableSize"
	// ScaleUpDisabled: scale up is disabled, scale down is not, and minReplicas
	// is below [Facts].UsualReplicas.
	ScaleUpDisabled Kind = "ScaleUpDisabled"
	// WindowOutlastsPeaks: the stabilization window of scaleUp hides a whole
	// peak of [Facts].Peak.
	WindowOutlastsPeaks Kind = "WindowOutlastsPeaks"
	// MemoryNeverFalls: while pods keep [Facts].MemoryKept of their memory, the
	// size does not fall to minReplicas.
	MemoryNeverFalls Kind = "MemoryNeverFalls"
	// NoHeadroom: at the highest utilization within tolerance, pods need all
	// that they request before the next sync if the load grows by [Facts].Growth.
	// Targets above 100% are left alone.
	NoHeadroom Kind = "NoHeadroom"
	// PolicyNeverBinds: the select policy never selects a policy, because of
	// another one.
	PolicyNeverBinds Kind = "PolicyNeverBinds"
)

// Finding is a setting that is legal and likely to be regretted.
type Finding struct {
	// Kind is what is wrong with it.
	Kind Kind
	// Field is the path of the field, such as "spec.behavior.scaleUp.policies[1]".
	Field string
	// Reason says why, for people.
	Reason string
	// Case shows it: decisions that follow each other on one autoscaler.
	Case []Moment
}

// String returns the finding in a line: field, kind and reason.
func (f Finding) String() string { return f.Field + ": " + string(f.Kind) + ": " + f.Reason }

// Moment is one decision of a case. All pods are ready and have a sample.
type Moment struct {
	// At is the time since the start of the case.
	At time.Duration
	// Current is the size before. If it differs from Desired of the moment
	// before, somebody else set it. A zero was set by the autoscaler.
	Current int32
	// Metric is the index of the metric that Usage is of; the others read zero.
	// It is -1 if any metrics may make the proposal.
	Metric int
	// Usage is the metric's reading: in whole percent of the requests for a
	// target Utilization, else in milli-units. For metrics of pods it is the
	// average, for others the total.
	Usage metrics.Milli
	// Target is the metric's target.
	Target metrics.Target
	// Proposed is the size that the metrics propose.
	Proposed int32
	// Desired is the size after.
	Desired int32
}

// String returns the moment in a line.
func (m Moment) String() string {
	var proposal string
	switch {
	case m.Metric < 0:
		proposal = "the metrics propose"
	case m.Target.Type() == metrics.UtilizationTarget:
		proposal = fmt.Sprintf("metric %d reads %d%% and proposes", m.Metric+1, int64(m.Usage))
	default:
		proposal = fmt.Sprintf("metric %d reads %v and proposes", m.Metric+1, m.Usage)
	}
	then := "unchanged"
	if m.Desired != m.Current {
		then = fmt.Sprintf("scaled to %d", m.Desired)
	}
	return fmt.Sprintf("after %s, %s: %s %d; %s", words.Span(m.At), words.Count(m.Current, "replica"), proposal, m.Proposed, then)
}
