package stabilize

import (
	"math"
	"time"

	"github.com/purehpa/hpa/stabilize/series"
)

// Reason says what stabilization did to a recommendation. Its values are the
// reasons of Kubernetes' condition AbleToScale. It is empty in the zero
// [Result].
type Reason string

const (
	// NotStabilized: the recommendation is unchanged.
	NotStabilized Reason = "ReadyForNewScale"
	// ScaleUpStabilized: a lower one was taken instead.
	ScaleUpStabilized Reason = "ScaleUpStabilized"
	// ScaleDownStabilized: a higher one was taken instead.
	ScaleDownStabilized Reason = "ScaleDownStabilized"
)

// Message returns the message of the condition AbleToScale, that of
// [NotStabilized] for unknown reasons.
func (r Reason) Message() string {
	switch r {
	case ScaleUpStabilized:
		return "recent recommendations were lower than current one, applying the lowest recent recommendation"
	case ScaleDownStabilized:
		return "recent recommendations were higher than current one, applying the highest recent recommendation"
	}
	return "recommended size matches current size"
}

// Result is the outcome of a stabilization.
type Result struct {
	// Desired is the recommendation before, Replicas after.
	Desired  int32 `json:"desired"`
	Replicas int32 `json:"replicas"`
	// Reason is NotStabilized if both are equal.
	Reason Reason `json:"reason"`
	// Bound is the recommendation that Replicas is due to, of several the
	// latest. It is the zero Entry if Reason is NotStabilized.
	Bound Entry `json:"bound,omitzero"`
	// Until is the first moment at which Bound no longer counts. It is the zero
	// time.Time if Reason is NotStabilized.
	Until time.Time `json:"until,omitzero"`
}

// Stabilize returns the size closest to current that agrees with all recent
// recommendations: current, raised to the lowest one of the up window and
// lowered to the highest one of the down window, desired included.
//
// For example, a size of 10 with recommendations of 7 and 3 in the down window
// scales down to 7 when 2 is desired.
//
// The windows in force are those of behavior.Behavior.Windows: five minutes
// down and none up, unless the spec or the controller's flag sets others.
//
// The window is exclusive: a recommendation of exactly its age no longer
// counts. Stabilize only reads. It is for a spec with a behavior, and the
// reading half of stabilizeRecommendationWithBehaviors; [History.Record] is the
// other half.
func (h *History) Stabilize(now time.Time, current, desired int32, w Windows) (r Result) {
	h.StabilizeInto(&r, now, current, desired, w)
	return r
}

// StabilizeInto is for this library's own packages, outside of the promise of
// compatibility. It is like Stabilize but stores the result in *r, which must
// be zero.
func (h *History) StabilizeInto(r *Result, now time.Time, current, desired int32, w Windows) {
	r.Desired, r.Replicas, r.Reason = desired, desired, NotStabilized
	switch {
	case desired < current:
		if e, ok := h.list.Highest(now, w.Down, desired, current); ok {
			r.hold(e, min(e.Value, current), ScaleDownStabilized, w.Down)
		}
	case desired > current:
		if e, ok := h.list.Lowest(now, w.Up, desired, current); ok {
			r.hold(e, max(e.Value, current), ScaleUpStabilized, w.Up)
		}
	}
}

// hold notes that e holds the size for as long as the window.
func (r *Result) hold(e Entry, replicas int32, why Reason, window time.Duration) {
	r.Replicas, r.Reason, r.Bound, r.Until = replicas, why, e, series.Add(e.Time, window)
}

// StabilizeDown returns the highest recommendation of the window, or desired if
// that is higher. Unlike [History.Stabilize] it can raise a scale-up further.
//
// The window is inclusive: a recommendation of exactly its age still counts.
// StabilizeDown only reads. It is for a spec without a behavior, and the
// reading half of stabilizeRecommendation; [History.Record] is the other half.
func (h *History) StabilizeDown(now time.Time, desired int32, window time.Duration) (r Result) {
	h.StabilizeDownInto(&r, now, desired, window)
	return r
}

// StabilizeDownInto is for this library's own packages, outside of the promise
// of compatibility. It is like StabilizeDown but stores the result in *r, which
// must be zero.
func (h *History) StabilizeDownInto(r *Result, now time.Time, desired int32, window time.Duration) {
	r.Desired, r.Replicas, r.Reason = desired, desired, NotStabilized
	exclusive := inclusive(window)
	if e, ok := h.list.Highest(now, exclusive, desired, math.MaxInt32); ok {
		r.hold(e, e.Value, ScaleDownStabilized, exclusive)
	}
}

// HoldDown keeps the size from falling below current until the window has
// passed since the given time. It is for a history that began only then and so
// may lack a recommendation that would have held the size. Bound then has that
// time and the current size.
func (r *Result) HoldDown(now time.Time, current int32, since time.Time, window time.Duration) {
	until := series.Add(since, window)
	if r.Replicas >= current || !now.Before(until) {
		return
	}
	r.Replicas, r.Reason = current, ScaleDownStabilized
	r.Bound, r.Until = Entry{Time: series.Add(since, 0), Value: current}, until
}

// inclusive returns the exclusive window that sees what the inclusive one does.
// In whole nanoseconds, that is longer by one.
func inclusive(window time.Duration) time.Duration { return min(window, math.MaxInt64-1) + 1 }
