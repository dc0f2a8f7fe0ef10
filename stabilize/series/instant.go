package series

import (
	"math"
	"time"
)

// instant is a moment as time.Time counts: seconds since the start of the year
// 1, and nanoseconds from 0 to 999,999,999. It has the range and order of
// time.Time.
type instant struct {
	sec  int64
	nsec int32
}

// unixEpoch is the start of 1970 in an instant's seconds.
const unixEpoch = 62135596800

// endOfTime returns the last instant.
func endOfTime() instant { return instant{math.MaxInt64, int32(time.Second) - 1} }

// instantOf returns the moment of t's wall clock. Both this sum and the one in
// Time.Unix may wrap around, and together give what t counts.
func instantOf(t time.Time) instant { return instant{t.Unix() + unixEpoch, int32(t.Nanosecond())} }

// Add returns t moved by d, in UTC, stopping at the ends of time.Time's range.
func Add(t time.Time, d time.Duration) time.Time { return instantOf(t).add(d).time() }

// time returns i in UTC.
func (i instant) time() time.Time { return time.Unix(i.sec-unixEpoch, int64(i.nsec)).UTC() }

func (i instant) before(j instant) bool {
	return i.sec < j.sec || i.sec == j.sec && i.nsec < j.nsec
}

// earlier returns the earlier of both.
func (i instant) earlier(j instant) instant {
	if j.before(i) {
		return j
	}
	return i
}

// add moves i forward by d, stopping at the ends of the range.
func (i instant) add(d time.Duration) instant {
	return i.move(int64(d/time.Second), int32(d%time.Second))
}

// sub moves i back by d, stopping at the ends of the range. It also works for
// the smallest Duration, which has no opposite.
func (i instant) sub(d time.Duration) instant {
	return i.move(-int64(d/time.Second), -int32(d%time.Second))
}

// move adds seconds and nanoseconds of the same sign, the latter less than a
// second.
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
		return endOfTime()
	case sec < 0 && sum > i.sec:
		return instant{math.MinInt64, 0}
	}
	return instant{sum, nsec}
}

// since returns the time from j, which is not later, to i in seconds and
// nanoseconds.
func (i instant) since(j instant) instant {
	d := instant{i.sec - j.sec, i.nsec - j.nsec}
	if d.nsec < 0 {
		d.sec--
		d.nsec += int32(time.Second)
	}
	if d.sec < 0 {
		// It exceeds the range.
		return endOfTime()
	}
	return d
}

// duration returns the time from j to i, negative if i is earlier, and reports
// whether a Duration can hold it.
func (i instant) duration(j instant) (d time.Duration, ok bool) {
	d = time.Duration(i.sec-j.sec)*time.Second + time.Duration(i.nsec-j.nsec)
	const end = math.MaxInt64 / time.Second * time.Second
	return d, d.Abs() < end && j.add(d) == i
}
