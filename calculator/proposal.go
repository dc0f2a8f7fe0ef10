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
	// functions for one metric, such as ResourceUtilization, fill in its Target
	// alone.
	Metric autoscaling.Metric
	// Replicas is the size, never negative. It means nothing if there is a
	// Failure.
	Replicas int32
	// Rule is what ended the calculation.
	Rule Rule
	// Failure is why there is no size, or only that of a fallback.
	Failure Failure

	// Current is the size that the calculation started from: the size that the
	// scale asks for, or, for an AverageValue of an Object or External metric,
	// the size that its status reports.
	Current int32
	// Sum is what was measured in all, in milli-units: the usage of the ready
	// pods, with the strays for an AverageValue, the value of the object, or the
	// sum of the series. What does not fit stops at the ends of int64.
	Sum metrics.Milli
	// Requests is what the ready pods request, in milli-units; for a Utilization
	// only.
	Requests metrics.Milli
	// Usage is what the status shows as average value, or as value: the
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
	// CorrectedSum, CorrectedRequests and CorrectedUtilization are Sum, Requests
	// and Utilization with the missing and unready pods counted, and
	// CorrectedUsage is the average then, for an AverageValue. They are set for
	// the sources that look at pods, and are the same as before where there was
	// nothing to correct.
	CorrectedSum, CorrectedRequests, CorrectedUsage metrics.Milli
	CorrectedUtilization                            int32
	// elsewhere reports whether it was proposed elsewhere, failing whether the metric
	// failed and has a fallback.
	elsewhere, failing bool
	// Pods are the pods of each class, for the sources that look at pods.
	Pods PodCounts
	// MissingAs and UnreadyAs are the usage assumed for missing and unready pods.
	MissingAs, UnreadyAs Assumption
	// Counted is the number of pods that the ratio was multiplied by.
	Counted int
	// Differences are those of the release that mattered here, Corrections the
	// corrections that did. The functions for one metric leave both empty.
	Differences release.Differences
	Corrections correction.Set
	// Until is when time alone changes the proposal, as it moves a pod to another
	// class or brings a fallback; the zero time.Time if it does not.
	Until time.Time
	// Text is what [Proposed] says of itself.
	Text string
}

// Failed reports whether the metric failed, and has no fallback that counts: there is
// no size then.
func (p *Proposal) Failed() bool { return p.Failure.Kind != NoFailure && p.Rule != Fallback }

// Err returns the failure, nil if there is a proposal. It is a value of its own.
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

// Rule is what ended the calculation of a proposal. Its values are names for
// machines, which stay as they are.
type Rule string

const (
	// NoProposal: the metric failed.
	NoProposal Rule = ""
	// WithinTolerance: the ratio is so near to 1 that the size stays.
	WithinTolerance Rule = "withinTolerance"
	// CorrectedWithinTolerance: the corrected ratio is so near to 1 that the
	// size stays.
	CorrectedWithinTolerance Rule = "correctedWithinTolerance"
	// DirectionWouldChange: the corrected ratio is on the other side of 1, so
	// the size stays.
	DirectionWouldChange Rule = "directionWouldChange"
	// CountWouldChangeDirection: the corrected ratio times the pods counted is
	// on the other side of the current size, so the size stays.
	CountWouldChangeDirection Rule = "countWouldChangeDirection"
	// RatioTimesPods: the ratio times the ready pods, rounded up.
	RatioTimesPods Rule = "ratioTimesPods"
	// CorrectedRatioTimesPods: the corrected ratio times all pods that were
	// counted for it, rounded up.
	CorrectedRatioTimesPods Rule = "correctedRatioTimesPods"
	// RatioFromZero: the ratio itself, rounded up, since there are no pods yet.
	RatioFromZero Rule = "ratioFromZero"
	// UsagePerTarget: the usage divided by the target, rounded up.
	UsagePerTarget Rule = "usagePerTarget"
	// NoReadyPods: there are no pods to multiply the ratio by, so the size stays, by
	// the correction of that name.
	NoReadyPods Rule = "noReadyPods"
	// Elsewhere: the size was proposed elsewhere ([Proposed]).
	Elsewhere Rule = "elsewhere"
	// Fallback: the metric has failed for as long as its fallback waits.
	Fallback Rule = "fallback"
)

// Assumption is the usage assumed for a pod without a usable sample. Its values
// are names for machines, which stay as they are.
type Assumption string

const (
	// NotCounted: the pod does not take part.
	NotCounted Assumption = ""
	// AsZero: the pod uses nothing.
	AsZero Assumption = "asZero"
	// AsTarget: the pod uses the target's average value.
	AsTarget Assumption = "asTarget"
	// AsRequest: the pod uses what it requests, or the target's percentage of
	// it where that is more than 100.
	AsRequest Assumption = "asRequest"
)
