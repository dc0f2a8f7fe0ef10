package calculator

import (
	"slices"
	"strconv"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/release"
)

// record writes the decision into the state, all at once: the clock, the
// recommendation, and the conditions in the order in which upstream sets them.
// A decision that the input does not allow is not recorded.
func (s *State) record(d *Decision, settings *Settings, b *behavior.Behavior) {
	if d.scaleErr.err != nil {
		d.text = appendAll(d.text[:0], "the HPA controller was unable to get the target's current scale: ", d.scaleErr.text)
		s.sayText(&d.Now, autoscaling.AbleToScale, autoscaling.ConditionFalse, "FailedGetScale", d.text)
		d.Conditions = append(d.Conditions[:0], s.Conditions...)
		return
	}
	normalized := d.normalized()
	s.advance(d, settings, b, normalized)
	reason, message := "SucceededGetScale", "the HPA controller was able to get the target's current scale"
	if normalized {
		// Upstream sets the other one first, to the same status.
		reason, message = string(d.Stabilization.Reason), d.Stabilization.Reason.Message()
	}
	s.say(&d.Now, autoscaling.AbleToScale, autoscaling.ConditionTrue, reason, message)
	if d.Started {
		s.Recommendations.Start(d.Now, d.CurrentReplicas)
		s.Started = wall(d.Now)
	}
	switch {
	case d.Zone == ZoneDisabled:
		s.say(&d.Now, autoscaling.ScalingActive, autoscaling.ConditionFalse, "ScalingDisabled", "scaling is disabled since the replica count of the target is zero")
		if d.as.Has(release.NoScaleToZero) && s.Condition(autoscaling.ScaledToZero) != nil {
			s.sayScaledToZero(d.Now, d)
		}
	case d.Zone.computes():
		s.sayActive(d)
		if !d.selector.failed && (d.hasFallback || len(s.Failing) > 0 || s.Condition(autoscaling.ExternalMetricFallbackActive) != nil) {
			s.recordFallback(d)
		}
	}
	if normalized {
		s.Recommendations.Record(d.Now, d.Choice.Replicas, d.Windows)
		s.sayNormalized(d)
	}
	if !d.blocked() && d.Outcome == OutcomeUnchanged {
		s.DesiredReplicas = d.CurrentReplicas
	}
	d.Conditions = append(d.Conditions[:0], s.Conditions...)
}

// advance takes note of the clock: what lies after now is taken as of now, and
// what is too old for any window is forgotten. Recording a recommendation does so
// for the others.
func (s *State) advance(d *Decision, settings *Settings, b *behavior.Behavior, recording bool) {
	if !recording {
		s.Recommendations.Advance(d.Now, d.Windows)
	}
	s.Events.Advance(d.Now, b)
	now := d.Now.Round(0) // without a monotonic clock, After compares wall clocks
	for i := range s.Failing {
		if m := &s.Failing[i]; m.Since.After(now) {
			m.Since = now.UTC()
		}
	}
	if s.Started.After(now) {
		s.Started = now.UTC()
	}
	// Without a cooldown, the time is only shown, and Kubernetes leaves it.
	if s.LastScaleTime.After(now) && settings.Cooldown != (behavior.Cooldown{}) {
		s.LastScaleTime = now.UTC()
	}
}

