package calculator_test

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
)

// "Why did it not scale down?" The queue is almost empty, but a minute ago it was
// not.
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
	// Next: the decision stays the same until just after 2026-05-04T12:05:00Z, in 4m, unless something other than the time changes.
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
	//   "reason": "aboveMaxReplicas",
	//   "outcome": "pending",
	//   "minReplicas": 1,
	//   "maxReplicas": 50,
	//   "zone": "aboveMax",
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
	// Size: 0 replicas in spec.replicas. Scaling is disabled until somebody sets another size, because the autoscaler did not scale to zero itself.
	// Next: the decision stays the same until something other than the time changes.
}
