package calculator_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// Without a field of the first example, the error names that field.
func TestForgottenFieldsAreNamed(t *testing.T) {
	type world struct {
		settings calculator.Settings
		spec     autoscaling.HorizontalPodAutoscalerSpec
		obs      calculator.Observation
		pod      podgroup.Pod
		sample   metrics.Sample
	}
	for name, tt := range map[string]struct {
		forget func(w *world)
		text   string
	}{
		"nothing":        {func(*world) {}, "the size should change from 5 to 8 replicas"},
		"Sample.Present": {func(w *world) { w.sample.Present = false }, "5 missing (no sample)"},
		"Sample.Time":    {func(w *world) { w.sample.Time, w.pod.StartTime = 0, metrics.At(noon.Add(-time.Minute)) }, "5 unready (sample too early)"},
		"Pod.Ready":      {func(w *world) { w.pod.Ready = podgroup.NoReadiness }, "5 unready (no ready condition)"},
		"Pod.StartTime":  {func(w *world) { w.pod.StartTime = 0 }, "5 unready (no start time)"},
		"Pod.Phase":      {func(w *world) { w.pod.Phase = podgroup.PhasePending }, "5 unready (phase pending)"},
		"the requests":   {func(w *world) { w.pod.Containers[0].Requests, w.pod.CPU = podgroup.Requests{}, podgroup.Request{} }, "missing request for cpu in container app of Pod web"},
		"the pods":       {func(w *world) { w.obs.Pods = []podgroup.Pod{} }, "observation.readings[0].samples: Invalid value: 5: 5 samples for 0 pods"},
		"the readings":   {func(w *world) { w.obs.Readings = []calculator.Reading{} }, "observation.readings: Invalid value: 0: 0 readings for 1 metrics"},
		"the samples":    {func(w *world) { w.obs.Readings = []calculator.Reading{{}} }, "5 missing (no sample)"},
		"the values": {func(w *world) {
			w.spec.Metrics, w.obs.Readings = []autoscaling.MetricSpec{autoscaling.ExternalValueMetric("jobs", metrics.MustParseQuantity("1"))}, []calculator.Reading{{}}
		}, "observation.readings[0].values: Required value: nil is no answer; an answer without series is an empty slice"},
		"the series": {func(w *world) {
			w.spec.Metrics, w.obs.Readings = []autoscaling.MetricSpec{autoscaling.ExternalValueMetric("jobs", metrics.MustParseQuantity("1"))}, []calculator.Reading{{Values: []metrics.Milli{}}}
		}, "the value is 0"},
		"SpecReplicas":    {func(w *world) { w.obs.SpecReplicas = 0 }, "Size: 0 replicas in spec.replicas. Scaling is disabled"},
		"the metrics":     {func(w *world) { w.spec.Metrics = nil }, "spec.metrics: Required value"},
		"maxReplicas":     {func(w *world) { w.spec.MaxReplicas = 0 }, "spec.maxReplicas: Required value"},
		"the target":      {func(w *world) { w.spec.Metrics[0].Resource.Target.AverageUtilization = nil }, "neither an average utilization target nor an average value (usage) target was set"},
		"the defaults":    {func(w *world) { w.spec.Behavior = &behavior.Behavior{} }, "spec.behavior.scaleUp: Required value: must be set, which SetDefaults does"},
		"the settings":    {func(w *world) { w.settings = calculator.Settings{} }, "settings: Required value: all flags are zero: use calculator.DefaultSettings() or nil, or set ZeroFlags"},
		"one of the pods": {func(w *world) { w.obs.Pods = make([]podgroup.Pod, 4) }, "observation.readings[0].samples: Invalid value: 5: 5 samples for 4 pods"},
	} {
		t.Run(name, func(t *testing.T) {
			w := world{
				settings: calculator.DefaultSettings(),
				spec:     autoscaling.NewSpec(2, 10, autoscaling.ResourceUtilizationMetric("cpu", 60)),
				obs:      calculator.Observation{SpecReplicas: 5, StatusReplicas: 5},
				pod:      podgroup.RunningPod("web", noon.Add(-time.Hour), podgroup.Requests{CPU: podgroup.Requested(500)}),
				sample:   metrics.NewSample(450, noon, 30*time.Second),
			}
			tt.forget(&w)
			if w.obs.Pods == nil {
				for range 5 {
					w.obs.Pods = append(w.obs.Pods, w.pod)
				}
			}
			if w.obs.Readings == nil {
				w.obs.Readings = make([]calculator.Reading, 1)
				for range 5 {
					w.obs.Readings[0].Samples = append(w.obs.Readings[0].Samples, w.sample)
				}
			}
			var st calculator.State
			d := calculator.Decide(noon, &w.settings, &w.spec, &w.obs, &st)
			require.Contains(t, d.String(), tt.text)
			require.Equal(t, name == "nothing", d.DesiredReplicas > 5)
		})
	}
}
