package behavior

import (
	"cmp"
	"math"
	"time"

	"github.com/purehpa/hpa/stabilize/series"
)

// LimitReason says what limited a size. Its values are the reasons of
// Kubernetes' condition ScalingLimited. It is empty in the zero [Limited].
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

// PolicyLimit is the limit of one policy.
type PolicyLimit struct {
	Policy
	// Added and Removed are the pods added and removed within its period.
	Added   int64 `json:"added"`
	Removed int64 `json:"removed"`
	// Start is the size at the start of its period: the current size minus
	// Added plus Removed.
	Start int64 `json:"start"`
	// Limit is the size that the policy allows. It may be behind the current
	// size, as after scaling up further than allowed, and negative.
	Limit int32 `json:"limit"`
	// Until is when the first of the events counted leaves the period, the zero
	// time.Time if there are none.
	Until time.Time `json:"until,omitzero"`
}

// RateLimit is the limit that one direction's policies have together.
type RateLimit struct {
	// Replicas is the limit, and the current size if the limit is behind that.
	Replicas int32 `json:"replicas"`
	// Select is how the limit was selected: SelectMax, SelectMin or
	// SelectDisabled. It is empty without a behavior.
	Select SelectPolicy `json:"select,omitempty"`
	// Disabled reports whether the rules forbid the direction.
	Disabled bool `json:"disabled"`
	// Selected is the index of the selected policy, of equals the first; -1 if
	// none was selected.
	Selected int `json:"selected"`
}

// UpLimit returns how far the rules for scaling up let the size rise. It appends
// the limit of each policy to dst, unless scaling up is disabled. Nil rules are
// the default ones, and nil events are none. Rules without policies keep the
// size.
//
// It is upstream's calculateScaleUpLimitWithScalingRules.
func UpLimit(now time.Time, current int32, r *ScalingRules, e *Events, dst []PolicyLimit) (RateLimit, []PolicyLimit) {
	return up.rateLimit(now, current, r, e, dst, new(startChanges))
}

// DownLimit is [UpLimit] for scaling down.
//
// It is upstream's calculateScaleDownLimitWithBehaviors.
func DownLimit(now time.Time, current int32, r *ScalingRules, e *Events, dst []PolicyLimit) (RateLimit, []PolicyLimit) {
	return down.rateLimit(now, current, r, e, dst, new(startChanges))
}

type direction bool

const (
	up   direction = true
	down direction = false
)

// rateLimit is UpLimit or DownLimit, and fills in the changes.
func (d direction) rateLimit(now time.Time, current int32, r *ScalingRules, e *Events, dst []PolicyLimit, changes *startChanges) (RateLimit, []PolicyLimit) {
	if r == nil {
		r = d.defaults()
	}
	if r.SelectPolicy == SelectDisabled {
		return RateLimit{Replicas: current, Select: SelectDisabled, Disabled: true, Selected: -1}, dst
	}
	if e == nil {
		e = &Events{}
	}
	if len(r.Policies)*(e.added.Places()+e.removed.Places()) > maxVisits {
		return d.rateLimitOfMany(now, current, r, e, dst, changes)
	}
	return d.rateLimitBy(now, current, r, e, nil, dst, changes)
}

// rateLimitOfMany is rateLimit for many policies and events. It needs much of the
// stack, and so is a function of its own.
//
//go:noinline
func (d direction) rateLimitOfMany(now time.Time, current int32, r *ScalingRules, e *Events, dst []PolicyLimit, changes *startChanges) (RateLimit, []PolicyLimit) {
	var a ages
	a.added.Count(&e.added, now)
	a.removed.Count(&e.removed, now)
	return d.rateLimitBy(now, current, r, e, &a, dst, changes)
}

// maxVisits is how many events are looked at for policies one by one. Where it would
// be more, the events are counted once by their age, which takes about as long.
const maxVisits = 1 << 14

// ages are the events counted by their age.
type ages struct{ added, removed series.Ages }

// rateLimitBy is rateLimit with the ages of the events, or nil.
func (d direction) rateLimitBy(now time.Time, current int32, r *ScalingRules, e *Events, a *ages, dst []PolicyLimit, changes *startChanges) (RateLimit, []PolicyLimit) {
	l := RateLimit{Replicas: current, Select: cmp.Or(r.SelectPolicy, SelectMax), Selected: -1}
	var selected int32
	for i, p := range r.Policies {
		dst = append(dst, PolicyLimit{Policy: p})
		said := &dst[len(dst)-1]
		change := said.fill(now, current, e, a, d)
		if i < len(changes) {
			changes[i] = change
		}
		if i == 0 || d.selects(l.Select, said.Limit, selected) {
			l.Selected, selected = i, said.Limit
			l.Replicas = d.reach(current, selected)
		}
	}
	return l, dst
}

func (d direction) defaults() *ScalingRules {
	r := DefaultScaleDown()
	if d == up {
		r = DefaultScaleUp()
	}
	return &r
}

