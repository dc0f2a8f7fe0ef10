package simulate

import (
	"math/bits"
	"slices"
	"time"

	"github.com/purehpa/hpa/metrics"
)

// Load is what is asked of a workload over time, in milli-units of whatever is
// worked off: requests per second, messages per minute, passengers. It is
// constant piece by piece.
type Load interface {
	// At returns the load at t, and until when it stays so; the zero time.Time
	// if it stays so for good. Negative loads count as none. The same question
	// has the same answer, whoever asks and when.
	At(t time.Time) (load metrics.Milli, until time.Time)
}

// Steady is a load that never changes, in milli-units.
type Steady metrics.Milli

// At returns the load, for good.
func (s Steady) At(time.Time) (metrics.Milli, time.Time) { return metrics.Milli(s), time.Time{} }

// LoadFunc is a function as a Load: a formula, or a series that is read piece by
// piece.
type LoadFunc func(t time.Time) (load metrics.Milli, until time.Time)

// At calls f.
func (f LoadFunc) At(t time.Time) (metrics.Milli, time.Time) { return f(t) }

// Point is a load from a moment on.
type Point struct {
	Time time.Time
	// Load is in milli-units.
	Load metrics.Milli
}

// Series is a load that was measured: each point holds until the next one, the
// first one also before, and the last one for good. Points are in ascending
// order of time.
type Series []Point

// At returns the load of the last point that is not after t. A series without
// points is no load.
func (s Series) At(t time.Time) (metrics.Milli, time.Time) {
	if len(s) == 0 {
		return 0, time.Time{}
	}
	i := s.after(t)
	if i == len(s) {
		return s[i-1].Load, time.Time{}
	}
	return s[max(i-1, 0)].Load, s[i].Time
}

// after returns the index of the first point after t.
func (s Series) after(t time.Time) int {
	i, _ := slices.BinarySearchFunc(s, t, func(p Point, t time.Time) int {
		if p.Time.After(t) {
			return 1
		}
		return -1
	})
	return i
}

// problem returns what is wrong with the series, "" if nothing is.
func (s Series) problem() string {
	for i := range s {
		switch {
		case s[i].Load < 0:
			return "the load at " + s[i].Time.Format(time.RFC3339Nano) + " is negative"
		case i > 0 && !s[i].Time.After(s[i-1].Time):
			return s[i].Time.Format(time.RFC3339Nano) + " is not after the point before it"
		}
	}
	return ""
}

// Sloped is a series whose points are the corners of straight lines, rather than
// of stairs: the load at t is that of the line between the points around it, at
// the middle of the step that t lies in.
type Sloped struct {
	Series Series
	// Step is how finely the lines are divided, counted from each point on. If
	// it is not positive, it is a second.
	Step time.Duration
}

// At returns the load of the step that t lies in.
func (s Sloped) At(t time.Time) (metrics.Milli, time.Time) {
	i := s.Series.after(t)
	if i == 0 || i == len(s.Series) {
		return s.Series.At(t)
	}
	from, to := s.Series[i-1], s.Series[i]
	step := s.Step
	if step <= 0 {
		step = time.Second
	}
	span := to.Time.Sub(from.Time)
	begin := t.Sub(from.Time) / step * step
	end := addSat(begin, step)
	until := to.Time
	if end < span {
		until = from.Time.Add(end)
	}
	middle := begin + (min(end, span)-begin)/2
	if to.Load >= from.Load {
		return from.Load + part(to.Load-from.Load, middle, span), until
	}
	return from.Load - part(from.Load-to.Load, middle, span), until
}

// part returns m*d/of truncated; 0 <= d <= of, of is not zero, and m is not
// negative.
func part(m metrics.Milli, d, of time.Duration) metrics.Milli {
	hi, lo := bits.Mul64(uint64(m), uint64(d))
	q, _ := bits.Div64(hi, lo, uint64(of))
	return metrics.Milli(q)
}
