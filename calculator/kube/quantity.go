package kube

import (
	"math"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/purehpa/hpa/metrics"
)

// Milli returns the quantity in milli-units, rounded away from zero and
// saturated. It does not change q, not even the text that q.String caches.
func Milli(q resource.Quantity) metrics.Milli { return milli(&q) }

// milli is Milli without a copy in the ordinary case.
func milli(q *resource.Quantity) metrics.Milli {
	const (
		few  = 1.0e6  // fit an int64 in nano-units, by far
		safe = 9.0e15 // below MaxInt64 milli-units by more than a float errs
		most = 9.3e15 // above them
	)
	switch f := q.AsApproximateFloat64(); {
	case f >= 0 && f < few:
		// The usage of cpu is in nano-units, which MilliValue divides digit by
		// digit.
		const each = 1_000_000
		return metrics.Milli((q.ScaledValue(resource.Nano) + each - 1) / each)
	case f >= 0 && f < safe:
		return metrics.Milli(q.MilliValue())
	case f > most:
		return math.MaxInt64
	case f < -most:
		return math.MinInt64
	}
	// Negative amounts, too: MilliValue rounds some of them up.
	shared := *q // String caches
	m, err := metrics.ParseMilli(shared.String())
	if err != nil {
		return 0 // NaN: zero with an exponent beyond float64's
	}
	return m
}

// converter converts specs and statuses. It keeps the first error.
type converter struct{ err *Error }

func (c *converter) fail(path, name string, err error) {
	if c.err == nil {
		c.err = &Error{Field: path + "." + name, Problem: err.Error(), Err: err}
	}
}

// quantity converts q, which is the field path.name; nil is not set.
func (c *converter) quantity(path, name string, q *resource.Quantity) metrics.Quantity {
	if q == nil {
		return metrics.Quantity{}
	}
	shared := *q // String caches
	out, err := metrics.ParseQuantity(shared.String())
	if err != nil {
		c.fail(path, name, err)
		return out
	}
	// A quantity that was never JSON keeps how it was written. 0.05 and 50m
	// differ in the last bit of their floats, which decides at the edge of the
	// tolerance.
	if f := shared.AsApproximateFloat64(); f != out.Float64() && math.Abs(f) < 1e300 {
		written := q.DeepCopy()
		if exact, err := metrics.ParseQuantity(written.AsDec().String()); err == nil {
			return exact
		}
	}
	return out
}

// apiQuantity is the opposite of quantity.
func (c *converter) apiQuantity(path, name string, q metrics.Quantity) *resource.Quantity {
	if !q.IsSet() {
		return nil
	}
	out, err := resource.ParseQuantity(q.String())
	if err != nil {
		c.fail(path, name, err)
		return nil
	}
	if out.String() != q.String() {
		// The text lacks the format: 10000000 bytes of memory read so, where a
		// decimal number would read 10M.
		if binary := resource.NewMilliQuantity(int64(q.Milli()), resource.BinarySI); binary.String() == q.String() {
			return binary
		}
	}
	return &out
}
