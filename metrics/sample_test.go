package metrics_test

import (
	"math"
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/metrics"
)

var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

func TestCollapse(t *testing.T) {
	// A point at noon of 100, and one of 300 that is older by age.
	for _, tt := range []struct {
		name string
		age  time.Duration
		want metrics.Milli
	}{
		{"newer", -1, 200},
		{"as new", 0, 200},
		{"a moment older", 1, 200},
		{"just within the window", time.Minute - 1, 200},
		{"a window older", time.Minute, 100},
		{"more than a window older", time.Minute + 1, 100},
	} {
		t.Run(tt.name, func(t *testing.T) {
			points := []metrics.Point{
				{Value: 300, Time: metrics.At(noon.Add(-tt.age))},
				{Value: 100, Time: metrics.At(noon)},
			}
			newest := max(points[0].Time, points[1].Time)
			want := metrics.Sample{Value: tt.want, Time: newest, Window: time.Minute, Present: true}
			require.Equal(t, want, metrics.Collapse(points, metrics.DefaultWindow))
			points[0], points[1] = points[1], points[0]
			require.Equal(t, want, metrics.Collapse(points, metrics.DefaultWindow))
		})
	}
}

func TestCollapseToMissing(t *testing.T) {
	points := []metrics.Point{{Value: 1, Time: metrics.At(noon)}}
	require.Zero(t, metrics.Collapse(nil, time.Minute))
	require.Zero(t, metrics.Collapse(points, -1))
	require.Zero(t, metrics.Collapse(points, 0))
	require.Equal(t, metrics.Sample{Value: 1, Time: points[0].Time, Window: 1, Present: true}, metrics.Collapse(points, 1))
	require.False(t, metrics.Sample{}.Present)
}

func TestCollapseExtremes(t *testing.T) {
	points := []metrics.Point{
		{Value: math.MaxInt64, Time: metrics.At(noon)},
		{Value: math.MaxInt64, Time: metrics.At(noon)},
		{Value: math.MaxInt64 - 1, Time: metrics.At(noon)},
	}
	require.Equal(t, metrics.Milli(math.MaxInt64-1), metrics.Collapse(points, 1).Value)

	// The distance from a point without a time is longer than any window.
	points = []metrics.Point{{Value: 10}, {Value: 20, Time: math.MaxUint64}}
	require.Equal(t, metrics.Milli(20), metrics.Collapse(points, math.MaxInt64).Value)
}

func TestCollapseAgainstBig(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		window := time.Duration(rapid.Int64Range(1, 6).Draw(t, "window"))
		n := rapid.IntRange(1, 8).Draw(t, "points")
		points := make([]metrics.Point, n)
		at := make([]time.Time, n)
		newest := noon.Add(-time.Hour)
		for i := range points {
			at[i] = noon.Add(time.Duration(rapid.Int64Range(0, 8).Draw(t, "time")))
			points[i] = metrics.Point{Value: millis().Draw(t, "value"), Time: metrics.At(at[i])}
			if at[i].After(newest) {
				newest = at[i]
			}
		}
		var sum bigSum
		count := 0
		for i, p := range points {
			if at[i].Add(window).After(newest) {
				sum.Add(&sum.Int, big.NewInt(int64(p.Value)))
				count++
			}
		}
		want := metrics.Sample{Value: sum.average(count), Time: metrics.At(newest), Window: window, Present: true}
		require.Equal(t, want, metrics.Collapse(points, window))
	})
}
