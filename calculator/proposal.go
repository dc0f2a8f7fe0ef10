package calculator

import (
	"fmt"

	"github.com/purehpa/hpa/metrics"
)

// Proposal is the size that one metric asks for, and how it came about.
type Proposal struct {
	// Replicas is the size, never negative. It means nothing if there is a
	// Failure.
	Replicas int32
	// Rule is what ended the calculation.
	Rule Rule
	// Failure is why there is no size.
	Failure Failure

	// Target is what the metric was held against.
	Target metrics.Target
	// Current is the size that the calculation started from: the size that the
	// scale asks for, or, for an AverageValue of an Object or External metric,
	// the size that its status reports.
	Current int32
	// Sum is what was measured in all, in milli-units: what the ready pods use,
	// with the strays for an AverageValue, the value of the object, or the sum
	// of the series. What does not fit stops at the ends of int64.
	Sum metrics.Milli
	// Requests is what the ready pods request, as Sum is; for a Utilization
	// only.
	Requests metrics.Milli
	// Usage is what the status shows as average value, or as value: the
	// average over the ready pods, or the sum of the series, in milli-units.
	Usage metrics.Milli
	// Utilization is Sum in percent of Requests; for a Utilization only.
	Utilization int32
	// Ratio is the usage ratio, before unready and missing pods are corrected
	// for. For an AverageValue of an Object or External metric at size zero it
	// is infinite, or NaN if the usage is zero, too.
	Ratio float64
	// CorrectedRatio is the ratio after that; it is Ratio where there was
	// nothing to correct.
	CorrectedRatio float64
	// CorrectedSum, CorrectedRequests and CorrectedUtilization are those once
	// the missing and the unready pods are counted, and CorrectedUsage is the
	// average then, for an AverageValue only. For the sources that look at
	// pods; the same as before where there was nothing to correct.
	CorrectedSum, CorrectedRequests, CorrectedUsage metrics.Milli
	CorrectedUtilization                            int32
	// Pods are the pods of each class, for the sources that look at pods.
	Pods PodCounts
	// MissingAs and UnreadyAs are what the missing and the unready pods were
	// corrected for as.
	MissingAs, UnreadyAs Assumption
	// Counted is the number of pods that the ratio was multiplied by.
	Counted int
	// Until is when time alone moves a pod to another class; not set if it
	// does not.
	Until metrics.Instant
}

// Err returns the failure, nil if there is a proposal.
func (p *Proposal) Err() error {
	if p.Failure.Kind == NoFailure {
		return nil
	}
	return &p.Failure
}

// PodCounts counts the pods of each class.
type PodCounts struct {
	Ready, Unready, Missing, Ignored int
	// Strays are the samples of pods that are not listed.
	Strays int
}

// Rule is what ended the calculation of a proposal.
type Rule uint8

const (
	// NoProposal: the metric failed.
	NoProposal Rule = iota
	// WithinTolerance: the ratio is so near to 1 that the size stays.
	WithinTolerance
	// CorrectedWithinTolerance: it is so once unready and missing pods are
	// corrected for.
	CorrectedWithinTolerance
	// DirectionWouldChange: the corrected ratio is on the other side of 1, so
	// that the size stays.
	DirectionWouldChange
	// CountWouldChangeDirection: the corrected ratio times the pods counted is
	// on the other side of the current size, so that the size stays.
	CountWouldChangeDirection
	// RatioTimesPods: the ratio times the ready pods, rounded up.
	RatioTimesPods
	// CorrectedRatioTimesPods: the corrected ratio times all pods that were
	// counted for it, rounded up.
	CorrectedRatioTimesPods
	// RatioFromZero: the ratio itself, rounded up, for there are no pods yet.
	RatioFromZero
	// UsagePerTarget: the usage divided by the target, rounded up.
	UsagePerTarget
)

// String returns the rule in a few words for people.
func (r Rule) String() string {
	switch r {
	case NoProposal:
		return "no proposal"
	case WithinTolerance:
		return "within tolerance"
	case CorrectedWithinTolerance:
		return "within tolerance once corrected"
	case DirectionWouldChange:
		return "direction would change once corrected"
	case CountWouldChangeDirection:
		return "count would change the direction"
	case RatioTimesPods:
		return "ratio times ready pods"
	case CorrectedRatioTimesPods:
		return "corrected ratio times pods counted"
	case RatioFromZero:
		return "ratio from zero"
	case UsagePerTarget:
		return "usage per target"
	}
	return fmt.Sprintf("Rule(%d)", uint8(r))
}

