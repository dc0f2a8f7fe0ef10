package proposers

import (
	"errors"
	"fmt"
	"math"

	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/metrics"
)

// Watermarks keeps a value between two marks. Above the high one, the size
// rises until the value is down at that mark; below the low one, it falls until
// the value is up at that one. Between them nothing happens, so a wide band
// flaps less than a target with a tolerance.
//
// It is Datadog's WatermarkPodAutoscaler. Its windows without scaling and its
// limits of velocity are the behavior of the spec.
type Watermarks struct {
	// Low and High are the marks, in milli-units: 0 < Low <= High.
	Low, High metrics.Milli
	// Tolerance is how far beyond its mark a value is left alone: Down for Low,
	// below 1, Up for High. Bounds are rounded to a milli-unit. Sizes are
	// computed from the marks themselves.
	Tolerance metrics.Tolerance
	// Average divides the value by the ready pods first, as is right for a sum,
	// such as the length of a queue. Without, the value is for each pod or for
	// all alike, such as a latency. They are the algorithms average and
	// absolute.
	Average bool
}

// ErrNotReady is why there is no proposal: a value without a pod says nothing.
var ErrNotReady = errors.New("no pod is ready")

// Propose returns the size for the value, in milli-units, at the current size,
// with that many pods ready.
func (w *Watermarks) Propose(value metrics.Milli, replicas, ready int32) (calculator.Proposed, error) {
	if err := w.check(replicas, ready); err != nil {
		return calculator.Proposed{}, err
	}
	// What is compared is the load of all ready pods: exact, without a
	// division.
	pods, load := float64(ready), float64(value)
	if !w.Average {
		load *= pods
	}
	low, high := times(w.Low, 1-w.Tolerance.Down), times(w.High, 1+w.Tolerance.Up)
	p := calculator.Proposed{Replicas: replicas, Value: value}
	if w.Average {
		p.Value = value / metrics.Milli(ready)
	}
	switch {
	case load > float64(high)*pods:
		p.Replicas = max(replicas, metrics.Replicas(load/float64(w.High)))
		p.Text = fmt.Sprintf("%v is above %s: %v/%v times %d ready, rounded up",
			p.Value, mark("high", w.High, high), p.Value, w.High, ready)
	case load < float64(low)*pods:
		p.Replicas = min(replicas, max(1, metrics.Replicas(math.Floor(load/float64(w.Low)))))
		p.Text = fmt.Sprintf("%v is below %s: %v/%v times %d ready, rounded down, and at least 1",
			p.Value, mark("low", w.Low, low), p.Value, w.Low, ready)
	default:
		p.Text = fmt.Sprintf("%v is between %s and %s", p.Value, mark("low", w.Low, low), mark("high", w.High, high))
	}
	return p, nil
}

// times returns f*m, rounded and saturated.
func times(m metrics.Milli, f float64) metrics.Milli {
	return metrics.Milli(math.Round(min(float64(m)*f, 1<<62)))
}

// mark names a watermark and where it is with its tolerance.
func mark(name string, m, bound metrics.Milli) string {
	text := fmt.Sprintf("the %s watermark of %v", name, m)
	if bound != m {
		text += fmt.Sprintf(" (%v with its tolerance)", bound)
	}
	return text
}

// check returns what is wrong with the settings or the pods.
func (w *Watermarks) check(replicas, ready int32) error {
	switch {
	case w.Low <= 0:
		return field.Invalid("watermarks.low", w.Low.String(), "must be positive")
	case w.High < w.Low:
		return field.Invalid("watermarks.high", w.High.String(), "must not be below the low one")
	case !(w.Tolerance.Down >= 0 && w.Tolerance.Down < 1):
		return field.Invalid("watermarks.tolerance.down", fmt.Sprint(w.Tolerance.Down), "must be at least 0 and below 1")
	case !(w.Tolerance.Up >= 0 && w.Tolerance.Up <= math.MaxFloat64):
		return field.Invalid("watermarks.tolerance.up", fmt.Sprint(w.Tolerance.Up), "must be a number and not negative")
	case replicas < 0:
		return field.Invalid("replicas", replicas, "must not be negative")
	case ready < 0:
		return field.Invalid("ready", ready, "must not be negative")
	case ready == 0:
		return ErrNotReady
	}
	return nil
}
