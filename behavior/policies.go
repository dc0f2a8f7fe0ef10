package behavior

import (
	"cmp"
	"time"

	"github.com/purehpa/hpa/stabilize/series"
)

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

// UpLimit returns how far the rules for scaling up let the size rise. It
// appends the limit of each policy to dst, unless scaling up is disabled. Nil
// rules are the default ones, and nil events are empty. Rules without policies
// keep the size.
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

// rateLimitOfMany is rateLimit for many policies and events. It needs much of
// the stack, and so is a function of its own.
//
//go:noinline
func (d direction) rateLimitOfMany(now time.Time, current int32, r *ScalingRules, e *Events, dst []PolicyLimit, changes *startChanges) (RateLimit, []PolicyLimit) {
	var added, removed [MaxEvents]series.Aged
	var a aged
	longest := r.longestPeriod(d)
	a.added, _ = e.added.AppendAges(added[:0], now, longest)
	a.removed, _ = e.removed.AppendAges(removed[:0], now, longest)
	return d.rateLimitBy(now, current, r, e, &a, dst, changes)
}

// maxVisits is how many events are looked at for policies one by one. Where it
// would be more, the events are sorted once by their age.
const maxVisits = 1 << 15

// rateLimitBy is rateLimit with the ages of the events, or nil.
func (d direction) rateLimitBy(now time.Time, current int32, r *ScalingRules, e *Events, a *aged, dst []PolicyLimit, changes *startChanges) (RateLimit, []PolicyLimit) {
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
