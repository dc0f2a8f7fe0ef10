package behavior

import (
	"fmt"
	"math"
	"time"
)

// LimitReason is why a size was, or was not, limited: the reason of Kubernetes'
// condition ScalingLimited.
type LimitReason uint8

const (
	// DesiredWithinRange: nothing limits the size.
	DesiredWithinRange LimitReason = iota
	// TooFewReplicas: the size is raised to the minimum.
	TooFewReplicas
	// TooManyReplicas: the size is lowered to the maximum.
	TooManyReplicas
	// ScaleUpLimit: the size would rise faster than the policies allow.
	ScaleUpLimit
	// ScaleDownLimit: the size would fall faster than the policies allow.
	ScaleDownLimit
)

// String returns Kubernetes' word for the reason.
func (r LimitReason) String() string {
	switch r {
	case DesiredWithinRange:
		return "DesiredWithinRange"
	case TooFewReplicas:
		return "TooFewReplicas"
	case TooManyReplicas:
		return "TooManyReplicas"
	case ScaleUpLimit:
		return "ScaleUpLimit"
	case ScaleDownLimit:
		return "ScaleDownLimit"
	}
	return fmt.Sprintf("LimitReason(%d)", uint8(r))
}

// MarshalText returns the word of String.
func (r LimitReason) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads what MarshalText writes. The error is a *metrics.WordError.
func (r *LimitReason) UnmarshalText(text []byte) error {
	return parseWord(r, "behavior.LimitReason", text, LimitReason.String)
}

// Message returns the message of Kubernetes' condition ScalingLimited.
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

// PolicyLimit is how far one policy lets the size go.
type PolicyLimit struct {
	// Policy is the policy.
	Policy Policy
	// Added and Removed are the pods added and removed within its period.
	Added, Removed int64
	// Start is the size at the start of its period: the current size without
	// what was added, and with what was removed.
	Start int64
	// Limit is the size that the policy allows. It may lie behind the current
	// size, and below zero.
	Limit int32
	// Until is when the first of the events counted leaves the period; the
	// zero time.Time if none is counted.
	Until time.Time
}

// RateLimit is how far the policies of one direction together let the size go.
type RateLimit struct {
	// Replicas is the limit. Where the policies' limit lies behind the current
	// size, it is the current size.
	Replicas int32
	// Select is how the limit was selected among the policies': SelectMax,
	// SelectMin or SelectDisabled. It is empty without a behavior.
	Select SelectPolicy
	// Disabled tells that the rules forbid the direction.
	Disabled bool
	// Selected is the index of the policy whose limit was selected, the first
	// among equals; -1 if none was.
	Selected int
}

// UpLimit returns how far the rules for the way up let the size rise, and
// appends to dst what each policy says: nothing if scaling up is disabled. Nil
// rules are the default ones, nil events are none; rules without any policy
// keep the size. It is upstream's calculateScaleUpLimitWithScalingRules
// (KEP-853).
func UpLimit(now time.Time, current int32, r *Rules, e *Events, dst []PolicyLimit) (RateLimit, []PolicyLimit) {
	return rateLimit(now, current, r, e, dst, up)
}

// DownLimit returns how far the rules for the way down let the size fall, and
// appends to dst what each policy says: nothing if scaling down is disabled. Nil
// rules are the default ones, nil events are none; rules without any policy
// keep the size. It is upstream's calculateScaleDownLimitWithBehaviors
// (KEP-853).
func DownLimit(now time.Time, current int32, r *Rules, e *Events, dst []PolicyLimit) (RateLimit, []PolicyLimit) {
	return rateLimit(now, current, r, e, dst, down)
}

type direction bool

const (
	up   direction = true
	down direction = false
)

func rateLimit(now time.Time, current int32, r *Rules, e *Events, dst []PolicyLimit, d direction) (RateLimit, []PolicyLimit) {
	var changes startChanges
	return rateLimitWith(now, current, r, e, dst, d, &changes)
}

