package kube

import (
	"math"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/purehpa/hpa/metrics"
)

// Milli returns the quantity in milli-units, rounded away from zero, or the
// nearest Milli if it does not fit one. It does not change q, not even the text
// that String would cache.
func Milli(q resource.Quantity) metrics.Milli {
	const (
		safe = 9.0e15 // below what int64 milli-units hold, by more than a float errs
		most = 9.3e15 // above that
	)
	switch f := q.AsApproximateFloat64(); {
	case f >= 0 && f < safe:
		return metrics.Milli(q.MilliValue())
	case f > most:
		return math.MaxInt64
	case f < -most:
		return math.MinInt64
	}
	// Negative amounts, too, for MilliValue rounds some of them up.
	m, err := metrics.ParseMilli(q.String())
	if err != nil {
		return 0 // not a number: zero with an exponent beyond float64's
	}
	return m
}

// quantity returns all that the library needs to know of q; nil is not set.
func quantity(field string, q *resource.Quantity) (metrics.Quantity, *Error) {
	if q == nil {
		return metrics.Quantity{}, nil
	}
	shared := *q // String caches
	out, err := metrics.ParseQuantity(shared.String())
	if err != nil {
		return out, &Error{Field: field, Problem: err.Error(), Err: err}
	}
	// A quantity that never went through JSON remembers how it was written:
	// 0.05 and 50m differ in the last bit of their floats, which decides
	// whether a ratio is within tolerance.
	if f := shared.AsApproximateFloat64(); f != out.Float64() && math.Abs(f) < 1e300 {
		written := q.DeepCopy()
		if exact, err := metrics.ParseQuantity(written.AsDec().String()); err == nil {
			return exact, nil
		}
	}
	return out, nil
}

// apiQuantity returns the quantity as Kubernetes has it; nil if it is not set.
func apiQuantity(field string, q metrics.Quantity) (*resource.Quantity, *Error) {
	if !q.IsSet() {
		return nil, nil
	}
	out, err := resource.ParseQuantity(q.String())
	if err != nil {
		return nil, &Error{Field: field, Problem: err.Error(), Err: err}
	}
	if out.String() != q.String() {
		// The text does not tell the format: memory of 10000000 is that, where
		// a number without a suffix would read 10M.
		if binary := resource.NewMilliQuantity(int64(q.Milli()), resource.BinarySI); binary.String() == q.String() {
			return binary, nil
		}
	}
	return &out, nil
}
