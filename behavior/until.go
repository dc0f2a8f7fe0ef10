package behavior

import (
	"cmp"
	"math"
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
	if len(l.policies) == 0 || l.within(l.wanted, l.current) == l.wanted || l.steady() {
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

// search goes through the moments at which events leave. It returns the first one if
// it has no room for the events.
//
// The size is the highest limit, or the lowest one, brought between current and wanted.
// So it stays for as long as no limit is beyond it, and one of them reaches it. When
// that ends, each policy tells by itself.
func (l *limited) search(now, first time.Time, e *Events) time.Time {
	var room [2 * maxUntilEvents]series.Dated
	events, fit := l.changesWithin(room[:0], now, e)
	if !fit {
		return first
	}
	start := int64(l.current)
	for i := range events {
		start -= int64(events[i].Value)
	}
	at := series.DatedAt(now)
	counts := l.counting()
	var policies [maxUntilPolicies]walk
	var ends series.Dated // once a limit is beyond the size
	ending := false
	for i := range l.policies {
		p := &l.policies[i]
		w := walk{l.direction, &p.Policy, events, 0, start, l.allow(start, p.Policy)}
		policies[i] = w
		// Its limits are between those without the events of either direction.
		if !counts.beyond(l.allow(int64(l.current)-p.Added, p.Policy)) && !counts.beyond(l.allow(int64(l.current)+p.Removed, p.Policy)) {
			continue
		}
		leaves := at
		for w.to(at); !ending || leaves.Before(ends); leaves = w.next() {
			if counts.beyond(w.limit) {
				ends, ending = leaves, true
			}
			if !w.more() {
				break
			}
		}
	}
	for i := 0; i < len(l.policies); i++ {
		w := &policies[i]
		w.to(at)
		if !counts.reaches(w.limit) {
			continue
		}
		for w.more() && counts.reaches(w.limit) && !(ending && !at.Before(ends)) {
			at = w.next()
		}
		switch {
		case ending && (counts.reaches(w.limit) || !at.Before(ends)):
			return ends.Time()
		case counts.reaches(w.limit):
			return time.Time{}
		}
		i = -1 // any other may reach it now
	}
	return at.Time()
}

// changesWithin appends the changes of size within the longest period, by time. It
// reports whether there is room for them.
func (l *limited) changesWithin(dst []series.Dated, now time.Time, e *Events) ([]series.Dated, bool) {
	var longest int32
	for i := range l.policies {
		longest = max(longest, l.policies[i].PeriodSeconds)
	}
	period := time.Duration(longest) * time.Second
	var addedRoom, removedRoom [maxUntilEvents]series.Dated
	added, fit := e.added.AppendWithin(addedRoom[:0], now, period)
	removed, fitToo := e.removed.AppendWithin(removedRoom[:0], now, period)
	if !fit || !fitToo {
		return dst, false
	}
	sortByTime(added)
	sortByTime(removed)
	for len(added) > 0 || len(removed) > 0 {
		if len(removed) == 0 || len(added) > 0 && added[0].Before(removed[0]) {
			dst = append(dst, added[0])
			added = added[1:]
			continue
		}
		removed[0].Value = -removed[0].Value
		dst = append(dst, removed[0])
		removed = removed[1:]
	}
	return dst, true
}

// sortByTime sorts events, which mostly are in order.
func sortByTime(events []series.Dated) {
	for i := 1; i < len(events); i++ {
		if events[i].Before(events[i-1]) {
			slices.SortFunc(events, func(a, b series.Dated) int {
				return cmp.Or(cmp.Compare(a.Seconds, b.Seconds), cmp.Compare(a.Nanoseconds, b.Nanoseconds))
			})
			return
		}
	}
}

// counting is which limits give the size: those from low to high.
type counting struct {
	low, high int32
	// lowest reports whether of several limits the lowest counts, not the highest.
	lowest bool
}

func (l *limited) counting() counting {
	c := counting{l.size, l.size, l.selects(l.selectPolicy, 0, 1)}
	if l.size == min(l.current, l.wanted) {
		c.low = math.MinInt32
	}
	if l.size == max(l.current, l.wanted) {
		c.high = math.MaxInt32
	}
	return c
}

// beyond reports whether a limit makes the size another, whatever the others are.
func (c *counting) beyond(limit int32) bool {
	return c.lowest && limit < c.low || !c.lowest && limit > c.high
}

// reaches reports whether a limit gives the size, unless another is beyond it.
func (c *counting) reaches(limit int32) bool {
	return c.lowest && limit <= c.high || !c.lowest && limit >= c.low
}

// walk is the limit of a policy as events leave its period.
type walk struct {
	direction
	policy *Policy
	events []series.Dated
	gone   int // events that have left
	start  int64
	limit  int32
}

// more reports whether there are events that have not left.
func (w *walk) more() bool { return w.gone < len(w.events) }

// to lets events leave until a moment.
func (w *walk) to(at series.Dated) {
	start := w.start
	for w.more() && !at.Before(w.events[w.gone].Later(w.policy.PeriodSeconds)) {
		// Pods whose addition has left the period were there at its start.
		start += int64(w.events[w.gone].Value)
		w.gone++
	}
	if start != w.start {
		w.start, w.limit = start, w.allow(start, *w.policy)
	}
}

// next lets the next events leave, and returns when they do.
func (w *walk) next() series.Dated {
	at := w.events[w.gone].Later(w.policy.PeriodSeconds)
	w.to(at)
	return at
}
