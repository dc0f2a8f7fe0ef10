package wire

import (
	"math"
	"math/bits"
	"time"

	"github.com/purehpa/hpa/metrics"
)

// longest is the length of the longest quantity, time or duration that is ordinary.
// Errors and roundings of longer ones take memory.
const longest = 64

// quantity returns a quantity in milli-units, rounded up.
func quantity(b []byte) (metrics.Milli, bool) {
	if len(b) > longest {
		return 0, false
	}
	const digits = 15 // fit, whatever the suffix, or are seen not to
	n := 0
	value := uint64(0)
	for n < len(b) && n < digits && '0' <= b[n] && b[n] <= '9' {
		value = 10*value + uint64(b[n]-'0')
		n++
	}
	times, by, ok := scale(b[n:])
	if n == 0 || !ok {
		m, err := metrics.ParseMilli(string(b))
		return m, err == nil
	}
	high, low := bits.Mul64(value, times)
	if high > 0 || low > 9e18 {
		m, err := metrics.ParseMilli(string(b))
		return m, err == nil
	}
	return metrics.Milli((low + by - 1) / by), true
}

// scale returns what a suffix multiplies and divides milli-units by.
func scale(suffix []byte) (times, by uint64, ok bool) {
	switch len(suffix) {
	case 0:
		return 1e3, 1, true
	case 1:
		switch suffix[0] {
		case 'n':
			return 1, 1e6, true
		case 'u':
			return 1, 1e3, true
		case 'm':
			return 1, 1, true
		case 'k':
			return 1e6, 1, true
		case 'M':
			return 1e9, 1, true
		case 'G':
			return 1e12, 1, true
		}
	case 2:
		if suffix[1] != 'i' {
			break
		}
		switch suffix[0] {
		case 'K':
			return 1e3 << 10, 1, true
		case 'M':
			return 1e3 << 20, 1, true
		case 'G':
			return 1e3 << 30, 1, true
		}
	}
	return 0, 0, false
}

// instant returns a time in RFC 3339.
func (a *Answer) instant(b []byte) (time.Time, bool) {
	if a.at.is(b) {
		return a.lastAt, true
	}
	at, ok := utc(b)
	if !ok {
		if len(b) > longest {
			return at, false
		}
		if err := at.UnmarshalText(b); err != nil {
			return at, false
		}
	}
	a.at, a.lastAt = b, at
	return at, true
}

// utc returns a time as Kubernetes writes it, such as 2026-05-04T12:00:00Z.
func utc(b []byte) (at time.Time, ok bool) {
	const form = "0000-00-00T00:00:00Z"
	if len(b) != len(form) {
		return at, false
	}
	for i, c := range []byte(form) {
		if c == '0' && (b[i] < '0' || b[i] > '9') || c != '0' && b[i] != c {
			return at, false
		}
	}
	number := func(from, to int) (n int) {
		for _, c := range b[from:to] {
			n = 10*n + int(c-'0')
		}
		return n
	}
	year, month, day := number(0, 4), time.Month(number(5, 7)), number(8, 10)
	hour, minute, second := number(11, 13), number(14, 16), number(17, 19)
	at = time.Date(year, month, day, hour, minute, second, 0, time.UTC)
	// A date that there is not becomes another one.
	return at, at.Day() == day && at.Month() == month && hour < 24 && minute < 60 && second < 60
}

// Window returns the window of a value in the custom or external metrics API. Without
// one, it is [metrics.DefaultWindow]. It is saturated at the ends of int64.
func Window(seconds *int64) time.Duration {
	const most = math.MaxInt64 / int64(time.Second)
	if seconds == nil {
		return metrics.DefaultWindow
	}
	return time.Duration(min(max(*seconds, -most), most)) * time.Second
}

// duration returns a duration such as 15.2s.
func (a *Answer) duration(b []byte) (time.Duration, bool) {
	if a.window.is(b) {
		return a.lastWindow, true
	}
	d, ok := span(b)
	if !ok {
		if len(b) > longest {
			return 0, false
		}
		var err error
		if d, err = time.ParseDuration(string(b)); err != nil {
			return 0, false
		}
	}
	a.window, a.lastWindow = b, d
	return d, true
}

// span returns a duration as Go writes those from a second to a thousand hours, such
// as 1m15.2s.
func span(b []byte) (d time.Duration, ok bool) {
	for _, unit := range []struct {
		name byte
		of   time.Duration
	}{{'h', time.Hour}, {'m', time.Minute}, {'s', time.Second}} {
		n, i := time.Duration(0), 0
		for ; i < len(b) && i < 4 && '0' <= b[i] && b[i] <= '9'; i++ {
			n = 10*n + time.Duration(b[i]-'0')
		}
		n *= unit.of
		if i > 0 && i < len(b) && b[i] == '.' && unit.name == 's' {
			digits := unit.of
			for i++; i < len(b) && '0' <= b[i] && b[i] <= '9'; i++ {
				digits /= 10
				n += digits * time.Duration(b[i]-'0')
			}
			if digits == 0 || digits == unit.of {
				return 0, false
			}
		}
		if i > 0 && i+1 <= len(b) && b[i] == unit.name {
			d, b, ok = d+n, b[i+1:], true
		}
	}
	return d, ok && len(b) == 0
}
