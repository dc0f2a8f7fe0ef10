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

func TestRatios(t *testing.T) {
	for _, tt := range []struct {
		usage, target int32
		want          float64
	}{
		{0, 1, 0},
		{1, 1, 1},
		{3, 2, 1.5},
		{-3, 2, -1.5},
		{11, 5, 2.2},
		{7, 0, 0},
		{7, -1, 0},
		{-7, -1, 0},
		{7, math.MinInt32, 0},
		{math.MaxInt32, 1, math.MaxInt32},
		{math.MinInt32, 1, math.MinInt32},
	} {
		t.Run(fmt.Sprint(tt.usage, "/", tt.target), func(t *testing.T) {
			require.Equal(t, tt.want, metrics.UsageRatio(metrics.Milli(tt.usage), metrics.Milli(tt.target)))
			require.Equal(t, tt.want, metrics.UtilizationRatio(tt.usage, tt.target))
		})
	}
	require.Equal(t, 0x1p63, metrics.UsageRatio(math.MaxInt64, 1))
	require.Equal(t, -0x1p63, metrics.UsageRatio(math.MinInt64, 1))
	require.Equal(t, 1.0, metrics.UsageRatio(math.MaxInt64, math.MaxInt64))
	require.Zero(t, metrics.UsageRatio(1, math.MinInt64))
}

func TestReplicasRoundsUp(t *testing.T) {
	for f, want := range map[float64]int32{
		0:           0,
		5e-324:      1,
		before(1):   1,
		1:           1,
		after(1):    2,
		5.000000001: 6,
		before(6):   6,
		6:           6,
		after(6):    7,

		math.MaxInt32 - 2:     math.MaxInt32 - 2,
		math.MaxInt32 - 1.5:   math.MaxInt32 - 1,
		math.MaxInt32 - 1:     math.MaxInt32 - 1,
		math.MaxInt32 - 0.5:   math.MaxInt32,
		before(math.MaxInt32): math.MaxInt32,
	} {
		require.Equal(t, want, metrics.Replicas(f), f)
	}
}

// Kubernetes: MinInt32 on amd64, MaxInt32 on arm64.
func TestReplicasBeyondInt32Stop(t *testing.T) {
	for f, want := range map[float64]int32{
		math.MaxInt32:        math.MaxInt32,
		after(math.MaxInt32): math.MaxInt32,
		math.MaxInt32 + 1:    math.MaxInt32,
		math.MaxUint32:       math.MaxInt32,
		0x1p63:               math.MaxInt32,
		math.MaxFloat64:      math.MaxInt32,
		math.Inf(1):          math.MaxInt32,
	} {
		require.Equal(t, want, metrics.Replicas(f), f)
	}
}

// Kubernetes: what a conversion of NaN gives depends on the processor.
func TestReplicasOfNotANumberIsZero(t *testing.T) {
	require.Zero(t, metrics.Replicas(math.NaN()))
}

// Kubernetes: a negative usage proposes a negative size.
func TestReplicasAreNeverNegative(t *testing.T) {
	for _, f := range []float64{math.Copysign(0, -1), -5e-324, -0.5, -1, -1.5, math.MinInt32, math.MinInt32 - 1, -math.MaxFloat64, math.Inf(-1)} {
		require.Zero(t, metrics.Replicas(f), f)
	}
}

func TestReplicasAgainstBig(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.OneOf(
			rapid.Float64Range(-3, 10),
			rapid.Float64Range(math.MaxInt32-3, math.MaxInt32+3),
			rapid.Float64(),
		).Draw(t, "f")
		r, finite := new(big.Rat), !math.IsInf(f, 0)
		if finite {
			r.SetFloat64(f)
		}
		want := int32(0)
		switch {
		case f <= 0:
		case !finite || r.Cmp(big.NewRat(math.MaxInt32, 1)) >= 0:
			want = math.MaxInt32
		default:
			want = int32(bigCeil(r).Int64())
		}
		require.Equal(t, want, metrics.Replicas(f))
	})
}

// bigCeil returns r rounded up.
func bigCeil(r *big.Rat) *big.Int {
	q, rest := new(big.Int).DivMod(r.Num(), r.Denom(), new(big.Int))
	if rest.Sign() > 0 {
		q.Add(q, big.NewInt(1))
	}
	return q
}

