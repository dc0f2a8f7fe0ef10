package calculator

import (
	"fmt"
	"math"
	"time"

	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/metrics"
)

// Proposed is a proposal of the caller's own algorithm. In a [Reading] it
// replaces the library's calculation for that metric. The steps that follow
// stay the library's: the choice among the metrics, stabilization, policies,
// bounds, conditions, events, the explanation and the state.
//
//	reading := calculator.Reading{Proposed: &calculator.Proposed{Replicas: 7, Text: "scheduled"}}
//
// A failure of such an algorithm is the reading's Err. The metric can be any of
// the spec's, or one of type Proposal (autoscaling.ProposalMetric).
//
// A target that the metric has takes no part in the decision: Ratio is relative
// to whatever the algorithm aims at. It only says how the status shows Value,
// and what package simulate counts as load above target. The metric keeps its
// names, too: its conditions and events are those of its type.
type Proposed struct {
	// Replicas is the size proposed, not negative. It counts if Ratio and
	// Counted are both 0.
	Replicas int32
	// Ratio is a usage ratio, not negative: 1.5 is half above the target.
	// Within the tolerance, the proposal is the current size; outside, it is
	// Ratio times Counted, divided by the observation's Calibration and rounded
	// up.
	Ratio float64
	// Counted is the number of pods that Ratio is of, not negative.
	Counted int
	// Value is the amount measured, in milli-units, for the status. Utilization
	// is the same in percent, for a metric with a target of that type.
	Value       metrics.Milli
	Utilization int32
	// Text says how the proposal came about, for the explanation.
	Text string
	// Until is when time alone changes the proposal; the zero time.Time if it
	// does not.
	Until time.Time
}

// check returns what is wrong with the proposal of that reading. The path of a
// field is built only if it is wrong.
func (p *Proposed) check(reading int) error {
	invalid := func(name string, value any, detail string) error {
		return field.Invalid(fmt.Sprintf("observation.readings[%d].proposed.%s", reading, name), value, detail)
	}
	switch {
	case p.Replicas < 0:
		return invalid("replicas", p.Replicas, "must not be negative")
	case !(p.Ratio >= 0 && p.Ratio <= math.MaxFloat64):
		return invalid("ratio", fmt.Sprint(p.Ratio), "must be a number and not negative")
	case p.Counted < 0:
		return invalid("counted", p.Counted, "must not be negative")
	}
	return nil
}

// adopt fills in p, of which only the metric is set, from the caller's
// proposal.
func (p *Proposal) adopt(from *Proposed, tolerance metrics.Tolerance, s sizing) {
	p.Current, p.Sum, p.Usage, p.Utilization = s.current, from.Value, from.Value, from.Utilization
	p.Text, p.Until, p.adopted = from.Text, from.Until, true
	if from.Ratio == 0 && from.Counted == 0 {
		p.Rule, p.Replicas = AsProposed, from.Replicas
		return
	}
	p.Ratio, p.CorrectedRatio = from.Ratio, from.Ratio
	if tolerance.Within(p.Ratio) {
		p.Rule, p.Replicas = WithinTolerance, s.current
		return
	}
	p.size(s, RatioTimesPods, p.Ratio, from.Counted)
}
