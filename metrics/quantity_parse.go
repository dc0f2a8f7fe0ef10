package metrics

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// QuantityProblem is what is wrong with the text of a quantity.
type QuantityProblem uint8

const (
	// QuantityMalformed means not a number with a suffix, as in "5 Gi".
	QuantityMalformed QuantityProblem = iota + 1
	// QuantityNumberMissing means no digit before Pi, Ei or an exponent below
	// -9. Before other suffixes that is 0.
	QuantityNumberMissing
	// QuantitySuffixUnknown means an unknown suffix, as in "5mm".
	QuantitySuffixUnknown
	// QuantityExponentRange means an exponent that does not fit an int32, as
	// written or in canonical form.
	QuantityExponentRange
)

// String returns the problem in Kubernetes' words, where it has any.
func (p QuantityProblem) String() string {
	words := [...]string{
		QuantityMalformed:     "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
		QuantityNumberMissing: "unable to parse numeric part of quantity",
		QuantitySuffixUnknown: "unable to parse quantity's suffix",
		QuantityExponentRange: "exponent is out of range",
	}
	if int(p) < len(words) && words[p] != "" {
		return words[p]
	}
	return "QuantityProblem(" + strconv.Itoa(int(p)) + ")"
}

// QuantityError is the error of parsing a text that is not a quantity.
type QuantityError struct {
	Text    string // as given
	Problem QuantityProblem
}

// Error returns the problem and at most 64 bytes of the text.
func (e *QuantityError) Error() string {
	const most = 64
	text, more := e.Text, ""
	if len(text) > most {
		text, more = text[:most], "..."
	}
	return "metrics: quantity " + strconv.Quote(text) + more + ": " + e.Problem.String()
}

// ParseQuantity parses a text such as "250m", "0.5" or "1.5Gi", as [Quantity]
// describes. The error is a [*QuantityError].
//
// The Quantity keeps s itself if it is canonical.
func ParseQuantity(s string) (Quantity, error) {
	p, problem := split(s)
	var q Quantity
	switch {
	case problem != 0:
	case p.whole == "" && strings.TrimLeft(p.fraction, "0") == "":
		q.text = "0"
	case p.short():
		q = p.shortQuantity(s)
	default:
		q = p.longQuantity()
	}
	if problem == 0 && q.text == "" {
		problem = QuantityExponentRange
	}
	if problem != 0 {
		return Quantity{}, &QuantityError{Text: s, Problem: problem}
	}
	if q.milli < 0 {
		q.float = -q.float
	}
	return q, nil
}

// parts is a split text.
type parts struct {
	negative bool
	whole    string // digits before the point, without leading zeros
	fraction string // digits after the point
	shift    int    // the exponent of 2
	scale    int64  // the exponent of 10 of the last digit
	format   Format
}

func split(s string) (p parts, problem QuantityProblem) {
	if s == "" {
		return p, QuantityMalformed
	}
	whole, suffix := cutDigits(cutSign(s))
	if suffix != "" && suffix[0] == '.' {
		p.fraction, suffix = cutDigits(suffix[1:])
	}
	p.negative = s[0] == '-'
	p.whole = strings.TrimLeft(whole, "0")
	p.scale = -int64(len(p.fraction))
	problem = p.addSuffix(suffix)
	if problem == 0 && whole == "" && p.fraction == "" && !p.short() {
		problem = QuantityNumberMissing
	}
	return p, problem
}

// cutSign returns s without a sign at its start.
func cutSign(s string) string {
	if s != "" && (s[0] == '-' || s[0] == '+') {
		return s[1:]
	}
	return s
}

// cutDigits returns the digits at the start of s, and the rest.
func cutDigits(s string) (digits, rest string) {
	i := 0
	for i < len(s) && '0' <= s[i] && s[i] <= '9' {
		i++
	}
	return s[:i], s[i:]
}

