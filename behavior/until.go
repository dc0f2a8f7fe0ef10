package behavior

import (
	"math"
	"slices"
	"time"

	"github.com/purehpa/hpa/stabilize/series"
)

// The search for LimitResult.Until has room for so many events of each
// direction, and policies, on the stack.
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

// until returns LimitResult.Until: the first moment at which the policies limit
// wanted to another size. When an event of the direction leaves a period, the
// policy's limit widens; when one of the other direction does, it narrows.
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
	// Fast path: usually the first event to expire changes the limit.
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

// search goes through the moments at which events leave. It returns the first
// one if it has no room for the events.
//
// The size is the highest limit, or the lowest one, brought between current and
// wanted. So it stays for as long as no limit is beyond it, and one of them
// reaches it. Each policy's walk finds when that ends.
func (l *limited) search(now, first time.Time, e *Events) time.Time {
	var room [2 * maxUntilEvents]series.Aged
	changes, fit := l.changesWithin(room[:0], now, e)
	if !fit {
		return first
	}
	counts := l.counting()
	var policies [maxUntilPolicies]walk
	var at, ends time.Duration // after now; at ends, a limit is beyond the size
	ending := false
	for i := range l.policies {
		p := &l.policies[i]
		policies[i] = walk{l, p, changes, len(changes), p.Limit}
		// Its limits are between those without the events of either direction.
		if !counts.beyond(l.allow(int64(l.current)-p.Added, p.Policy)) && !counts.beyond(l.allow(int64(l.current)+p.Removed, p.Policy)) {
			continue
		}
		w, leaves := policies[i], at
		for w.to(at); !ending || leaves < ends; leaves = w.next() {
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
		for w.more() && counts.reaches(w.limit) && !(ending && at >= ends) {
			at = w.next()
		}
		switch {
		case ending && (counts.reaches(w.limit) || at >= ends):
			return series.Add(now, ends)
		case counts.reaches(w.limit):
			return time.Time{}
		}
		i = -1 // any other may reach it now
	}
	return series.Add(now, at)
}

// changesWithin appends the changes of size within the longest period, by age.
// It reports whether there is room for them.
func (l *limited) changesWithin(dst series.Ages, now time.Time, e *Events) (series.Ages, bool) {
	var longest time.Duration
	for i := range l.policies {
		longest = max(longest, l.policies[i].period())
	}
	var addedRoom, removedRoom [maxUntilEvents]series.Aged
	added, fit := e.added.AppendAges(addedRoom[:0], now, longest)
	removed, fitToo := e.removed.AppendAges(removedRoom[:0], now, longest)
	if !fit || !fitToo {
		return dst, false
	}
	for i, j := 0, 0; i+j < len(added)+len(removed); {
		if j == len(removed) || i < len(added) && added[i].Age <= removed[j].Age {
			i++
			dst = append(dst, series.Aged{Age: added[i-1].Age})
		} else {
			j++
			dst = append(dst, series.Aged{Age: removed[j-1].Age})
		}
		dst[i+j-1].Sum = added[:i].Sum() - removed[:j].Sum()
	}
	return dst, true
}

// counting is which limits give the size: those from low to high.
type counting struct {
	low, high int32
	// lowest reports whether of several limits the lowest counts, not the
	// highest.
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

// beyond reports whether a limit makes the size another, whatever the others
// are.
func (c *counting) beyond(limit int32) bool {
	return c.lowest && limit < c.low || !c.lowest && limit > c.high
}

// reaches reports whether a limit gives the size, unless another is beyond it.
func (c *counting) reaches(limit int32) bool {
	return c.lowest && limit <= c.high || !c.lowest && limit >= c.low
}

// walk is the limit of a policy as events leave its period.
type walk struct {
	*limited
	policy *PolicyLimit
	// changes are those of the size, and left is how many have not left: the
	// youngest.
	changes series.Ages
	left    int
	limit   int32
}

// more reports whether there are events that have not left.
func (w *walk) more() bool { return w.left > 0 }

// leaves returns when the next event leaves, after now.
func (w *walk) leaves() time.Duration { return w.policy.period() - w.changes[w.left-1].Age }

// to lets events leave until a moment after now.
func (w *walk) to(at time.Duration) {
	before := w.left
	for w.more() && w.leaves() <= at {
		w.left--
	}
	if w.left < before {
		// Pods whose addition has left the period were there at its start.
		w.limit = w.allow(int64(w.current)-w.changes[:w.left].Sum(), w.policy.Policy)
	}
}

// next lets the next events leave, and returns when they do.
func (w *walk) next() time.Duration {
	at := w.leaves()
	w.to(at)
	return at
}
