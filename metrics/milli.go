package metrics

import "math"

// Milli is an amount in thousandths of a unit: of a core, a byte, a request
// per second, or whatever the metric counts. Kubernetes' autoscaler computes
// in these, and so Milli has its range: from about -9.2e15 to 9.2e15 units.
type Milli int64

// ParseMilli reads Kubernetes' notation, such as "250m", "2" or "1Gi". What is
// finer than a milli-unit is rounded away from zero and what is out of range
// saturates, as in [Quantity.Milli]. The error is a [*QuantityError].
func ParseMilli(s string) (Milli, error) {
	q, err := ParseQuantity(s)
	if err != nil {
		return 0, err
	}
	return q.Milli(), nil
}

// String returns the canonical text in DecimalSI, such as "250m", "2", "1500m"
// or "128M". [ParseMilli] reads it back as the same amount.
func (m Milli) String() string {
	var buf [24]byte
	return string(AppendQuantity(buf[:0], m, DecimalSI))
}

// magnitude returns the amount without its sign, which always fits.
func (m Milli) magnitude() uint64 {
	if m < 0 {
		return -uint64(m)
	}
	return uint64(m)
}

// saturatedMilli returns the Milli nearest to the amount given by sign and
// magnitude.
func saturatedMilli(negative bool, magnitude uint64) Milli {
	switch {
	case negative && magnitude >= 1<<63:
		return math.MinInt64
	case negative:
		return -Milli(magnitude)
	case magnitude > math.MaxInt64:
		return math.MaxInt64
	}
	return Milli(magnitude)
}
