package proposers_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/examples/proposers"
	"github.com/purehpa/hpa/metrics"
)

// Marks at 40 and 80, tolerances of 5% and 10%: the bounds are 38 and 88.
var marks = proposers.Watermarks{Low: 40_000, High: 80_000, Tolerance: metrics.Tolerance{Down: 0.05, Up: 0.1}}

// Each boundary, by hand.
func TestWatermarks(t *testing.T) {
	average, exact := marks, marks
	average.Average = true
	exact.Tolerance = metrics.Tolerance{}
	rounded := proposers.Watermarks{Low: 1, High: 100_000, Tolerance: metrics.Tolerance{Up: 0.15}}
	one := proposers.Watermarks{Low: 50_000, High: 50_000}
	for _, tt := range []struct {
		w               *proposers.Watermarks
		value           metrics.Milli
		replicas, ready int32
		want            int32
		usage           metrics.Milli
	}{
		// The high mark: 4*88.001/80 is 4.40005.
		{&marks, 87_999, 4, 4, 4, 87_999},
		{&marks, 88_000, 4, 4, 4, 88_000},
		{&marks, 88_001, 4, 4, 5, 88_001},
		// The low mark: 4*37.999/40 is 3.7999.
		{&marks, 38_001, 4, 4, 4, 38_001},
		{&marks, 38_000, 4, 4, 4, 38_000},
		{&marks, 37_999, 4, 4, 3, 37_999},
		// Without a tolerance: 4*80.001/80 is 4.00005, and 4*39.999/40 is
		// 3.9999.
		{&exact, 80_000, 4, 4, 4, 80_000},
		{&exact, 80_001, 4, 4, 5, 80_001},
		{&exact, 40_000, 4, 4, 4, 40_000},
		{&exact, 39_999, 4, 4, 3, 39_999},
		// Rounded up above: 4*100/80 is 5.
		{&marks, 99_999, 4, 4, 5, 99_999},
		{&marks, 100_000, 4, 4, 5, 100_000},
		{&marks, 100_001, 4, 4, 6, 100_001},
		// Rounded down below: 4*20/40 is 2.
		{&marks, 20_001, 4, 4, 2, 20_001},
		{&marks, 20_000, 4, 4, 2, 20_000},
		{&marks, 19_999, 4, 4, 1, 19_999},
		// At least 1: 4*10/40 is 1.
		{&marks, 10_000, 4, 4, 1, 10_000},
		{&marks, 9_999, 4, 4, 1, 9_999},
		{&marks, 0, 4, 4, 1, 0},
		{&marks, -1, 4, 4, 1, -1},
		{&marks, 0, 0, 4, 0, 0},
		// The ready pods count, but the size does not turn: 2*100/80 is 2.5,
		// 2*160/80 is 4, and 6*30/40 is 4.5.
		{&marks, 100_000, 4, 2, 4, 100_000},
		{&marks, 160_000, 4, 2, 4, 160_000},
		{&marks, 160_001, 4, 2, 5, 160_001},
		{&marks, 30_000, 3, 6, 3, 30_000},
		{&marks, 30_000, 4, 6, 4, 30_000},
		{&marks, 30_000, 5, 6, 4, 30_000},
		// The average of 3 pods: 264/3 is 88, and 264.001/80 is 3.3…; 114/3 is
		// 38, and 113.999/40 is 2.8….
		{&average, 264_000, 3, 3, 3, 88_000},
		{&average, 264_001, 3, 3, 4, 88_000},
		{&average, 320_000, 3, 3, 4, 106_666},
		{&average, 320_001, 3, 3, 5, 106_667},
		{&average, 114_000, 3, 3, 3, 38_000},
		{&average, 113_999, 3, 3, 2, 37_999},
		{&average, 80_000, 3, 3, 2, 26_666},
		{&average, 79_999, 3, 3, 1, 26_666},
		// One mark for both.
		{&one, 49_999, 4, 4, 3, 49_999},
		{&one, 50_000, 4, 4, 4, 50_000},
		{&one, 50_001, 4, 4, 5, 50_001},
		// A bound that is no float: 1.15*100 is 114.99999999999999 there.
		{&rounded, 115_000, 4, 4, 4, 115_000},
		{&rounded, 115_001, 4, 4, 5, 115_001},
		// The ends.
		{&marks, math.MaxInt64, math.MaxInt32, math.MaxInt32, math.MaxInt32, math.MaxInt64},
		{&marks, math.MinInt64, math.MaxInt32, math.MaxInt32, 1, math.MinInt64},
	} {
		p, err := tt.w.Propose(tt.value, tt.replicas, tt.ready)
		require.NoError(t, err)
		require.Equal(t, tt.want, p.Replicas, "%+v", tt)
		require.Equal(t, tt.usage, p.Value, "%+v", tt)
		require.NotEmpty(t, p.Text)
		require.Zero(t, p.Until)
	}
}

