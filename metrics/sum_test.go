package metrics_test

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/metrics"
)

// millis draws amounts, many of them at a boundary.
func millis() *rapid.Generator[metrics.Milli] {
	return rapid.Custom(func(t *rapid.T) metrics.Milli {
		return metrics.Milli(rapid.OneOf(
			rapid.SampledFrom([]int64{math.MinInt64, math.MinInt64 + 1, -1, 0, 1, math.MaxInt64 - 1, math.MaxInt64}),
			rapid.Int64Range(-1000, 1000),
			rapid.Int64(),
		).Draw(t, "milli"))
	})
}

// bigSum is the reference of Sum.
type bigSum struct{ big.Int }

// sumEnd is where AddSum, AddShare and AddTimes saturate.
var sumEnd = new(big.Int).Lsh(big.NewInt(1), 120)

func (s *bigSum) stop() {
	if s.CmpAbs(sumEnd) > 0 {
		s.Mul(sumEnd, big.NewInt(int64(s.Int.Sign())))
	}
}

func (s *bigSum) milli() metrics.Milli { return nearest(&s.Int, math.MinInt64, math.MaxInt64) }

func nearest(n *big.Int, low, high int64) metrics.Milli {
	switch {
	case n.Cmp(big.NewInt(low)) < 0:
		return metrics.Milli(low)
	case n.Cmp(big.NewInt(high)) > 0:
		return metrics.Milli(high)
	}
	return metrics.Milli(n.Int64())
}

// average is the quotient, truncated toward zero.
func (s *bigSum) average(n int) metrics.Milli {
	if n <= 0 {
		return 0
	}
	return nearest(new(big.Int).Quo(&s.Int, big.NewInt(int64(n))), math.MinInt64, math.MaxInt64)
}

func (s *bigSum) percent(whole *bigSum) int32 {
	if whole.Int.Sign() == 0 {
		return 0
	}
	q := new(big.Int).Mul(&s.Int, big.NewInt(100))
	return int32(nearest(q.Quo(q, &whole.Int), math.MinInt32, math.MaxInt32))
}

// sums draws a Sum and its reference.
func sums(t *rapid.T, name string) (metrics.Sum, *bigSum) {
	var s metrics.Sum
	var want bigSum
	for range rapid.IntRange(0, 6).Draw(t, name+" steps") {
		m := millis().Draw(t, name+" m")
		switch rapid.IntRange(0, 5).Draw(t, name+" step") {
		case 0:
			s.Add(m)
			want.Add(&want.Int, big.NewInt(int64(m)))
		case 1:
			s.Sub(m)
			want.Sub(&want.Int, big.NewInt(int64(m)))
		case 2:
			n := rapid.OneOf(
				rapid.SampledFrom([]int{math.MinInt, -1, 0, 1, 2, math.MaxInt32, math.MaxInt}),
				rapid.Int(),
			).Draw(t, name+" n")
			s.AddTimes(m, n)
			want.Add(&want.Int, new(big.Int).Mul(big.NewInt(int64(m)), big.NewInt(int64(n))))
			want.stop()
		case 3:
			percent := rapid.OneOf(
				rapid.SampledFrom([]int64{math.MinInt64, -1, 0, 1, 99, 100, 101, math.MaxInt32, math.MaxInt64}),
				rapid.Int64(),
			).Draw(t, name+" percent")
			s.AddShare(m, percent)
			share := new(big.Int).Mul(big.NewInt(int64(m)), big.NewInt(percent))
			want.Add(&want.Int, share.Quo(share, big.NewInt(100)))
			if percent != 100 {
				want.stop()
			}
		default:
			s.AddSum(s)
			want.Add(&want.Int, &want.Int)
			want.stop()
		}
	}
	return s, &want
}

