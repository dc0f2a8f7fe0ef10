package calculator

import (
	"slices"
	"time"

	"github.com/purehpa/hpa/calculator/autoscaling"
)

// set sets the status of a condition as upstream's setConditionInList does: the
// transition time changes only if the status does, and a new type is appended.
// The caller fills in the reason and the message.
func (s *State) set(now *time.Time, t autoscaling.HorizontalPodAutoscalerConditionType, status autoscaling.ConditionStatus) *autoscaling.HorizontalPodAutoscalerCondition {
	i := s.indexOf(t)
	c := &s.Conditions[i]
	if c.Status != status {
		c.Status, c.LastTransitionTime = status, wall(*now)
	}
	return c
}

// indexOf returns the index of the condition of the type, which it appends if
// there is none. If there are MaxConditions, it drops the last one that is not
// the controller's own, so that the state can be encoded.
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

// say sets a condition with a fixed message. Unchanged fields are not
// rewritten: the copy that follows would stall on the store.
func (s *State) say(now *time.Time, t autoscaling.HorizontalPodAutoscalerConditionType, status autoscaling.ConditionStatus, reason, message string) {
	c := s.set(now, t, status)
	if c.Reason != reason || c.Message != message {
		c.Reason, c.Message = reason, message
	}
}

// sayText sets a condition with a message that was put together. It allocates
// only if the text changed.
func (s *State) sayText(now *time.Time, t autoscaling.HorizontalPodAutoscalerConditionType, status autoscaling.ConditionStatus, reason string, message []byte) {
	c := s.set(now, t, status)
	if c.Reason != reason {
		c.Reason = reason
	}
	if message = clip(message); c.Message != string(message) {
		c.Message = string(message)
	}
}
