package guarantee_test

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
)

// A band has the first and the last load that moves nothing.
func TestBandsAreThoseOfSyncs(t *testing.T) {
	whole := autoscaling.ExternalAverageValueMetric("backlog", metrics.MustParseQuantity("1k"))
	rapid.Check(t, func(t *rapid.T) {
		cpu := autoscaling.ResourceUtilizationMetric("cpu", rapid.SampledFrom([]int32{1, 7, 50, 60, 100, 130}).Draw(t, "percent"))
		r := newRuled(1, 40, rapid.SampledFrom([]autoscaling.MetricSpec{cpu, whole}).Draw(t, "metric"))
		r.settings.Tolerance = rapid.SampledFrom([]float64{0.1, 0, 0.05, 0.3, 1, 2}).Draw(t, "tolerance")
		g := r.of(t)
		require.Len(t, g.Bands, len([]int32{1, 2, 4, 8, 16, 32, 40}))
		for _, b := range g.Bands {
			moves := func(load float64) bool { return r.autoscaler(b.Size).sync(load+1e-9) != b.Size }
			step := 1e-3 // of a reading, as a load
			if b.Target.Type() == metrics.UtilizationTarget {
				step = float64(b.Size) / float64(b.Target.Percent())
			}
			require.False(t, moves(b.LowLoad), "%+v", b)
			require.False(t, moves(b.HighLoad-step/2), "%+v", b)
			require.Equal(t, b.Size > 1 && b.LowLoad > 0, b.LowLoad > 0 && moves(b.LowLoad-step/2), "%+v", b)
			require.Equal(t, b.Size < 40, moves(b.HighLoad), "%+v", b)
		}
	})
}

// Without a behavior, the window raises the size to an earlier recommendation,
// although the load is within the band. With one, it does not.
func TestBandBesideTheWindow(t *testing.T) {
	for size, b := range map[int32]*behavior.Behavior{8: nil, 4: behavior.Default()} {
		r := newRuled(1, 10, backlog)
		r.settings.DownscaleStabilization, r.spec.Behavior = 5*time.Minute, b
		a := r.autoscaler(1)
		a.sync(8)
		a.size = 4 // wherever the policies, or someone else, took it
		require.Equal(t, size, a.sync(4))
	}
}

func TestBandOfDefaults(t *testing.T) {
	r := newRuled(1, 20, autoscaling.ResourceUtilizationMetric("cpu", 60))
	r.settings.Tolerance = 0.1
	b := r.of(t).Bands[5]
	require.Equal(t, int32(20), b.Size)
	require.Equal(t, [2]metrics.Milli{54, 66}, [2]metrics.Milli{b.Low, b.High})
	require.InDelta(t, 18, b.LowLoad, 1e-9)
	require.InDelta(t, 67.0/60*20, b.HighLoad, 1e-9)
	text, err := json.Marshal(b)
	require.NoError(t, err)
	require.JSONEq(t, `{"metric":0,"size":20,"lowUtilization":54,"highUtilization":66,"lowLoad":18,"highLoad":22.333333333333336}`, string(text))
}

// A tolerance without end has no end.
func TestBandWithoutEnd(t *testing.T) {
	r := newRuled(1, 4, backlog)
	r.settings.Tolerance = math.Inf(1)
	for _, b := range r.of(t).Bands {
		require.Equal(t, [2]metrics.Milli{0, math.MaxInt64}, [2]metrics.Milli{b.Low, b.High})
		text, err := json.Marshal(b)
		require.NoError(t, err)
		require.NotContains(t, string(text), "high")
	}
	r.spec.Metrics[0] = autoscaling.ResourceUtilizationMetric("cpu", 60)
	text, err := json.Marshal(r.of(t).Bands[0])
	require.NoError(t, err)
	require.JSONEq(t, `{"metric":0,"size":1,"lowUtilization":0,"lowLoad":0}`, string(text))
}