func TestSumAgainstBig(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, want := sums(t, "sum")
		require.Equal(t, want.milli(), s.Milli())
		require.Equal(t, want.Int.Sign(), s.Sign())
		n := rapid.OneOf(
			rapid.SampledFrom([]int{math.MinInt, -1, 0, 1, 2, 3, math.MaxInt32, math.MaxInt}),
			rapid.Int(),
		).Draw(t, "n")
		require.Equal(t, want.average(n), s.Average(n), "average over %d", n)

		whole, wantWhole := sums(t, "whole")
		require.Equal(t, want.percent(wantWhole), s.Percent(whole))
		require.Equal(t, wantWhole.percent(want), whole.Percent(s))

		both, wantBoth := s, bigSum{}
		both.AddSum(whole)
		wantBoth.Add(&want.Int, &wantWhole.Int)
		wantBoth.stop()
		require.Equal(t, wantBoth.milli(), both.Milli())
		require.Equal(t, wantBoth.average(3), both.Average(3))
	})
}

func TestSumMilli(t *testing.T) {
	for _, tt := range []struct {
		name string
		add  []metrics.Milli
		want metrics.Milli
		sign int
	}{
		{"nothing", nil, 0, 0},
		{"one", []metrics.Milli{1}, 1, 1},
		{"minus one", []metrics.Milli{-1}, -1, -1},
		{"canceled", []metrics.Milli{-1, 1}, 0, 0},
		{"below the largest", []metrics.Milli{math.MaxInt64, -1}, math.MaxInt64 - 1, 1},
		{"the largest", []metrics.Milli{math.MaxInt64 - 1, 1}, math.MaxInt64, 1},
		{"above the largest", []metrics.Milli{math.MaxInt64, 1}, math.MaxInt64, 1},
		{"above, and back", []metrics.Milli{math.MaxInt64, math.MaxInt64, -math.MaxInt64}, math.MaxInt64, 1},
		{"a whole word", []metrics.Milli{math.MaxInt64, math.MaxInt64, 2}, math.MaxInt64, 1},
		{"above the smallest", []metrics.Milli{math.MinInt64, 1}, math.MinInt64 + 1, -1},
		{"the smallest", []metrics.Milli{math.MinInt64 + 1, -1}, math.MinInt64, -1},
		{"below the smallest", []metrics.Milli{math.MinInt64, -1}, math.MinInt64, -1},
		{"below, and back", []metrics.Milli{math.MinInt64, math.MinInt64, math.MaxInt64, 1}, math.MinInt64, -1},
		{"minus a whole word", []metrics.Milli{math.MinInt64, math.MinInt64}, math.MinInt64, -1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var s metrics.Sum
			for _, m := range tt.add {
				s.Add(m)
			}
			require.Equal(t, tt.want, s.Milli())
			require.Equal(t, tt.sign, s.Sign())
		})
	}
}

func TestSumAverageTruncates(t *testing.T) {
	for _, tt := range []struct {
		add  []metrics.Milli
		n    int
		want metrics.Milli
	}{
		{nil, 1, 0},
		{[]metrics.Milli{299}, 100, 2},
		{[]metrics.Milli{300}, 100, 3},
		{[]metrics.Milli{301}, 100, 3},
		{[]metrics.Milli{-299}, 100, -2},
		{[]metrics.Milli{-300}, 100, -3},
		{[]metrics.Milli{math.MaxInt64, math.MaxInt64}, 2, math.MaxInt64},
		{[]metrics.Milli{math.MaxInt64, math.MaxInt64, 1}, 2, math.MaxInt64},
		{[]metrics.Milli{math.MaxInt64, math.MaxInt64, 2}, 2, math.MaxInt64},
		{[]metrics.Milli{math.MaxInt64, math.MaxInt64}, 3, 6148914691236517204},
		{[]metrics.Milli{math.MinInt64, math.MinInt64}, 2, math.MinInt64},
		{[]metrics.Milli{math.MinInt64, math.MinInt64, -1}, 2, math.MinInt64},
		{[]metrics.Milli{math.MinInt64, math.MinInt64, -2}, 2, math.MinInt64},
		{[]metrics.Milli{math.MaxInt64, math.MaxInt64, 7}, 1, math.MaxInt64}, // 2^64 + 5
		{[]metrics.Milli{math.MinInt64, math.MinInt64, -5}, 1, math.MinInt64},
		{[]metrics.Milli{math.MinInt64}, 1, math.MinInt64},
		{[]metrics.Milli{math.MinInt64, math.MinInt64}, 3, -6148914691236517205},
	} {
		t.Run(fmt.Sprint(tt.add, "/", tt.n), func(t *testing.T) {
			var s metrics.Sum
			for _, m := range tt.add {
				s.Add(m)
			}
			require.Equal(t, tt.want, s.Average(tt.n))
		})
	}
}

