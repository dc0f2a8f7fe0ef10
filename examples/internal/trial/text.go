package trial

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Span formats a duration, rounded: 18 h 42 min.
func Span(d time.Duration) string {
	switch {
	case d >= 48*time.Hour:
		return fmt.Sprintf("%.1f d", d.Hours()/24)
	case d >= time.Hour:
		d = d.Round(time.Minute)
		return fmt.Sprintf("%d h %02d min", d/time.Hour, d%time.Hour/time.Minute)
	case d >= time.Minute:
		d = d.Round(time.Second)
		if d%time.Minute == 0 {
			return fmt.Sprintf("%d min", d/time.Minute)
		}
		return fmt.Sprintf("%d min %02d s", d/time.Minute, d%time.Minute/time.Second)
	case d == 0:
		return "0"
	}
	return fmt.Sprintf("%v s", math.Round(d.Seconds()*10)/10)
}

// Percent formats a share, with three significant digits below 0.1%.
func Percent(share float64) string {
	p := 100 * share
	switch {
	case p == 0:
		return "0"
	case p < 0.0001:
		return "<0.0001%"
	case p < 0.1:
		return fmt.Sprintf("%.4f%%", p)
	}
	return fmt.Sprintf("%.2f%%", p)
}

// Change returns how much a differs from b, as a share of b. It is 0 if b is.
func Change(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return (a - b) / b
}

// ChangeText formats a change: -25.9%, or - for none.
func ChangeText(share float64) string {
	if share == 0 {
		return "-"
	}
	return fmt.Sprintf("%+.1f%%", 100*share)
}

// Hours formats hours: 1,464.4.
func Hours(h float64) string {
	whole, tenth, _ := strings.Cut(strconv.FormatFloat(h, 'f', 1, 64), ".")
	return Thousands(whole) + "." + tenth
}

// Count formats a number: 36,719.
func Count(n int) string { return Thousands(strconv.Itoa(n)) }

// Quantity formats a number that is not negative, with all its digits: 1,500.25.
func Quantity(f float64) string {
	whole, rest, fraction := strings.Cut(strconv.FormatFloat(f, 'f', -1, 64), ".")
	if fraction {
		return Thousands(whole) + "." + rest
	}
	return Thousands(whole)
}

// Thousands puts commas between groups of three digits.
func Thousands(digits string) string {
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
