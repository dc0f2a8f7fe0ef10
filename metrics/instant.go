package metrics

import (
	"math"
	"time"
)

// Instant is a moment in nanoseconds. It is an integer, so a pass over a
// thousand pods compares moments with <, == and >.
//
// The zero Instant is not set. The others range from 1677-09-21 to 2262-04-11;
// earlier and later moments become the first and the last of that range.
type Instant uint64

const (
	// instantBias is the Instant of 1970. It makes the earliest moment of the
	// range the smallest integer.
	instantBias = 1 << 63
	// Whole seconds since 1970 whose nanoseconds all fit an int64.
	minInstantSeconds = math.MinInt64/int64(time.Second) + 1
	maxInstantSeconds = math.MaxInt64/int64(time.Second) - 1
)

// At returns t as an Instant. It reads the wall clock of t; the location and
// the monotonic clock do not matter. At never returns the Instant that is not
// set: the zero time.Time, a moment long ago, becomes the first of the range.
func At(t time.Time) Instant {
	s := t.Unix()
	switch {
	case s < minInstantSeconds:
		return 1
	case s > maxInstantSeconds:
		return math.MaxUint64
	}
	return Instant(uint64(s*int64(time.Second)+int64(t.Nanosecond())) + instantBias)
}

// IsSet reports whether i is set.
func (i Instant) IsSet() bool { return i != 0 }

// Time returns i in UTC. It returns the zero time.Time if i is not set.
func (i Instant) Time() time.Time {
	if i == 0 {
		return time.Time{}
	}
	ns := int64(i - instantBias)
	return time.Unix(0, ns).UTC()
}

// Add returns i+d. Past the end of the range it returns the last moment, before
// the start an Instant that is not set. An i that is not set counts as one
// nanosecond before the first moment.
func (i Instant) Add(d time.Duration) Instant {
	sum := i + Instant(d)
	if d >= 0 {
		if sum < i {
			return math.MaxUint64
		}
	} else if sum > i {
		return 0
	}
	return sum
}

// Sub returns the duration i-j, saturated to the range of time.Duration.
func (i Instant) Sub(j Instant) time.Duration {
	switch {
	case i >= j && i-j > math.MaxInt64:
		return math.MaxInt64
	case i < j && j-i > math.MaxInt64:
		return math.MinInt64
	}
	return time.Duration(i - j)
}

// String returns i in RFC 3339 with nanoseconds, or "not set".
func (i Instant) String() string {
	if i == 0 {
		return "not set"
	}
	return i.Time().Format(time.RFC3339Nano)
}
