package calculator_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/stabilize"
)

// wanted observes a size of which the metric asks for another one.
func wanted(size, proposal int32) *calculator.Observation {
	return &calculator.Observation{
		Namespace:      "ns",
		SpecReplicas:   size,
		StatusReplicas: size,
		Readings:       []calculator.Reading{{Values: []metrics.Milli{metrics.Milli(proposal) * 10_000}}},
	}
}

func coldSettings(c calculator.ColdStart) *calculator.Settings {
	s := calculator.DefaultSettings()
	s.Tolerance = 0
	s.ColdStart = c
	return &s
}

const (
	noBehavior  = ``
	noWindow    = `,"behavior":{"scaleDown":{"stabilizationWindowSeconds":0}}`
	window60    = `,"behavior":{"scaleDown":{"stabilizationWindowSeconds":60}}`
	slowPolicy  = `,"behavior":{"scaleDown":{"stabilizationWindowSeconds":60,"policies":[{"type":"Pods","value":2,"periodSeconds":600}]}}`
	defaultDown = 5 * time.Minute
)

// TestColdStart asks when a size of 10 first falls, of which the metrics only
// ever ask for 4, after a first sync at which the state is empty.
func TestColdStart(t *testing.T) {
	for _, tt := range []struct {
		name, behavior string
		cold           calculator.ColdStart
		raised         int32 // by someone else, after the first sync
		held           time.Duration
		until          time.Duration // when the first size below is taken
	}{
		{"without a behavior", noBehavior, calculator.RecommendCurrent, 0, defaultDown, defaultDown + 1},
		{"without a behavior, held", noBehavior, calculator.HoldScaleDown, 0, defaultDown, defaultDown + 1},
		{"a window", window60, calculator.RecommendCurrent, 0, time.Minute - 1, time.Minute},
		{"a window, held", window60, calculator.HoldScaleDown, 0, time.Minute - 1, time.Minute},
		{"no window", noWindow, calculator.RecommendCurrent, 0, -1, 0},
		{"no window, held for the policy's period", noWindow, calculator.HoldScaleDown, 0, 15*time.Second - 1, 15 * time.Second},
		{"raised", window60, calculator.RecommendCurrent, 15, -1, 1},
		{"raised, held", window60, calculator.HoldScaleDown, 15, time.Minute - 1, time.Minute},
		{"raised without a behavior, held", noBehavior, calculator.HoldScaleDown, 15, defaultDown - 1, defaultDown},
		{"a longer period", slowPolicy, calculator.RecommendCurrent, 0, time.Minute - 1, time.Minute},
		{"a longer period, held", slowPolicy, calculator.HoldScaleDown, 0, 10*time.Minute - 1, 10 * time.Minute},
		{"unknown", window60, "Warm", 15, -1, 1},
	} {
		spec, settings := externalSpec(t, tt.behavior), coldSettings(tt.cold)
		at := func(after time.Duration) calculator.Decision {
			var st calculator.State
			size := int32(10)
			if after > 0 {
				calculator.Decide(noon, settings, spec, wanted(10, 4), &st)
			}
			if tt.raised != 0 {
				size = tt.raised
			}
			d := calculator.Decide(noon.Add(after), settings, spec, wanted(size, 4), &st)
			require.NoError(t, d.Err())
			return d
		}
		if tt.held >= 0 {
			d := at(tt.held)
			require.False(t, d.Rescale, tt.name)
			require.Equal(t, noon.Add(tt.until), d.Until, tt.name)
			require.Equal(t, stabilize.ScaleDownStabilized, d.Stabilization.Reason, tt.name)
			c := d.Conditions[0]
			require.Equal(t, "ScaleDownStabilized", c.Reason)
			require.Equal(t, stabilize.ScaleDownStabilized.Message(), c.Message)
		}
		d := at(tt.until)
		require.True(t, d.Rescale, tt.name)
		require.Less(t, d.DesiredReplicas, d.CurrentReplicas, tt.name)
	}
}

