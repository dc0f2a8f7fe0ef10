package calculator_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/correction"
	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// Nil settings decide as Kubernetes' defaults do, in every method that takes
// settings.
func TestNilSettingsAreTheDefaults(t *testing.T) {
	defaults, spec := calculator.DefaultSettings(), cpuSpec(t, `,"behavior":{"scaleDown":{"policies":[{"type":"Pods","value":2,"periodSeconds":60}]}}`)
	var states [2]calculator.State
	for i, usage := range []metrics.Milli{400, 100, 100, 900} {
		now, obs := noon.Add(time.Duration(i)*time.Minute), cpuAt(8, usage)
		want := calculator.Decide(now, &defaults, spec, obs, &states[0])
		got := calculator.Decide(now, nil, spec, obs, &states[1])
		require.Equal(t, want, got)
		require.NotEmpty(t, got.AppendVerdicts(nil, 0, nil, obs))
		require.Equal(t, got.AppendVerdicts(nil, 0, &defaults, obs), got.AppendVerdicts(nil, 0, nil, obs))
	}
	require.Equal(t, states[0], states[1])
	later := noon.Add(8 * time.Minute)
	require.Equal(t, states[0].AppendKey(nil, later, &defaults, spec), states[0].AppendKey(nil, later, nil, spec))
	states[0].Trim(later, &defaults, spec)
	require.NotEqual(t, states[0], states[1])
	states[1].Trim(later, nil, spec)
	require.Equal(t, states[0], states[1])
	require.Equal(t, defaults.ToleranceOf(spec.Behavior), (*calculator.Settings)(nil).ToleranceOf(spec.Behavior))
}

func TestNilSettingsAllocateNothing(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector allocates")
	}
	w := newWorkload(t, 50, 1, 1.5, "").warmUp()
	require.Zero(t, testing.AllocsPerRun(100, func() {
		w.now = w.now.Add(calculator.SyncPeriod)
		calculator.DecideInto(&w.d, w.now, nil, w.spec, w.obs, &w.st)
	}))
}

// At falling load, forgotten flags would let the size fall at once. They are
// refused, and nothing is recorded.
func TestForgottenFlagsAreRefused(t *testing.T) {
	spec, falling := cpuSpec(t, `,"behavior":{}`), cpuAt(8, 200)
	for name, settings := range map[string]calculator.Settings{
		"the zero Settings": {},
		"a release":         {Release: release.MustParse("1.32")},
		"a cooldown":        {Cooldown: behavior.DefaultCooldown()},
		"a cold start":      {ColdStart: calculator.HoldScaleDown},
		"a choice":          {ChooseBy: calculator.ChooseFirst},
		"corrections":       {Corrections: correction.All()},
	} {
		t.Run(name, func(t *testing.T) {
			var st calculator.State
			d := calculator.Decide(noon, &settings, spec, falling, &st)
			var bad *field.Error
			require.ErrorAs(t, d.Err(), &bad)
			require.Equal(t, "settings", bad.Field)
			require.ErrorContains(t, d.Err(), "use calculator.DefaultSettings() or nil, or set ZeroFlags")
			require.Equal(t, int32(8), d.DesiredReplicas)
			require.False(t, d.Rescale)
			require.Equal(t, calculator.State{}, st)

			settings.ZeroFlags = true
			d = calculator.Decide(noon, &settings, spec, falling, &st)
			require.NoError(t, d.Err())
			require.False(t, st.Recommendations.IsEmpty())
		})
	}
}

// Nothing is dropped or said about a state under settings that decide nothing.
func TestForgottenFlagsLeaveTheState(t *testing.T) {
	spec := cpuSpec(t, "")
	var st calculator.State
	d := calculator.Decide(noon, nil, spec, cpuAt(8, 200), &st)
	before := st.Clone()
	st.Trim(noon.Add(time.Hour), &calculator.Settings{}, spec)
	require.Equal(t, before, st)
	require.Empty(t, st.AppendKey(nil, noon, &calculator.Settings{}, spec))
	require.Empty(t, d.AppendVerdicts(nil, 0, &calculator.Settings{}, cpuAt(8, 200)))
}

// Each flag may be zero, if another is not or if it is said.
func TestFlagsOfZero(t *testing.T) {
	for name, tt := range map[string]struct {
		settings calculator.Settings
		want     int32 // of 8 pods at two fifths of the target
	}{
		"all but the tolerance":                 {calculator.Settings{Tolerance: 0.1}, 4},
		"all but the window":                    {calculator.Settings{DownscaleStabilization: time.Minute}, 8},
		"all but the cpu initialization period": {calculator.Settings{ReadinessSettings: podgroup.ReadinessSettings{CPUInitializationPeriod: 1}}, 4},
		"all but the initial readiness delay":   {calculator.Settings{ReadinessSettings: podgroup.ReadinessSettings{InitialReadinessDelay: 1}}, 4},
		"all":                                   {calculator.Settings{ZeroFlags: true}, 4},
		"none":                                  {calculator.DefaultSettings(), 8},
	} {
		t.Run(name, func(t *testing.T) {
			var st calculator.State
			d := calculator.Decide(noon, &tt.settings, cpuSpec(t, `,"behavior":{}`), cpuAt(8, 200), &st)
			require.NoError(t, d.Err())
			require.Equal(t, tt.want, d.DesiredReplicas)
		})
	}
}
