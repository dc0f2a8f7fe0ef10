package calculator_test

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
)

// "Why did it not scale down?" The queue is almost empty, but a minute ago it
// was not.
func ExampleDecision_String() {
	var spec autoscaling.HorizontalPodAutoscalerSpec
	_ = json.Unmarshal([]byte(`{"minReplicas": 1, "maxReplicas": 50, "metrics": [{"type": "External", "external":
		{"metric": {"name": "backlog"}, "target": {"type": "AverageValue", "averageValue": "100"}}}]}`), &spec)
	spec.SetDefaults()
	settings := calculator.DefaultSettings()
	var state calculator.State

	noon := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	sync := func(now time.Time, backlog metrics.Milli) calculator.Decision {
		obs := calculator.Observation{
			SpecReplicas:   8,
			StatusReplicas: 8,
			Readings:       []calculator.Reading{{Values: []metrics.Milli{backlog}}},
		}
		return calculator.Decide(now, &settings, &spec, &obs, &state)
	}
	sync(noon, 780_000)
	d := sync(noon.Add(time.Minute), 240_000)
	fmt.Print(d.String())
	// Output:
	// At 2026-05-04T12:01:00Z, the size stays at 8 replicas.
	// Size: 8 replicas, within the bounds of 1 to 50, so the metrics decide.
	// Metric 1 of 1, External backlog, target averageValue 100: the value is 240, which is 30 per pod (status.replicas is 8). The ratio to the target is 0.3000, outside the tolerance of 0.9000 to 1.1000.
	//   Proposal: 3 replicas, 240 divided by 100, rounded up.
	// Choice: 3 replicas, by the only metric.
	// Stabilization: 8 replicas instead of 3, the highest recommendation in the last 5m, made 1m ago, at 2026-05-04T12:00:00Z. It counts until just after 2026-05-04T12:05:00Z, in 4m.
	// Limits: 8 replicas, unchanged.
	// Next: the decision stays the same until just after 2026-05-04T12:05:00Z, in 4m, unless an input changes first.
}

// "Why did it not scale down, and until when?" in a table. The size of each
// stage and what bound it are data; nothing has to be found in sentences.
func ExampleDecision_Stages() {
	spec := autoscaling.NewSpec(1, 50, autoscaling.ExternalAverageValueMetric("backlog", metrics.MustParseQuantity("100")))
	spec.SetDefaults()
	settings := calculator.DefaultSettings()
	var state calculator.State
	sync := func(now time.Time, backlog metrics.Milli) calculator.Decision {
		obs := calculator.Observation{SpecReplicas: 8, StatusReplicas: 8, Readings: []calculator.Reading{{Values: []metrics.Milli{backlog}}}}
		return calculator.Decide(now, &settings, &spec, &obs, &state)
	}
	sync(noon, 780_000)
	d := sync(noon.Add(time.Minute), 240_000)

	for _, s := range d.Stages() {
		line := fmt.Sprintf("%-13s  %d", s.Name, s.Low)
		if m := s.Metric; m != nil {
			line += fmt.Sprintf(", as %s is at %v of its target", m.Name, m.Usage.Ratio)
		}
		if s.Bound != "" {
			line += ", bound by " + s.Bound
		}
		if !s.Until.IsZero() {
			line += ", until " + s.Until.Format(time.TimeOnly)
		}
		fmt.Println(line)
	}
	// Output:
	// Result         8
	// Size           8
	// Metric 1       3, as backlog is at 0.3 of its target
	// Choice         3
	// Stabilization  8, bound by ScaleDownStabilized, until 12:05:00
	// Limits         8
	// Next           8, until 12:05:00
}

