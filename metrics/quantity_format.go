package metrics

import (
	"bytes"
	"math"
	"strconv"
)

// Format is one of the three notations of a quantity.
type Format uint8

// The formats. AppendQuantity and MilliQuantity take any other value for
// DecimalExponent, as Kubernetes does.
const (
	DecimalSI       Format = iota // 12M is 12 * 10^6
	BinarySI                      // 12Mi is 12 * 2^20
	DecimalExponent               // 12e6 is 12 * 10^6
)

// String returns Kubernetes' name of the format, such as "DecimalSI".
func (f Format) String() string {
	switch f {
	case DecimalSI:
		return "DecimalSI"
	case BinarySI:
		return "BinarySI"
	case DecimalExponent:
		return "DecimalExponent"
	}
	return "Format(" + strconv.Itoa(int(f)) + ")"
}

// MarshalText returns the word of String.
func (f Format) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText reads what MarshalText writes. The error is a *WordError.
func (f *Format) UnmarshalText(text []byte) error {
	return parseWord(f, "metrics.Format", text, Format.String)
}

const (
	decimalSuffixes = "num kMGTPE" // of 10^-9, 10^-6, ... 10^18
	binarySuffixes  = "KMGTPE"     // of 2^10, 2^20, ... 2^60, each followed by "i"

	nano = -9 // the exponent below which an amount is rounded
	exa  = 18 // the greatest exponent that has a suffix
)

// AppendQuantity appends the canonical text of m in the format: an integer,
// with the greatest suffix or exponent that keeps it one. An amount in BinarySI
// that is below 1024 or not a whole number is written in DecimalSI. It
// allocates only where dst is too short, and equals
// resource.NewMilliQuantity(m, f).String() of k8s.io/apimachinery.
func AppendQuantity(dst []byte, m Milli, f Format) []byte {
	magnitude := m.magnitude()
	if f == BinarySI {
		if magnitude >= 1024*1000 && magnitude%1000 == 0 {
			return appendBinary(dst, m < 0, magnitude/1000)
		}
		f = DecimalSI
	}
	if magnitude == 0 {
		return append(dst, '0')
	}
	var buf [20]byte
	d := decimal{negative: m < 0, digits: strconv.AppendUint(buf[:0], magnitude, 10), exponent: -3}
	return d.canonical().append(dst, f)
}

// appendBinary appends a whole number with the greatest suffix that divides it.
func appendBinary(dst []byte, negative bool, n uint64) []byte {
	i := -1
	for n != 0 && n%1024 == 0 && i < len(binarySuffixes)-1 {
		n /= 1024
		i++
	}
	if negative {
		dst = append(dst, '-')
	}
	dst = strconv.AppendUint(dst, n, 10)
	if i >= 0 {
		dst = append(dst, binarySuffixes[i], 'i')
	}
	return dst
}

// decimal is the amount digits * 10^exponent. It is not zero: the first digit
// is '1' to '9'.
type decimal struct {
	negative bool
	digits   []byte
	exponent int64
}

// canonical moves trailing zeros into the exponent. What is left over when the
// exponent must be a multiple of three comes back as zeros in append.
func (d decimal) canonical() decimal {
	trimmed := bytes.TrimRight(d.digits, "0")
	d.exponent += int64(len(d.digits) - len(trimmed))
	d.digits = trimmed
	return d
}

// thousands returns the exponent, lowered to a multiple of three.
func (d decimal) thousands() int64 {
	return d.exponent - (d.exponent%3+3)%3
}

// append appends a canonical decimal. Format BinarySI must have been resolved.
func (d decimal) append(dst []byte, f Format) []byte {
	exponent := d.thousands()
	if f == DecimalSI {
		// There is no suffix beyond E: more zeros have to say it.
		exponent = min(exponent, exa)
	}
	if d.negative {
		dst = append(dst, '-')
	}
	dst = append(dst, d.digits...)
	for range d.exponent - exponent {
		dst = append(dst, '0')
	}
	switch {
	case exponent == 0:
	case f == DecimalSI:
		dst = append(dst, decimalSuffixes[(exponent-nano)/3])
	default:
		dst = append(dst, 'e')
		dst = strconv.AppendInt(dst, exponent, 10)
	}
	return dst
}

// ceilNano rounds away from zero to a multiple of 10^-9. It may write to the
// digits.
func (d decimal) ceilNano() decimal {
	drop := nano - d.exponent
	if drop <= 0 {
		return d
	}
	d.exponent = nano
	if drop >= int64(len(d.digits)) {
		d.digits = append(d.digits[:0], '1')
		return d
	}
	cut := len(d.digits) - int(drop)
	up := len(bytes.TrimRight(d.digits[cut:], "0")) > 0
	d.digits = d.digits[:cut]
	if up {
		d.digits = increment(d.digits)
	}
	return d
}

// increment adds one to a number, in place where its length permits.
func increment(digits []byte) []byte {
	for i := len(digits) - 1; i >= 0; i-- {
		if digits[i] != '9' {
			digits[i]++
			return digits
		}
		digits[i] = '0'
	}
	digits[0] = '1'
	return append(digits, '0')
}

// milli returns the amount in milli-units, rounded away from zero and
// saturated.
func (d decimal) milli() Milli {
	const saturated = math.MaxUint64
	shift := d.exponent + 3
	digits, up := d.digits, false
	if shift < 0 {
		cut := max(0, int64(len(digits))+shift)
		up = len(bytes.TrimRight(digits[cut:], "0")) > 0
		digits, shift = digits[:cut], 0
	}
	// Up to 19 digits fit a uint64 and more fit no Milli.
	if int64(len(digits))+shift > 19 {
		return saturatedMilli(d.negative, saturated)
	}
	n := integer(digits)
	for range shift {
		n *= 10
	}
	if up {
		n++
	}
	return saturatedMilli(d.negative, n)
}

// integer returns the value of up to 19 digits.
func integer[T string | []byte](digits T) uint64 {
	var n uint64
	for i := range len(digits) {
		n = n*10 + uint64(digits[i]-'0')
	}
	return n
}

// scaledFloat returns what Kubernetes computes for an amount that it holds as a
// whole number of 10^scale: that number, correctly rounded to a float64, times
// the power of ten. The exponent is not below the scale.
func (d decimal) scaledFloat(scale int64) float64 {
	var buf [64]byte
	b := append(buf[:0], d.digits...)
	b = append(b, 'e')
	b = strconv.AppendInt(b, d.exponent-scale, 10)
	f, _ := strconv.ParseFloat(string(b), 64) // out of range is +Inf, as it should be
	if scale != 0 {
		f *= math.Pow10(int(scale))
	}
	if d.negative {
		f = -f
	}
	return f
}