// sayActive sets the condition ScalingActive.
func (s *State) sayActive(d *Decision) {
	status, reason := autoscaling.ConditionFalse, ""
	switch {
	case d.selector.failed:
		reason, d.text = d.selector.appendCondition(d.text[:0], d.as)
		if d.as.Has(release.SharedSelectorByAll) && d.selector.Reason == SelectorAmbiguous {
			d.Differences = d.Differences.With(release.SharedSelectorByAll)
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
		if d.text = formatted(once, d.as); string(d.text) != string(once) {
			d.Differences = d.Differences.With(release.FormatsTwice)
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

// Applied records that the size which d decided on was written at now: the
// scale event, the time of the last scale and the conditions. It is called once
// the write has succeeded. For a decision that changes nothing, or whose
// outcome was recorded already, it does nothing.
func (s *State) Applied(now time.Time, d *Decision) {
	if s == nil || d == nil || d.Outcome != OutcomePending {
		return
	}
	d.Outcome = OutcomeWritten
	d.text = append(d.text[:0], "the HPA controller was able to update the target scale to "...)
	d.text = strconv.AppendInt(d.text, int64(d.DesiredReplicas), 10)
	s.sayText(&now, autoscaling.AbleToScale, autoscaling.ConditionTrue, "SucceededRescale", d.text)
	if d.hasBehavior {
		s.Events.RecordWithin(now, d.CurrentReplicas, d.DesiredReplicas, d.longest)
	}
	s.sayScaledToZero(now, d)
	s.LastScaleTime = wall(now)
	s.DesiredReplicas = d.DesiredReplicas
	d.Conditions = append(d.Conditions[:0], s.Conditions...)
}

// sayScaledToZero sets the condition ScaledToZero, or what an older release does.
func (s *State) sayScaledToZero(now time.Time, d *Decision) {
	switch {
	case d.as.Has(release.NoScaledToZero):
		d.Differences = d.Differences.With(release.NoScaledToZero)
		if d.as.Has(release.NoScaleToZero) {
			s.Conditions = slices.DeleteFunc(s.Conditions, func(c autoscaling.HorizontalPodAutoscalerCondition) bool { return c.Type == autoscaling.ScaledToZero })
		}
	case d.scalesToZero():
		s.say(&now, autoscaling.ScaledToZero, autoscaling.ConditionTrue, "ScaledToZero", "the HPA controller scaled the workload to zero")
	default:
		s.say(&now, autoscaling.ScaledToZero, autoscaling.ConditionFalse, "NotScaledToZero", "the HPA controller did not scale the workload to zero")
	}
}

// Failed records that the size which d decided on could not be written, and
// why. No scale event is stored, and the status keeps its desired size. For a
// decision that changes nothing, or whose outcome was recorded already, it does
// nothing.
func (s *State) Failed(now time.Time, d *Decision, err error) {
	if s == nil || d == nil || d.Outcome != OutcomePending {
		return
	}
	d.Outcome, d.writeErr = OutcomeNotWritten, foreignError{err, textOf(err)}
	d.text = appendAll(d.text[:0], "the HPA controller was unable to update the target scale: ", d.writeErr.text)
	s.sayText(&now, autoscaling.AbleToScale, autoscaling.ConditionFalse, "FailedUpdateScale", d.text)
	d.Conditions = append(d.Conditions[:0], s.Conditions...)
}

// set sets the status of a condition as upstream's setConditionInList does: the
// transition time changes only if the status does, and a new type is appended. The
// caller fills in the reason and the message.
func (s *State) set(now *time.Time, t autoscaling.HorizontalPodAutoscalerConditionType, status autoscaling.ConditionStatus) *autoscaling.HorizontalPodAutoscalerCondition {
	i := s.indexOf(t)
	c := &s.Conditions[i]
	if c.Status != status {
		c.Status, c.LastTransitionTime = status, wall(*now)
	}
	return c
}

// indexOf returns the index of the condition of the type, which it appends if there is
// none. If there are MaxConditions, it drops the last one that is not the controller's
// own, so that the state can be encoded.
func (s *State) indexOf(t autoscaling.HorizontalPodAutoscalerConditionType) int {
	for i := range s.Conditions {
		if s.Conditions[i].Type == t {
			return i
		}
	}
	for i := len(s.Conditions) - 1; i >= 0 && len(s.Conditions) >= MaxConditions; i-- {
		switch s.Conditions[i].Type {
		case autoscaling.AbleToScale, autoscaling.ScalingActive, autoscaling.ScalingLimited, autoscaling.ScaledToZero,
			autoscaling.ExternalMetricFallbackActive:
		default:
			s.Conditions = slices.Delete(s.Conditions, i, i+1)
		}
	}
	s.Conditions = append(s.Conditions, autoscaling.HorizontalPodAutoscalerCondition{Type: t})
	return len(s.Conditions) - 1
}

// say sets a condition with a fixed message. What stays is not written: the copy for
// the decision, which follows, would wait for that.
func (s *State) say(now *time.Time, t autoscaling.HorizontalPodAutoscalerConditionType, status autoscaling.ConditionStatus, reason, message string) {
	c := s.set(now, t, status)
	if c.Reason != reason || c.Message != message {
		c.Reason, c.Message = reason, message
	}
}

// sayText sets a condition with a message that was put together. Only one that
// reads otherwise than before becomes a new string.
func (s *State) sayText(now *time.Time, t autoscaling.HorizontalPodAutoscalerConditionType, status autoscaling.ConditionStatus, reason string, message []byte) {
	c := s.set(now, t, status)
	if c.Reason != reason {
		c.Reason = reason
	}
	if message = clip(message); c.Message != string(message) {
		c.Message = string(message)
	}
}
