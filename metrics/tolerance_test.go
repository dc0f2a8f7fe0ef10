package metrics_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/metrics"
)

func before(f float64) float64 { return math.Nextafter(f, math.Inf(-1)) }
func after(f float64) float64  { return math.Nextafter(f, math.Inf(1)) }

func TestToleranceEndsCount(t *testing.T) {
	for _, tol := range []metrics.Tolerance{
		{},
		metrics.Symmetric(0.1),
		{Down: 0.05, Up: 0.2},
		{Down: 0.2},
		{Up: 0.05},
		metrics.Symmetric(1),
	} {
		t.Run(fmt.Sprint(tol), func(t *testing.T) {
			low, high := 1-tol.Down, 1+tol.Up
			for ratio, want := range map[float64]bool{
				before(low):  false,
				low:          true,
				high:         true,
				after(high):  false,
				1:            true,
				math.Inf(1):  false,
				math.Inf(-1): false,
			} {
				require.Equal(t, want, tol.Within(ratio), ratio)
			}
			require.Equal(t, tol.Down > 0, tol.Within(after(low)) && low < 1)
			require.Equal(t, tol.Up > 0, tol.Within(before(high)) && high > 1)
			require.False(t, tol.Within(math.NaN()))
		})
	}
}

// Whole percents at the ends of a tolerance of 10%, and one beyond them.
func TestToleranceOfWholePercents(t *testing.T) {
	tol := metrics.Symmetric(0.1)
	for _, tt := range []struct {
		utilization, target int32
		want                bool
	}{
		{44, 50, false},
		{45, 50, true},
		{55, 50, true},
		{56, 50, false},
		{62, 70, false},
		{63, 70, true},
		{77, 70, true},
		{78, 70, false},
		{89, 100, false},
		{90, 100, true},
		{110, 100, true},
		{111, 100, false},
	} {
		ratio := metrics.UtilizationRatio(tt.utilization, tt.target)
		require.Equal(t, tt.want, tol.Within(ratio), "%d%% of %d%%", tt.utilization, tt.target)
	}
}

func TestNonsenseIsNotTolerated(t *testing.T) {
	for _, f := range []float64{math.NaN(), -0.1, math.Inf(-1)} {
		require.False(t, metrics.Symmetric(f).Within(1), f)
	}
	require.True(t, metrics.Symmetric(math.Inf(1)).Within(1e300))
}

func TestToleranceIsAnInterval(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tol := metrics.Tolerance{
			Down: rapid.Float64Range(0, 2).Draw(t, "down"),
			Up:   rapid.Float64Range(0, 2).Draw(t, "up"),
		}
		ratio := rapid.Float64Range(-2, 4).Draw(t, "ratio")
		beyond := ratio < 1-tol.Down || ratio > 1+tol.Up
		require.Equal(t, !beyond, tol.Within(ratio))
		// So is every ratio nearer to 1.
		if tol.Within(ratio) {
			require.True(t, tol.Within((ratio+1)/2))
		}
	})
}

// The formula of Kubernetes up to 1.32, at its edges and beside them. There the
// two formulas differ, on one side or the other.
func TestToleranceOfDistance(t *testing.T) {
	differ := 0
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.OneOf(rapid.SampledFrom([]float64{0, 0.05, 0.1, 0.2, 1.0 / 3, 1}), rapid.Float64Range(0, 2)).Draw(t, "tolerance")
		tol, old := metrics.Symmetric(f), metrics.Tolerance{Down: f, Up: f, Rounded: true}
		for _, edge := range []float64{1 - f, 1 + f} {
			for _, ratio := range []float64{before(before(edge)), before(edge), edge, after(edge), after(after(edge)), 1, math.NaN(), math.Inf(1)} {
				require.Equal(t, math.Abs(1.0-ratio) <= f, old.Within(ratio), "%v of %v", ratio, f)
				if old.Within(ratio) != tol.Within(ratio) {
					differ++
				}
			}
		}
	})
	require.Positive(t, differ)
	for tol, want := range map[metrics.Tolerance][2]bool{{Up: 0.5, Rounded: true}: {false, true}, {Down: 0.5, Rounded: true}: {true, false}} {
		require.Equal(t, want, [2]bool{tol.Within(0.75), tol.Within(1.25)})
	}
	require.False(t, metrics.Tolerance{Up: 0.1, Rounded: true}.Within(1.1))
	require.True(t, metrics.Symmetric(0.1).Within(1.1))
}
