package simulate

import (
	"fmt"
	"reflect"
	"time"

	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/metrics"
)

const mustNotBeNegative = "must not be negative"

// negative returns the error of a value that must not be negative and prints
// better than it encodes, such as a duration.
func negative(path string, v fmt.Stringer) error {
	return field.Invalid(path, v.String(), mustNotBeNegative)
}

// MaxSteps bounds the syncs of a run, and the steps of its Interpolated load.
// It is 47 years of a sync every 15 seconds.
const MaxSteps = 100_000_000

// checkSteps returns the error of a step that fits too often into a duration.
func checkSteps(path string, step, d time.Duration) error {
	if d/step < MaxSteps {
		return nil
	}
	return field.Invalid(path, step.String(), fmt.Sprintf("makes more than %d steps in %v", MaxSteps, d))
}

// margin keeps times shortly before and after a run within the range of
// metrics.Instant.
const margin = 48 * time.Hour

// inRange reports whether t is within the range of metrics.Instant.
func inRange(t time.Time) bool { return metrics.At(t).Time().Equal(t) }

// pointee returns what v points to, if that has the methods of T: they panic if
// v is nil, for which it returns a nil T. Anything else is returned as it is.
func pointee[T any](v T) (to T) {
	p := reflect.ValueOf(v)
	if p.Kind() != reflect.Pointer || !p.Type().Elem().Implements(reflect.TypeFor[T]()) {
		return v
	}
	if !p.IsNil() {
		to = p.Elem().Interface().(T)
	}
	return to
}
