package calculator_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
)

// exampleSpec asks for 10 of an external metric for each pod.
func exampleSpec() *autoscaling.HorizontalPodAutoscalerSpec {
	spec := autoscaling.NewSpec(1, 20, autoscaling.ExternalAverageValueMetric("backlog", metrics.MustParseQuantity("10")))
	return &spec
}

// exampleSync decides on a size and a backlog.
func exampleSync(now time.Time, settings *calculator.Settings, size int32, backlog metrics.Milli, state *calculator.State) calculator.Decision {
	return calculator.Decide(now, settings, exampleSpec(), &calculator.Observation{
		SpecReplicas:   size,
		StatusReplicas: size,
		Readings:       []calculator.Reading{{Values: []metrics.Milli{backlog * 1000}}},
	}, state)
}

// A state that is kept lets another process go on where this one stopped: the
// peak of two minutes ago still holds the size.
func ExampleState_MarshalBinary() {
	settings := calculator.DefaultSettings()
	now := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	var state calculator.State
	d := exampleSync(now, &settings, 4, 80, &state)
	state.Applied(now, &d)
	fmt.Println(d.DesiredReplicas)
	kept, err := state.MarshalBinary()
	if err != nil {
		panic(err)
	}

	var restored calculator.State
	if err := restored.UnmarshalBinary(kept); err != nil {
		panic(err)
	}
	d = exampleSync(now.Add(2*time.Minute), &settings, 8, 10, &restored)
	fmt.Println(d.DesiredReplicas, d.Stabilization.Reason, "until", d.Until.Format(time.TimeOnly))
	// Output:
	// 8
	// 8 ScaleDownStabilized until 12:05:00
}

func ExampleState_MarshalJSON() {
	settings := calculator.DefaultSettings()
	now := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	var state calculator.State
	exampleSync(now, &settings, 4, 40, &state)
	state.Conditions = state.Conditions[:1] // to be brief
	text, err := json.MarshalIndent(state, "", "  ")
	fmt.Println(string(text), err)
	// Output:
	// {
	//   "version": 1,
	//   "recommendations": [
	//     {
	//       "time": "2026-07-01T12:00:00Z",
	//       "replicas": 4
	//     },
	//     {
	//       "time": "2026-07-01T12:00:00Z",
	//       "replicas": 4
	//     }
	//   ],
	//   "events": {
	//     "added": [],
	//     "removed": []
	//   },
	//   "conditions": [
	//     {
	//       "type": "AbleToScale",
	//       "status": "True",
	//       "lastTransitionTime": "2026-07-01T12:00:00Z",
	//       "reason": "ReadyForNewScale",
	//       "message": "recommended size matches current size"
	//     }
	//   ],
	//   "desiredReplicas": 4,
	//   "started": "2026-07-01T12:00:00Z"
	// } <nil>
}

// What an input does not say, or says wrong, is an error that tells where.
func ExampleState_UnmarshalJSON() {
	var state calculator.State
	fmt.Println(json.Unmarshal([]byte(`{"version": 1, "recommendations": [{"replicas": 4}]}`), &state))
	fmt.Println(json.Unmarshal([]byte(`{"version": 3}`), &state))
	// Output:
	// calculator.State: recommendations[0].time: missing
	// calculator.State: version: unknown version 3
}

// A fork asks what would be, and leaves the state alone.
func ExampleState_Clone() {
	settings := calculator.DefaultSettings()
	now := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	var state calculator.State
	exampleSync(now, &settings, 4, 40, &state)

	for _, later := range []time.Duration{time.Minute, 6 * time.Minute} {
		fork := state.Clone()
		d := exampleSync(now.Add(later), &settings, 4, 10, &fork)
		fmt.Println("in", later, "a backlog of 10 gives", d.DesiredReplicas)
	}
	fmt.Println(state.Recommendations.Len(), "recommendations")
	// Output:
	// in 1m0s a backlog of 10 gives 4
	// in 6m0s a backlog of 10 gives 1
	// 2 recommendations
}

// Where the state was lost, the size that someone else set is safe for a
// window.
func ExampleColdStart() {
	now := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	for _, cold := range []calculator.ColdStart{calculator.RecommendCurrent, calculator.HoldScaleDown} {
		settings := calculator.DefaultSettings()
		settings.ColdStart = cold
		var state calculator.State
		exampleSync(now, &settings, 4, 40, &state)
		// Somebody sets 9, for what they know is coming.
		d := exampleSync(now.Add(time.Minute), &settings, 9, 40, &state)
		fmt.Printf("%q: %d\n", cold, d.DesiredReplicas)
	}
	// Output:
	// "": 4
	// "HoldScaleDown": 9
}

// Once the scale is written, Applied records the scale event: policies count
// it.
func ExampleState_Applied() {
	settings := calculator.DefaultSettings()
	spec := exampleSpec()
	spec.Behavior = &behavior.Behavior{ScaleUp: &behavior.ScalingRules{
		Policies: []behavior.Policy{{Type: behavior.PodsPolicy, Value: 4, PeriodSeconds: 60}},
	}}
	spec.SetDefaults()
	now := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	var state calculator.State
	size := int32(4)
	for range 3 {
		d := calculator.Decide(now, &settings, spec, &calculator.Observation{
			SpecReplicas:   size,
			StatusReplicas: size,
			Readings:       []calculator.Reading{{Values: []metrics.Milli{200_000}}}, // enough for 20
		}, &state)
		fmt.Println(now.Format(time.TimeOnly), d.CurrentReplicas, "to", d.DesiredReplicas, d.Limits.Reason)
		if d.Rescale {
			// Write d.DesiredReplicas to the scale, and if that succeeds:
			state.Applied(now, &d)
			size = d.DesiredReplicas
		}
		now = now.Add(30 * time.Second)
	}
	fmt.Println("last scaled at", state.LastScaleTime.Format(time.TimeOnly))
	// Output:
	// 12:00:00 4 to 8 ScaleUpLimit
	// 12:00:30 8 to 8 ScaleUpLimit
	// 12:01:00 8 to 12 ScaleUpLimit
	// last scaled at 12:01:00
}

// If the scale cannot be written, Failed records why. There is no scale event.
func ExampleState_Failed() {
	settings := calculator.DefaultSettings()
	now := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	var state calculator.State
	d := exampleSync(now, &settings, 4, 80, &state)
	state.Failed(now, &d, errors.New("the scale was changed meanwhile"))
	for _, e := range d.AppendEvents(nil) {
		fmt.Println(e)
	}
	c := state.Condition(autoscaling.AbleToScale)
	fmt.Println(c.Type, c.Status, c.Reason)
	fmt.Println(state.LastScaleTime.IsZero())
	// Output:
	// Warning FailedRescale New size: 8; reason: external metric backlog(nil) above target; error: the scale was changed meanwhile
	// AbleToScale False FailedUpdateScale
	// true
}
