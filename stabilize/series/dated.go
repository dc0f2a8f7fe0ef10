package series

import (
	"math"
	"time"
)

// Dated is an entry in 16 bytes, for code that compares many of them.
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

func (d Dated) at() instant { return instant{d.Seconds, d.Nanoseconds} }

// Before reports whether d is dated before e.
func (d Dated) Before(e Dated) bool { return d.at().before(e.at()) }

// Later returns d moved by so many seconds, stopping at the end of the range.
func (d Dated) Later(seconds int32) Dated {
	later := d.Seconds + int64(seconds)
	if seconds > 0 && later < d.Seconds {
		return Dated{math.MaxInt64, int32(time.Second) - 1, d.Value}
	}
	return Dated{later, d.Nanoseconds, d.Value}
}

// Time returns the moment in UTC.
func (d Dated) Time() time.Time { return d.at().time() }

// AppendWithin appends the entries that [Series.Within] counts, in no order, but mostly
// in that of time. It reports whether they fit into the capacity of dst, and never
// allocates for those that do not.
func (s *Series) AppendWithin(dst []Dated, now time.Time, period time.Duration) ([]Dated, bool) {
	at := instantOf(now)
	cutoff := at.sub(period)
	s = s.asOf(at)
	for _, slots := range [...][]slot{s.youngTail(cutoff), s.slots[:s.tail]} {
		for _, e := range slots {
			at := e.at()
			if e.isVacant() || !cutoff.before(at) {
				continue
			}
			if len(dst) == cap(dst) {
				return dst, false
			}
			dst = append(dst, Dated{at.sec, at.nsec, e.value})
		}
	}
	return dst, true
}
