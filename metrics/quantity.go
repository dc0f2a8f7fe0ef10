package metrics

import (
	"cmp"
	"math"
)

// Quantity is an amount in Kubernetes' notation, such as "250m" or "1Gi". It is
// parsed as in k8s.io/apimachinery v0.37.1 (resource.ParseQuantity):
//
//	quantity = [ "+" | "-" ] number suffix
//	number   = digits, digits "." digits, digits "." or "." digits
//	suffix   = n u m "" k M G T P E       10^-9, 10^-6, ... 10^18: DecimalSI
//	         | Ki Mi Gi Ti Pi Ei          2^10, 2^20, ... 2^60: BinarySI
//	         | ( "e" | "E" ) integer      a power of ten: DecimalExponent
//
// Digits may be left out for 0, as in "k", "-" or ".", but not before Pi, Ei
// and exponents below -9. Amounts finer than 10^-9 are rounded away from zero.
// In BinarySI, amounts saturate at ±MaxInt64, and those below 1 become
// DecimalSI.
//
// The zero Quantity is not set: its text is empty, its numbers are 0, and its
// JSON is null (or left out by omitzero). "0" is set.
//
// Quantities are comparable. They are == if text and numbers are equal. Texts
// that Kubernetes keeps as written may differ for equal amounts: "1.001" and
// "1001m". So may a Quantity and its text parsed again: "62.5Ki" has the text
// "64000", and that has the text "64k".
//
// Quantity differs from Kubernetes in these cases:
//   - Milli saturates. Kubernetes returns 0 or wraps around beyond int64, and
//     wraps around below -9223372036 units for some negative amounts
//     ("-16.5Gi").
//   - Milli rounds every negative amount away from zero. For "-0.0001Ki", which
//     is -102.4 milli-units, Kubernetes returns -101.
//   - In DecimalSI, amounts too great for the suffix E keep their zeros:
//     "1000E". Kubernetes drops the suffix: "1".
//   - Exponents beyond int32 are an error. In Kubernetes they wrap around:
//     1e4294967296 is 1.
//   - Float64 of a zero is 0. In Kubernetes it is NaN for exponents beyond 308.
//   - Parsing takes time linear in the text. Kubernetes computes a billion
//     digits for "1e-999999999".
//   - JSON null unsets the Quantity, and the zero Quantity marshals to null.
//     In Kubernetes null keeps the text, and zero marshals to "0".
type Quantity struct {
	text  string // canonical; "" is not set, "0" is zero
	milli Milli
	float float64
}

// MilliQuantity returns m as a Quantity in the format, as
// resource.NewMilliQuantity of k8s.io/apimachinery does.
func MilliQuantity(m Milli, f Format) Quantity {
	var buf [24]byte
	return Quantity{
		text:  string(AppendQuantity(buf[:0], m, f)),
		milli: m,
		float: float64(m) * math.Pow10(-3),
	}
}

// IsSet reports whether q is not the zero Quantity. "0" is set.
func (q Quantity) IsSet() bool { return q.text != "" }

// Milli returns the amount in milli-units, rounded away from zero and
// saturated.
func (q Quantity) Milli() Milli { return q.milli }

// Sign returns -1, 0 or 1 for a negative, zero or positive amount.
func (q Quantity) Sign() int { return cmp.Compare(q.milli, 0) }

// Float64 returns the amount in units. It equals
// resource.Quantity.AsApproximateFloat64 for the same text, to the last bit. So
// it is not always the nearest float64, and it may differ for "50m" and "0.05".
// Amounts beyond the range of float64 give an infinity.
func (q Quantity) Float64() float64 { return q.float }

// String returns the canonical text, as resource.Quantity.String does: an
// integer with the greatest suffix or exponent that permits one. Some texts
// stay as written, such as "1.001". If q is not set, the text is empty.
func (q Quantity) String() string { return q.text }
