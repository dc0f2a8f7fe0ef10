package metrics_test

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/metrics"
)

// recordedQuantity is a text and what Kubernetes returns for it.
type recordedQuantity struct {
	Text   string
	Error  string
	String string
	Milli  int64
	Sign   int
	Float  string
}

func recordedQuantities(t testing.TB) []recordedQuantity {
	t.Helper()
	f, err := os.Open("testdata/quantities.jsonl")
	require.NoError(t, err)
	defer f.Close()
	lines := bufio.NewScanner(f)
	require.True(t, lines.Scan(), "head line")
	require.Contains(t, lines.Text(), "k8s.io/apimachinery v0.37.1")
	var all []recordedQuantity
	for lines.Scan() {
		var r recordedQuantity
		require.NoError(t, json.Unmarshal(lines.Bytes(), &r))
		all = append(all, r)
	}
	require.NoError(t, lines.Err())
	require.Greater(t, len(all), 400)
	return all
}

// deviations are the results that differ from the recorded ones, each of a kind
// that Quantity documents.
var deviations = func() map[string]recordedQuantity {
	m := map[string]recordedQuantity{}
	saturated := func(milli int64, texts ...string) {
		for _, s := range texts {
			m[s] = recordedQuantity{Milli: milli}
		}
	}
	saturated(math.MaxInt64,
		"1E", "10E", "100E", "9.2E", "9.3E", "0.5E", "100Pi", "1024Pi", "1Ei", "7Ei", "8Ei", "9Ei", "16Ei",
		"7.99Ei", "7.9999999999999999996Ei", "7.9999999999999999990Ei", "1000000Ei", "0.5Ei", "7.5Ei", "7.999999999999999999Ei", "7.9999999999999999999999999999Ei",
		"15.99999999999999999999999999999Ei", "12345678901234567890Ki", "18446744073709551615Ki",
		"18446744073709551616Ki", "9007199254740991Ki", "9007199254740992Ki", "9223372036854775807Ki",
		"1e18", "1e19", "1e20", "1e21", "1e22", "1e30", "1e40", "1e100", "1e300", "1e308", "1e309", "1e400",
		"12345678901234567890e3", "1234567890123456789e285", "1e2147483646", "1e2147483647",
		"123456789012345678", "1234567890123456789", "12345678901234567890", "999999999999999999",
		"9999999999999999999", "100000000000000000", "1000000000000000000", "10000000000000000000",
		"9007199254740993000", "90071992547409930000", "9223372036854776", "9223372036854775807",
		"9223372036854775808", "9223372036854775808m", "9223372036854775807.5m")
	saturated(math.MinInt64,
		"-1Ei", "-8Ei", "-9Ei", "-1e400", "-9223372036854776", "-9223372036854775807",
		"-9223372036854775809m")
	// Held as decimals, negative, and beyond an int64 of nano-units.
	m["-16.5Gi"] = recordedQuantity{Milli: -17716740096000}
	m["-1Pi"] = recordedQuantity{Milli: -1125899906842624000}
	m["-8Pi"] = recordedQuantity{Milli: -9007199254740992000}
	m["-9223372036854775808m"] = recordedQuantity{Milli: math.MinInt64}
	m["-9999999999.999999999999"] = recordedQuantity{Milli: -10000000000000}
	// Held as decimals, negative, and with a fraction of a milli-unit.
	m["-0.0001Ki"] = recordedQuantity{Milli: -103}
	m["-1.0001Ki"] = recordedQuantity{Milli: -1024103}
	m["-1e-10"] = recordedQuantity{Milli: -1}
	m["-0.0000000001"] = recordedQuantity{Milli: -1}
	m["-0.1234567890123456789"] = recordedQuantity{Milli: -124}
	m["-1.1n"] = recordedQuantity{Milli: -1}
	// Beyond E.
	for s, text := range map[string]string{
		"1000E":                     "1000E",
		"10000E":                    "10000E",
		"1000000P":                  "1000E",
		"1000000000000T":            "1000000E",
		"1000000000000000000000":    "1000E",
		"1000000000000000000000000": "1000000E",
	} {
		m[s] = recordedQuantity{String: text, Milli: math.MaxInt64}
	}
	m["-1000E"] = recordedQuantity{String: "-1000E", Milli: math.MinInt64}
	saturated(math.MaxInt64, "1001E", "1500E", "999999999999999999999", "1000000.5P")
	// Exponents.
	m["10e2147483647"] = recordedQuantity{String: "100e2147483646", Milli: math.MaxInt64}
	for _, s := range []string{"1000e2147483646", "1000e2147483647", "1e4294967296", "1e9223372036854775807",
		"1e9223372036854775808", "1e99999999999999999999", "1e-99999999999999999999"} {
		m[s] = recordedQuantity{Error: "exponent is out of range"}
	}
	m["0e400"] = recordedQuantity{Float: "0"}
	m["0.000000000000000000000e500"] = recordedQuantity{Float: "0"}
	return m
}()