// Kubernetes: the average over zero pods is MinInt64 or NaN, or divides by
// zero.
func TestAverageOverNothingIsZero(t *testing.T) {
	var s metrics.Sum
	s.Add(12)
	for _, n := range []int{0, -1, math.MinInt} {
		require.Zero(t, s.Average(n))
	}
	require.Equal(t, metrics.Milli(12), s.Average(1))
}

func TestSumPercent(t *testing.T) {
	for _, tt := range []struct {
		part, whole metrics.Milli
		want        int32
	}{
		{0, 1, 0},
		{999, 1000, 99},
		{1000, 1000, 100},
		{1001, 1000, 100},
		{1009, 1000, 100},
		{1010, 1000, 101},
		{-999, 1000, -99},
		{-1000, 1000, -100},
		{-1000, -1000, 100},
		{1000, -1000, -100},
		{1, math.MaxInt64, 0},
		{math.MaxInt64, math.MaxInt64, 100},
		{math.MinInt64, math.MinInt64, 100},
		{math.MinInt64, math.MaxInt64, -100},
		{21474836_45, 100, math.MaxInt32 - 2},
		{21474836_46, 100, math.MaxInt32 - 1},
		{21474836_47, 100, math.MaxInt32},
		{21474836_48, 100, math.MaxInt32},
		{-21474836_47, 100, math.MinInt32 + 1},
		{-21474836_48, 100, math.MinInt32},
		{-21474836_49, 100, math.MinInt32},
		// A hundred times the part is just below, and just above, a whole word.
		{184467440737095516, 1, math.MaxInt32},
		{184467440737095517, 1, math.MaxInt32},
		{184467440737095517, 2, math.MaxInt32},
		{184467440737095516, math.MaxInt64, 1},
		{184467440737095517, math.MaxInt64, 2},
		{math.MaxInt64, 1, math.MaxInt32},
		{math.MinInt64, 1, math.MinInt32},
		{math.MaxInt64, -1, math.MinInt32},
	} {
		t.Run(fmt.Sprint(tt.part, " of ", tt.whole), func(t *testing.T) {
			var part, whole metrics.Sum
			part.Add(tt.part)
			whole.Add(tt.whole)
			require.Equal(t, tt.want, part.Percent(whole))
		})
	}
}

// One milli-unit matters even in sums of more than 64 bits.
func TestPercentOfLongSums(t *testing.T) {
	for _, times := range []int{1, 2, 3, 4, 5, 1000, 1001, math.MaxInt32} {
		var whole metrics.Sum
		whole.AddTimes(math.MaxInt64, times)
		whole.Add(math.MaxInt64 - 12345)
		for beyond, want := range map[metrics.Milli]int32{-1: 99, 0: 100, 1: 100} {
			part := whole
			part.Add(beyond)
			require.Equal(t, want, part.Percent(whole), "%d times %+d", times, int64(beyond))
		}
	}
}

func TestPercentOfNothingIsZero(t *testing.T) {
	var nothing, huge metrics.Sum
	huge.AddTimes(math.MaxInt64, 1000)
	require.Zero(t, nothing.Percent(nothing))
	require.Zero(t, nothing.Percent(huge))
	require.Zero(t, huge.Percent(nothing))
}

// Kubernetes: 1,000 pods of 100 GiB compute -143%.
func TestSumsBeyondInt64AreExact(t *testing.T) {
	const gib = 1 << 30 * 1000
	var usage, requests metrics.Sum
	var sum, of int64
	for range 1000 {
		usage.Add(100 * gib)
		requests.Add(50 * gib)
		sum += 100 * gib
		of += 50 * gib
	}
	require.Equal(t, int32(-143), int32(sum*100/of), "in int64")
	require.Equal(t, int32(200), usage.Percent(requests))
	require.Equal(t, metrics.Milli(100*gib), usage.Average(1000))

	// The sums themselves beyond int64.
	for range 99_000 {
		usage.Add(100 * gib)
		requests.Add(50 * gib)
	}
	require.Equal(t, int32(200), usage.Percent(requests))
	require.Equal(t, metrics.Milli(100*gib), usage.Average(100_000))
	require.Equal(t, metrics.Milli(math.MaxInt64), usage.Milli())
}

