// Package pace follows how fast policies and windows let a size change, sync by
// sync. Syncs are numbered, and as far apart as the sync period says.
//
// A policy looks back on the size at the start of its period. While the size
// only goes one way, that is the size after the sync as many syncs ago as the
// period covers. So a larger size in the past never slows down a scale-up, and
// never speeds up a scale-down.
package pace

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/purehpa/hpa/behavior"
)

// Rules are the policies of one direction, on a grid of syncs.
type Rules struct {
	Up bool
	// Disabled reports whether the rules forbid the direction.
	Disabled bool
	// Select is SelectMax or SelectMin.
	Select behavior.SelectPolicy
	// Policies has of each type and number of syncs the one that is selected.
	// There are none without a behavior, or if the direction is disabled.
	Policies []Policy
	without  bool
	// longest is the longest period, after which events are forgotten.
	longest time.Duration
}

// Policy is a policy and the number of syncs that its period covers: an event
// counts at that many syncs, the one of its own included.
type Policy struct {
	behavior.Policy
	Syncs int64
	alone behavior.ScalingRules
}

// Of returns the rules of a direction. The behavior has its defaults, or is
// nil.
func New(b *behavior.Behavior, up bool, period time.Duration) *Rules {
	r := &Rules{Up: up, Select: behavior.SelectMax, without: b == nil}
	if b == nil {
		return r
	}
	rules, longest := b.ScaleDown, b.LongestPeriods()
	r.longest = longest.Down
	if up {
		rules, r.longest = b.ScaleUp, longest.Up
	}
	if r.Disabled = rules.SelectPolicy == behavior.SelectDisabled; r.Disabled {
		return r
	}
	sign := -1
	if rules.SelectPolicy == behavior.SelectMin {
		r.Select, sign = behavior.SelectMin, 1
	}
	for _, p := range rules.Policies {
		syncs := int64((time.Duration(p.PeriodSeconds)*time.Second + period - 1) / period)
		r.Policies = append(r.Policies, Policy{p, syncs, behavior.ScalingRules{Policies: []behavior.Policy{p}}})
	}
	slices.SortFunc(r.Policies, func(a, b Policy) int {
		return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.Syncs, b.Syncs), sign*cmp.Compare(a.Value, b.Value))
	})
	r.Policies = slices.CompactFunc(r.Policies, func(a, b Policy) bool { return a.Type == b.Type && a.Syncs == b.Syncs })
	return r
}

// Allow returns the limit of the policy, from the size at the start of its
// period.
func (p *Policy) Allow(up bool, start int32) int32 {
	limit := behavior.DownLimit
	if up {
		limit = behavior.UpLimit
	}
	var room [1]behavior.PolicyLimit
	_, limits := limit(time.Time{}, start, &p.alone, nil, room[:0])
	return limits[0].Limit
}

// Limit returns the limit from a size that has not changed within any period.
func (r *Rules) Limit(size int32) int32 {
	limit, _ := r.limit(size, func(int) (int32, bool) { return size, true })
	return limit
}

// Forgets reports whether its policies may look back on changes of the other
// direction that are forgotten: events are, once they are older than the
// periods of their own direction. The start of a period is then no size that
// ever was, but one that allows less.
func (r *Rules) Forgets(other *Rules) bool {
	return !other.Disabled && r.longest > other.longest
}

// ByPeriod returns the policies of each number of syncs as rules of their own.
func (r *Rules) ByPeriod() []*Rules {
	var groups []*Rules
	bySyncs := map[int64]*Rules{}
	for _, p := range r.Policies {
		same := bySyncs[p.Syncs]
		if same == nil {
			same = &Rules{Up: r.Up, Select: r.Select}
			bySyncs[p.Syncs] = same
			groups = append(groups, same)
		}
		same.Policies = append(same.Policies, p)
	}
	return groups
}

// limit returns the limit at a size, and whether there is one. The policies
// start from the sizes that start returns, if these are known.
func (r *Rules) limit(size int32, start func(i int) (int32, bool)) (limit int32, ok bool) {
	switch {
	case r.Disabled:
		return size, false
	case r.without && r.Up:
		all := behavior.Bounds{Max: math.MaxInt32}
		return behavior.LimitWithoutBehavior(behavior.Change{Current: size, Desired: math.MaxInt32}, all).Rate.Replicas, true
	case r.without:
		return 0, true
	}
	higher := r.Up == (r.Select == behavior.SelectMax)
	for i := range r.Policies {
		from, known := start(i)
		if !known {
			if r.Select == behavior.SelectMin {
				return size, false
			}
			continue
		}
		if l := r.Policies[i].Allow(r.Up, from); !ok || higher == (l > limit) {
			limit, ok = l, true
		}
	}
	return limit, ok
}

// Hold returns the number of syncs from the last one with another
// recommendation until the window lets the size change: 1 if that is the next
// sync. The window is that of the direction; without a behavior, there is one
// for scaling down only, which is inclusive.
func (r *Rules) Hold(window, period time.Duration) int64 {
	return max(r.held(window, period), 1)
}

// HoldNew is Hold for an autoscaler that knows no recommendation before its
// first sync, which is one of the syncs counted.
func (r *Rules) HoldNew(window, period time.Duration) int64 {
	return r.held(window, period) + 1
}

// held returns the number of syncs at which a recommendation counts, its own
// included.
func (r *Rules) held(window, period time.Duration) int64 {
	switch {
	case r.without && r.Up || window < 0:
		return 0
	case r.without:
		return int64(window/period) + 1
	}
	return int64((window + period - 1) / period)
}
