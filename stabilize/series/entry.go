package series

import (
	"math"
	"time"
)

// Entry is a dated value of a Series.
type Entry struct {
	// Time is in UTC, without a monotonic clock.
	Time time.Time `json:"time"`
	// Value is a number of replicas, or a change of it.
	Value int32 `json:"value"`
	// Stale reports whether the next value recorded may take this one's place.
	Stale bool `json:"stale"`
}

// slot is a place in the list, in 16 bytes. A stale entry has the complement of
// its nanoseconds, which is negative. A vacant place has lost its entry and
// waits for the next one; it is dated before all entries.
type slot struct {
	sec   int64
	nsec  int32
	value int32
}

func vacantSlot() slot { return slot{sec: math.MinInt64, nsec: math.MinInt32} }

func (s slot) isVacant() bool { return s.nsec == math.MinInt32 }

// stale is true of a vacant slot, too.
func (s slot) stale() bool { return s.nsec < 0 }

// at returns the time of a slot that is not vacant.
func (s slot) at() instant {
	if s.nsec < 0 {
		return instant{s.sec, ^s.nsec}
	}
	return instant{s.sec, s.nsec}
}

func (s slot) entry() Entry { return Entry{Time: s.at().time(), Value: s.value, Stale: s.stale()} }

// slot returns a slot dated i.
func (i instant) slot(value int32, stale bool) slot {
	if stale {
		return slot{i.sec, ^i.nsec, value}
	}
	return slot{i.sec, i.nsec, value}
}