func TestRecordedQuantities(t *testing.T) {
	for _, want := range recordedQuantities(t) {
		t.Run(strconv.Quote(want.Text), func(t *testing.T) {
			d, deviates := deviations[want.Text]
			if deviates {
				recorded := want
				if d.Error != "" {
					want.Error = d.Error
				}
				if d.String != "" {
					want.String = d.String
				}
				if d.Milli != 0 {
					want.Milli = d.Milli
				}
				if d.Float != "" {
					want.Float = d.Float
				}
				require.NotEqual(t, recorded, want, "no deviation")
			}

			q, err := metrics.ParseQuantity(want.Text)
			if want.Error != "" {
				var qe *metrics.QuantityError
				require.ErrorAs(t, err, &qe)
				require.Equal(t, want.Text, qe.Text)
				require.Equal(t, want.Error, qe.Problem.String())
				require.Zero(t, q)
				return
			}
			require.NoError(t, err)
			f, err := strconv.ParseFloat(want.Float, 64)
			require.NoError(t, err)
			require.True(t, q.IsSet())
			require.Equal(t, want.String, q.String())
			require.Equal(t, metrics.Milli(want.Milli), q.Milli())
			require.Equal(t, want.Sign, q.Sign())
			require.Equal(t, math.Float64bits(f), math.Float64bits(q.Float64()), "float %v", q.Float64())
		})
	}
}

func TestQuantityZero(t *testing.T) {
	var q metrics.Quantity
	require.False(t, q.IsSet())
	require.Zero(t, q.Milli())
	require.Zero(t, q.Sign())
	require.Zero(t, q.Float64())
	require.Empty(t, q.String())

	zero := metrics.MilliQuantity(0, metrics.BinarySI)
	require.True(t, zero.IsSet())
	require.NotEqual(t, q, zero)
	parsed, err := metrics.ParseQuantity("-0.0e9")
	require.NoError(t, err)
	require.Equal(t, zero, parsed)
}

func TestQuantityEqual(t *testing.T) {
	parse := func(s string) metrics.Quantity {
		q, err := metrics.ParseQuantity(s)
		require.NoError(t, err)
		return q
	}
	require.True(t, parse("1024Mi") == parse("1Gi"))
	require.True(t, parse("1000m") == parse("1"))
	require.True(t, parse("1500m") == parse("1.50"))
	require.False(t, parse("1") == parse("1001m"))
	require.False(t, parse("1024") == parse("1Ki"), "same amount, other text")
	require.False(t, parse("1.001") == parse("1001m"), "same amount, both texts kept")
	require.LessOrEqual(t, unsafe.Sizeof(metrics.Quantity{}), uintptr(48))
}

func TestQuantityJSON(t *testing.T) {
	for _, tt := range []struct{ in, out string }{
		{`"250m"`, `"250m"`},
		{`"0.25"`, `"250m"`},
		{`" 250m\t"`, ""}, // an escape
		{"\" 250m\t\"", `"250m"`},
		{"\"\u20031Gi\u2003\"", `"1Gi"`},
		{`2`, `"2"`},
		{` 2 `, `"2"`},
		{`1.5`, `"1500m"`},
		{`1e3`, `"1e3"`},
		{`-0`, `"0"`},
		{`null`, `null`},
		{` null`, ""},
		{`"null"`, ""},
		{`""`, ""},
		{`"`, ""},
		{``, ""},
		{`"1`, ""},
		{`1"`, ""},
		{`"\u0031"`, ""},
		{`{}`, ""},
		{`true`, ""},
		{`["1"]`, ""},
	} {
		t.Run(tt.in, func(t *testing.T) {
			before := metrics.MilliQuantity(7, metrics.DecimalSI)
			q := before
			err := q.UnmarshalJSON([]byte(tt.in))
			if tt.out == "" {
				var qe *metrics.QuantityError
				require.ErrorAs(t, err, &qe)
				require.Equal(t, before, q)
				return
			}
			require.NoError(t, err)
			out, err := q.MarshalJSON()
			require.NoError(t, err)
			require.Equal(t, tt.out, string(out))
			require.Equal(t, tt.out != "null", q.IsSet())
		})
	}

	type object struct {
		A metrics.Quantity            `json:"a"`
		B metrics.Quantity            `json:"b,omitzero"`
		C map[string]metrics.Quantity `json:"c,omitempty"`
	}
	out, err := json.Marshal(object{C: map[string]metrics.Quantity{"cpu": metrics.MilliQuantity(500, metrics.DecimalSI)}})
	require.NoError(t, err)
	require.JSONEq(t, `{"a":null,"c":{"cpu":"500m"}}`, string(out))
	var in object
	require.NoError(t, json.Unmarshal(out, &in))
	require.Equal(t, object{C: map[string]metrics.Quantity{"cpu": metrics.MilliQuantity(500, metrics.DecimalSI)}}, in)
	out, err = json.Marshal(object{B: metrics.MilliQuantity(0, metrics.DecimalSI)})
	require.NoError(t, err)
	require.JSONEq(t, `{"a":null,"b":"0"}`, string(out))
}