// addSuffix sets the format and adds the suffix to the exponents.
func (p *parts) addSuffix(suffix string) QuantityProblem {
	p.format = DecimalSI
	problem := QuantitySuffixUnknown
	switch {
	case suffix == "":
		return 0
	case len(suffix) == 1:
		if i := strings.IndexByte(decimalSuffixes, suffix[0]); i >= 0 {
			p.scale += nano + 3*int64(i)
			return 0
		}
	case suffix[1:] == "i":
		if i := strings.IndexByte(binarySuffixes, suffix[0]); i >= 0 {
			p.format, p.shift = BinarySI, 10+10*i
			return 0
		}
	case suffix[0] == 'e' || suffix[0] == 'E':
		exponent, err := strconv.ParseInt(suffix[1:], 10, 32)
		switch {
		case err == nil:
			p.format = DecimalExponent
			p.scale += exponent
			return 0
		case errors.Is(err, strconv.ErrRange):
			problem = QuantityExponentRange
		}
	}
	// ParseInt stops at the digit that is too much, whatever follows.
	if _, rest := cutDigits(cutSign(strings.TrimLeft(suffix, "eEinumkKMGTP"))); rest != "" {
		return QuantityMalformed
	}
	return problem
}

// short reports whether Kubernetes holds the amount as a scaled int64. It holds
// long ones as a decimal with nine places. The texts and floats of the two
// differ: only a short amount may keep its text.
func (p *parts) short() bool {
	digits := max(1, len(p.whole)) + len(p.fraction)
	if p.format == BinarySI {
		return p.fraction == "" && digits+p.shift*3/10 <= 14
	}
	return digits <= 18 && p.scale >= nano
}

// shortQuantity returns the quantity of a short amount that is not 0. Its float
// has no sign.
func (p *parts) shortQuantity(s string) Quantity {
	n := scaled(integer(p.whole), int64(len(p.fraction))) + integer(p.fraction)
	shifted := n << p.shift
	q := Quantity{
		text:  s,
		milli: saturatedMilli(p.negative, scaled(shifted, p.scale+3)),
		float: float64(shifted) * math.Pow10(int(p.scale)),
	}
	var buf [24]byte
	switch {
	case p.format == BinarySI:
		if n%8 == 0 {
			q.text = string(AppendQuantity(buf[:0], q.milli, BinarySI))
		}
	case p.whole == "" || p.scale%3 != 0 || n%1000 == 0:
		q.text = p.text(newDecimal(strconv.AppendUint(buf[:0], n, 10), p.scale))
	}
	return q
}

// longQuantity returns the quantity of a long amount that is not 0. Its float
// has no sign.
func (p *parts) longQuantity() Quantity {
	const room = "0000000000000000000" // for the carry of 2^60
	var buf [64]byte
	digits := append(append(append(buf[:0], room...), p.whole...), p.fraction...)
	if p.format == BinarySI {
		// No carry reaches 2^60, so no sum reaches 10 * 2^60, which fits.
		var carry uint64
		for i := len(digits) - 1; i >= 0; i-- {
			carry += uint64(digits[i]-'0') << p.shift
			digits[i] = '0' + byte(carry%10)
			carry /= 10
		}
	}
	d := newDecimal(digits, p.scale).ceil(nano)
	if p.format == BinarySI {
		d = d.capped()
	}
	q := Quantity{text: p.text(d), float: d.float()}
	d = d.ceil(-3) // The last, as it reuses the digits.
	q.milli = saturatedMilli(p.negative, scaled(integer(d.digits), d.exponent+3))
	return q
}

// text returns the canonical text, or "" if its exponent does not fit an int32.
func (p *parts) text(d decimal) string {
	if d.exponent-d.exponent%3 > math.MaxInt32 {
		return ""
	}
	var buf [40]byte
	dst := buf[:0]
	if p.negative {
		dst = append(dst, '-')
	}
	return string(d.append(dst, p.format))
}
