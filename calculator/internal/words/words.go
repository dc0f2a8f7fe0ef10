// Package words has what the texts for people share.
package words

import (
	"fmt"
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

// Ordinal returns a number in a row, such as "1st" or "12th".
func Ordinal(n int) string {
	switch {
	case n%100/10 == 1:
	case n%10 == 1:
		return fmt.Sprintf("%dst", n)
	case n%10 == 2:
		return fmt.Sprintf("%dnd", n)
	case n%10 == 3:
		return fmt.Sprintf("%drd", n)
	}
	return fmt.Sprintf("%dth", n)
}

// Number returns f without zeros at its end.
func Number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// Clock returns a time since the start as minutes and seconds, such as "1:30",
// from an hour on as hours, minutes and seconds.
func Clock(d time.Duration) string {
	if d < 0 {
		return "-" + Clock(-d)
	}
	s := int(d / time.Second)
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}
