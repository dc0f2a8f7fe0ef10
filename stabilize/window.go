package stabilize

import (
	"math"
	"time"
)

// Window is what a Series holds within a period that ends now and is open at
// its start: an entry that is exactly as old as the period does not count.
// Stale entries do, and so do entries from after now.
type Window struct {
	// Sum is the sum of the values, and Count their number.
	Sum   int64
	Count int
	// Expires is when the oldest of them leaves the period; the zero
	// time.Time if there is none.
	Expires time.Time
}

// Within returns what s holds within the period.
func (s *Series) Within(now time.Time, period time.Duration) Window {
	w, _ := s.Leaving(now, period)
	return w
}

// Leaving is Within, and returns also the sum of the values that leave the period
// when it says that the first of them do.
func (s *Series) Leaving(now time.Time, period time.Duration) (w Window, leaving int64) {
	cutoff := instantOf(now).sub(period)
	// Policies ask often, and so this spells out what instants compare.
	oldest := instant{math.MaxInt64, math.MaxInt32}
	sum, count := int64(0), 0
	for i := range s.slots {
		e := &s.slots[i]
		sec, nsec := e.sec, e.nsec
		if sec < cutoff.sec {
			continue
		}
		if nsec < 0 {
			if e.isVacant() {
				continue
			}
			nsec = ^nsec
		}
		if sec == cutoff.sec && nsec <= cutoff.nsec {
			continue
		}
		v := int64(e.value)
		sum += v
		count++
		switch {
		case sec > oldest.sec || sec == oldest.sec && nsec > oldest.nsec:
		case sec == oldest.sec && nsec == oldest.nsec:
			leaving += v
		default:
			oldest, leaving = instant{sec, nsec}, v
		}
	}
	w.Sum, w.Count = sum, count
	if count > 0 {
		w.Expires = oldest.add(period).time()
	}
	return w, leaving
}
