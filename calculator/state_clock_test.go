package calculator_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
)

// Wherever the clock has been, an autoscaler whose load is constant has the
// size that it asks for once the windows have passed since the last jump.
func TestNoClockLeavesAnAutoscalerStuck(t *testing.T) {
	const year = 365 * 24 * time.Hour
	specs := []*autoscaling.HorizontalPodAutoscalerSpec{
		externalSpec(t, noBehavior),
		externalSpec(t, window60),
		externalSpec(t, `,"behavior":{"scaleUp":{"stabilizationWindowSeconds":600}}`),
		externalSpec(t, slowPolicy),
	}
	rapid.Check(t, func(t *rapid.T) {
		spec := rapid.SampledFrom(specs).Draw(t, "spec")
		settings := calculator.DefaultSettings()
		settings.Tolerance = 0
		settings.ColdStart = rapid.SampledFrom([]calculator.ColdStart{calculator.RecommendCurrent, calculator.HoldScaleDown}).Draw(t, "cold start")
		settings.Cooldown = rapid.SampledFrom([]behavior.Cooldown{{}, behavior.DefaultCooldown()}).Draw(t, "cooldown")
		now := rapid.SampledFrom([]time.Time{
			noon, {}, time.Unix(math.MinInt64, 0), time.Unix(math.MaxInt64-3e11, 0),
			time.Date(-5000, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(1677, 1, 1, 0, 0, 0, 0, time.UTC),
			time.Date(2263, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(123456, 1, 1, 0, 0, 0, 0, time.UTC),
		}).Draw(t, "start")
		var st calculator.State
		size := int32(5)
		decide := func(proposal int32) {
			d := calculator.Decide(now, &settings, spec, wanted(size, proposal), &st)
			require.NoError(t, d.Err())
			require.True(t, d.Until.IsZero() || d.Until.After(now))
			st.Applied(now, &d)
			size = d.DesiredReplicas
		}
		for range rapid.IntRange(1, 20).Draw(t, "syncs") {
			decide(rapid.Int32Range(0, 25).Draw(t, "proposal"))
			now = now.Add(rapid.SampledFrom([]time.Duration{
				0, 1, -1, 15 * time.Second, 15 * time.Second, 15 * time.Second, -time.Minute, time.Hour, -time.Hour,
				year, -year, 290 * year, -290 * year,
			}).Draw(t, "jump"))
		}
		last := now
		proposal := rapid.Int32Range(1, 20).Draw(t, "proposal")
		// The longest period, as often as it takes from the maximum to the
		// minimum by its two pods, and once more before it begins.
		const longest = 11 * 10 * time.Minute
		for range 1 + longest/calculator.SyncPeriod {
			decide(proposal)
			if size == proposal {
				return
			}
			now = now.Add(calculator.SyncPeriod)
		}
		t.Fatalf("size %d instead of %d, from %v to %v", size, proposal, last, now)
	})
}

// The state depends on moments alone.
func TestLocationAndMonotonicClockMakeNoDifference(t *testing.T) {
	spec, settings := externalSpec(t, window60), coldSettings(calculator.HoldScaleDown)
	settings.Cooldown = behavior.DefaultCooldown()
	start := time.Now() // with a reading of the monotonic clock
	zone := time.FixedZone("", -5*3600)
	kinds := []func(time.Time) time.Time{
		func(t time.Time) time.Time { return t },
		func(t time.Time) time.Time { return t.Round(0) },
		func(t time.Time) time.Time { return t.In(zone) },
		func(t time.Time) time.Time { return t.Round(0).UTC() },
	}
	var states []calculator.State
	for _, kind := range kinds {
		var st calculator.State
		size := int32(5)
		for i, proposal := range []int32{5, 9, 3, 20, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1} {
			now := kind(start.Add(time.Duration(i) * 50 * time.Second))
			if i == 4 {
				now = kind(start.Add(-time.Minute))
			}
			d := calculator.Decide(now, settings, spec, wanted(size, proposal), &st)
			require.NoError(t, d.Err())
			st.Applied(now, &d)
			size = d.DesiredReplicas
		}
		require.Less(t, size, int32(20))
		states = append(states, st)
	}
	for _, st := range states {
		require.Equal(t, states[0], st)
		require.Equal(t, time.UTC, st.LastScaleTime.Location())
		require.Equal(t, st.LastScaleTime.Round(0), st.LastScaleTime)
		for _, c := range st.Conditions {
			require.Equal(t, time.UTC, c.LastTransitionTime.Location())
		}
	}
}

// A last scale of the future would forbid for as long as the clock went back.
// Without a cooldown it is only shown, as in Kubernetes.
func TestCooldownWhenTheClockGoesBack(t *testing.T) {
	spec, settings := externalSpec(t, noWindow), coldSettings(calculator.RecommendCurrent)
	future := noon.Add(1000 * time.Hour)
	st := calculator.State{LastScaleTime: future}
	d := calculator.Decide(noon, settings, spec, wanted(5, 5), &st)
	require.Equal(t, future, st.LastScaleTime)
	require.Equal(t, future, d.Status(&st).LastScaleTime)

	settings.Cooldown = behavior.Cooldown{Down: 5 * time.Minute}
	d = calculator.Decide(noon, settings, spec, wanted(5, 3), &st)
	require.False(t, d.Rescale)
	require.Equal(t, noon, st.LastScaleTime)
	d = calculator.Decide(noon.Add(5*time.Minute), settings, spec, wanted(5, 3), &st)
	require.False(t, d.Rescale)
	d = calculator.Decide(noon.Add(5*time.Minute+1), settings, spec, wanted(5, 3), &st)
	require.EqualValues(t, 3, d.DesiredReplicas)
}

// What no window or period can see is gone after any sync.
func TestHistoriesForgetInEachSync(t *testing.T) {
	spec, settings := externalSpec(t, slowPolicy), coldSettings(calculator.RecommendCurrent)
	var st calculator.State
	d := calculator.Decide(noon, settings, spec, wanted(5, 9), &st)
	st.Applied(noon, &d)
	require.Equal(t, 2, st.Recommendations.Len())
	require.Equal(t, 1, st.Events.Len())

	// Neither needs a recommendation or an event to be recorded.
	late := noon.Add(30*time.Minute + 1)
	calculator.Decide(late, settings, spec, wanted(0, 9), &st)
	require.Equal(t, 2, st.Recommendations.Len())
	require.Equal(t, 0, st.Events.Len())
	late = noon.Add(time.Hour + 1)
	calculator.Decide(late, settings, spec, wanted(0, 9), &st)
	require.Equal(t, 0, st.Recommendations.Len())
	require.Equal(t, 2, placesOf(t, &st).recommendations)
}
