package behavior

import (
	"slices"
	"time"

	"github.com/purehpa/hpa/stabilize"
)

// What the search for Limited.Until has room for on the stack: events of each
// direction, and policies.
const (
	maxUntilEvents   = 128
	maxUntilPolicies = 16
)

// startChanges says by how much the sizes at the start of the policies' periods
// change when the first events leave them.
type startChanges [maxUntilPolicies]int64

// until returns Limited.Until: the first moment at which the policies take wanted
// to another size than now. As events of the direction itself leave a policy's
// period, its limit widens; as those of the other leave, it narrows. said is what
// the policies say now.
func (d direction) until(now time.Time, current, wanted, size int32, s SelectPolicy, e *Events, said []PolicyLimit, changes *startChanges) time.Time {
	if len(said) == 0 || d.steady(current, wanted, size, s, said) {
		return time.Time{}
	}
	var first time.Time
	for i := range said {
		first = earlier(first, said[i].Until)
	}
	if first.IsZero() {
		return first // no events, and maybe nil ones
	}
	// Where nothing is held back, the limit would have to narrow, which matters
	// only to a change that is allowed and not made: that is not worth a search.
	// Else the first event to leave is mostly the one that matters.
	if size == wanted || len(said) > len(changes) || d.sizeAfter(first, current, wanted, s, said, changes) != size {
		return first
	}
	return d.search(now, first, current, wanted, size, s, e, said)
}

// sizeAfter returns the size to which the policies take wanted once the first
// events have left.
func (d direction) sizeAfter(first time.Time, current, wanted int32, s SelectPolicy, said []PolicyLimit, changes *startChanges) int32 {
	var limit int32
	for i := range said {
		l := said[i].Limit
		if said[i].Until.Equal(first) {
			l = d.allow(said[i].Start+changes[i], said[i].Policy)
		}
		if i == 0 || d.selects(s, l, limit) {
			limit = l
		}
	}
	return d.within(wanted, d.reach(current, limit))
}

// search goes through the events in the order in which they leave.
func (d direction) search(now, first time.Time, current, wanted, size int32, s SelectPolicy, e *Events, said []PolicyLimit) time.Time {
	var longest int32
	for i := range said {
		longest = max(longest, said[i].Policy.PeriodSeconds)
	}
	// What steady left has events.
	period := time.Duration(longest) * time.Second
	var addedRoom, removedRoom [maxUntilEvents]stabilize.Dated
	added, fit := e.Added.AppendWithin(addedRoom[:0], now, period)
	removed, fitToo := e.Removed.AppendWithin(removedRoom[:0], now, period)
	if !fit || !fitToo {
		return first
	}
	sortDated(added)
	sortDated(removed)
	at := stabilize.DatedAt(now)
	var room [maxUntilPolicies]leaver
	policies := room[:len(said)]
	for i := range policies {
		p := &policies[i]
		p.Policy, p.start, p.limit = said[i].Policy, said[i].Start, said[i].Limit
		p.added = p.skip(added, 0, at)
		p.removed = p.skip(removed, 0, at)
	}
	for {
		var more bool
		if at, more = next(policies, added, removed); !more {
			return time.Time{}
		}
		var limit int32
		for i := range policies {
			p := &policies[i]
			p.leave(at, added, removed, d)
			if i == 0 || d.selects(s, p.limit, limit) {
				limit = p.limit
			}
		}
		if d.within(wanted, d.reach(current, limit)) != size {
			return at.Time()
		}
	}
}

// sortDated sorts by time. A list is in that order but for where stale places
// were taken again, which as a rule makes it one that begins in its middle.
func sortDated(list []stabilize.Dated) {
	for i := 1; i < len(list); i++ {
		if list[i].Before(list[i-1]) {
			slices.Reverse(list[:i])
			slices.Reverse(list[i:])
			slices.Reverse(list)
			break
		}
	}
	for i := 1; i < len(list); i++ {
		for j := i; j > 0 && list[j].Before(list[j-1]); j-- {
			list[j], list[j-1] = list[j-1], list[j]
		}
	}
}

// leaver is a policy whose events leave its period one after the other.
type leaver struct {
	Policy
	start int64
	limit int32
	// added and removed count the events that have left.
	added, removed int
}

// skip returns the index of the first event from i on that the period still
// sees.
func (p *leaver) skip(events []stabilize.Dated, i int, at stabilize.Dated) int {
	for i < len(events) && !at.Before(events[i].Later(p.PeriodSeconds)) {
		i++
	}
	return i
}

// leave takes the policy to the moment.
func (p *leaver) leave(at stabilize.Dated, added, removed []stabilize.Dated, d direction) {
	i, j := p.skip(added, p.added, at), p.skip(removed, p.removed, at)
	if i == p.added && j == p.removed {
		return
	}
	// What was added counts again as there at the start.
	for _, e := range added[p.added:i] {
		p.start += int64(e.Value)
	}
	for _, e := range removed[p.removed:j] {
		p.start -= int64(e.Value)
	}
	p.added, p.removed = i, j
	p.limit = d.allow(p.start, p.Policy)
}

// next returns the first moment at which an event leaves the period of a policy.
func next(policies []leaver, added, removed []stabilize.Dated) (at stabilize.Dated, more bool) {
	for i := range policies {
		p := &policies[i]
		if p.added < len(added) {
			if leaves := added[p.added].Later(p.PeriodSeconds); !more || leaves.Before(at) {
				at, more = leaves, true
			}
		}
		if p.removed < len(removed) {
			if leaves := removed[p.removed].Later(p.PeriodSeconds); !more || leaves.Before(at) {
				at, more = leaves, true
			}
		}
	}
	return at, more
}