// rateLimitWith is rateLimit, and tells the changes of the first policies.
func rateLimitWith(now time.Time, current int32, r *Rules, e *Events, dst []PolicyLimit, d direction, changes *startChanges) (RateLimit, []PolicyLimit) {
	if r == nil {
		r = d.defaults()
	}
	if r.SelectPolicy == SelectDisabled {
		return RateLimit{Replicas: current, Select: SelectDisabled, Disabled: true, Selected: -1}, dst
	}
	if e == nil {
		e = &Events{}
	}
	first := len(dst)
	for i := range r.Policies {
		dst = append(dst, PolicyLimit{})
		change := dst[len(dst)-1].fill(now, current, r.Policies[i], e, d)
		if i < len(changes) {
			changes[i] = change
		}
	}
	l := RateLimit{Replicas: current, Select: r.SelectPolicy, Selected: -1}
	if l.Select == "" {
		l.Select = SelectMax
	}
	for i, p := range dst[first:] {
		if l.Selected < 0 || d.selects(r.SelectPolicy, p.Limit, dst[first+l.Selected].Limit) {
			l.Selected = i
		}
	}
	if l.Selected >= 0 {
		l.Replicas = d.reach(current, dst[first+l.Selected].Limit)
	}
	return l, dst
}

func (d direction) defaults() *Rules {
	r := DefaultScaleDown()
	if d == up {
		r = DefaultScaleUp()
	}
	return &r
}

// fill fills in what the policy says, and returns by how much the size at the
// start of its period changes at Until.
func (l *PolicyLimit) fill(now time.Time, current int32, p Policy, e *Events, d direction) (change int64) {
	period := time.Duration(p.PeriodSeconds) * time.Second
	added, leavingAdded := e.Added.Leaving(now, period)
	removed, leavingRemoved := e.Removed.Leaving(now, period)
	l.Policy = p
	l.Added, l.Removed = added.Sum, removed.Sum
	l.Start = int64(current) - l.Added + l.Removed
	l.Limit = d.allow(l.Start, p)
	if added.Count > 0 && (removed.Count == 0 || !removed.Expires.Before(added.Expires)) {
		l.Until = added.Expires
		change = leavingAdded
	}
	if removed.Count > 0 && (added.Count == 0 || !added.Expires.Before(removed.Expires)) {
		l.Until = removed.Expires
		change -= leavingRemoved
	}
	return change
}

// allow returns the size that the policy allows from the one at the start of
// its period.
func (d direction) allow(start int64, p Policy) int32 {
	switch {
	case p.Type == PodsPolicy && d == up:
		return clamp(start + int64(p.Value))
	case p.Type == PodsPolicy:
		return clamp(start - int64(p.Value))
	case d == up:
		// Rounded up: a change that rounds to none would never end.
		return truncate(math.Ceil(float64(start) * (1 + float64(p.Value)/100)))
	}
	return truncate(float64(start) * (1 - float64(p.Value)/100))
}

// selects reports whether limit a is to be taken rather than b.
func (d direction) selects(s SelectPolicy, a, b int32) bool {
	// The smaller change is the lower limit on the way up, and the higher on
	// the way down.
	if (s == SelectMin) == (d == up) {
		return a < b
	}
	return a > b
}

// reach returns the limit, or the current size if the limit lies behind it.
func (d direction) reach(current, limit int32) int32 {
	if d == up {
		return max(current, limit)
	}
	return min(current, limit)
}

// earlier returns the earlier of the times that are set.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// Limited is the outcome of the limits.
type Limited struct {
	// Desired is the size before, Replicas after.
	Desired, Replicas int32
	// Reason is what limited the size, DesiredWithinRange if nothing did.
	Reason LimitReason
	// Rate is the limit of the policies of the direction of the change; without
	// a behavior, that of the fixed rule, with no policy selected. It is the
	// zero RateLimit where there was no change to limit.
	Rate RateLimit
	// Until is the first moment at which Replicas would be another number if
	// nothing but the clock changed, since events have left the policies'
	// periods; the zero time.Time if there is none. It is exact where the
	// policies hold the size back, unless more than 128 events of a direction
	// are within the periods, or there are more than 16 policies. Otherwise it
	// is the first moment at which any event leaves, if any can matter: it may
	// come too early then, but never too late.
	Until time.Time
}

