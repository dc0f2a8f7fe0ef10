package stabilize

import (
	"math"
	"time"
)

// instant is a moment as time.Time counts: seconds since the start of the year
// 1, and nanoseconds from 0 to 999,999,999. It holds all that a time.Time can,
// but for the reading of a monotonic clock and the location, in the same order.
type instant struct {
	sec  int64
	nsec int32
}

// unixEpoch is the start of 1970 as an instant's seconds.
const unixEpoch = 62135596800

// instantOf returns the moment of t's wall clock. Both this sum and that of
// Time.Unix may wrap around, which brings back the count in t.
func instantOf(t time.Time) instant { return instant{t.Unix() + unixEpoch, int32(t.Nanosecond())} }

// time returns i in UTC.
func (i instant) time() time.Time { return time.Unix(i.sec-unixEpoch, int64(i.nsec)).UTC() }

func (i instant) before(j instant) bool {
	return i.sec < j.sec || i.sec == j.sec && i.nsec < j.nsec
}

// add moves i forward by d, stopping at the ends of the range.
func (i instant) add(d time.Duration) instant {
	return i.move(int64(d/time.Second), int32(d%time.Second))
}

// sub moves i back by d, stopping at the ends of the range. The smallest
// Duration, which has no opposite, is no exception.
func (i instant) sub(d time.Duration) instant {
	return i.move(-int64(d/time.Second), -int32(d%time.Second))
}

// move adds seconds and nanoseconds of the same sign, less than a second of the
// latter.
func (i instant) move(sec int64, nsec int32) instant {
	nsec += i.nsec
	switch {
	case nsec < 0:
		nsec += int32(time.Second)
		sec--
	case nsec >= int32(time.Second):
		nsec -= int32(time.Second)
		sec++
	}
	sum := i.sec + sec
	switch {
	case sec > 0 && sum < i.sec:
		return instant{math.MaxInt64, int32(time.Second) - 1}
	case sec < 0 && sum > i.sec:
		return instant{math.MinInt64, 0}
	}
	return instant{sum, nsec}
}

// since returns the time from j, which is not later, to i, as an instant is
// written: seconds and nanoseconds.
func (i instant) since(j instant) instant {
	d := instant{i.sec - j.sec, i.nsec - j.nsec}
	if d.nsec < 0 {
		d.sec--
		d.nsec += int32(time.Second)
	}
	if d.sec < 0 {
		// Only from one half of the range to the other.
		return instant{math.MaxInt64, int32(time.Second) - 1}
	}
	return d
}

// duration returns the time from j to i, which may be the earlier one, and
// whether a Duration can hold it.
func (i instant) duration(j instant) (d time.Duration, ok bool) {
	early, late, sign := j, i, time.Duration(1)
	if i.before(j) {
		early, late, sign = i, j, -1
	}
	s := late.since(early)
	if s.sec > math.MaxInt64/int64(time.Second)-1 {
		return 0, false
	}
	return sign * (time.Duration(s.sec)*time.Second + time.Duration(s.nsec)), true
}
