package stage

import (
	"github.com/purehpa/hpa/behavior"
)

// Limits is what policies and bounds made of the size. Bound of its stage is
// Kubernetes' reason, a [behavior.LimitReason].
type Limits struct {
	// DesiredLow and DesiredHigh are the size before the stage.
	DesiredLow  int32 `json:"desiredLow"`
	DesiredHigh int32 `json:"desiredHigh"`
	// WithoutBehavior reports whether spec.behavior is not set. One sync scales
	// up to twice the size at most then, or to 4.
	WithoutBehavior bool `json:"withoutBehavior,omitempty"`
	// Disabled reports whether the rules forbid the direction.
	Disabled bool `json:"disabled,omitempty"`
	// Unknown reports whether the limit depends on unknown recommendations or
	// events.
	Unknown bool `json:"unknown,omitempty"`
}

func (l *Limits) appendTo(w *writer) {
	w.say("%s", w.size())
	if l.Unknown || w.low != w.high {
		w.say(".")
		return
	}
	if l.DesiredLow == l.DesiredHigh && l.DesiredLow != w.low {
		w.say(" instead of %d", l.DesiredLow)
	}
	l.appendReason(w)
	switch reason := behavior.LimitReason(w.bound); {
	case w.until.IsZero():
	case reason == behavior.ScaleUpLimit || reason == behavior.ScaleDownLimit:
		w.say(" That changes at %s.", w.moment(w.until))
	default:
		w.say(" That may change at %s.", w.moment(w.until))
	}
}

// appendReason says what limits the size.
func (l *Limits) appendReason(w *writer) {
	switch reason := behavior.LimitReason(w.bound); {
	case reason == behavior.TooFewReplicas:
		w.say(", the minimum.")
	case reason == behavior.TooManyReplicas:
		w.say(", the maximum.")
	case reason == behavior.ScaleUpLimit && l.WithoutBehavior:
		w.say(": without spec.behavior, one sync scales up to twice the size at most, or to 4.")
	case reason == behavior.ScaleUpLimit && l.Disabled:
		w.say(", because scaling up is disabled.")
	case reason == behavior.ScaleDownLimit && l.Disabled:
		w.say(", because scaling down is disabled.")
	case reason == behavior.ScaleUpLimit, reason == behavior.ScaleDownLimit:
		w.say(", the most that the policies allow.")
	case reason != "" && reason != behavior.DesiredWithinRange:
		w.say(", %s.", plain(reason))
	case l.DesiredHigh == w.current:
		w.say(", unchanged.")
	default:
		w.say(", within bounds and policies.")
	}
}
