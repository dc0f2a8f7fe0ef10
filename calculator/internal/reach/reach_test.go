package reach_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/internal/alike"
	"github.com/purehpa/hpa/calculator/internal/pace"
	"github.com/purehpa/hpa/calculator/internal/reach"
	"github.com/purehpa/hpa/metrics"
)

// finder returns a finder for sizes from 1 to 10 of a queue, with the default
// tolerance of 10 percent and scale-ups of so many pods at a time. With 0 both
// directions are disabled; with -1, scale-downs of one pod are enabled.
func finder(pods int32) *reach.Finder {
	spec := autoscaling.ExternalAverageValueMetric("jobs", metrics.MustParseQuantity("1"))
	b := behavior.Default()
	b.ScaleUp.Policies = []behavior.Policy{{Type: behavior.PodsPolicy, Value: pods, PeriodSeconds: 60}}
	if pods <= 0 {
		b.ScaleUp.SelectPolicy = behavior.SelectDisabled
	}
	if pods >= 0 {
		b.ScaleDown.SelectPolicy = behavior.SelectDisabled
	}
	b.ScaleDown.Policies = []behavior.Policy{{Type: behavior.PodsPolicy, Value: 1, PeriodSeconds: 60}}
	return &reach.Finder{
		Bounds: behavior.Bounds{Min: 1, Max: 10}, Metrics: []alike.Metric{alike.New(&spec)}, Tolerance: metrics.Tolerance{Up: 0.1, Down: 0.1},
		Up: pace.New(b, true, time.Second), Down: pace.New(b, false, time.Second), MaxWork: math.MaxInt,
	}
}

func TestFind(t *testing.T) {
	for _, tt := range []struct {
		pods int32
		want [10]reach.Reach // of 1 to 10
	}{
		{0, [10]reach.Reach{}},
		{-1, [10]reach.Reach{2, 2, 2, 2, 2, 2, 2, 2, 2, 0}},
		{1, [10]reach.Reach{0, 2, 2, 2, 2, 2, 2, 2, 2, 2}},
		{9, [10]reach.Reach{0, 2, 2, 2, 2, 2, 2, 2, 2, 2}},
	} {
		f := finder(tt.pods)
		for i, want := range tt.want {
			require.Equal(t, want, f.Find(int32(i+1)), "%d at %d pods a minute", i+1, tt.pods)
		}
		require.False(t, f.Tired())
	}
}

// With a tolerance of 1, the size has to more than double.
func TestFindPassesOver(t *testing.T) {
	f := finder(9)
	f.Tolerance.Up = 1
	require.Equal(t, reach.Never, f.Find(2))
	require.Equal(t, reach.Reached, f.Find(3))
}

// Metrics ask for more than two and a half times the size, and policies let it
// double.
func TestFindPerhaps(t *testing.T) {
	f := finder(9)
	f.Tolerance.Up = 1.5
	b := behavior.Default()
	b.ScaleUp.Policies = []behavior.Policy{{Type: behavior.PercentPolicy, Value: 100, PeriodSeconds: 60}}
	f.Up = pace.New(b, true, time.Second)
	require.Equal(t, reach.Reached, f.Find(8), "the policy ends a change there")
	require.Equal(t, reach.Perhaps, f.Find(9), "after other changes it may")
}

func TestFindGivesUp(t *testing.T) {
	f := finder(9)
	f.MaxWork = 0
	require.Equal(t, reach.Reached, f.Find(2))
	require.True(t, f.Tired())
}