// fill fills in the limit of l's policy, and returns by how much Start changes at
// Until.
func (l *PolicyLimit) fill(now time.Time, current int32, e *Events, a *ages, d direction) (change int64) {
	var added, removed series.Window
	if a != nil && 0 <= l.PeriodSeconds && l.PeriodSeconds <= series.MaxAge {
		added, removed = a.added.Within(l.PeriodSeconds), a.removed.Within(l.PeriodSeconds)
	} else {
		period := time.Duration(l.PeriodSeconds) * time.Second
		added, removed = e.added.Within(now, period), e.removed.Within(now, period)
	}
	l.Added, l.Removed = added.Sum, removed.Sum
	l.Start = int64(current) - l.Added + l.Removed
	l.Limit = d.allow(l.Start, l.Policy)
	if added.Count > 0 && (removed.Count == 0 || !removed.Expires.Before(added.Expires)) {
		l.Until, change = added.Expires, added.Leaving
	}
	if removed.Count > 0 && (added.Count == 0 || !added.Expires.Before(removed.Expires)) {
		l.Until, change = removed.Expires, change-removed.Leaving
	}
	return change
}

// allow returns the limit of a policy, from the size at the start of its period.
func (d direction) allow(start int64, p Policy) int32 {
	switch {
	case p.Type == PodsPolicy && d == up:
		return series.Clamp(start + int64(p.Value))
	case p.Type == PodsPolicy:
		return series.Clamp(start - int64(p.Value))
	case d == up:
		// Rounded up: a change that rounds to none would never end.
		return truncate(math.Ceil(float64(start) * (1 + float64(p.Value)/100)))
	}
	return truncate(float64(start) * (1 - float64(p.Value)/100))
}

// selects reports whether s selects limit a rather than b.
func (d direction) selects(s SelectPolicy, a, b int32) bool {
	// The smaller change has the lower limit when scaling up, and the higher one
	// when scaling down.
	if (s == SelectMin) == (d == up) {
		return a < b
	}
	return a > b
}

// reach returns the limit, or the current size if the limit is behind that.
func (d direction) reach(current, limit int32) int32 { return (!d).within(current, limit) }

// Limited is the outcome of the limits.
type Limited struct {
	// Desired is the size before, Replicas after.
	Desired  int32 `json:"desired"`
	Replicas int32 `json:"replicas"`
	// Reason says what limited the size, DesiredWithinRange if nothing did.
	Reason LimitReason `json:"reason"`
	// Rate is the limit of the direction's policies, or without a behavior twice
	// the current size. It is zero if there is a behavior and no change.
	Rate RateLimit `json:"rate,omitzero"`
	// Until is the first moment at which Replicas would differ if nothing but the
	// clock changed, because events leave the policies' periods. It is the zero
	// time.Time if there is none.
	//
	// It is exact for up to 16 policies and 128 events of each direction within
	// their periods. Beyond that it may be too early, but never too late: it is
	// when the first event leaves, if any event can matter.
	Until time.Time `json:"until,omitzero"`
}

// Limit bounds the desired size. A scale-up is bounded by the policies and Max, a
// scale-down by the policies and Min, and a size that does not change by nothing.
// It appends the limit of each of the direction's policies to dst. A nil b limits
// as [LimitWithoutBehavior] does, nil rules are the default ones, and nil events
// are none. The rules should pass [Behavior.Problem].
//
// Limit only reads. It is upstream's convertDesiredReplicasWithBehaviorRate.
func (b *Behavior) Limit(now time.Time, c Change, bounds Bounds, e *Events, dst []PolicyLimit) (l Limited, limits []PolicyLimit) {
	limits = b.LimitInto(&l, now, c, bounds, e, dst)
	return l, limits
}

// LimitInto is Limit for callers that do it often: it fills in l, which is zero.
func (b *Behavior) LimitInto(l *Limited, now time.Time, c Change, bounds Bounds, e *Events, dst []PolicyLimit) []PolicyLimit {
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

// within returns the wanted size, or the limit if wanted is beyond that.
func (d direction) within(wanted, limit int32) int32 {
	if d == up {
		return min(wanted, limit)
	}
	return max(wanted, limit)
}

// LimitWithoutBehavior bounds the desired size for a spec without a behavior: by
// the bounds, and by twice the current size or 4, whichever is higher. Unlike
// [Behavior.Limit] it also bounds a size that does not change.
//
// It is upstream's convertDesiredReplicasWithRules.
func LimitWithoutBehavior(c Change, bounds Bounds) (l Limited) {
	l.withoutBehavior(c, bounds)
	return l
}

func (l *Limited) withoutBehavior(c Change, bounds Bounds) {
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

// truncate rounds f toward zero, stopping at the ends of int32.
func truncate(f float64) int32 { return int32(min(max(f, math.MinInt32), math.MaxInt32)) }