// identifier returns the value's name for machines, which stays as it is.
func (r Rule) identifier() string {
	switch r {
	case NoProposal:
		return "noProposal"
	case WithinTolerance:
		return "withinTolerance"
	case CorrectedWithinTolerance:
		return "correctedWithinTolerance"
	case DirectionWouldChange:
		return "directionWouldChange"
	case CountWouldChangeDirection:
		return "countWouldChangeDirection"
	case RatioTimesPods:
		return "ratioTimesPods"
	case CorrectedRatioTimesPods:
		return "correctedRatioTimesPods"
	case RatioFromZero:
		return "ratioFromZero"
	case UsagePerTarget:
		return "usagePerTarget"
	}
	return r.String()
}

// MarshalText returns the value's name for machines, such as "withinTolerance".
func (r Rule) MarshalText() ([]byte, error) { return []byte(r.identifier()), nil }

// UnmarshalText reads what MarshalText writes. The error is a *metrics.WordError.
func (r *Rule) UnmarshalText(text []byte) error {
	return parseWord(r, "calculator.Rule", text, Rule.identifier)
}

// Assumption is what a pod without a usable sample is taken to use.
type Assumption uint8

const (
	// NotCounted: the pod does not take part.
	NotCounted Assumption = iota
	// AsZero: the pod uses nothing.
	AsZero
	// AsTarget: the pod uses the target's average value.
	AsTarget
	// AsRequest: the pod uses what it requests, or the target's percentage of
	// it where that is more than 100.
	AsRequest
)

// String returns the assumption in a few words for people.
func (a Assumption) String() string {
	switch a {
	case NotCounted:
		return "not counted"
	case AsZero:
		return "as using nothing"
	case AsTarget:
		return "as using the target"
	case AsRequest:
		return "as using the request"
	}
	return fmt.Sprintf("Assumption(%d)", uint8(a))
}

// identifier returns the value's name for machines, which stays as it is.
func (a Assumption) identifier() string {
	switch a {
	case NotCounted:
		return "notCounted"
	case AsZero:
		return "asZero"
	case AsTarget:
		return "asTarget"
	case AsRequest:
		return "asRequest"
	}
	return a.String()
}

// MarshalText returns the value's name for machines, such as "asZero".
func (a Assumption) MarshalText() ([]byte, error) { return []byte(a.identifier()), nil }

// UnmarshalText reads what MarshalText writes. The error is a *metrics.WordError.
func (a *Assumption) UnmarshalText(text []byte) error {
	return parseWord(a, "calculator.Assumption", text, Assumption.identifier)
}

// Choice is which of several proposals decides.
type Choice struct {
	// Replicas is the largest proposal, and Metric its index, the first among
	// equals (among proposals of 0, the last). It is 0 and -1 if the choice is
	// blocked.
	Replicas int32
	Metric   int
	// Invalid counts the metrics that failed, and First is the index of the
	// first that did, -1 if none did.
	Invalid, First int
	// Blocked tells that nothing may be scaled: all metrics failed, or some did
	// and the others would scale down.
	Blocked bool
}

// Choose returns the largest proposal. If metrics failed, they might have asked
// for more, so that the size may not fall. No proposals at all block, too. It
// is upstream's computeReplicasForMetrics.
func Choose(current int32, proposals []Proposal) Choice {
	c := Choice{Metric: -1, First: -1}
	for i := range proposals {
		p := &proposals[i]
		if p.Failure.Kind != NoFailure {
			if c.First < 0 {
				c.First = i
			}
			c.Invalid++
			continue
		}
		if c.Replicas == 0 || p.Replicas > c.Replicas {
			c.Replicas, c.Metric = p.Replicas, i
		}
	}
	if c.Invalid >= len(proposals) || c.Invalid > 0 && c.Replicas < current {
		c.Replicas, c.Metric, c.Blocked = 0, -1, true
	}
	return c
}
