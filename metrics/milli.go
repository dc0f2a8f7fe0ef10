package metrics

// Milli is an amount in thousandths of a unit: of a core, a byte, a request per
// second, or whatever the metric counts. 250 milli-cores are Milli(250), and
// 1 KiB is Milli(1024000). The range is about ±9.2e15 units, as in Kubernetes'
// autoscaler.
type Milli int64

// ParseMilli parses a Kubernetes quantity such as "250m", "2" or "1Gi". Finer
// amounts are rounded away from zero and greater ones saturate, as in
// [Quantity.Milli]. The error is a [*QuantityError].
func ParseMilli(s string) (Milli, error) {
	q, err := ParseQuantity(s)
	return q.Milli(), err
}

// MustParseMilli is [ParseMilli] for texts that are known to be right, such as
// constants in programs and tests. It panics on an error.
func MustParseMilli(s string) Milli { return MustParseQuantity(s).Milli() }

// String returns the canonical text in DecimalSI, such as "250m", "2", "1500m"
// or "128M". [ParseMilli] returns the same amount for it.
func (m Milli) String() string {
	var buf [24]byte
	return string(AppendQuantity(buf[:0], m, DecimalSI))
}

// saturatedMilli returns the Milli nearest to ±magnitude.
func saturatedMilli(negative bool, magnitude uint64) Milli {
	s := Sum{lo: magnitude}
	if negative {
		s = s.negate()
	}
	return s.Milli()
}
