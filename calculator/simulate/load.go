package simulate

import (
	"fmt"
	"slices"
	"time"

	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/metrics"
)

// Load is the demand on a workload over time, in milli-units: requests per
// second, messages per minute. It is piecewise constant.
type Load interface {
	// At returns the load at t and the time at which it changes next, the zero
	// time.Time if it never does. Negative loads count as 0. It must return the
	// same for the same t. A run takes time for each change.
	At(t time.Time) (load metrics.Milli, until time.Time)
}

// Steady is a constant load, in milli-units.
type Steady metrics.Milli

// At returns the load, which never changes.
func (s Steady) At(time.Time) (metrics.Milli, time.Time) { return metrics.Milli(s), time.Time{} }

// LoadFunc is a function used as a Load.
type LoadFunc func(t time.Time) (load metrics.Milli, until time.Time)

// At calls f.
func (f LoadFunc) At(t time.Time) (metrics.Milli, time.Time) { return f(t) }

// LoadPoint is the load from Time on.
type LoadPoint struct {
	Time time.Time
	// Load is in milli-units, not negative.
	Load metrics.Milli
}

// LoadSeries is a recorded load, in ascending order of time. Each point holds
// until the next one. The first one also holds before, and the last one for
// ever.
type LoadSeries []LoadPoint

// At returns the load of the last point that is not after t. Without points it
// is 0.
func (s LoadSeries) At(t time.Time) (metrics.Milli, time.Time) {
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
func (s LoadSeries) after(t time.Time) int {
	i, _ := slices.BinarySearchFunc(s, t, func(p LoadPoint, t time.Time) int {
		if p.Time.After(t) {
			return 1
		}
		return -1
	})
	return i
}

// checkLoad returns what is wrong with a load of this package, for a run of d.
func checkLoad(path string, l Load, d time.Duration) error {
	switch l := pointee(l).(type) {
	case nil:
		return field.Required(path, "")
	case LoadFunc:
		if l == nil {
			return field.Required(path, "")
		}
	case Steady:
		if l < 0 {
			return negative(path, metrics.Milli(l))
		}
	case LoadSeries:
		for i := range l {
			at := fmt.Sprintf("%s[%d]", path, i)
			switch {
			case l[i].Load < 0:
				return negative(at+".load", l[i].Load)
			case i > 0 && !l[i].Time.After(l[i-1].Time):
				return field.Invalid(at+".time", l[i].Time, "must be after the one before it")
			}
		}
	case Interpolated:
		if err := checkSteps(path+".step", l.step(), d); err != nil {
			return err
		}
		return checkLoad(path+".series", l.Series, d)
	}
	return nil
}

// Interpolated is a series with straight lines between its points. The lines
// are approximated by steps; the load of a step is that of its middle.
type Interpolated struct {
	Series LoadSeries
	// Step is the length of a step, counted from each point. If it is not
	// positive, it is a second. A run has at most MaxSteps steps.
	Step time.Duration
}

func (s Interpolated) step() time.Duration {
	if s.Step <= 0 {
		return time.Second
	}
	return s.Step
}

// At returns the load of the step that t lies in.
func (s Interpolated) At(t time.Time) (metrics.Milli, time.Time) {
	i := s.Series.after(t)
	if i == 0 || i == len(s.Series) {
		return s.Series.At(t)
	}
	from, to := s.Series[i-1], s.Series[i]
	step := s.step()
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

// part returns m*d/of, truncated, for 0 <= d <= of. m is a difference that may
// not fit int64.
func part(m metrics.Milli, d, of time.Duration) metrics.Milli {
	return metrics.Milli(product(uint64(m), uint64(d)).over(uint64(of)))
}