func TestWatermarksText(t *testing.T) {
	exact := marks
	exact.Tolerance = metrics.Tolerance{}
	for text, p := range map[string]func() (string, error){
		"95 is above the high watermark of 80 (88 with its tolerance): 95/80 times 4 ready, rounded up":                          say(&marks, 95_000),
		"20500m is below the low watermark of 40 (38 with its tolerance): 20500m/40 times 4 ready, rounded down, and at least 1": say(&marks, 20_500),
		"60 is between the low watermark of 40 (38 with its tolerance) and the high watermark of 80 (88 with its tolerance)":     say(&marks, 60_000),
		"60 is between the low watermark of 40 and the high watermark of 80":                                                     say(&exact, 60_000),
	} {
		got, err := p()
		require.NoError(t, err)
		require.Equal(t, text, got)
	}
}

func say(w *proposers.Watermarks, value metrics.Milli) func() (string, error) {
	return func() (string, error) {
		p, err := w.Propose(value, 4, 4)
		return p.Text, err
	}
}

func TestWatermarksErrors(t *testing.T) {
	for problem, change := range map[string]func(w *proposers.Watermarks, replicas, ready *int32){
		`watermarks.low: Invalid value: "0": must be positive`:                               func(w *proposers.Watermarks, _, _ *int32) { w.Low = 0 },
		`watermarks.high: Invalid value: "39999m": must not be below the low one`:            func(w *proposers.Watermarks, _, _ *int32) { w.High = 39_999 },
		`watermarks.tolerance.down: Invalid value: "1": must be at least 0 and below 1`:      func(w *proposers.Watermarks, _, _ *int32) { w.Tolerance.Down = 1 },
		`watermarks.tolerance.down: Invalid value: "-0.1": must be at least 0 and below 1`:   func(w *proposers.Watermarks, _, _ *int32) { w.Tolerance.Down = -0.1 },
		`watermarks.tolerance.up: Invalid value: "NaN": must be a number and not negative`:   func(w *proposers.Watermarks, _, _ *int32) { w.Tolerance.Up = math.NaN() },
		`watermarks.tolerance.up: Invalid value: "+Inf": must be a number and not negative`:  func(w *proposers.Watermarks, _, _ *int32) { w.Tolerance.Up = math.Inf(1) },
		`watermarks.tolerance.up: Invalid value: "-0.01": must be a number and not negative`: func(w *proposers.Watermarks, _, _ *int32) { w.Tolerance.Up = -0.01 },
		`replicas: Invalid value: -1: must not be negative`:                                  func(_ *proposers.Watermarks, replicas, _ *int32) { *replicas = -1 },
		`ready: Invalid value: -1: must not be negative`:                                     func(_ *proposers.Watermarks, _, ready *int32) { *ready = -1 },
	} {
		w, replicas, ready := marks, int32(4), int32(4)
		change(&w, &replicas, &ready)
		p, err := w.Propose(60_000, replicas, ready)
		require.EqualError(t, err, problem)
		var e *field.Error
		require.ErrorAs(t, err, &e)
		require.Zero(t, p)
	}
	_, err := marks.Propose(60_000, 4, 0)
	require.ErrorIs(t, err, proposers.ErrNotReady)
}
