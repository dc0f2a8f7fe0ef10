package metrics

import (
	"math"
	"time"
)

// Instant is a moment in nanoseconds, as an integer: a pass over a thousand
// pods compares a few thousand of them. The zero Instant means "not set"; all
// others are ordered as time is, so that <, == and > compare moments.
//
// It reaches from 1677-09-21 to 2262-04-11. Moments beyond that are taken as
// the first or the last one of the range.
type Instant uint64

const (
	// instantBias is added to a count of nanoseconds since 1970, so that the
	// earliest moment of the range becomes the smallest integer.
	instantBias = 1 << 63
	// The seconds since 1970 that fit the range whole.
	minInstantSeconds = math.MinInt64/int64(time.Second) + 1
	maxInstantSeconds = math.MaxInt64/int64(time.Second) - 1
)

// At returns the Instant of t's wall clock; a reading of the monotonic clock
// and the location of t make no difference. The zero time.Time is not set.
func At(t time.Time) Instant {
	s := t.Unix()
	switch {
	case s > maxInstantSeconds:
		return math.MaxUint64
	case s < minInstantSeconds:
		if t.IsZero() {
			return 0
		}
		return 1
	}
	return Instant(uint64(s*int64(time.Second)+int64(t.Nanosecond())) + instantBias)
}

// IsSet reports whether i is a moment at all.
func (i Instant) IsSet() bool { return i != 0 }

// Time returns i in UTC, and the zero time.Time if i is not set.
func (i Instant) Time() time.Time {
	if i == 0 {
		return time.Time{}
	}
	ns := int64(i - instantBias)
	return time.Unix(0, ns).UTC()
}

// Add returns i moved by d. It stops at the last moment of the range, and before
// the first one the answer is not set. A moment that is not set is taken as the
// one before the first.
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

// Sub returns the time from j to i, stopping at the ends of time.Duration.
func (i Instant) Sub(j Instant) time.Duration {
	switch {
	case i >= j && i-j > math.MaxInt64:
		return math.MaxInt64
	case i < j && j-i > math.MaxInt64:
		return math.MinInt64
	}
	return time.Duration(i - j)
}

// String returns i in RFC 3339 with nanoseconds, and "not set" if it is not.
func (i Instant) String() string {
	if i == 0 {
		return "not set"
	}
	return i.Time().Format(time.RFC3339Nano)
}
