package series

import (
	"math"
	"time"
)

// Window sums up the entries within a period.
type Window struct {
	// Sum is the sum of the values, and Count their number.
	Sum   int64
	Count int
	// Expires is when the oldest of them leaves the period, the zero time.Time
	// without events. Leaving is the sum of those that leave it then.
	Expires time.Time
	Leaving int64
}

// asOf returns s as it reads at that time: itself, or a rewound copy if the
// clock went back.
func (s *Series) asOf(now instant) *Series {
	if !now.before(s.latest) {
		return s
	}
	c := s.Clone()
	c.rewind(now)
	return &c
}

// Within sums up the entries younger than period. One of exactly that age does
// not count; stale ones do.
func (s *Series) Within(now time.Time, period time.Duration) (w Window) {
	at := instantOf(now)
	s, cutoff := s.asOf(at), at.sub(period)
	oldest := instant{math.MaxInt64, math.MaxInt32}
	oldest = w.add(s.youngTail(cutoff), cutoff, oldest)
	oldest = w.add(s.slots[:s.tail], cutoff, oldest)
	if w.Count > 0 {
		w.Expires = oldest.add(period).time()
	}
	return w
}

// add sums up the slots dated after the cutoff, and returns when the oldest is,
// one added before included. Policies ask often, and so this spells out what
// instants compare.
func (w *Window) add(slots []slot, cutoff, oldest instant) instant {
	sum, count, leaving := w.Sum, w.Count, w.Leaving
	for i := range slots {
		e := &slots[i]
		sec := e.sec
		if sec < cutoff.sec || sec == cutoff.sec && (e.isVacant() || e.at().nsec <= cutoff.nsec) {
			continue
		}
		v := int64(e.value)
		sum += v
		count++
		if sec > oldest.sec {
			continue // as most are
		}
		switch nsec := e.at().nsec; {
		case sec == oldest.sec && nsec > oldest.nsec:
		case sec == oldest.sec && nsec == oldest.nsec:
			leaving += v
		default:
			oldest, leaving = instant{sec, nsec}, v
		}
	}
	w.Sum, w.Count, w.Leaving = sum, count, leaving
	return oldest
}

// Highest returns the entry with the highest value among those younger than
// period, and of several the latest. Values above most count as most; ok is
// false if none is above floor.
func (s *Series) Highest(now time.Time, period time.Duration, floor, most int32) (e Entry, ok bool) {
	return s.extreme(now, period, 0, floor, most)
}

// Lowest is the opposite of [Series.Highest]: values below least count as
// least, and ok is false if none is below ceiling.
func (s *Series) Lowest(now time.Time, period time.Duration, ceiling, least int32) (e Entry, ok bool) {
	return s.extreme(now, period, -1, ceiling, least)
}

// extreme is Highest for a mask of 0, and for one of -1 Lowest, which is
// Highest of the values' complements.
func (s *Series) extreme(now time.Time, period time.Duration, mask, floor, most int32) (e Entry, ok bool) {
	floor, most = floor^mask, most^mask
	bound := s.highest
	if mask != 0 {
		bound = ^s.lowest
	}
	if floor >= min(most, bound) {
		return Entry{}, false
	}
	at := instantOf(now)
	cutoff := at.sub(period)
	if !cutoff.before(s.latest) {
		return Entry{}, false
	}
	highest, best, when := floor+1, -1, instant{math.MinInt64, -1}
	slots := s.asOf(at).slots
	for i := range slots {
		e := &slots[i]
		v := min(e.value^mask, most)
		if v < highest || e.isVacant() {
			continue
		}
		if at := e.at(); cutoff.before(at) && (v > highest || when.before(at)) {
			highest, best, when = v, i, at
		}
	}
	if best < 0 {
		return Entry{}, false
	}
	return slots[best].entry(), true
}
