package trial

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/purehpa/hpa/metrics"
)

// amounts reads the values of a column, as programs or people write them: 12.5, 1e3,
// "12,345", 3,5 where semicolons divide columns, and with a unit 1.23K req/s, 1.2 Mil,
// 1.5 KiB/s or 45%, as Grafana does unless it is told not to.
type amounts struct {
	decimalComma bool
	// unit is that of all values, once any was read.
	unit string
	any  bool
	// mark is what divides decimals, once it is known where it may be a comma.
	mark string
}

// number is the numeric part of a value, and what follows.
var number = regexp.MustCompile(`^([+-]?(?:[0-9][0-9.,]*|[.][0-9]+)(?:[eE][+-]?[0-9]+)?)(\s*)(.*)$`)

// thousands is a number with commas between its thousands.
var thousands = regexp.MustCompile(`^[+-]?[0-9]{1,3}(,[0-9]{3})+([.][0-9]*)?$`)

// read reads a value. An empty one, or NaN, is none.
func (a *amounts) read(s string) (v metrics.Milli, there bool, err error) {
	switch s = strings.TrimSpace(s); strings.ToLower(s) {
	case "", "nan", "null":
		return 0, false, nil
	}
	f, unit, err := a.split(s)
	if err != nil {
		return 0, false, err
	}
	if a.any && unit != a.unit {
		return 0, false, fmt.Errorf("%q is in another unit than the values before, %q", s, a.unit)
	}
	a.unit, a.any = unit, true
	v, err = milli(f, s)
	return v, err == nil, err
}

// split returns the number and the unit of a value.
func (a *amounts) split(s string) (f float64, unit string, err error) {
	if f, err = strconv.ParseFloat(s, 64); err == nil && !(a.decimalComma && strings.Contains(s, ".")) {
		return f, "", nil
	}
	parts := number.FindStringSubmatch(s)
	if parts == nil {
		return 0, "", fmt.Errorf("%q is not a number", s)
	}
	if f, err = a.parse(parts[1]); err != nil {
		return 0, "", fmt.Errorf("%q %w", s, err)
	}
	times, unit := multiple(parts[3], parts[2] == "")
	return f * times, unit, nil
}

// parse reads digits. Where a comma may divide decimals, a point may not as well: 3.000
// is three thousand after 1,5.
func (a *amounts) parse(digits string) (float64, error) {
	mark := ""
	switch {
	case a.decimalComma && strings.Count(digits, ",") == 1:
		mark, digits = ",", strings.Replace(strings.ReplaceAll(digits, ".", ""), ",", ".", 1)
	case a.decimalComma && strings.Contains(digits, "."):
		mark = "."
	case thousands.MatchString(digits):
		digits = strings.ReplaceAll(digits, ",", "")
	}
	if mark != "" && a.mark != "" && mark != a.mark {
		return 0, errors.New("has a comma where the values before have a point, or the other way round")
	}
	a.mark = cmp.Or(mark, a.mark)
	f, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return 0, errors.New("is not a number")
	}
	return f, nil
}

// multiples are the short scale's words, and the prefixes of units.
var multiples = map[string]float64{
	"K": 1e3, "k": 1e3, "Mil": 1e6, "M": 1e6, "Bil": 1e9, "G": 1e9, "Tri": 1e12, "T": 1e12,
	"Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30, "Ti": 1 << 40,
}

// multiple returns what a text after a number multiplies it by, and the unit in it.
// A B that is attached to the number is a billion, others are bytes.
func multiple(text string, attached bool) (times float64, unit string) {
	word, rest, _ := strings.Cut(text, " ")
	if times, ok := multiples[word]; ok {
		return times, rest
	}
	if word == "B" && attached {
		return 1e9, rest
	}
	for _, prefix := range []string{"Ki", "Mi", "Gi", "Ti", "k", "K", "M", "G", "T"} {
		if of, ok := strings.CutPrefix(text, prefix); ok && (strings.HasPrefix(of, "B") || strings.HasPrefix(of, "b")) {
			return multiples[prefix], of
		}
	}
	return 1, text
}

// milli returns a value in milli-units.
func milli(f float64, s string) (metrics.Milli, error) {
	switch {
	case math.IsNaN(f):
		return 0, fmt.Errorf("%q is not a number", s)
	case f < 0:
		return 0, fmt.Errorf("%s is negative", s)
	case f > largest:
		return 0, fmt.Errorf("%s is too large", s)
	}
	return metrics.Milli(math.Round(f * 1000)), nil
}

// largest is the largest value.
const largest = 1e15
