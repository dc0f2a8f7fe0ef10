package behavior_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/stabilize"
)

func TestWindows(t *testing.T) {
	window := func(seconds int32) *behavior.ScalingRules {
		return &behavior.ScalingRules{StabilizationWindowSeconds: &seconds}
	}
	const flag = 5 * time.Minute
	for _, tt := range []struct {
		b        *behavior.Behavior
		flag     time.Duration
		up, down time.Duration
	}{
		{nil, flag + 1, flag + 1, flag + 1},
		{&behavior.Behavior{}, flag, 0, flag},
		{&behavior.Behavior{ScaleUp: &behavior.ScalingRules{}, ScaleDown: &behavior.ScalingRules{}}, flag, 0, flag},
		{&behavior.Behavior{ScaleUp: window(7)}, flag, 7 * time.Second, flag},
		{&behavior.Behavior{ScaleDown: window(0)}, flag, 0, 0},
		{&behavior.Behavior{ScaleDown: window(8)}, flag, 0, 8 * time.Second},
		// The field would have whole seconds.
		{&behavior.Behavior{}, flag - 1, 0, flag - time.Second},
		{&behavior.Behavior{}, time.Second - 1, 0, 0},
		{&behavior.Behavior{}, -time.Second - 1, 0, -time.Second},
		{&behavior.Behavior{}, math.MaxInt64, 0, math.MaxInt32 * time.Second},
		{&behavior.Behavior{}, math.MinInt64, 0, math.MinInt32 * time.Second},
	} {
		require.Equal(t, stabilize.Windows{Up: tt.up, Down: tt.down}, tt.b.Windows(tt.flag))
	}
}

func TestTolerance(t *testing.T) {
	tolerance := func(milli int64) *behavior.ScalingRules {
		return &behavior.ScalingRules{Tolerance: metrics.MilliQuantity(metrics.Milli(milli), metrics.DecimalSI)}
	}
	for _, tt := range []struct {
		b    *behavior.Behavior
		want metrics.Tolerance
	}{
		{nil, metrics.Tolerance{Down: 0.1, Up: 0.1}},
		{&behavior.Behavior{}, metrics.Tolerance{Down: 0.1, Up: 0.1}},
		{&behavior.Behavior{ScaleUp: &behavior.ScalingRules{}, ScaleDown: &behavior.ScalingRules{}}, metrics.Tolerance{Down: 0.1, Up: 0.1}},
		{&behavior.Behavior{ScaleUp: tolerance(0)}, metrics.Tolerance{Down: 0.1, Up: 0}},
		{&behavior.Behavior{ScaleUp: tolerance(50), ScaleDown: tolerance(200)}, metrics.Tolerance{Down: 0.2, Up: 0.05}},
	} {
		require.Equal(t, tt.want, tt.b.Tolerance(0.1))
	}
}

// Without a behavior, the window of scaling down is inclusive and raises, too.
func TestStabilize(t *testing.T) {
	var h stabilize.History
	h.Start(noon, 9)
	w := stabilize.Windows{Up: time.Minute, Down: time.Minute}
	now := noon.Add(time.Minute)
	c := behavior.Change{Current: 5, Desired: 7}
	require.EqualValues(t, 9, (*behavior.Behavior)(nil).Stabilize(now, c, w, &h).Replicas)
	require.EqualValues(t, 7, (&behavior.Behavior{}).Stabilize(now, c, w, &h).Replicas)
	require.Equal(t, h.Stabilize(noon, 12, 7, w), (&behavior.Behavior{}).Stabilize(noon, behavior.Change{12, 7}, w, &h))
}