// Kubernetes: -5 becomes 2147483647 replicas, depending on the order.
func TestSumsOfNegativesAreSigned(t *testing.T) {
	values := []metrics.Milli{-5, 3, math.MaxInt64, -math.MaxInt64, -7}
	for range values {
		values = append(values[1:], values[0])
		var s metrics.Sum
		for _, v := range values {
			s.Add(v)
		}
		require.Equal(t, metrics.Milli(-9), s.Milli(), values)
		require.Equal(t, metrics.Milli(-4), s.Average(2), values)
	}
}

func TestSumAddShare(t *testing.T) {
	for _, tt := range []struct {
		m       metrics.Milli
		percent int64
		want    metrics.Milli
	}{
		{250, 0, 0},
		{250, 99, 247},
		{250, 100, 250},
		{250, 101, 252},
		{1, 99, 0},
		{1, 199, 1},
		{1, 200, 2},
		{-1, 99, 0},
		{-1, 199, -1},
		{-250, 101, -252},
		{250, -101, -252},
		{-250, -101, 252},
		{math.MaxInt64, 99, 9131138316486228048},
		{math.MaxInt64, 100, math.MaxInt64},
		{math.MaxInt64, 101, math.MaxInt64},
		{math.MinInt64, 99, -9131138316486228049},
		{math.MinInt64, 100, math.MinInt64},
		{math.MinInt64, 101, math.MinInt64},
	} {
		t.Run(fmt.Sprint(tt.percent, "% of ", tt.m), func(t *testing.T) {
			var s metrics.Sum
			s.AddShare(tt.m, tt.percent)
			require.Equal(t, tt.want, s.Milli())
		})
	}

	// Each share is truncated, not their sum.
	var s metrics.Sum
	s.AddShare(1, 150)
	s.AddShare(1, 150)
	require.Equal(t, metrics.Milli(2), s.Milli())
}

func TestSumAddTimesStops(t *testing.T) {
	// Several steps, as int may have 32 bits only.
	var end metrics.Sum
	for range 5 {
		end.AddTimes(math.MaxInt64, math.MaxInt32)
		for range 30 {
			end.AddSum(end)
		}
	}
	beyond := end
	beyond.AddSum(end)
	require.Equal(t, end, beyond)
	require.Equal(t, int32(100), beyond.Percent(end))

	var low metrics.Sum
	for range 5 {
		low.AddTimes(math.MinInt64, math.MaxInt32)
		for range 30 {
			low.AddSum(low)
		}
	}
	require.Equal(t, -1, low.Sign())
	require.Equal(t, int32(-100), low.Percent(end))

	// One milli-unit beyond the ends.
	beyond.Add(1)
	beyond.AddSum(metrics.Sum{})
	require.Equal(t, end, beyond)
	beyond.Sub(1)
	beyond.AddSum(low)
	require.Equal(t, metrics.Milli(-1), beyond.Milli())
	beyond = low
	beyond.Sub(1)
	beyond.AddSum(metrics.Sum{})
	require.Equal(t, low, beyond)
	beyond.Add(1)
	beyond.AddSum(metrics.Sum{})
	beyond.AddSum(end)
	require.Equal(t, metrics.Milli(1), beyond.Milli())
}

func TestSumDoesNotAllocate(t *testing.T) {
	var usage, requests metrics.Sum
	require.Zero(t, testing.AllocsPerRun(100, func() {
		usage.Add(math.MaxInt64)
		usage.AddShare(math.MaxInt64, 70)
		usage.AddTimes(math.MaxInt64, 3)
		requests.AddSum(usage)
		_ = usage.Percent(requests)
		_ = usage.Average(7)
	}))
}