func TestQuantityText(t *testing.T) {
	before := metrics.MilliQuantity(7, metrics.DecimalSI)
	q := before
	var qe *metrics.QuantityError
	require.ErrorAs(t, q.UnmarshalText([]byte(" 1")), &qe)
	require.Equal(t, before, q)
	require.NoError(t, q.UnmarshalText([]byte("1.5Gi")))
	text, err := q.MarshalText()
	require.NoError(t, err)
	require.Equal(t, "1536Mi", string(text))
	require.NoError(t, q.UnmarshalText(nil))
	require.False(t, q.IsSet())
	text, err = q.MarshalText()
	require.NoError(t, err)
	require.Empty(t, text)
}

func TestQuantityError(t *testing.T) {
	_, err := metrics.ParseQuantity("abc")
	require.EqualError(t, err, `metrics: quantity "abc": quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`)
	_, err = metrics.ParseQuantity("1Zi")
	require.ErrorContains(t, err, `"1Zi"`)
	_, err = metrics.ParseQuantity("1e7000000000A")
	require.EqualError(t, err, `metrics: quantity "1e7000000000A": quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`)
	_, err = metrics.ParseQuantity("5mm")
	require.EqualError(t, err, `metrics: quantity "5mm": unable to parse quantity's suffix`)
	_, err = metrics.ParseQuantity("Ei")
	require.EqualError(t, err, `metrics: quantity "Ei": unable to parse numeric part of quantity`)
	_, err = metrics.ParseQuantity("1e2147483648")
	require.EqualError(t, err, `metrics: quantity "1e2147483648": exponent is out of range`)
	require.Equal(t, "QuantityProblem(9)", metrics.QuantityProblem(9).String())

	for _, n := range []int{63, 64, 65, 1 << 20} {
		_, err = metrics.ParseQuantity(strings.Repeat("x", n))
		require.Equal(t, min(n, 64), strings.Count(err.Error(), "x")-strings.Count(metrics.QuantityMalformed.String(), "x"))
		require.Equal(t, n > 64, strings.Contains(err.Error(), `x"...: `))
	}
	_, err = metrics.ParseQuantity(strings.Repeat("\x00", 1000))
	require.Less(t, len(err.Error()), 400)
}

// These texts take forever if the work depends on the exponent, or is quadratic
// in the length.
func TestQuantityLong(t *testing.T) {
	const n = 1 << 20
	zeros, nines := strings.Repeat("0", n), strings.Repeat("9", n)
	for _, tt := range []struct {
		name, in, out string
		milli         metrics.Milli
	}{
		{"small", "1e-2147483648", "1e-9", 1},
		{"small negative", "-1.5e-2147483648", "-1e-9", -1},
		{"zero", "0e2147483647", "0", 0},
		{"zero, small", "0e-2147483648", "0", 0},
		{"large", "12345678901234567890e2000000000", "1234567890123456789e2000000001", math.MaxInt64},
		{"leading zeros", zeros + "8Ki", "8Ki", 8192000},
		{"fraction of zeros", "1." + zeros, "1", 1000},
		{"fraction of zeros and a digit", "0." + zeros + "1", "1n", 1},
		{"fraction of nines", "0." + nines, "1", 1000},
		{"binary fraction of nines", "1." + nines + "Ki", "2Ki", 2048000},
		{"nines", nines + "Ki", "9223372036854775807", math.MaxInt64},
		{"zeros", "1" + zeros + "k", "1" + zeros[15:] + "E", math.MaxInt64},
	} {
		t.Run(tt.name, func(t *testing.T) {
			q, err := metrics.ParseQuantity(tt.in)
			require.NoError(t, err)
			require.Equal(t, tt.milli, q.Milli())
			require.True(t, tt.out == q.String(), "%.40q", q.String())
		})
	}
}

func TestQuantityAllocations(t *testing.T) {
	for _, tt := range []struct {
		text   string
		allocs float64
	}{
		{"0", 0},
		{"250m", 0},
		{"1", 0},
		{"1.5", 1},
		{"1Gi", 0},
		{"1.5Gi", 1},
		{"1024Mi", 1},
		{"0.05", 1},
		{"1500000m", 1},
		{"12e6", 0},
		{"0.333333333333333333333", 1},
	} {
		require.Equal(t, tt.allocs, testing.AllocsPerRun(100, func() {
			if _, err := metrics.ParseQuantity(tt.text); err != nil {
				t.Error(err)
			}
		}), tt.text)
	}
}

func BenchmarkParseQuantity(b *testing.B) {
	for _, s := range []string{"250m", "1.5", "1Gi", "1.5Gi", "1024Mi", "0.333333333333333333333", "9223372036854775807"} {
		b.Run("text="+s, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := metrics.ParseQuantity(s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
