package behavior

import (
	"time"

	"github.com/purehpa/hpa/stabilize/codec"
	"github.com/purehpa/hpa/stabilize/series"
)

// AppendKey is for this library's own packages, outside of the promise of
// compatibility. It appends what the policies of b can still see of the events
// from now on, relative to now. Events with the same key, as of the same or
// different times, limit alike from then on, as long as the clock does not go
// back and neither direction is full. The key of a nil b is that of no events.
//
// An event counts while it is in a period of either direction. In Kubernetes an
// event older than its own direction's periods gives its place to the next one,
// even if the other direction still counts it. If that can happen, the key also
// has the order of places.
func (e *Events) AppendKey(dst []byte, now time.Time, b *Behavior) []byte {
	longest, seen := b.LongestPeriods(), b.longestSeen()
	dst = e.added.AppendWithinKey(dst, now, seen, max(longest.Up, 0))
	return e.removed.AppendWithinKey(dst, now, seen, max(longest.Down, 0))
}

// longestSeen returns the longest period of all policies that limit.
func (b *Behavior) longestSeen() (longest time.Duration) {
	if b == nil {
		return 0
	}
	periods := b.LongestPeriods()
	if b.ScaleUp == nil || b.ScaleUp.SelectPolicy != SelectDisabled {
		longest = periods.Up
	}
	if b.ScaleDown == nil || b.ScaleDown.SelectPolicy != SelectDisabled {
		longest = max(longest, periods.Down)
	}
	return longest
}

// ReadKey is for this library's own packages, outside of the promise of
// compatibility. It replaces e by the fewest Events that have the key at now.
// On an error, which r keeps, e is empty.
func (e *Events) ReadKey(r *codec.Reader, now time.Time) {
	e.added.Reset()
	e.removed.Reset()
	for i, s := range [...]*series.Series{&e.added, &e.removed} {
		start := r.Offset()
		s.ReadKey(r, now)
		if problem := checkEvents(s); problem != "" {
			r.Fail(start, "%s: %s", eventsField(i), problem)
		}
	}
	if r.Err() != nil {
		e.added.Reset()
		e.removed.Reset()
	}
}
