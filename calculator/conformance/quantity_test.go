package conformance

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/metrics"
)

// TestQuantityProperty compares quantities with resource.Quantity.
func TestQuantityProperty(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		checkQuantity(rt, quantityText().Draw(rt, "text"))
		checkMilli(rt, rapid.Int64().Draw(rt, "milli"))
	})
}

// FuzzQuantity parses any text.
func FuzzQuantity(f *testing.F) {
	for _, s := range []string{"", "1", "250m", "1Gi", "-16.5Gi", "1e3", "12E-2", ".5", "5.", "+1n", "9223372036854775807", "1000E", "0.0000000001"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { checkQuantity(t, s) })
}

func quantityText() *rapid.Generator[string] {
	return rapid.Custom(func(rt *rapid.T) string {
		number := rapid.OneOf(
			rapid.StringMatching(`[0-9]{0,4}(\.[0-9]{0,4})?`),
			rapid.StringMatching(`[0-9]{1,40}(\.[0-9]{0,30})?`),
			rapid.Map(rapid.Int64(), func(v int64) string { return fmt.Sprint(uint64(v)) }),
			rapid.SampledFrom([]string{"9223372036854775807", "9223372036854775808", "9223372036854775", "9223372036854776", "9007199254740993", "1023", "1024", "999", "1000"}),
		).Draw(rt, "number")
		suffix := rapid.OneOf(
			rapid.SampledFrom([]string{"", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"}),
			rapid.StringMatching(`[eE][-+]?[0-9]{1,2}`),
			rapid.StringMatching(`[a-zA-Z0-9.+-]{0,3}`),
		).Draw(rt, "suffix")
		return rapid.SampledFrom([]string{"", "", "+", "-"}).Draw(rt, "sign") + number + suffix
	})
}

// hugeExponent finds exponents that take upstream very long, or wrap around.
var hugeExponent = regexp.MustCompile(`[eE][-+]?\d{4}`)

type fataler interface {
	Helper()
	Fatalf(string, ...any)
}

// checkQuantity compares what both parse. Deviations are those that
// metrics.Quantity documents.
func checkQuantity(t fataler, s string) {
	t.Helper()
	if hugeExponent.MatchString(s) || len(s) > 200 {
		return
	}
	up, upErr := resource.ParseQuantity(s)
	lib, err := metrics.ParseQuantity(s)
	if upErr != nil || err != nil {
		var e *metrics.QuantityError
		if upErr == nil || !errors.As(err, &e) || e.Text != s || e.Problem.String() != upErr.Error() {
			t.Fatalf("%q: upstream says %v, the library %v", s, upErr, err)
		}
		return
	}
	if up.Sign() != lib.Sign() {
		t.Fatalf("%q: sign %d, library %d", s, up.Sign(), lib.Sign())
	}
	if want, got := up.AsApproximateFloat64(), lib.Float64(); math.Float64bits(want) != math.Float64bits(got) && !math.IsNaN(want) {
		t.Fatalf("%q: float %v, library %v", s, want, got)
	}
	exact, whole := exactMilli(up)
	if want := nearest(exact); lib.Milli() != want {
		t.Fatalf("%q: %d milli-units, library %d", s, want, lib.Milli())
	}
	if got := up.MilliValue(); metrics.Milli(got) != lib.Milli() {
		beyond := !exact.IsInt64() || exact.Cmp(big.NewInt(math.MaxInt64)) == 0
		negative := up.Sign() < 0 && (!whole || exact.CmpAbs(big.NewInt(9223372036854)) > 0)
		if !beyond && !negative {
			t.Fatalf("%q: upstream has %d milli-units, library %d", s, got, lib.Milli())
		}
	}
	if want := up.String(); want != lib.String() {
		if !strings.HasSuffix(lib.String(), "000E") {
			t.Fatalf("%q: text %q, library %q", s, want, lib.String())
		}
		return
	}
	if want, got := marshal(up), marshal(lib); want != got {
		t.Fatalf("%q: JSON %s, library %s", s, want, got)
	}
}

// exactMilli returns the amount in milli-units, rounded away from zero, and
// whether it needed no rounding.
func exactMilli(q resource.Quantity) (*big.Int, bool) {
	q = q.DeepCopy()
	dec := q.AsDec()
	v, e := new(big.Int).Set(dec.UnscaledBig()), 3-int64(dec.Scale())
	power := func(e int64) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(e), nil) }
	if e >= 0 {
		return v.Mul(v, power(e)), true
	}
	v, rest := v.QuoRem(v, power(-e), new(big.Int))
	return v.Add(v, big.NewInt(int64(rest.Sign()))), rest.Sign() == 0
}

func nearest(b *big.Int) metrics.Milli {
	switch {
	case b.IsInt64():
		return metrics.Milli(b.Int64())
	case b.Sign() < 0:
		return math.MinInt64
	}
	return math.MaxInt64
}

// checkMilli compares the texts of an amount in milli-units.
func checkMilli(t fataler, v int64) {
	t.Helper()
	for _, v := range []int64{v, v / 1000 * 1000, v / 1024000 * 1024000} {
		for _, f := range []struct {
			up  resource.Format
			lib metrics.Format
		}{{resource.DecimalSI, metrics.DecimalSI}, {resource.BinarySI, metrics.BinarySI}, {resource.DecimalExponent, metrics.DecimalExponent}} {
			up, lib := resource.NewMilliQuantity(v, f.up), metrics.MilliQuantity(metrics.Milli(v), f.lib)
			if up.String() != lib.String() || up.Sign() != lib.Sign() || up.AsApproximateFloat64() != lib.Float64() {
				t.Fatalf("%d in %v: upstream %v, library %v", v, f.up, up, lib)
			}
		}
	}
}
