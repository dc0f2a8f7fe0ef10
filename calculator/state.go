package calculator

import (
	"slices"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/stabilize"
)

// State is all that one autoscaler remembers from one sync to the next. It is
// the caller's: a decision changes the one that it is handed, and nothing else.
// The zero State is that of an autoscaler that has never run. Copies share
// memory; Clone does not.
//
// Until the next sync or a Clone, the messages of the conditions refer to the
// selectors of the spec and to the errors of the observation that was decided
// on, as a Decision does.
type State struct {
	// Recommendations are the sizes that the metrics asked for.
	Recommendations stabilize.History
	// Events are the changes of size that were written, with a behavior.
	Events behavior.Events
	// Conditions are the conditions of the status, in the order in which they
	// were first set. A controller that keeps its state nowhere else fills them
	// from the status that it reads: ScaledToZero decides whether a target at
	// size zero comes back.
	Conditions []Condition
	// LastScaleTime is when the size was last changed; the zero time.Time if
	// it never was. It is lastScaleTime of the status.
	LastScaleTime time.Time
	// DesiredReplicas is desiredReplicas of the status: what the last sync that
	// ended without an error wanted.
	DesiredReplicas int32
	// Started is when the first sync was: all recommendations since then are
	// known, and none from before. The zero time.Time means that there was none
	// or that nobody knows. HoldScaleDown counts from here.
	Started time.Time
}

// Clone returns a copy that shares no memory with s. It makes the texts of the
// conditions' messages.
func (s *State) Clone() State {
	c := *s
	c.Recommendations = stabilize.History{Series: s.Recommendations.Clone()}
	c.Events = s.Events.Clone()
	c.Conditions = slices.Clone(s.Conditions)
	for i := range c.Conditions {
		d := &c.Conditions[i]
		d.Message = Text(d.Message.String())
		if d.ObservedGeneration != nil {
			g := *d.ObservedGeneration
			d.ObservedGeneration = &g
		}
	}
	return c
}

// Equal reports whether both states are the same: whether every decision and
// every status that follow from them are.
func (s *State) Equal(t *State) bool {
	return s.Recommendations.Equal(&t.Recommendations.Series) &&
		s.Events.Equal(&t.Events) &&
		slices.EqualFunc(s.Conditions, t.Conditions, Condition.Equal) &&
		wall(s.LastScaleTime).Equal(wall(t.LastScaleTime)) &&
		s.DesiredReplicas == t.DesiredReplicas &&
		wall(s.Started).Equal(wall(t.Started))
}

// wall returns t in UTC and without a reading of the monotonic clock, which
// would not survive an encoding.
func wall(t time.Time) time.Time { return t.Round(0).UTC() }

// advance takes note of the clock: what lies after now is taken as of now, and
// what is too old for any window is forgotten.
func (s *State) advance(now time.Time, settings *Settings, spec *Spec) {
	s.Recommendations.Advance(now, settings.windows(spec.Behavior))
	s.Events.Advance(now, spec.Behavior)
	now = wall(now)
	if wall(s.Started).After(now) {
		s.Started = now
	}
	// Without a cooldown, the time is only shown, and Kubernetes leaves it.
	if settings.Cooldown != (behavior.Cooldown{}) && wall(s.LastScaleTime).After(now) {
		s.LastScaleTime = now
	}
}

// Condition returns the condition of that type, nil if it was never set.
func (s *State) Condition(t ConditionType) *Condition {
	for i := range s.Conditions {
		if s.Conditions[i].Type == t {
			return &s.Conditions[i]
		}
	}
	return nil
}

// set sets a condition as upstream's setConditionInList does: the transition
// time changes only if the status does, and a new type is appended. The caller
// fills in the message.
func (s *State) set(now time.Time, t ConditionType, status ConditionStatus, reason string) *Message {
	c := s.Condition(t)
	if c == nil {
		s.Conditions = append(s.Conditions, Condition{Type: t})
		c = &s.Conditions[len(s.Conditions)-1]
	}
	if c.Status != status {
		c.LastTransitionTime = wall(now)
	}
	c.Status, c.Reason = status, reason
	return &c.Message
}

// say sets a condition with a fixed message.
func (s *State) say(now time.Time, t ConditionType, status ConditionStatus, reason, message string) {
	*s.set(now, t, status, reason) = Text(message)
}

// scaledToZero reports whether the autoscaler itself took the target to zero.
func (s *State) scaledToZero() bool {
	c := s.Condition(ScaledToZero)
	return c != nil && c.Status == ConditionTrue
}

// Applied records that the size which d decided on was written at now: the
// scale event, the time of the last scale and the conditions. It is called once
// the write has succeeded. For a decision that changes nothing, or whose
// outcome was recorded already, it does nothing.
func (s *State) Applied(now time.Time, d *Decision) {
	if d == nil || !d.pending() {
		return
	}
	d.Outcome = Written
	m := s.set(now, AbleToScale, ConditionTrue, "SucceededRescale")
	*m = Message{form: sizeMessage, text: "the HPA controller was able to update the target scale to ", size: d.DesiredReplicas}
	s.Events.Record(now, d.CurrentReplicas, d.DesiredReplicas, d.behavior)
	if d.scalesToZero() {
		s.say(now, ScaledToZero, ConditionTrue, "ScaledToZero", "the HPA controller scaled the workload to zero")
	} else {
		s.say(now, ScaledToZero, ConditionFalse, "NotScaledToZero", "the HPA controller did not scale the workload to zero")
	}
	s.LastScaleTime = wall(now)
	s.DesiredReplicas = d.DesiredReplicas
	d.Conditions = append(d.Conditions[:0], s.Conditions...)
}

// Failed records that the size which d decided on could not be written, and
// why. No scale event is stored, and the status keeps its desired size. For a
// decision that changes nothing, or whose outcome was recorded already, it does
// nothing.
func (s *State) Failed(now time.Time, d *Decision, err error) {
	if d == nil || !d.pending() {
		return
	}
	d.Outcome, d.writeErr = NotWritten, err
	m := s.set(now, AbleToScale, ConditionFalse, "FailedUpdateScale")
	*m = Message{form: causeMessage, text: "the HPA controller was unable to update the target scale: ", failure: Failure{Kind: MetricUnavailable, Cause: err}}
	d.Conditions = append(d.Conditions[:0], s.Conditions...)
}
