package metrics_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/metrics"
)

var formats = []metrics.Format{metrics.DecimalSI, metrics.BinarySI, metrics.DecimalExponent}

func TestAppendQuantity(t *testing.T) {
	for _, tt := range []struct {
		m                         metrics.Milli
		decimal, binary, exponent string
	}{
		{0, "0", "0", "0"},
		{1, "1m", "1m", "1e-3"},
		{-1, "-1m", "-1m", "-1e-3"},
		{10, "10m", "10m", "10e-3"},
		{999, "999m", "999m", "999e-3"},
		{1000, "1", "1", "1"},
		{1001, "1001m", "1001m", "1001e-3"},
		{1500, "1500m", "1500m", "1500e-3"},
		{10_000, "10", "10", "10"},
		{999_000, "999", "999", "999"},
		{1_000_000, "1k", "1k", "1e3"},
		{1_001_000, "1001", "1001", "1001"},
		{1_023_000, "1023", "1023", "1023"},
		{1_023_999, "1023999m", "1023999m", "1023999e-3"},
		{1_024_000, "1024", "1Ki", "1024"},
		{1_024_001, "1024001m", "1024001m", "1024001e-3"},
		{1_025_000, "1025", "1025", "1025"},
		{-1_024_000, "-1024", "-1Ki", "-1024"},
		{-1_025_000, "-1025", "-1025", "-1025"},
		{128_000_000_000, "128M", "125000Ki", "128e6"},
		{1 << 30 * 1000, "1073741824", "1Gi", "1073741824"},
		{(1<<30 - 1024) * 1000, "1073740800", "1048575Ki", "1073740800"},
		{(1<<30 - 1) * 1000, "1073741823", "1073741823", "1073741823"},
		{(1<<30 + 1) * 1000, "1073741825", "1073741825", "1073741825"},
		{9_000_000_000_000_000_000, "9P", "8789062500000Ki", "9e15"},
		{math.MaxInt64, "9223372036854775807m", "9223372036854775807m", "9223372036854775807e-3"},
		{-math.MaxInt64, "-9223372036854775807m", "-9223372036854775807m", "-9223372036854775807e-3"},
		{math.MinInt64, "-9223372036854775808m", "-9223372036854775808m", "-9223372036854775808e-3"},
	} {
		require.Equal(t, tt.decimal, tt.m.String())
		for i, want := range []string{tt.decimal, tt.binary, tt.exponent} {
			f := formats[i]
			require.Equal(t, "x"+want, string(metrics.AppendQuantity([]byte("x"), tt.m, f)), f)
			q := metrics.MilliQuantity(tt.m, f)
			require.Equal(t, want, q.String(), f)
			require.Equal(t, tt.m, q.Milli(), f)
			require.Equal(t, float64(tt.m)*math.Pow10(-3), q.Float64(), f)
		}
		require.Equal(t, tt.decimal, string(metrics.AppendQuantity(nil, tt.m, "")))
		require.Equal(t, tt.exponent, string(metrics.AppendQuantity(nil, tt.m, "Roman")))
	}
}

func TestAppendQuantityReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit := rapid.SampledFrom([]int64{1, 1000, 1000_000, 1024_000, 1000 << 20, 1000 << 40}).Draw(t, "unit")
		n := rapid.Int64Range(math.MinInt64/unit, math.MaxInt64/unit).Draw(t, "n") * unit
		f := rapid.SampledFrom(formats).Draw(t, "format")
		q := metrics.MilliQuantity(metrics.Milli(n), f)
		require.Equal(t, canonicalText(big.NewRat(n, 1000), f), q.String())
		require.Equal(t, new(big.Int).SetInt64(n).Sign(), q.Sign())

		m, err := metrics.ParseMilli(q.String())
		require.NoError(t, err)
		require.Equal(t, metrics.Milli(n), m)
	})
}

func TestParseMilli(t *testing.T) {
	for s, want := range map[string]metrics.Milli{
		"250m":                     250,
		"0.05":                     50,
		"2":                        2000,
		"1Ki":                      1024_000,
		"1u":                       1,
		"999u":                     1,
		"1000u":                    1,
		"1001u":                    2,
		"-1u":                      -1,
		"-999u":                    -1,
		"-1001u":                   -2,
		"9223372036854775806m":     math.MaxInt64 - 1,
		"9223372036854775807m":     math.MaxInt64,
		"9223372036854775808m":     math.MaxInt64,
		"-9223372036854775807m":    math.MinInt64 + 1,
		"-9223372036854775808m":    math.MinInt64,
		"-9223372036854775809m":    math.MinInt64,
		"9223372036854775806.5m":   math.MaxInt64,
		"-9223372036854775806.5m":  math.MinInt64 + 1,
		"18446744073709551615m":    math.MaxInt64,
		"18446744073709551616m":    math.MaxInt64,
		"18446744073709551616001m": math.MaxInt64,
		"9223372036854775807000u":  math.MaxInt64,
		"9223372036854775806001u":  math.MaxInt64,
		"9999999999999999999.1m":   math.MaxInt64,
		"9P":                       9e18,
		"10P":                      math.MaxInt64,
		"-10P":                     math.MinInt64,
	} {
		m, err := metrics.ParseMilli(s)
		require.NoError(t, err, s)
		require.Equal(t, want, m, s)
	}
	m, err := metrics.ParseMilli("1x")
	require.Error(t, err)
	require.Zero(t, m)
}

func TestMilliOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := parseReference(quantityTexts().Draw(t, "a"))
		b := parseReference(quantityTexts().Draw(t, "b"))
		if a == nil || b == nil {
			return
		}
		m, err := metrics.ParseMilli(a.text)
		require.NoError(t, err)
		n, err := metrics.ParseMilli(b.text)
		require.NoError(t, err)
		switch a.amount.Cmp(b.amount) {
		case -1:
			require.LessOrEqual(t, m, n)
		case 0:
			require.Equal(t, m, n)
		case 1:
			require.GreaterOrEqual(t, m, n)
		}
	})
}

func TestMustParse(t *testing.T) {
	require.Equal(t, metrics.Milli(250), metrics.MustParseMilli("250m"))
	require.Equal(t, "1536Mi", metrics.MustParseQuantity("1.5Gi").String())
	want := `metrics: quantity "1x": quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`
	require.PanicsWithError(t, want, func() { metrics.MustParseMilli("1x") })
	require.PanicsWithError(t, want, func() { metrics.MustParseQuantity("1x") })
}

func TestAppendQuantityAllocations(t *testing.T) {
	dst := make([]byte, 0, 32)
	for _, f := range formats {
		for _, m := range []metrics.Milli{0, 250, 1000, 128_000_000_000, 1000 << 30, math.MinInt64} {
			require.Zero(t, testing.AllocsPerRun(100, func() { metrics.AppendQuantity(dst, m, f) }), "%v %v", m, f)
		}
	}
}

func BenchmarkAppendQuantity(b *testing.B) {
	dst := make([]byte, 0, 32)
	for _, f := range formats {
		b.Run("format="+string(f), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				metrics.AppendQuantity(dst, 1536<<20*1000, f)
			}
		})
	}
}
