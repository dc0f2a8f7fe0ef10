package calculator

import (
	"fmt"
	"math"
	"time"

	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/metrics"
)

// Proposed is a proposal that was made elsewhere, by an algorithm of the caller's. In a
// [Reading] it takes the place of the library's own calculation for that metric. All
// that follows is the library's: the choice among the metrics, stabilization, policies,
// bounds, conditions, events, the explanation and the state.
//
//	reading := calculator.Reading{Proposed: &calculator.Proposed{Replicas: 7, Text: "scheduled"}}
//
// A failure of such an algorithm is the reading's Err. The metric can be any of the
// spec's, or one of type Proposal (autoscaling.ProposedElsewhere).
type Proposed struct {
	// Replicas is the size proposed, not negative. It counts if Ratio and Counted are
	// both 0.
	Replicas int32
	// Ratio is a usage ratio, not negative: 1.5 is half above the target. The proposal
	// is the current size if it is within the tolerance, and else Ratio times Counted,
	// divided by the observation's Calibration and rounded up.
	Ratio float64
	// Counted is the number of pods that Ratio is of, not negative.
	Counted int
	// Value is what was measured, in milli-units, for the status. Utilization is the
	// same in percent, for a metric with a target of that type.
	Value       metrics.Milli
	Utilization int32
	// Text says how the proposal came about, for the explanation.
	Text string
	// Until is when time alone changes the proposal; the zero time.Time if it does not.
	Until time.Time
}

// Proposer puts proposals into the readings of what a sync at now observes, before the
// decision. It replaces readings, and changes nothing else. It may have a memory of its
// own. Package simulate and calctest call one in the closed loop.
type Proposer func(now time.Time, obs *Observation)

// check returns what is wrong with the proposal, with the path of it.
func (p *Proposed) check(path string) error {
	switch {
	case p.Replicas < 0:
		return field.Invalid(path+".replicas", p.Replicas, "must not be negative")
	case !(p.Ratio >= 0 && p.Ratio <= math.MaxFloat64):
		return field.Invalid(path+".ratio", fmt.Sprint(p.Ratio), "must be a number and not negative")
	case p.Counted < 0:
		return field.Invalid(path+".counted", p.Counted, "must not be negative")
	}
	return nil
}

// adopt fills in p, which is zero but for its metric, with what was proposed elsewhere.
func (p *Proposal) adopt(from *Proposed, tolerance metrics.Tolerance, s sizing) {
	p.Current, p.Sum, p.Usage, p.Utilization = s.current, from.Value, from.Value, from.Utilization
	p.Text, p.Until, p.elsewhere = from.Text, from.Until, true
	if from.Ratio == 0 && from.Counted == 0 {
		p.Rule, p.Replicas = Elsewhere, from.Replicas
		return
	}
	p.Ratio, p.CorrectedRatio = from.Ratio, from.Ratio
	if tolerance.Within(p.Ratio) {
		p.Rule, p.Replicas = WithinTolerance, s.current
		return
	}
	p.size(s, RatioTimesPods, p.Ratio, from.Counted)
}
