package metrics

import (
	"bytes"
	"math"
	"strconv"
)

// Format is one of the notations of a quantity. The zero Format means
// DecimalSI, and any unknown one DecimalExponent, as in Kubernetes.
type Format string

// The formats, by example.
const (
	DecimalSI       Format = "DecimalSI"       // "12M"
	BinarySI        Format = "BinarySI"        // "12Mi"
	DecimalExponent Format = "DecimalExponent" // "12e6"
)

const (
	// Of 10^-9, 10^-6, ... 10^18. The digit stands for no suffix.
	decimalSuffixes = "num0kMGTPE"
	// Of 2^10, 2^20, ... 2^60, each followed by "i".
	binarySuffixes = "KMGTPE"

	nano = -9 // the least exponent; finer amounts are rounded
	exa  = 18 // the greatest exponent that has a suffix
)

// AppendQuantity appends the canonical text of m in the format to dst and
// returns the extended slice: an integer with the greatest suffix or exponent
// that permits one. BinarySI writes amounts that are below 1024 or not whole in
// DecimalSI. The text is that of resource.NewMilliQuantity in
// k8s.io/apimachinery.
func AppendQuantity(dst []byte, m Milli, f Format) []byte {
	magnitude := uint64(m)
	if m < 0 {
		magnitude = -magnitude
		dst = append(dst, '-')
	}
	switch {
	case m == 0:
		return append(dst, '0')
	case f == BinarySI && magnitude >= 1024*1000 && magnitude%1000 == 0:
		return appendBinary(dst, magnitude/1000)
	}
	var buf [20]byte
	return newDecimal(strconv.AppendUint(buf[:0], magnitude, 10), -3).append(dst, f)
}

// appendBinary appends n > 0 with the greatest suffix that divides it.
func appendBinary(dst []byte, n uint64) []byte {
	i := -1
	for n%1024 == 0 {
		n /= 1024
		i++
	}
	dst = strconv.AppendUint(dst, n, 10)
	if i >= 0 {
		dst = append(dst, binarySuffixes[i], 'i')
	}
	return dst
}

// decimal is the magnitude of an amount that is not 0: digits * 10^exponent.
// Neither the first digit nor the last is '0'.
type decimal struct {
	digits   []byte
	exponent int64
}

func newDecimal(digits []byte, exponent int64) decimal {
	trimmed := bytes.TrimRight(digits, "0")
	exponent += int64(len(digits) - len(trimmed))
	return decimal{bytes.TrimLeft(trimmed, "0"), exponent}
}

// append appends the canonical text.
func (d decimal) append(dst []byte, f Format) []byte {
	if f == BinarySI && d.exponent >= 0 {
		if n := scaled(integer(d.digits), d.exponent); n >= 1024 {
			return appendBinary(dst, n)
		}
	}
	si := f == DecimalSI || f == BinarySI || f == ""
	// Rounded down to a multiple of three. No suffix is beyond E; greater
	// amounts have zeros instead.
	exponent := d.exponent - (d.exponent%3+3)%3
	if si {
		exponent = min(exponent, exa)
	}
	dst = append(dst, d.digits...)
	for range d.exponent - exponent {
		dst = append(dst, '0')
	}
	switch {
	case exponent == 0:
	case si:
		dst = append(dst, decimalSuffixes[(exponent-nano)/3])
	default:
		dst = append(dst, 'e')
		dst = strconv.AppendInt(dst, exponent, 10)
	}
	return dst
}

// ceil rounds away from zero to a multiple of 10^exponent. It reuses the
// digits.
func (d decimal) ceil(exponent int64) decimal {
	drop := exponent - d.exponent
	if drop <= 0 {
		return d
	}
	// The last digit is not 0, so the amount dropped is not either. Add one to
	// the rest; each 9 at its end becomes a 0.
	rest := max(0, int64(len(d.digits))-drop)
	d.digits = bytes.TrimRight(d.digits[:rest], "9")
	d.exponent = exponent + rest - int64(len(d.digits))
	if len(d.digits) == 0 {
		d.digits = append(d.digits, '0')
	}
	d.digits[len(d.digits)-1]++
	return d
}

// capped returns an amount of at most MaxInt64.
func (d decimal) capped() decimal {
	const most = "9223372036854775807"
	if n := len(d.digits) + int(d.exponent); n > len(most) || n == len(most) && string(d.digits) > most {
		return decimal{append(d.digits[:0], most...), 0}
	}
	return d
}

// integer returns the value of the digits, or MaxUint64 if they are more than
// the 19 that fit.
func integer[T string | []byte](digits T) uint64 {
	if len(digits) > 19 {
		return math.MaxUint64
	}
	var n uint64
	for i := range len(digits) {
		n = n*10 + uint64(digits[i]-'0')
	}
	return n
}

// scaled returns n * 10^exponent, rounded up and saturated.
func scaled(n uint64, exponent int64) uint64 {
	for ; exponent < 0; exponent++ {
		n = n/10 + min(n%10, 1)
	}
	for ; exponent > 0 && n > 0; exponent-- {
		if n > math.MaxUint64/10 {
			return math.MaxUint64
		}
		n *= 10
	}
	return n
}

// float returns the nearest float64 to the number of nano-units, times 10^-9.
func (d decimal) float() float64 {
	var buf [64]byte
	text := append(append(buf[:0], d.digits...), 'e')
	text = strconv.AppendInt(text, d.exponent-nano, 10)
	f, _ := strconv.ParseFloat(string(text), 64) // +Inf if out of range
	return f * math.Pow10(nano)
}

// String returns the canonical text in DecimalSI, such as "250m", "2", "1500m"
// or "128M". [ParseMilli] returns the same amount for it.
func (m Milli) String() string {
	var buf [24]byte
	return string(AppendQuantity(buf[:0], m, DecimalSI))
}