// Programs read the trace's fields, or its JSON.
func ExampleDecision_MarshalJSON() {
	var spec autoscaling.HorizontalPodAutoscalerSpec
	_ = json.Unmarshal([]byte(`{"minReplicas": 1, "maxReplicas": 50, "metrics": [{"type": "External", "external":
		{"metric": {"name": "backlog"}, "target": {"type": "AverageValue", "averageValue": "100"}}}]}`), &spec)
	spec.SetDefaults()
	settings := calculator.DefaultSettings()
	var state calculator.State
	obs := calculator.Observation{
		SpecReplicas:   60,
		StatusReplicas: 60,
	}
	d := calculator.Decide(time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC), &settings, &spec, &obs, &state)
	d.Conditions = nil // they are those of the status
	text, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(string(text))
	// Output:
	// {
	//   "now": "2026-05-04T12:00:00Z",
	//   "currentReplicas": 60,
	//   "desiredReplicas": 50,
	//   "rescale": true,
	//   "reason": "AboveMaxReplicas",
	//   "outcome": "Pending",
	//   "minReplicas": 1,
	//   "maxReplicas": 50,
	//   "zone": "AboveMax",
	//   "started": true,
	//   "coldStart": false,
	//   "raisedToMin": false
	// }
}

// The text can be appended to one that the caller has.
func ExampleDecision_AppendText() {
	d := calculator.Decision{
		Now:             time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC),
		Zone:            calculator.ZoneDisabled,
		CurrentReplicas: 0,
	}
	text, _ := d.AppendText([]byte("shop/web:\n"))
	fmt.Print(string(text))
	// Output:
	// shop/web:
	// At 2026-05-04T12:00:00Z, the size stays at 0 replicas.
	// Size: 0 replicas in spec.replicas. Scaling is disabled until someone sets another size, because the autoscaler did not scale to zero itself.
	// Next: the decision stays the same until an input changes.
}

// Only the autoscaler's object is known, 29 seconds after a scale.
func ExampleKnown() {
	spec := autoscaling.NewSpec(1, 10, autoscaling.ResourceUtilizationMetric("cpu", 50))
	spec.Behavior = &behavior.Behavior{ScaleUp: &behavior.ScalingRules{
		Policies: []behavior.Policy{{Type: behavior.PodsPolicy, Value: 1, PeriodSeconds: 1800}},
	}}
	spec.SetDefaults()
	known := calculator.Known{Status: autoscaling.HorizontalPodAutoscalerStatus{
		LastScaleTime:   noon.Add(-29 * time.Second),
		CurrentReplicas: 5,
		DesiredReplicas: 5,
		Conditions: []autoscaling.HorizontalPodAutoscalerCondition{
			{Type: autoscaling.AbleToScale, Status: autoscaling.ConditionTrue, Reason: "ReadyForNewScale"},
		},
	}}
	settings := calculator.DefaultSettings()
	obs := calculator.Observation{SpecReplicas: 5, StatusReplicas: 5, Pods: readyPods(5), Readings: []calculator.Reading{{Samples: same(5, 600)}}}
	r := known.Decide(noon, &settings, &spec, &obs)
	fmt.Print(r)
	// Output:
	// At 2026-05-04T12:00:00Z, the size will be between 5 and 6 replicas; the status does not say more. It is 5 now.
	// Size: 5 replicas, within the bounds of 1 to 10, so the metrics decide.
	// Metric 1 of 1, Resource cpu, target averageUtilization 50%: 5 pods, all ready.
	//   Usage: the ready pods use 3 of the 5 cpu that they request: 60%. The ratio to the target is 1.2000, outside the tolerance of 0.9000 to 1.1000.
	//   Proposal: 6 replicas, 1.2000 times 5 ready pods, rounded up.
	// Choice: 6 replicas, by the only metric.
	// Stabilization: 6 replicas. There is no stabilization window for scaling up.
	// Policies: the scale events up to 29s ago, at 2026-05-04T11:59:31Z, are not known.
	//   Policy 1: 1 pod up in 30m: some of them may still count.
	// Limits: 5 to 6 replicas.
	// Next: how long the decision stays the same is not known.
}
