package prove_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/prove"
	"github.com/purehpa/hpa/metrics"
)

// A runner decides with its own decision, restarts in its own way, and keeps
// the state before each decision.
func TestRunner(t *testing.T) {
	restart := []prove.Trouble{{Kind: prove.Restarted}}
	tl := prove.Timeline{Setup: setupOf(t, cpu60, ""), Size: 10, Segments: []prove.Segment{{Syncs: 2, Load: 10}, {Syncs: 1, Load: 2, Troubles: restart}}}
	forget := func(st *calculator.State) error {
		st.Recommendations.Reset()
		st.Recommendations.Start(prove.Start.Add(-time.Hour), 0)
		return nil
	}
	decisions := 0
	for _, tt := range []struct {
		name   string
		runner prove.Runner
		last   int32
	}{
		{"the recommendation of 10 holds", prove.Runner{}, 10},
		{"an own decision", prove.Runner{Decide: func(d *calculator.Decision, now time.Time, settings *calculator.Settings, spec *autoscaling.HorizontalPodAutoscalerSpec, obs *calculator.Observation, st *calculator.State) {
			decisions++
			without := *settings
			without.DownscaleStabilization, without.ZeroFlags = 0, true
			calculator.DecideInto(d, now, &without, spec, obs, st)
		}}, 2},
		{"an own restart", prove.Runner{Restart: forget}, 2},
		{"a lost state holds the size", prove.Runner{Restart: func(st *calculator.State) error { return errors.Join(forget(st), errors.New("lost")) }}, 10},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.runner.KeepBefore = true
			var sizes []int32
			var after calculator.State
			require.NoError(t, tt.runner.Run(&tl, func(s *prove.Sync) bool {
				if s.Segment == 0 {
					require.True(t, s.Before.Equal(&after), "sync %d", len(sizes))
				}
				after = s.State.Clone()
				sizes = append(sizes, s.After)
				return true
			}))
			require.Equal(t, []int32{10, 10, tt.last}, sizes)
		})
	}
	require.Equal(t, 3, decisions)
	tl.Setup.Startup = -1
	require.ErrorContains(t, prove.Runner{}.Run(&tl, nil), "Startup: -1ns is negative")
}

// A size carries a load up to the edge of tolerance, and maxReplicas any.
func TestCarries(t *testing.T) {
	tl := prove.Timeline{Setup: setupOf(t, cpu60, "")}
	for _, tt := range []struct {
		size    int32
		load    float64
		carries bool
	}{
		{10, 10, true},
		{10, 11, true},
		{10, 11.2, false},
		{10, 0, true},
		{0, 0, true},
		{0, 0.1, false},
		{19, 30, false},
		{20, 30, true},
	} {
		require.Equal(t, tt.carries, tl.Carries(tt.size, tt.load), "%v", tt)
	}
	tl.Shares = []int32{50}
	require.True(t, tl.Carries(10, 22))
	require.False(t, tl.Carries(10, 22.4))
}

// Targets are in milli-units of a pod that requests a whole cpu.
func TestAims(t *testing.T) {
	cpu, object := setupOf(t, cpu60, "").Spec, setupOf(t, latency, "").Spec
	require.EqualValues(t, 600, prove.AimsOf(cpu)[0].Amount())
	require.EqualValues(t, 200, prove.AimsOf(object)[0].Amount())
	require.InDelta(t, 1.5, prove.AimsOf(cpu)[0].Ratio(9_009, 10), 1e-9, "90.09% are 90%")
	qps := autoscaling.NewSpec(1, 5, autoscaling.PodsAverageValueMetric("qps", metrics.MustParseQuantity("10")))
	require.InDelta(t, 1.5, prove.AimsOf(&qps)[0].Ratio(150_009, 10), 1e-9, "15000.9m are 15")
	require.InDelta(t, 1.5, prove.AimsOf(object)[0].Ratio(300, 10), 1e-9)
}
