package metrics

import (
	"bytes"
	"errors"
	"math"
	"math/bits"
	"strconv"
)

// QuantityProblem says what is wrong with the text of a quantity. Its String is
// Kubernetes' text for it.
type QuantityProblem uint8

const (
	// QuantityMalformed: the text is not a number with a suffix.
	QuantityMalformed QuantityProblem = iota + 1
	// QuantityNumberMissing: the text has a suffix but no digit before it.
	// Kubernetes minds that before Pi, Ei and exponents below -9 alone, and
	// takes "Ki", "k" and "-" for 0.
	QuantityNumberMissing
	// QuantitySuffixUnknown: the suffix is none of those that [Quantity] lists.
	QuantitySuffixUnknown
	// QuantityExponentRange: the exponent, as written or once trailing zeros
	// are moved into it, does not fit an int32. Kubernetes wraps it around.
	QuantityExponentRange
)

// String returns the problem in words.
func (p QuantityProblem) String() string {
	switch p {
	case QuantityMalformed:
		return "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
	case QuantityNumberMissing:
		return "unable to parse numeric part of quantity"
	case QuantitySuffixUnknown:
		return "unable to parse quantity's suffix"
	case QuantityExponentRange:
		return "exponent is out of range"
	}
	return "QuantityProblem(" + strconv.Itoa(int(p)) + ")"
}

// QuantityError is the error of a text that is no quantity.
type QuantityError struct {
	Text    string // as given
	Problem QuantityProblem
}

// Error returns a message with the text, of which it quotes 64 bytes at most.
func (e *QuantityError) Error() string {
	const most = 64
	text, more := e.Text, ""
	if len(text) > most {
		text, more = text[:most], "..."
	}
	return "metrics: quantity " + strconv.Quote(text) + more + ": " + e.Problem.String()
}

// ParseQuantity reads Kubernetes' notation; see [Quantity] for what that is. The
// error is a [*QuantityError]. Of a text that Kubernetes takes for canonical the
// Quantity keeps the string itself; for other ordinary ones a short string is
// all that is allocated. The work is in proportion to the length of the text.
func ParseQuantity(s string) (Quantity, error) {
	p, problem := split(s)
	if problem != 0 {
		return Quantity{}, &QuantityError{Text: s, Problem: problem}
	}
	var q Quantity
	if p.format == BinarySI {
		q, problem = p.binary(s)
	} else {
		q, problem = p.decimal(s)
	}
	if problem != 0 {
		return Quantity{}, &QuantityError{Text: s, Problem: problem}
	}
	return q, nil
}

// parts is a text, taken to pieces.
type parts struct {
	negative bool
	digit    bool   // there is a digit before the suffix
	whole    string // digits before the point, without leading zeros
	fraction string // digits after the point
	exponent int32  // of two in BinarySI, else of ten
	format   Format
}

func split(s string) (p parts, problem QuantityProblem) {
	if s == "" {
		return p, QuantityMalformed
	}
	i := 0
	if s[0] == '-' || s[0] == '+' {
		p.negative = s[0] == '-'
		i++
	}
	start := i
	for i < len(s) && s[i] == '0' {
		i++
	}
	nonzero := i
	i = afterDigits(s, i)
	p.whole = s[nonzero:i]
	p.digit = i > start
	if i < len(s) && s[i] == '.' {
		point := i
		i = afterDigits(s, point+1)
		p.fraction = s[point+1 : i]
		p.digit = p.digit || p.fraction != ""
	}
	suffix := i
	for i < len(s) && suffixLetter(s[i]) {
		i++
	}
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		i++
	}
	if i = afterDigits(s, i); i < len(s) {
		return p, QuantityMalformed
	}
	p.exponent, p.format, problem = suffixValue(s[suffix:])
	return p, problem
}

func afterDigits(s string, i int) int {
	for i < len(s) && '0' <= s[i] && s[i] <= '9' {
		i++
	}
	return i
}

func suffixLetter(c byte) bool {
	switch c {
	case 'e', 'E', 'i', 'n', 'u', 'm', 'k', 'K', 'M', 'G', 'T', 'P':
		return true
	}
	return false
}

func suffixValue(suffix string) (exponent int32, f Format, problem QuantityProblem) {
	switch suffix {
	case "":
		return 0, DecimalSI, 0
	case "n":
		return -9, DecimalSI, 0
	case "u":
		return -6, DecimalSI, 0
	case "m":
		return -3, DecimalSI, 0
	case "k":
		return 3, DecimalSI, 0
	case "M":
		return 6, DecimalSI, 0
	case "G":
		return 9, DecimalSI, 0
	case "T":
		return 12, DecimalSI, 0
	case "P":
		return 15, DecimalSI, 0
	case "E":
		return 18, DecimalSI, 0
	case "Ki":
		return 10, BinarySI, 0
	case "Mi":
		return 20, BinarySI, 0
	case "Gi":
		return 30, BinarySI, 0
	case "Ti":
		return 40, BinarySI, 0
	case "Pi":
		return 50, BinarySI, 0
	case "Ei":
		return 60, BinarySI, 0
	}
	if suffix[0] != 'e' && suffix[0] != 'E' {
		return 0, 0, QuantitySuffixUnknown
	}
	n, err := strconv.ParseInt(suffix[1:], 10, 32)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, 0, QuantityExponentRange
	case err != nil:
		return 0, 0, QuantitySuffixUnknown
	}
	return int32(n), DecimalExponent, 0
}