// The float decides, not the fraction: 11/5*50 is 110.
func TestTiesAreDecidedInFloat(t *testing.T) {
	require.Equal(t, int32(111), metrics.Replicas(metrics.UtilizationRatio(11, 5)*50))
	require.Equal(t, int32(111), metrics.Replicas(metrics.UsageRatio(11, 5)*50))
	require.Equal(t, int32(110), metrics.Replicas(metrics.UtilizationRatio(22, 10)*49.99))
	require.Equal(t, int32(22), metrics.Replicas(metrics.UtilizationRatio(11, 5)*10))
}

func TestPerPod(t *testing.T) {
	for _, tt := range []struct {
		usage metrics.Milli
		pods  int32
		want  metrics.Milli
	}{
		{0, 3, 0},
		{8, 3, 3},
		{9, 3, 3},
		{10, 3, 4},
		{-8, 3, -2},
		{-9, 3, -3},
		{-10, 3, -3},
		{-1, 3, 0},
		{1, math.MaxInt32, 1},
		{1<<53 - 1, 1, 1<<53 - 1},
		{1 << 53, 1, 1 << 53},
		// The nearest float64.
		{1<<53 + 1, 1, 1 << 53},
		{math.MaxInt64 - 1024, 1, math.MaxInt64 - 1023},
		{math.MaxInt64, 1, math.MaxInt64},
		{math.MaxInt64, 2, 1 << 62},
		{math.MinInt64, 1, math.MinInt64},
		{math.MinInt64 + 1, 1, math.MinInt64},
		{math.MinInt64, 2, math.MinInt64 / 2},
	} {
		t.Run(fmt.Sprint(tt.usage, "/", tt.pods), func(t *testing.T) {
			require.Equal(t, tt.want, metrics.PerPod(tt.usage, tt.pods))
		})
	}
}

// Kubernetes: the average shown for zero pods is MinInt64 or NaN.
func TestPerPodOfNoPodsIsZero(t *testing.T) {
	for _, pods := range []int32{0, -1, math.MinInt32} {
		for _, usage := range []metrics.Milli{math.MinInt64, -1, 0, 1, math.MaxInt64} {
			require.Zero(t, metrics.PerPod(usage, pods))
		}
	}
}

func TestPerPodAgainstBig(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Within 2^51, float64 can tell a quotient from the next whole number.
		usage := rapid.Int64Range(-1<<51, 1<<51).Draw(t, "usage")
		pods := rapid.OneOf(rapid.Int32Range(1, 9), rapid.Int32Range(1, math.MaxInt32)).Draw(t, "pods")
		want := bigCeil(new(big.Rat).SetFrac64(usage, int64(pods)))
		require.Equal(t, want.Int64(), int64(metrics.PerPod(metrics.Milli(usage), pods)))
	})
}

// The exact ratio is that of fractions, and the truncated one is at most a
// percent of the target below it.
func TestExactUtilizationRatio(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var usage, requests metrics.Sum
		amount := rapid.Int64Range(math.MinInt64, math.MaxInt64)
		if rapid.Bool().Draw(t, "small") {
			amount = rapid.Int64Range(-3, 3_000)
		}
		used, requested := new(big.Int), new(big.Int)
		for range rapid.IntRange(0, 3).Draw(t, "pods") {
			u, r := amount.Draw(t, "usage"), amount.Draw(t, "request")
			usage.Add(metrics.Milli(u))
			requests.Add(metrics.Milli(r))
			used.Add(used, big.NewInt(u))
			requested.Add(requested, big.NewInt(r))
		}
		target := rapid.Int32Range(-1, 200).Draw(t, "target")
		got := metrics.UtilizationRatioExact(usage, requests, target)
		if target <= 0 || requested.Sign() == 0 {
			require.Zero(t, got)
			return
		}
		want, _ := new(big.Rat).SetFrac(used.Mul(used, big.NewInt(100)), requested.Mul(requested, big.NewInt(int64(target)))).Float64()
		require.InDelta(t, want, got, 1e-14*math.Abs(want))
		if exact := used.IsInt64() && requested.IsInt64() && math.Abs(float64(used.Int64())) < 1<<53 && math.Abs(float64(requested.Int64())) < 1<<53; exact {
			require.Equal(t, want, got, "rounded once")
		}
		if truncated := metrics.UtilizationRatio(usage.Percent(requests), target); want >= 0 && want < 1e6 {
			require.LessOrEqual(t, truncated, got)
			require.LessOrEqual(t, got-truncated, 1/float64(target)*(1+1e-9)+1e-9)
		}
	})
}
