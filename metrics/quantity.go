package metrics

import (
	"bytes"
	"math"
)

// Quantity is an amount in Kubernetes' notation, with all that Kubernetes
// derives from its text. It is read as k8s.io/apimachinery v0.37.1 reads it
// (package resource: ParseQuantity):
//
//	quantity = [ "+" | "-" ] number suffix
//	number   = digits, digits "." digits, digits "." or "." digits
//	suffix   = n u m "" k M G T P E       10^-9, 10^-6, ... 10^18: DecimalSI
//	         | Ki Mi Gi Ti Pi Ei          2^10, 2^20, ... 2^60: BinarySI
//	         | ( "e" | "E" ) integer      a power of ten: DecimalExponent
//
// The number may also lack its digits, as in "k", "-" or ".", which is 0, but
// not before Pi, Ei and exponents below -9. What is finer than 10^-9 is rounded
// away from zero. An amount in BinarySI is capped at MaxInt64 on both sides of
// zero, and below 1 becomes DecimalSI.
//
// The zero Quantity is not set: its text is empty, its numbers are 0 and it is
// null in JSON, or left out by omitzero. "0" is set. Quantities are comparable:
// they are == if canonical text and numbers are the same. As Kubernetes keeps
// some texts as they are, "1.001" and "1001m" are not. The text, read again, is
// the same amount, but not always the same Quantity: "62.5Ki" is "64000", and
// that is "64k".
//
// Where Kubernetes' answer is no use, this one differs:
//   - Milli saturates. There it is 0 or wraps around beyond int64, and wraps
//     around below -9223372036 units for negative amounts that it holds as a
//     decimal ("-16.5Gi").
//   - Milli rounds such negative decimals away from zero too. There
//     "-0.0001Ki", -102.4 milli-units, is -101, though "-102400u" is -103.
//   - Amounts of DecimalSI that call for a greater suffix than E keep their
//     zeros, such as "1000E". There the suffix is lost: "1".
//   - Exponents outside of int32 are an error, as written or once trailing
//     zeros are moved into them. There they wrap around: 1e4294967296 is 1.
//   - Zero is 0 as a float also if its exponent is beyond 308. There it is NaN.
//   - Reading costs no more than the text is long. There "1e-999999999" computes
//     a number of a billion digits.
//   - JSON's null unsets all of it, and the zero Quantity is null again. There
//     the text outlives null, and the zero Quantity is "0".
type Quantity struct {
	text  string // canonical; "" is not set, "0" is zero, only negatives start with '-'
	milli Milli
	float float64
}

// MilliQuantity returns the amount in the format, as
// resource.NewMilliQuantity(m, f) of k8s.io/apimachinery would be.
func MilliQuantity(m Milli, f Format) Quantity {
	var buf [24]byte
	return Quantity{
		text:  string(AppendQuantity(buf[:0], m, f)),
		milli: m,
		float: float64(m) * math.Pow10(-3),
	}
}

// IsSet reports whether the quantity is other than the zero Quantity. The amount
// 0 is set.
func (q Quantity) IsSet() bool { return q.text != "" }

// Milli returns the amount in milli-units, rounded away from zero, or the
// nearest Milli if it does not fit one.
func (q Quantity) Milli() Milli { return q.milli }

// Sign returns -1, 0 or 1. It is exact also where Milli rounds.
func (q Quantity) Sign() int {
	switch {
	case q.text == "" || q.text == "0":
		return 0
	case q.text[0] == '-':
		return -1
	}
	return 1
}

// Float64 returns the amount in units, as resource.Quantity.AsApproximateFloat64
// computes it from the same text: to the last bit, and so not always the float
// nearest to the amount, nor the same for "50m" and "0.05". Beyond the range of
// a float64 it is an infinity.
func (q Quantity) Float64() float64 { return q.float }

// String returns the canonical text, as resource.Quantity.String: an integer
// with the greatest suffix or exponent that keeps it one, except that texts that
// Kubernetes takes for canonical stay as they are. It is "" if not set.
func (q Quantity) String() string { return q.text }

// MarshalText returns the canonical text, which is empty if not set.
func (q Quantity) MarshalText() ([]byte, error) { return []byte(q.text), nil }

// UnmarshalText reads what ParseQuantity reads, and not set from an empty text.
func (q *Quantity) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*q = Quantity{}
		return nil
	}
	parsed, err := ParseQuantity(string(text))
	if err != nil {
		return err
	}
	*q = parsed
	return nil
}

// MarshalJSON returns the canonical text as a string, or null if not set.
func (q Quantity) MarshalJSON() ([]byte, error) {
	if !q.IsSet() {
		return []byte("null"), nil
	}
	b := make([]byte, 0, len(q.text)+2)
	b = append(b, '"')
	b = append(b, q.text...)
	return append(b, '"'), nil
}

// UnmarshalJSON reads a string or a number, with or without white space in the
// string around the quantity, and not set from null. Escapes in the string are
// an error, as in Kubernetes.
func (q *Quantity) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*q = Quantity{}
		return nil
	}
	if len(data) >= 2 && data[0] == '"' && data[len(data)-1] == '"' {
		data = data[1 : len(data)-1]
	}
	parsed, err := ParseQuantity(string(bytes.TrimSpace(data)))
	if err != nil {
		return err
	}
	*q = parsed
	return nil
}
