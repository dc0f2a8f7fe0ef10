package calculator

import (
	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/release"
)

// sayActive sets the condition ScalingActive.
func (s *State) sayActive(d *Decision) {
	status, reason := autoscaling.ConditionFalse, ""
	switch {
	case d.selector.failed:
		reason, d.text = d.selector.appendCondition(d.text[:0], d.quirks)
		if d.quirks.Has(release.SharedSelectorByAll) && d.selector.Reason == SelectorAmbiguous {
			d.Quirks = d.Quirks.With(release.SharedSelectorByAll)
		}
	case d.Choice.Blocked:
		p := &d.Proposals[d.Choice.FirstFailed]
		if p.Failure.Kind == SourceDisabled {
			return // there, a condition without a type
		}
		reason = failureReason(&p.Metric)
		d.text = append(d.text[:0], "the HPA was unable to compute the replica count: "...)
		d.text = d.appendFailure(d.text, p)
	default:
		const found = "the HPA was able to successfully calculate a replica count from "
		status, reason = autoscaling.ConditionTrue, "ValidMetricFound"
		m := &d.Proposals[d.Choice.Metric].Metric
		d.text = appendMetric(append(d.text[:0], found...), m)
	}
	if once := d.text; status == autoscaling.ConditionFalse {
		if d.text = formatted(once, d.quirks); string(d.text) != string(once) {
			d.Quirks = d.Quirks.With(release.FormatsTwice)
		}
	}
	s.sayText(&d.Now, autoscaling.ScalingActive, status, reason, d.text)
}

// sayNormalized sets the conditions of limits and cooldown.
func (s *State) sayNormalized(d *Decision) {
	limited := autoscaling.ConditionFalse
	if d.Limits.Replicas != d.Stabilization.Replicas {
		limited = autoscaling.ConditionTrue
	}
	s.say(&d.Now, autoscaling.ScalingLimited, limited, string(d.Limits.Reason), d.Limits.Reason.Message())
	if b := d.Cooldown.Backoff; b != behavior.NoBackoff {
		s.say(&d.Now, autoscaling.AbleToScale, autoscaling.ConditionFalse, string(b), b.Message())
	}
}
