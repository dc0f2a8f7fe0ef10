package calculator

import (
	"time"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/correction"
	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// Proposal is the size that one metric asks for, and how it came about.
type Proposal struct {
	// Metric is what was measured, and the target that it was held against. The
	// functions for one metric, such as ProposeResourceUtilization, fill in its
	// Target alone.
	Metric autoscaling.Metric
	// Replicas is the size, never negative. It means nothing if there is a
	// Failure.
	Replicas int32
	// Rule is the rule that gave the size.
	Rule Rule
	// Failure is why there is no size, or only that of a fallback.
	Failure Failure

	// Current is the size that the calculation started from: the size that the
	// scale asks for, or, for an AverageValue of an Object or External metric,
	// the size that its status reports. For an External metric, that is divided
	// by the observation's Calibration.
	Current int32
	// Sum is the total measured, in milli-units: the usage of the ready pods,
	// with the strays for an AverageValue, the value of the object, or the sum
	// of the series. It saturates at the ends of int64.
	Sum metrics.Milli
	// Requests is the sum of the ready pods' requests, in milli-units; for a
	// Utilization only.
	Requests metrics.Milli
	// Usage is the average value, or value, that the status shows: the
	// average over the ready pods, or the sum of the series, in milli-units.
	Usage metrics.Milli
	// Utilization is Sum in percent of Requests; for a Utilization only.
	Utilization int32
	// Ratio is the usage ratio, before the correction for unready and missing
	// pods. For an AverageValue of an Object or External metric at size zero it
	// is infinite, or NaN if the usage is zero, too.
	Ratio float64
	// CorrectedRatio is the ratio after the correction. It is Ratio where there
	// was nothing to correct.
	CorrectedRatio float64
	// CorrectedSum, CorrectedRequests and CorrectedUtilization are Sum,
	// Requests and Utilization with the missing and unready pods counted, and
	// CorrectedUsage is the average then, for an AverageValue. They are set for
	// the sources that look at pods, and are the same as before where there was
	// nothing to correct.
	CorrectedSum, CorrectedRequests, CorrectedUsage metrics.Milli
	CorrectedUtilization                            int32
	// adopted reports whether the caller proposed it, failing whether the
	// metric failed and has a fallback.
	adopted, failing bool
	// Pods are the pods of each class, for the sources that look at pods.
	Pods PodCounts
	// MissingAs and UnreadyAs are the usage assumed for missing and unready
	// pods.
	MissingAs, UnreadyAs Assumption
	// Counted is the number of pods that the ratio was multiplied by.
	Counted int
	// Quirks and Corrections are those that affected this proposal. The
	// functions for one metric leave both empty.
	Quirks      release.Quirks
	Corrections correction.Set
	// Until is when time alone changes the proposal, as it moves a pod to
	// another class or brings a fallback; the zero time.Time if it does not.
	Until time.Time
	// Text is [Proposed].Text.
	Text string
}

// Failed reports whether the metric failed without a fallback in force, so that
// it has no size.
func (p *Proposal) Failed() bool { return p.Failure.Kind != NoFailure && p.Rule != Fallback }

// Err returns the failure, nil if there is a proposal. It is a value of its
// own.
func (p *Proposal) Err() error {
	if !p.Failed() {
		return nil
	}
	f := p.Failure
	return &f
}

// PodCounts counts the pods of each class.
type PodCounts struct {
	Ready   int `json:"ready"`
	Unready int `json:"unready"`
	Missing int `json:"missing"`
	Ignored int `json:"ignored"`
	// Strays are the samples of pods that are not listed.
	Strays int `json:"strays"`
	// Reasons counts the pods that are not ready by why.
	Reasons podgroup.ReasonCounts `json:"reasons,omitzero"`
}

// Rule is the rule that gave the size of a proposal. Its values are names for
// machines and do not change.
type Rule string

const (
	// NoProposal: the metric failed.
	NoProposal Rule = ""
	// WithinTolerance: the usage ratio is within the tolerance of 1.
	WithinTolerance Rule = "WithinTolerance"
	// CorrectedWithinTolerance: the corrected ratio is within the tolerance of
	// 1.
	CorrectedWithinTolerance Rule = "CorrectedWithinTolerance"
	// DirectionWouldChange: the corrected ratio is on the other side of 1, so
	// the size stays.
	DirectionWouldChange Rule = "DirectionWouldChange"
	// CountWouldChangeDirection: the corrected ratio times the pods counted is
	// on the other side of the current size, so the size stays.
	CountWouldChangeDirection Rule = "CountWouldChangeDirection"
	// RatioTimesPods: the ratio times the ready pods, rounded up.
	RatioTimesPods Rule = "RatioTimesPods"
	// CorrectedRatioTimesPods: the corrected ratio times all pods that were
	// counted for it, rounded up.
	CorrectedRatioTimesPods Rule = "CorrectedRatioTimesPods"
	// RatioFromZero: the ratio itself, rounded up, since there are no pods yet.
	RatioFromZero Rule = "RatioFromZero"
	// UsagePerTarget: the usage divided by the target, rounded up.
	UsagePerTarget Rule = "UsagePerTarget"
	// NoReadyPods: the ratio would be multiplied by zero pods, so the size
	// stays, by the correction of that name.
	NoReadyPods Rule = "NoReadyPods"
	// AsProposed: the caller proposed the size ([Proposed]).
	AsProposed Rule = "AsProposed"
	// Fallback: the metric has failed for as long as its fallback waits.
	Fallback Rule = "Fallback"
)
