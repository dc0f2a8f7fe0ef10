package calculator

import (
	"math"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/stabilize"
)

// State is all that one autoscaler remembers from one sync to the next. It is
// the caller's: a decision changes the one that it is handed, and nothing else.
// The zero State is that of an autoscaler that has never run.
//
// A State owns its data: later changes of the spec, the observation or the
// decision do not affect it. Copies share memory; Clone does not.
type State struct {
	// Recommendations are the sizes that the metrics asked for.
	Recommendations stabilize.History
	// Events are the changes of size that were written, with a behavior.
	Events behavior.Events
	// Conditions are the conditions of the status, in the order in which they
	// were first set. A controller that keeps its state nowhere else fills them
	// from the status that it reads: ScaledToZero decides whether a target at
	// size zero comes back.
	Conditions []autoscaling.HorizontalPodAutoscalerCondition
	// LastScaleTime is when the size was last changed; the zero time.Time if
	// it never was. It is lastScaleTime of the status.
	LastScaleTime time.Time
	// DesiredReplicas is desiredReplicas of the status: what the last sync that
	// ended without an error wanted.
	DesiredReplicas int32
	// Started is when the first sync was: all recommendations since then are
	// known, and none from before. The zero time.Time means that no sync was
	// made, or that its time is not known. HoldScaleDown counts from here.
	Started time.Time
	// Failing are the failing metrics that have a fallback.
	Failing []FailingMetric
}

// MaxConditions is the most conditions that an encoding holds. Kubernetes sets
// four.
const MaxConditions = 32

// StateFromStatus returns the state that a status holds: the conditions, the
// time of the last scale and the desired size. As after a restart of
// kube-controller-manager, it has no recommendations and no scale events. A nil
// status is an empty one.
//
// The state can always be encoded. A negative desired size becomes 0. A
// condition is dropped if its type is empty, repeated, not UTF-8 or longer than
// 255 bytes, if its status is not True, False or Unknown, or if [MaxConditions]
// precede it.
func StateFromStatus(status *autoscaling.HorizontalPodAutoscalerStatus) State {
	if status == nil {
		return State{}
	}
	s := State{LastScaleTime: status.LastScaleTime, DesiredReplicas: max(status.DesiredReplicas, 0)}
	for _, c := range status.Conditions {
		if len(s.Conditions) == MaxConditions {
			break
		}
		switch c.Status {
		case autoscaling.ConditionTrue, autoscaling.ConditionFalse, autoscaling.ConditionUnknown:
			if c.Type != "" && len(c.Type) <= math.MaxUint8 && utf8.ValidString(string(c.Type)) && s.Condition(c.Type) == nil {
				s.Conditions = append(s.Conditions, c)
			}
		}
	}
	return s
}

// Clone returns a copy that shares no memory with s.
func (s *State) Clone() State {
	if s == nil {
		return State{}
	}
	c := *s
	c.Recommendations = s.Recommendations.Clone()
	c.Events = s.Events.Clone()
	c.Conditions = slices.Clone(s.Conditions)
	c.Failing = slices.Clone(s.Failing)
	return c
}

// Equal reports whether both states are the same: whether every decision and
// every status that follow from them are. A nil state is equal to a nil one
// alone.
func (s *State) Equal(t *State) bool {
	if s == nil || t == nil {
		return s == t
	}
	return s.Recommendations.Equal(&t.Recommendations) &&
		s.Events.Equal(&t.Events) &&
		slices.EqualFunc(s.Conditions, t.Conditions, autoscaling.HorizontalPodAutoscalerCondition.Equal) &&
		wall(s.LastScaleTime).Equal(wall(t.LastScaleTime)) &&
		s.DesiredReplicas == t.DesiredReplicas &&
		wall(s.Started).Equal(wall(t.Started)) &&
		slices.EqualFunc(s.Failing, t.Failing, func(m, n FailingMetric) bool {
			return m.Metric == n.Metric && wall(m.Since).Equal(wall(n.Since))
		})
}

// wall returns t in UTC and without a reading of the monotonic clock, which
// would not survive an encoding.
func wall(t time.Time) time.Time { return t.Round(0).UTC() }

// Condition returns the condition of that type, nil if it was never set.
func (s *State) Condition(t autoscaling.HorizontalPodAutoscalerConditionType) *autoscaling.HorizontalPodAutoscalerCondition {
	if s == nil {
		return nil
	}
	for i := range s.Conditions {
		if s.Conditions[i].Type == t {
			return &s.Conditions[i]
		}
	}
	return nil
}
