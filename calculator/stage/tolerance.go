package stage

import (
	"math"
	"strconv"

	"github.com/purehpa/hpa/metrics"
)

// Tolerance is how far a ratio may be from 1 without a change of size, as a
// fraction; see [metrics.Tolerance].
type Tolerance struct {
	Down Float `json:"down"`
	Up   Float `json:"up"`
	// Rounded reports whether the rounded distance from 1 is compared, as
	// releases up to 1.32 did.
	Rounded bool `json:"rounded,omitempty"`
}

// appendRatio says the ratio and how the tolerance takes it.
func (t Tolerance) appendRatio(w *writer, corrected string, ratio float64) {
	w.say(" The %sratio to the target is %s", corrected, t.digits(ratio))
	tolerance := metrics.Tolerance{Down: float64(t.Down), Up: float64(t.Up)}
	exactly := tolerance.Within(ratio)
	tolerance.Rounded = t.Rounded
	switch within := tolerance.Within(ratio); {
	case within != exactly:
		t.appendDistance(w, ratio, within)
	case within:
		w.say(", within the tolerance of %s.", t.bounds())
	default:
		w.say(", outside the tolerance of %s.", t.bounds())
	}
}

// appendDistance says how the tolerance takes a ratio whose rounded distance
// from 1 decides.
func (t Tolerance) appendDistance(w *writer, ratio float64, within bool) {
	tolerance, word := t.Up, "more"
	if ratio < 1 {
		tolerance = t.Down
	}
	if within {
		word = "no more"
	}
	w.say(". Its distance from 1, rounded to %v, is %s than the tolerance of %v.", math.Abs(1-ratio), word, float64(tolerance))
}

// bounds is the range of ratios at which the size stays.
func (t Tolerance) bounds() string {
	return bound(1.0-float64(t.Down)) + " to " + bound(1.0+float64(t.Up))
}

// bound is an end of the tolerance. Its float may lie beside the number meant.
func bound(r float64) string {
	return shortest(r, func(v float64) bool { return math.Abs(v-r) < 1e-9 })
}

// The digits that a ratio and its bounds have after the point, at least.
const (
	ratioDigits = 4
	mostDigits  = 17
)

// digits is a ratio with as many digits as it takes to see on which side of the
// bounds and of 1 it is.
func (t Tolerance) digits(r float64) string {
	switch {
	case math.IsNaN(r):
		return "undefined"
	case math.IsInf(r, 0):
		return "infinite"
	}
	low, high := 1.0-float64(t.Down), 1.0+float64(t.Up)
	return shortest(r, func(v float64) bool {
		return (v >= low) == (r >= low) && (v <= high) == (r <= high) && (v < 1) == (r < 1) && (v > 1) == (r > 1)
	})
}

// shortest is r with the fewest digits that will do, at least four.
func shortest(r float64, do func(float64) bool) string {
	for n := ratioDigits; ; n++ {
		s := strconv.FormatFloat(r, 'f', n, 64)
		if v, _ := strconv.ParseFloat(s, 64); n == mostDigits || do(v) {
			return s
		}
	}
}