// What holds the size of a cold start is the size, as of the first sync.
func TestColdStartExplainsItself(t *testing.T) {
	var st calculator.State
	spec, settings := externalSpec(t, noWindow), coldSettings(calculator.HoldScaleDown)
	calculator.Decide(noon, settings, spec, wanted(6, 6), &st)
	require.Equal(t, noon, st.Started)
	d := calculator.Decide(noon.Add(time.Second), settings, spec, wanted(9, 4), &st)
	require.Equal(t, stabilize.Result{
		Desired: 4, Replicas: 9, Reason: stabilize.ScaleDownStabilized,
		Bound: stabilize.Entry{Time: noon, Value: 9}, Until: noon.Add(15 * time.Second),
	}, d.Stabilization)
	require.True(t, d.ColdStart)

	// Upwards nothing is held, nor at the same size.
	d = calculator.Decide(noon.Add(2*time.Second), settings, spec, wanted(9, 12), &st)
	require.EqualValues(t, 12, d.DesiredReplicas)
	require.False(t, d.ColdStart)
	require.Equal(t, stabilize.NotStabilized, d.Stabilization.Reason)
	d = calculator.Decide(noon.Add(2*time.Second), settings, spec, wanted(9, 9), &st)
	require.Equal(t, stabilize.NotStabilized, d.Stabilization.Reason)
}

// The first sync is the first one that knows the size.
func TestColdStartBegins(t *testing.T) {
	spec, settings := externalSpec(t, window60), coldSettings(calculator.HoldScaleDown)
	var st calculator.State
	obs := wanted(10, 4)
	obs.ScaleError = errScale
	calculator.Decide(noon, settings, spec, obs, &st)
	require.True(t, st.Started.IsZero())
	obs = wanted(10, 4)
	obs.Readings[0] = calculator.Reading{Err: errMetric}
	calculator.Decide(noon.Add(1), settings, spec, obs, &st)
	require.Equal(t, noon.Add(1), st.Started)
	calculator.Decide(noon.Add(2), settings, spec, wanted(10, 4), &st)
	require.Equal(t, noon.Add(1), st.Started)

	// A history that was emptied begins again. One that was handed in, nobody
	// knows since when, has begun.
	st.Recommendations.Reset()
	calculator.Decide(noon.Add(time.Hour), settings, spec, wanted(10, 4), &st)
	require.Equal(t, noon.Add(time.Hour), st.Started)
	st = calculator.State{}
	st.Recommendations.Start(noon.Add(-time.Hour), 10)
	d := calculator.Decide(noon, settings, spec, wanted(10, 4), &st)
	require.True(t, st.Started.IsZero())
	require.EqualValues(t, 4, d.DesiredReplicas)
}

func TestColdStartLetsTheMaximumRule(t *testing.T) {
	spec, settings := externalSpec(t, window60), coldSettings(calculator.HoldScaleDown)
	var st calculator.State
	d := calculator.Decide(noon, settings, spec, wanted(30, 4), &st)
	require.EqualValues(t, 20, d.DesiredReplicas)
	require.Equal(t, calculator.ZoneAboveMax, d.Zone)
}

// A clock that goes back does not make a start of the future, and so a longer
// hold.
func TestColdStartWhenTheClockGoesBack(t *testing.T) {
	spec, settings := externalSpec(t, window60), coldSettings(calculator.HoldScaleDown)
	settings.Cooldown = behavior.Cooldown{} // which would be another reason
	var st calculator.State
	calculator.Decide(noon.Add(1000*time.Hour), settings, spec, wanted(10, 4), &st)
	d := calculator.Decide(noon, settings, spec, wanted(12, 4), &st)
	require.Equal(t, noon.Add(time.Minute), d.Until)
	require.Equal(t, noon, st.Started)
	d = calculator.Decide(noon.Add(time.Minute), settings, spec, wanted(12, 4), &st)
	require.EqualValues(t, 4, d.DesiredReplicas)
}

func TestColdStartDefault(t *testing.T) {
	require.Equal(t, calculator.RecommendCurrent, calculator.DefaultSettings().ColdStart)
	require.Zero(t, calculator.RecommendCurrent)
}
