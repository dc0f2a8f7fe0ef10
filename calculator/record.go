package calculator

import (
	"strconv"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/autoscaling"
)

// record writes the decision into the state, all at once: the clock, the
// recommendation, and the conditions in the order in which upstream sets them.
// A decision that the input does not allow is not recorded.
func (s *State) record(by *sync) {
	d := by.d
	if d.scaleErr.err != nil {
		d.text = d.scaleErr.appendMessage(d.text[:0])
		s.sayText(&d.Now, autoscaling.AbleToScale, autoscaling.ConditionFalse, d.scaleErr.reason, d.text)
		d.Conditions = append(d.Conditions[:0], s.Conditions...)
		return
	}
	normalized := d.normalized()
	s.advance(by, normalized)
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
		d.Quirks |= s.sayDisabled(&d.Now, d.quirks)
	case d.Zone.computes():
		s.sayActive(d)
		if !d.selector.failed && (by.hasFallback || len(s.Failing) > 0 || s.Condition(autoscaling.ExternalMetricFallbackActive) != nil) {
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
// what is too old for any window is forgotten. Recording a recommendation does
// so for the others.
func (s *State) advance(by *sync, recording bool) {
	d := by.d
	if !recording {
		s.Recommendations.Advance(d.Now, d.Windows)
	}
	s.Events.Advance(d.Now, by.spec.Behavior)
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
	if s.LastScaleTime.After(now) && by.settings.Cooldown != (behavior.Cooldown{}) {
		s.LastScaleTime = now.UTC()
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
		s.Events.RecordWithin(now, d.CurrentReplicas, d.DesiredReplicas, d.longestPeriods)
	}
	d.Quirks |= s.sayScaledToZero(&now, d.scalesToZero(), d.quirks)
	s.LastScaleTime = wall(now)
	s.DesiredReplicas = d.DesiredReplicas
	d.Conditions = append(d.Conditions[:0], s.Conditions...)
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