// Limit bounds the desired size: on the way up by the policies and the maximum,
// on the way down by the policies and the minimum, and not at all if it is the
// current one. It appends to dst what the policies of that direction say. The
// behavior must be valid and have no field left to default; a nil one limits as
// LimitWithoutBehavior does. It is upstream's
// convertDesiredReplicasWithBehaviorRate.
func (b *Behavior) Limit(now time.Time, current, desired, minReplicas, maxReplicas int32, e *Events, dst []PolicyLimit) (Limited, []PolicyLimit) {
	if b == nil {
		return LimitWithoutBehavior(current, desired, minReplicas, maxReplicas), dst
	}
	l := Limited{Desired: desired, Replicas: desired}
	first := len(dst)
	var changes startChanges
	switch {
	case desired > current:
		l.Rate, dst = rateLimitWith(now, current, b.ScaleUp, e, dst, up, &changes)
		bound, why := maxReplicas, TooManyReplicas
		if bound > l.Rate.Replicas {
			bound, why = l.Rate.Replicas, ScaleUpLimit
		}
		if desired > bound {
			l.Replicas, l.Reason = bound, why
		}
		l.Until = up.until(now, current, min(desired, maxReplicas), l.Replicas, l.Rate.Select, e, dst[first:], &changes)
	case desired < current:
		l.Rate, dst = rateLimitWith(now, current, b.ScaleDown, e, dst, down, &changes)
		bound, why := minReplicas, TooFewReplicas
		if bound < l.Rate.Replicas {
			bound, why = l.Rate.Replicas, ScaleDownLimit
		}
		if desired < bound {
			l.Replicas, l.Reason = bound, why
		}
		l.Until = down.until(now, current, max(desired, minReplicas), l.Replicas, l.Rate.Select, e, dst[first:], &changes)
	}
	return l, dst
}

// steady reports that no event that leaves can change the size: the limits
// without any event of the one or the other direction come to the same.
func (d direction) steady(current, wanted, size int32, s SelectPolicy, said []PolicyLimit) bool {
	var lowest, highest int32
	for i := range said {
		// A percentage of more than all, on the way down, is a limit that falls
		// as the size at the start of the period grows.
		if d == down && said[i].Policy.Type != PodsPolicy && said[i].Policy.Value > 100 {
			return false
		}
		low := d.allow(int64(current)-said[i].Added, said[i].Policy)
		high := d.allow(int64(current)+said[i].Removed, said[i].Policy)
		if i == 0 || d.selects(s, low, lowest) {
			lowest = low
		}
		if i == 0 || d.selects(s, high, highest) {
			highest = high
		}
	}
	return d.within(wanted, d.reach(current, lowest)) == size &&
		d.within(wanted, d.reach(current, highest)) == size
}

// within returns the wanted size, or the limit if it lies beyond that.
func (d direction) within(wanted, limit int32) int32 {
	if d == up {
		return min(wanted, limit)
	}
	return max(wanted, limit)
}

// LimitWithoutBehavior bounds the desired size where the spec has no behavior:
// by the bounds, and, on the way up, by twice the current size, but at least 4.
// It is upstream's convertDesiredReplicasWithRules.
func LimitWithoutBehavior(current, desired, minReplicas, maxReplicas int32) Limited {
	l := Limited{Desired: desired, Replicas: desired}
	l.Rate = RateLimit{Replicas: clamp(max(2*int64(current), 4)), Selected: -1}
	bound, why := maxReplicas, TooManyReplicas
	if bound > l.Rate.Replicas {
		bound, why = l.Rate.Replicas, ScaleUpLimit
	}
	switch {
	case desired < minReplicas:
		l.Replicas, l.Reason = minReplicas, TooFewReplicas
	case desired > bound:
		l.Replicas, l.Reason = bound, why
	}
	return l
}

func clamp(v int64) int32 { return int32(min(max(v, math.MinInt32), math.MaxInt32)) }

// truncate converts f toward zero, stopping at the ends of int32.
func truncate(f float64) int32 {
	switch {
	case f >= math.MaxInt32:
		return math.MaxInt32
	case f <= math.MinInt32:
		return math.MinInt32
	}
	return int32(f)
}