// Kubernetes holds an amount as a scaled int64 where it is sure that it fits,
// and else as a decimal of any length with nine places. Which of the two it is
// shows in the text (only the first may keep it as given) and in the float.

// decimal makes the quantity of a text whose exponent is of ten.
func (p parts) decimal(s string) (Quantity, QuantityProblem) {
	scale := int64(p.exponent) - int64(len(p.fraction))
	small := max(1, len(p.whole))+len(p.fraction) <= 18 && scale >= nano
	if !p.digit && !small {
		return Quantity{}, QuantityNumberMissing
	}

	var buf [40]byte
	digits := append(append(buf[:0], p.whole...), p.fraction...)
	digits = trimZeros(digits)
	if len(digits) == 0 {
		return Quantity{text: "0"}, 0
	}
	d := decimal{negative: p.negative, digits: digits, exponent: scale}
	if !small {
		d = d.ceilNano()
		return d.quantity(d.scaledFloat(nano), p.format)
	}

	n := integer(digits)
	f := float64(int64(n))
	if scale != 0 {
		f *= math.Pow10(int(scale))
	}
	if p.negative {
		f = -f
	}
	if scale%3 == 0 && p.whole != "" && n%1000 != 0 {
		return Quantity{text: s, milli: d.milli(), float: f}, 0
	}
	return d.quantity(f, p.format)
}

// quantity makes the quantity of a decimal, with its float and in a decimal
// format.
func (d decimal) quantity(float float64, f Format) (Quantity, QuantityProblem) {
	q := Quantity{milli: d.milli(), float: float}
	d = d.canonical()
	if d.thousands() > math.MaxInt32 {
		return Quantity{}, QuantityExponentRange
	}
	var buf [40]byte
	q.text = string(d.append(buf[:0], f))
	return q, 0
}

// binary makes the quantity of a text whose exponent is of two.
func (p parts) binary(s string) (Quantity, QuantityProblem) {
	small := p.fraction == "" && max(1, len(p.whole))+int(p.exponent)*3/10 <= 14
	if !p.digit && !small {
		return Quantity{}, QuantityNumberMissing
	}
	if !small {
		return p.shifted(), 0
	}
	n := integer(p.whole)
	if n == 0 {
		return Quantity{text: "0"}, 0
	}
	shifted := n << p.exponent
	q := Quantity{text: s, milli: saturatedMilli(p.negative, shifted*1000), float: float64(shifted)}
	if p.negative {
		q.float = -q.float
	}
	if n%8 == 0 {
		var buf [24]byte
		q.text = string(appendBinary(buf[:0], p.negative, shifted))
	}
	return q, 0
}

// shifted makes the quantity of a text whose exponent is of two from its
// amount in nano-units.
func (p parts) shifted() Quantity {
	whole, nanos := p.shiftedNanos()
	var digits, text [40]byte
	b := strconv.AppendUint(digits[:0], whole, 10)
	for unit := uint64(1e8); unit > 0; unit /= 10 {
		b = append(b, '0'+byte(nanos/unit%10))
	}
	b = trimZeros(b)
	if len(b) == 0 {
		return Quantity{text: "0"}
	}
	d := decimal{negative: p.negative, digits: b, exponent: nano}
	q := Quantity{milli: d.milli(), float: d.scaledFloat(nano)}
	if whole >= 1024 && nanos == 0 {
		q.text = string(appendBinary(text[:0], p.negative, whole))
	} else {
		q.text = string(d.canonical().append(text[:0], DecimalSI))
	}
	return q
}

// shiftedNanos returns the amount of a text whose exponent is of two, without
// its sign, rounded up to a nano-unit and capped at the greatest int64.
func (p parts) shiftedNanos() (whole, nanos uint64) {
	const limit = math.MaxInt64
	// Up to 19 digits fit a uint64 and more are beyond the cap.
	if len(p.whole) > 19 {
		return limit, 0
	}
	hi, lo := bits.Mul64(integer(p.whole), 1<<p.exponent)

	// What is carried from a digit of the fraction stays below 2^exponent. So
	// no sum reaches 10 * 2^60, and lo, a multiple of 2^exponent, has room.
	var buf [40]byte
	fraction := append(buf[:0], p.fraction...)
	var carry uint64
	for i := len(fraction) - 1; i >= 0; i-- {
		carry += uint64(fraction[i]-'0') << p.exponent
		fraction[i] = '0' + byte(carry%10)
		carry /= 10
	}
	whole = lo + carry
	if hi != 0 || whole > limit {
		return limit, 0
	}

	for i := range 9 {
		nanos *= 10
		if i < len(fraction) {
			nanos += uint64(fraction[i] - '0')
		}
	}
	if len(fraction) > 9 && len(bytes.TrimRight(fraction[9:], "0")) > 0 {
		nanos++
	}
	whole += nanos / 1e9
	nanos %= 1e9
	if whole >= limit {
		return limit, 0
	}
	return whole, nanos
}

func trimZeros(digits []byte) []byte {
	return bytes.TrimLeft(digits, "0")
}
