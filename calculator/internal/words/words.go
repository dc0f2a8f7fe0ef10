// Package words has what the texts for people share.
package words

import (
	"strconv"
	"strings"
	"time"
)

// Count returns a number of things, such as "1 pod" or "2 pods".
func Count[N int | int32](n N, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return strconv.Itoa(int(n)) + " " + thing
}

// Span returns a duration to the millisecond, without zeros at its end: "2h",
// "1m30s". What is shorter than a millisecond is exact.
func Span(d time.Duration) string {
	if d > time.Millisecond || d < -time.Millisecond {
		d = d.Round(time.Millisecond)
	}
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// JSONTime returns t in UTC, moved into the years that RFC 3339 has.
func JSONTime(t time.Time) time.Time {
	t = t.UTC()
	switch year := t.Year(); {
	case year < 0:
		return time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)
	case year > 9999:
		return time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)
	}
	return t
}
