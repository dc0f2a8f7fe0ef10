package calculator_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/calctest"
	"github.com/purehpa/hpa/metrics"
)

// TestScalerEqualsDecide steps a behavior.Scaler with the proposals of an
// autoscaler: sizes, windows and limits are those of Decide at each sync,
// whatever the rules, the clock and others do to the size.
func TestScalerEqualsDecide(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		spec := autoscaling.NewSpec(0, 1, autoscaling.ExternalAverageValueMetric("jobs", metrics.MustParseQuantity("10")))
		bounds := behavior.Bounds{Min: rapid.Int32Range(0, 5).Draw(t, "min")}
		bounds.Max = rapid.Int32Range(max(bounds.Min, 1), 40).Draw(t, "max")
		spec.MinReplicas, spec.MaxReplicas = &bounds.Min, bounds.Max
		if rapid.Bool().Draw(t, "behavior") {
			spec.Behavior = calctest.Behaviors().Draw(t, "rules")
			spec.Behavior.SetDefaults()
		}
		settings := calculator.DefaultSettings()
		settings.Tolerance = 0
		settings.DownscaleStabilization = time.Duration(rapid.IntRange(0, 300).Draw(t, "window")) * time.Second
		scaler := behavior.Scaler{Behavior: spec.Behavior, DownscaleStabilization: settings.DownscaleStabilization}

		var st calculator.State
		var d calculator.Decision
		now, size := noon, rapid.Int32Range(0, 45).Draw(t, "size")
		for range rapid.IntRange(1, 40).Draw(t, "syncs") {
			now = now.Add(time.Duration(rapid.IntRange(-20, 90).Draw(t, "seconds")) * time.Second)
			if rapid.IntRange(0, 9).Draw(t, "others") == 0 {
				size = rapid.Int32Range(0, 45).Draw(t, "size set by others")
			}
			jobs := rapid.Int64Range(0, 500).Draw(t, "jobs")
			obs := calculator.Observation{
				SpecReplicas: size, StatusReplicas: size,
				Readings: []calculator.Reading{{Values: []metrics.Milli{metrics.Milli(1000 * jobs)}}},
			}
			calculator.DecideInto(&d, now, &settings, &spec, &obs, &st)
			require.NoError(t, d.Err())
			proposed := int32(jobs) // not looked at, unless the metrics decide
			if len(d.Proposals) > 0 {
				proposed = d.Proposals[0].Replicas
			}
			step := scaler.Step(now, behavior.Change{Current: size, Desired: proposed}, bounds)
			require.NoError(t, step.Err)
			require.Equal(t, d.DesiredReplicas, step.Replicas, "%v", d)
			require.Equal(t, d.Stabilization, step.Stabilization)
			require.Equal(t, d.Limits, step.Limits)
			if rapid.IntRange(0, 4).Draw(t, "write fails") > 0 {
				st.Applied(now, &d)
				scaler.Applied(now, size, step.Replicas)
				size = d.DesiredReplicas
			}
			require.True(t, st.Recommendations.Equal(&scaler.Recommendations))
			require.True(t, st.Events.Equal(&scaler.Events))
		}
	})
}
