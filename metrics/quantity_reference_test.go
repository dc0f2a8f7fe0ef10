package metrics_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/metrics"
)

// The reference computes with fractions, by definition and slowly.

var referenceText = regexp.MustCompile(`^([+-]?)([0-9]*)(\.?)([0-9]*)(n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|[eE][+-]?[0-9]+|)$`)

type reference struct {
	amount *big.Rat
	text   string
	float  float64
}

func pow(base, exponent int64) *big.Rat {
	p := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(base), big.NewInt(max(exponent, -exponent)), nil))
	if exponent < 0 {
		p.Inv(p)
	}
	return p
}

// awayFromZero rounds to a whole number.
func awayFromZero(r *big.Rat) *big.Int {
	n, m := new(big.Int).QuoRem(r.Num(), r.Denom(), new(big.Int))
	return n.Add(n, big.NewInt(int64(m.Sign())))
}

func nearestMilli(amount *big.Rat) metrics.Milli {
	m := awayFromZero(new(big.Rat).Mul(amount, pow(10, 3)))
	switch {
	case m.IsInt64():
		return metrics.Milli(m.Int64())
	case m.Sign() < 0:
		return math.MinInt64
	}
	return math.MaxInt64
}

// canonicalText looks for the greatest suffix that leaves an integer.
func canonicalText(amount *big.Rat, f metrics.Format) string {
	size := new(big.Rat).Abs(amount)
	if size.Sign() == 0 {
		return "0"
	}
	if f == metrics.BinarySI {
		if size.IsInt() && size.Cmp(pow(2, 10)) >= 0 {
			for i := int64(6); ; i-- {
				if n := new(big.Rat).Quo(amount, pow(1024, i)); n.IsInt() {
					return n.Num().String() + []string{"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"}[i]
				}
			}
		}
		f = metrics.DecimalSI
	}
	most := int64(18)
	if f == metrics.DecimalExponent {
		most = 300
	}
	for e := most; ; e -= 3 {
		n := new(big.Rat).Quo(amount, pow(10, e))
		switch {
		case !n.IsInt():
		case f == metrics.DecimalSI:
			return n.Num().String() + []string{"n", "u", "m", "", "k", "M", "G", "T", "P", "E"}[e/3+3]
		case e == 0:
			return n.Num().String()
		default:
			return fmt.Sprintf("%se%d", n.Num(), e)
		}
	}
}

// parseReference returns nil if s is not a quantity. Exponents must be small.
func parseReference(s string) *reference {
	m := referenceText.FindStringSubmatch(s)
	if m == nil || s == "" {
		return nil
	}
	sign, whole, fraction, suffix := m[1], strings.TrimLeft(m[2], "0"), m[4], m[5]
	if whole == "" {
		whole = "0"
	}
	digits, _ := new(big.Int).SetString(whole+fraction, 10)
	amount := new(big.Rat).Mul(new(big.Rat).SetInt(digits), pow(10, -int64(len(fraction))))

	var exponent int64
	f := metrics.DecimalSI
	var small bool
	switch {
	case strings.HasSuffix(suffix, "i"):
		f = metrics.BinarySI
		i := int64(strings.Index("KMGTPE", suffix[:1])) + 1
		amount.Mul(amount, pow(1024, i))
		small = fraction == "" && len(whole) <= []int{0, 11, 8, 5, 2, -1, -4}[i]
		digits.Lsh(digits, uint(10*i))
	case len(suffix) > 1:
		f = metrics.DecimalExponent
		exponent, _ = strconv.ParseInt(suffix[1:], 10, 64)
	case suffix == "n", suffix == "u", suffix == "m":
		exponent = int64(strings.Index("num", suffix))*3 - 9
	case suffix != "":
		exponent = int64(strings.Index("kMGTPE", suffix))*3 + 3
	}
	if f != metrics.BinarySI {
		amount.Mul(amount, pow(10, exponent))
		exponent -= int64(len(fraction))
		small = len(whole)+len(fraction) <= 18 && exponent >= -9
	}
	if !small && m[2]+fraction == "" {
		return nil
	}

	nanos := awayFromZero(new(big.Rat).Mul(amount, pow(10, 9)))
	amount.Mul(new(big.Rat).SetInt(nanos), pow(10, -9))
	if limit := new(big.Rat).SetInt64(math.MaxInt64); f == metrics.BinarySI && amount.Cmp(limit) > 0 {
		amount = limit
		nanos.Mul(limit.Num(), big.NewInt(1e9))
	}
	if !small {
		digits, exponent = nanos, -9
	}
	if sign == "-" {
		amount.Neg(amount)
		digits.Neg(digits)
	}
	r := &reference{amount: amount, text: canonicalText(amount, f)}
	if amount.Sign() != 0 {
		r.float, _ = new(big.Float).SetInt(digits).Float64()
		if exponent != 0 {
			r.float *= math.Pow10(int(exponent))
		}
	}
	if small && amount.Sign() != 0 {
		number, _ := strconv.ParseInt(whole, 10, 64)
		if f == metrics.BinarySI && number%8 != 0 ||
			f != metrics.BinarySI && exponent%3 == 0 && whole != "0" && !strings.HasSuffix(whole+fraction, "000") {
			r.text = s
		}
	}
	return r
}

