package behavior

import (
	"cmp"
	"slices"
	"time"

	"github.com/purehpa/hpa/stabilize/series"
)

// The search for Limited.Until has room for so many events of each direction, and
// policies, on the stack.
const (
	maxUntilEvents   = 128
	maxUntilPolicies = 16
)

// startChanges are the changes of each policy's Start at its Until.
type startChanges [maxUntilPolicies]int64

// limited is a size that policies limit.
type limited struct {
	direction
	current, wanted, size int32
	selectPolicy          SelectPolicy
	policies              []PolicyLimit
	changes               *startChanges
}

// sizeWith returns the size that the policies would allow with these limits.
func (l *limited) sizeWith(limit func(i int) int32) int32 {
	var selected int32
	for i := range l.policies {
		if v := limit(i); i == 0 || l.selects(l.selectPolicy, v, selected) {
			selected = v
		}
	}
	return l.within(l.wanted, l.reach(l.current, selected))
}

// until returns Limited.Until: the first moment at which the policies limit wanted
// to another size. When an event of the direction leaves a period, the policy's
// limit widens; when one of the other direction does, it narrows.
func (l *limited) until(now time.Time, e *Events) time.Time {
	// A limit is never behind the current size.
	if len(l.policies) == 0 || l.wanted == l.current || l.steady() {
		return time.Time{}
	}
	var first time.Time
	for _, p := range l.policies {
		if first.IsZero() || !p.Until.IsZero() && p.Until.Before(first) {
			first = p.Until
		}
	}
	// Without a first there are no events, and maybe nil ones.
	if first.IsZero() || len(l.policies) > maxUntilPolicies {
		return first
	}
	// The first event to leave is mostly the one that matters.
	size := l.sizeWith(func(i int) int32 {
		if p := &l.policies[i]; p.Until.Equal(first) {
			return l.allow(p.Start+l.changes[i], p.Policy)
		}
		return l.policies[i].Limit
	})
	if size != l.size {
		return first
	}
	return l.search(now, first, e)
}

// steady reports whether no event that leaves can change the size: the limits
// without the events of either direction come to the same.
func (l *limited) steady() bool {
	// Scaling down by more than 100 percent, the limit falls as the size at the
	// start of the period grows.
	if l.direction == down && slices.ContainsFunc(l.policies, func(p PolicyLimit) bool {
		return p.Type != PodsPolicy && p.Value > 100
	}) {
		return false
	}
	current := int64(l.current)
	return l.size == l.sizeWith(func(i int) int32 { return l.allow(current-l.policies[i].Added, l.policies[i].Policy) }) &&
		l.size == l.sizeWith(func(i int) int32 { return l.allow(current+l.policies[i].Removed, l.policies[i].Policy) })
}

// search tries the moments at which events leave, in their order. It returns the
// first one if it has no room for the events.
func (l *limited) search(now, first time.Time, e *Events) time.Time {
	var longest int32
	for i := range l.policies {
		longest = max(longest, l.policies[i].PeriodSeconds)
	}
	period := time.Duration(longest) * time.Second
	var addedRoom, removedRoom [maxUntilEvents]series.Dated
	added, fit := e.added.AppendWithin(addedRoom[:0], now, period)
	removed, fitToo := e.removed.AppendWithin(removedRoom[:0], now, period)
	if !fit || !fitToo {
		return first
	}
	for i := range removed {
		removed[i].Value = -removed[i].Value
	}
	both := [...][]series.Dated{added, removed}
	// For each policy, the size at the start of its period, the limit that follows,
	// and how many events of each direction were before that.
	var policies [maxUntilPolicies]struct {
		start int64
		limit int32
		left  [len(both)]int
	}
	start := int64(l.current)
	for _, events := range both {
		slices.SortFunc(events, func(a, b series.Dated) int {
			return cmp.Or(cmp.Compare(a.Seconds, b.Seconds), cmp.Compare(a.Nanoseconds, b.Nanoseconds))
		})
		for _, event := range events {
			start -= int64(event.Value)
		}
	}
	for i := range l.policies {
		policies[i].start, policies[i].limit = start, l.allow(start, l.policies[i].Policy)
	}
	for at, more := series.DatedAt(now), true; more; {
		var next series.Dated
		more = false
		for i := range l.policies {
			p, seconds, before := &policies[i], l.policies[i].PeriodSeconds, policies[i].start
			for k, events := range both {
				for ; p.left[k] < len(events); p.left[k]++ {
					event := &events[p.left[k]]
					if leaves := event.Later(seconds); at.Before(leaves) {
						if !more || leaves.Before(next) {
							next, more = leaves, true
						}
						break
					}
					// Pods whose addition has left the period were there at its start.
					p.start += int64(event.Value)
				}
			}
			if p.start != before {
				p.limit = l.allow(p.start, l.policies[i].Policy)
			}
		}
		if size := l.sizeWith(func(i int) int32 { return policies[i].limit }); size != l.size {
			return at.Time()
		}
		at = next
	}
	return time.Time{}
}
