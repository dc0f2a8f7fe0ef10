package behavior

import (
	"time"

	"github.com/purehpa/hpa/stabilize/series"
)

// LimitReason says what limited a size. Its values are the reasons of
// Kubernetes' condition ScalingLimited. It is empty in the zero [LimitResult].
type LimitReason string

const (
	// DesiredWithinRange: nothing did.
	DesiredWithinRange LimitReason = "DesiredWithinRange"
	// TooFewReplicas: the size is raised to the minimum.
	TooFewReplicas LimitReason = "TooFewReplicas"
	// TooManyReplicas: the size is lowered to the maximum.
	TooManyReplicas LimitReason = "TooManyReplicas"
	// ScaleUpLimit: the policies allow no faster scale-up.
	ScaleUpLimit LimitReason = "ScaleUpLimit"
	// ScaleDownLimit: the policies allow no faster scale-down.
	ScaleDownLimit LimitReason = "ScaleDownLimit"
)

// Message returns the message of the condition ScalingLimited, that of
// [DesiredWithinRange] for unknown reasons.
func (r LimitReason) Message() string {
	switch r {
	case TooFewReplicas:
		return "the desired replica count is less than the minimum replica count"
	case TooManyReplicas:
		return "the desired replica count is more than the maximum replica count"
	case ScaleUpLimit:
		return "the desired replica count is increasing faster than the maximum scale rate"
	case ScaleDownLimit:
		return "the desired replica count is decreasing faster than the maximum scale rate"
	}
	return "the desired count is within the acceptable range"
}

// Change is a change in size, in replicas.
type Change struct{ Current, Desired int32 }

// Bounds are the least and the most replicas, inclusive: minReplicas and
// maxReplicas.
type Bounds struct{ Min, Max int32 }

// LimitResult is the outcome of the limits.
type LimitResult struct {
	// Desired is the size before, Replicas after.
	Desired  int32 `json:"desired"`
	Replicas int32 `json:"replicas"`
	// Reason says what limited the size, DesiredWithinRange if nothing did.
	Reason LimitReason `json:"reason"`
	// Rate is the limit of the direction's policies, or without a behavior
	// twice the current size. It is zero if there is a behavior and no change.
	Rate RateLimit `json:"rate,omitzero"`
	// Until is the first moment at which Replicas would differ if nothing but
	// the clock changed, because events leave the policies' periods. It is the
	// zero time.Time if there is no such moment.
	//
	// It is exact for up to 16 policies and 128 events of each direction within
	// their periods. Beyond that it may be too early, but never too late: it is
	// when the first event leaves, if any event can matter.
	Until time.Time `json:"until,omitzero"`
}

// Limit bounds the desired size. A scale-up is bounded by the policies and Max,
// a scale-down by the policies and Min, and a size that does not change by
// nothing. It appends the limit of each of the direction's policies to dst. A
// nil b limits as [LimitWithoutBehavior] does, nil rules are the default ones,
// and nil events are empty. The rules should pass [Behavior.Problem].
//
// Limit only reads. It is upstream's convertDesiredReplicasWithBehaviorRate.
func (b *Behavior) Limit(now time.Time, c Change, bounds Bounds, e *Events, dst []PolicyLimit) (l LimitResult, limits []PolicyLimit) {
	limits = b.LimitInto(&l, now, c, bounds, e, dst)
	return l, limits
}

// LimitInto is for this library's own packages, outside of the promise of
// compatibility. It is like Limit but stores the result in *l, which must be
// zero.
func (b *Behavior) LimitInto(l *LimitResult, now time.Time, c Change, bounds Bounds, e *Events, dst []PolicyLimit) []PolicyLimit {
	if b == nil {
		l.withoutBehavior(c, bounds)
		return dst
	}
	l.Desired, l.Replicas, l.Reason = c.Desired, c.Desired, DesiredWithinRange
	if c.Desired == c.Current {
		return dst
	}
	d, rules, bound, beyondBound, tooFast := down, b.ScaleDown, bounds.Min, TooFewReplicas, ScaleDownLimit
	if c.Desired > c.Current {
		d, rules, bound, beyondBound, tooFast = up, b.ScaleUp, bounds.Max, TooManyReplicas, ScaleUpLimit
	}
	first := len(dst)
	var changes startChanges
	l.Rate, dst = d.rateLimit(now, c.Current, rules, e, dst, &changes)
	wanted := d.within(c.Desired, bound)
	switch l.Replicas = d.within(wanted, l.Rate.Replicas); l.Replicas {
	case c.Desired:
	case bound:
		l.Reason = beyondBound
	default:
		l.Reason = tooFast
	}
	held := limited{d, c.Current, wanted, l.Replicas, l.Rate.Select, dst[first:], &changes}
	l.Until = held.until(now, e)
	return dst
}

// LimitWithoutBehavior bounds the desired size for a spec without a behavior:
// by the bounds, and by twice the current size or 4, whichever is higher.
// Unlike [Behavior.Limit] it also bounds a size that does not change.
//
// It is upstream's convertDesiredReplicasWithRules.
func LimitWithoutBehavior(c Change, bounds Bounds) (l LimitResult) {
	l.withoutBehavior(c, bounds)
	return l
}

func (l *LimitResult) withoutBehavior(c Change, bounds Bounds) {
	l.Desired, l.Replicas, l.Reason = c.Desired, c.Desired, DesiredWithinRange
	l.Rate.Replicas, l.Rate.Selected = series.Clamp(max(2*int64(c.Current), 4)), -1
	bound, why := bounds.Max, TooManyReplicas
	if bound > l.Rate.Replicas {
		bound, why = l.Rate.Replicas, ScaleUpLimit
	}
	switch {
	case c.Desired < bounds.Min:
		l.Replicas, l.Reason = bounds.Min, TooFewReplicas
	case c.Desired > bound:
		l.Replicas, l.Reason = bound, why
	}
}