// quantityTexts draws quantities and near misses. Exponents have at most two
// digits.
func quantityTexts() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.StringMatching(`[+-]?[0-9]{1,4}(\.[0-9]{1,4})?(n|u|m|k|M|G|T|P|E|[KMGTPE]i|[eE][+-]?[0-9]{1,2})?`),
		rapid.StringMatching(`[+-]?0?[0-9]{0,24}(\.[0-9]{0,90})?(n|u|m|k|M|G|T|P|E|[KMGTPE]i|[eE][+-]?[0-9]{1,2})?`),
		rapid.StringMatching(`[+-]?[09]{15,25}(\.[09]{0,30})?(n|u|m|k|M|G|T|P|E|[KMGTPE]i|[eE][+-]?[0-9]{1,2})?`),
		rapid.StringMatching(`-?(922337203685477580[6-9]|922337203685477[56]|(7|15)\.9{18,25}|1024|1023|1|8)m?[KPE]?i?`),
		rapid.StringMatching(`[+-]?[0-9.]{0,4}[eEinumkKMGTPx ]{0,2}[+-]?[0-9]{0,2}`),
	)
}

func TestQuantityReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := quantityTexts().Draw(t, "text")
		q, err := metrics.ParseQuantity(s)
		want := parseReference(s)
		if want == nil {
			require.Error(t, err)
			return
		}
		require.NoError(t, err)
		require.Equal(t, want.text, q.String())
		require.Equal(t, nearestMilli(want.amount), q.Milli())
		require.Equal(t, want.amount.Sign(), q.Sign())
		require.Equal(t, math.Float64bits(want.float), math.Float64bits(q.Float64()), "%v %v", want.float, q.Float64())
	})
}

func TestReferenceOfRecordedQuantities(t *testing.T) {
	for _, r := range recordedQuantities(t) {
		if _, deviates := deviations[r.Text]; deviates || regexp.MustCompile(`[0-9]{5}$`).MatchString(r.Text) && strings.ContainsAny(r.Text, "eE") {
			continue
		}
		want := parseReference(r.Text)
		require.Equal(t, r.Error == "", want != nil, r.Text)
		if want != nil {
			require.Equal(t, r.String, want.text, r.Text)
			require.Equal(t, metrics.Milli(r.Milli), nearestMilli(want.amount), r.Text)
		}
	}
}

func TestQuantityRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q, err := metrics.ParseQuantity(quantityTexts().Draw(t, "text"))
		if err != nil {
			var qe *metrics.QuantityError
			require.True(t, errors.As(err, &qe))
			return
		}
		var again metrics.Quantity
		text, err := q.MarshalText()
		require.NoError(t, err)
		require.NoError(t, again.UnmarshalText(text))
		require.Equal(t, q.Milli(), again.Milli())
		require.Equal(t, q.Sign(), again.Sign())
		third, err := metrics.ParseQuantity(again.String())
		require.NoError(t, err)
		require.Equal(t, again.String(), third.String())

		data, err := json.Marshal(q)
		require.NoError(t, err)
		var decoded metrics.Quantity
		require.NoError(t, json.Unmarshal(data, &decoded))
		require.Equal(t, again, decoded)
	})
}
