package simulate

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// drawn returns n draws in ascending order.
func drawn(d Distribution, n int) []time.Duration {
	r := NewRand(42)
	all := make([]time.Duration, n)
	for i := range all {
		all[i] = d.Draw(&r)
	}
	slices.Sort(all)
	return all
}

func mean(all []time.Duration) time.Duration {
	var sum float64
	for _, d := range all {
		sum += float64(d)
	}
	return time.Duration(sum / float64(len(all)))
}

func TestFixed(t *testing.T) {
	require.Equal(t, []time.Duration{time.Second, time.Second}, drawn(Fixed(time.Second), 2))
}

func TestUniform(t *testing.T) {
	all := drawn(Uniform{10 * time.Second, 30 * time.Second}, 10_000)
	require.GreaterOrEqual(t, all[0], 10*time.Second)
	require.LessOrEqual(t, all[len(all)-1], 30*time.Second)
	require.InDelta(t, 20, mean(all).Seconds(), 0.2)
	require.InDelta(t, 15, all[len(all)/4].Seconds(), 0.3)
	ends := map[time.Duration]int{}
	for _, d := range drawn(Uniform{3, 5}, 3000) {
		ends[d]++
	}
	require.Len(t, ends, 3, "both ends are drawn: %v", ends)
	require.Equal(t, time.Duration(7), drawn(Uniform{7, 7}, 1)[0])
	require.Equal(t, time.Duration(7), drawn(Uniform{7, 6}, 1)[0])
	require.GreaterOrEqual(t, drawn(Uniform{0, math.MaxInt64}, 1)[0], time.Duration(0))
}

func TestExponential(t *testing.T) {
	all := drawn(Exponential{time.Hour}, 50_000)
	require.InDelta(t, 1, mean(all).Hours(), 0.02)
	require.InDelta(t, math.Ln2, all[len(all)/2].Hours(), 0.02, "the median")
	require.Zero(t, drawn(Exponential{}, 1)[0])
	require.Zero(t, drawn(Exponential{-1}, 1)[0])
	require.LessOrEqual(t, drawn(Exponential{math.MaxInt64}, 1000)[999], time.Duration(math.MaxInt64))
	require.Equal(t, time.Duration(math.MaxInt64), drawn(Exponential{math.MaxInt64}, 1000)[999])
}

// TestNegativeLog holds the logarithm in integers against that of package math.
func TestNegativeLog(t *testing.T) {
	check := func(u uint64) {
		x := float64(u)/(1<<64) + 0x1p-64
		require.InDelta(t, -math.Log(x), float64(negativeLog(u))/(1<<32), 2e-8, "%#x", u)
	}
	for _, u := range []uint64{0, 1, 2, 3, 1<<32 - 1, 1 << 32, 1<<63 - 1, 1 << 63, math.MaxUint64 - 1, math.MaxUint64} {
		check(u)
	}
	rapid.Check(t, func(t *rapid.T) { check(rapid.Uint64().Draw(t, "u")) })
	require.Zero(t, negativeLog(math.MaxUint64))
	require.Less(t, float64(negativeLog(0))/(1<<32), 44.4)
}

func TestQuantiles(t *testing.T) {
	q := Quantiles{{50, 20 * time.Second}, {90, 40 * time.Second}, {99, 2 * time.Minute}}
	all := drawn(q, 100_000)
	require.Equal(t, 20*time.Second, all[0])
	require.Equal(t, 20*time.Second, all[49_000])
	require.InDelta(t, 30, all[70_000].Seconds(), 0.5)
	require.InDelta(t, 40, all[90_000].Seconds(), 1)
	require.Equal(t, 2*time.Minute, all[99_500])
	require.Equal(t, 2*time.Minute, all[len(all)-1])

	require.Zero(t, drawn(Quantiles{}, 1)[0])
	require.Equal(t, time.Minute, drawn(Quantiles{{100, time.Minute}}, 1)[0])
	require.Equal(t, time.Minute, drawn(Quantiles{{0, time.Minute}}, 1)[0])
	flat := Quantiles{{0, time.Minute}, {100, time.Minute}}
	require.Equal(t, []time.Duration{time.Minute, time.Minute}, drawn(flat, 2))
	unordered := Quantiles{{90, time.Minute}, {50, time.Second}, {95, 2 * time.Minute}}
	for _, d := range drawn(unordered, 100) {
		require.LessOrEqual(t, d, 2*time.Minute)
	}
}

// TestDoubling: what takes twice as long does so in each single draw.
func TestDoubling(t *testing.T) {
	for _, d := range []Distribution{Fixed(3 * time.Second), Uniform{time.Second, time.Minute}, Exponential{time.Minute}, Quantiles{{10, time.Second}, {90, time.Minute}}} {
		a, b := NewRand(9), NewRand(9)
		for range 100 {
			require.Equal(t, 2*d.Draw(&a), Multiple{d, 2}.Draw(&b))
		}
	}
	require.Zero(t, drawn(Multiple{Fixed(1), 0}, 1)[0])
	require.Zero(t, drawn(Multiple{Fixed(1), -1}, 1)[0])
	require.Zero(t, drawn(Multiple{nil, 2}, 1)[0])
	require.Equal(t, time.Duration(math.MaxInt64), drawn(Multiple{Fixed(math.MaxInt64), 2}, 1)[0])
	require.Equal(t, time.Duration(math.MaxInt64), drawn(Multiple{Fixed(math.MaxInt64 / 2), 3}, 1)[0])
}

// TestDistributionsFrozen: draws stay the same from release to release, and on
// every processor.
func TestDistributionsFrozen(t *testing.T) {
	for _, tt := range []struct {
		d    Distribution
		want []time.Duration
	}{
		{Uniform{0, time.Minute}, []time.Duration{33993694510, 44746905436}},
		{Exponential{time.Minute}, []time.Duration{34090170627, 17599336327}},
		{Quantiles{{0, time.Second}, {50, 20 * time.Second}, {100, time.Minute}}, []time.Duration{25324926013, 39662540581}},
	} {
		r := NewRand(1)
		require.Equal(t, tt.want, []time.Duration{tt.d.Draw(&r), tt.d.Draw(&r)}, "%T", tt.d)
	}
}
