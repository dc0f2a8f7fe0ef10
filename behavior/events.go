package behavior

import (
	"math"
	"time"

	"github.com/purehpa/hpa/stabilize"
)

// MaxEvents is the most scale events of each direction that Events holds: one a
// second over the longest period that autoscaling/v2 allows, half an hour, and
// some. A caller that scales more often loses detail: two neighbours in time
// become one, added pods at the earlier and removed pods at the later time. So
// a period sees no more pods added and no fewer removed than there were, takes
// the size at its start for no smaller than it was, and the limits err on the
// side of not scaling down.
const MaxEvents = 2048

// Events is the history of an autoscaler's scale events, which policies look
// back on. It is upstream's scaleUpEvents and scaleDownEvents of one key. The
// zero Events is empty and ready. Copies share memory; Clone does not.
type Events struct {
	// Added are the scale-ups, in pods added; Removed the scale-downs, in pods
	// removed.
	Added, Removed stabilize.Series
}

// Record stores the event that the size was changed at now. It is called once
// the change was written, as upstream's storeScaleEvent is. Without a behavior
// nothing is stored, and a change of nothing is none.
//
// Events that are older than the longest period of the policies of their own
// direction become stale: each gives its place to a later event of that
// direction. Until then the policies of the other direction still see it.
// Record takes note of the clock as Advance does.
func (e *Events) Record(now time.Time, from, to int32, b *Behavior) {
	if b == nil || from == to {
		return
	}
	e.Advance(now, b)
	longestUp, longestDown := b.LongestPeriods()
	change := int32(min(max(int64(to)-int64(from), -math.MaxInt32), math.MaxInt32))
	if change > 0 {
		e.Added.MarkStale(now, longestUp)
		e.Added.Record(now, change, MaxEvents, stabilize.MergeSumEarlier)
		return
	}
	e.Removed.MarkStale(now, longestDown)
	e.Removed.Record(now, -change, MaxEvents, stabilize.MergeSumLater)
}

// Rewind makes a clock that went back harmless: an event from after now is
// taken as having happened now.
func (e *Events) Rewind(now time.Time) {
	e.Added.Rewind(now)
	e.Removed.Rewind(now)
}

// Advance takes note of the clock, at the start of a sync: it rewinds, and
// forgets the events that are older than any period may be, MaxPeriodSeconds or
// a longer one of b, which changes no limit but bounds the memory of those that
// scale seldom. A nil behavior has no periods.
func (e *Events) Advance(now time.Time, b *Behavior) {
	longestUp, longestDown := b.LongestPeriods()
	horizon := max(time.Duration(MaxPeriodSeconds)*time.Second, longestUp, longestDown)
	e.Rewind(now)
	e.Added.Forget(now, horizon)
	e.Removed.Forget(now, horizon)
}

// Len returns the number of events, stale ones included. Nil events are none.
func (e *Events) Len() int {
	if e == nil {
		return 0
	}
	return e.Added.Len() + e.Removed.Len()
}

// Clone returns a copy that shares no memory with e.
func (e *Events) Clone() Events {
	return Events{Added: e.Added.Clone(), Removed: e.Removed.Clone()}
}

// Equal reports whether both hold the same events in the same order.
func (e *Events) Equal(f *Events) bool {
	return e.Added.Equal(&f.Added) && e.Removed.Equal(&f.Removed)
}

// LongestPeriods returns the longest period of the policies of each direction,
// which is how far back its events count before they become stale. A nil
// behavior has no periods; nil rules are the default ones.
func (b *Behavior) LongestPeriods() (scaleUp, scaleDown time.Duration) {
	if b == nil {
		return 0, 0
	}
	return b.ScaleUp.longestPeriod(up), b.ScaleDown.longestPeriod(down)
}

func (r *Rules) longestPeriod(d direction) time.Duration {
	if r == nil {
		r = d.defaults()
	}
	var longest int32
	for i := range r.Policies {
		longest = max(longest, r.Policies[i].PeriodSeconds)
	}
	return time.Duration(longest) * time.Second
}
