package stabilize

import (
	"math"
	"time"
)

// Dated is an Entry in 16 bytes, for those who compare many of them. Its moment
// is ordered as time is, by the seconds first.
type Dated struct {
	// Seconds and Nanoseconds count from the start of the year 1, the latter
	// from 0 to 999,999,999.
	Seconds     int64
	Nanoseconds int32
	// Value is the entry's.
	Value int32
}

// DatedAt returns the moment of t's wall clock, with a value of 0.
func DatedAt(t time.Time) Dated {
	at := instantOf(t)
	return Dated{Seconds: at.sec, Nanoseconds: at.nsec}
}

// Before reports whether d is from before e.
func (d Dated) Before(e Dated) bool {
	return d.Seconds < e.Seconds || d.Seconds == e.Seconds && d.Nanoseconds < e.Nanoseconds
}

// Later returns d moved by that many seconds, which are not negative, stopping
// at the end of the range.
func (d Dated) Later(seconds int32) Dated {
	if d.Seconds > math.MaxInt64-int64(seconds) {
		d.Seconds, d.Nanoseconds = math.MaxInt64, int32(time.Second)-1
		return d
	}
	d.Seconds += int64(seconds)
	return d
}

// Time returns the moment in UTC.
func (d Dated) Time() time.Time { return instant{d.Seconds, d.Nanoseconds}.time() }

// AppendWithin appends what Within counts, in no order, and reports whether all
// of it fit into the capacity of dst: it allocates nothing.
func (s *Series) AppendWithin(dst []Dated, now time.Time, period time.Duration) ([]Dated, bool) {
	cutoff := instantOf(now).sub(period)
	for _, e := range s.slots {
		if e.isVacant() || !cutoff.before(e.at()) {
			continue
		}
		if len(dst) == cap(dst) {
			return dst, false
		}
		at := e.at()
		dst = append(dst, Dated{at.sec, at.nsec, e.value})
	}
	return dst, true
}
