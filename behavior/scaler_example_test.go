package behavior_test

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/purehpa/hpa/behavior"
)

// A queue has one worker for ten jobs.
func ExampleScaler() {
	scaler := behavior.Scaler{Behavior: behavior.Default(), DownscaleStabilization: 5 * time.Minute}
	bounds := behavior.Bounds{Min: 1, Max: 20}
	workers := int32(2)
	now := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	for _, jobs := range []int32{15, 93, 93, 40, 40, 40} {
		needed := (jobs + 9) / 10
		step := scaler.Step(now, behavior.Change{Current: workers, Desired: needed}, bounds)
		fmt.Println(now.Format(time.TimeOnly), jobs, "jobs:", workers, "to", step.Replicas, "workers")
		switch {
		case step.Replicas == needed:
		case step.Limits.Reason != behavior.DesiredWithinRange:
			fmt.Println("  not", needed, "yet:", step.Limits.Reason.Message())
		default:
			fmt.Println("  not", needed, "until", step.Stabilization.Until.Format(time.TimeOnly))
		}
		if step.Replicas != workers {
			// Start or stop workers, and once that has worked:
			scaler.Applied(now, workers, step.Replicas)
			workers = step.Replicas
		}
		now = now.Add(2 * time.Minute)
	}
	// Output:
	// 12:00:00 15 jobs: 2 to 2 workers
	// 12:02:00 93 jobs: 2 to 6 workers
	//   not 10 yet: the desired replica count is increasing faster than the maximum scale rate
	// 12:04:00 93 jobs: 6 to 10 workers
	// 12:06:00 40 jobs: 10 to 10 workers
	//   not 4 until 12:09:00
	// 12:08:00 40 jobs: 10 to 10 workers
	//   not 4 until 12:09:00
	// 12:10:00 40 jobs: 10 to 4 workers
}

// The loop of a controller that has a worker for ten jobs.
func ExampleScaler_loop() {
	ticks := func(yield func(time.Time) bool) {
		now := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
		for range 10 {
			if !yield(now) {
				return
			}
			now = now.Add(15 * time.Second)
		}
	}
	jobs, resize := func() int32 { return 93 }, func(int32) error { return nil }
	workers := int32(2)

	scaler := behavior.Scaler{Behavior: behavior.Default(), DownscaleStabilization: 5 * time.Minute}
	bounds := behavior.Bounds{Min: 1, Max: 20}
	for now := range ticks {
		needed := (jobs() + 9) / 10 // a worker for ten jobs
		step := scaler.Step(now, behavior.Change{Current: workers, Desired: needed}, bounds)
		if step.Replicas != workers && resize(step.Replicas) == nil {
			scaler.Applied(now, workers, step.Replicas)
			workers = step.Replicas
		}
	}
	fmt.Println(workers, "workers")
	// Output:
	// 10 workers
}

// What a Scaler remembers is kept over a restart, and its rules are not.
func ExampleScaler_json() {
	rules := &behavior.Behavior{ScaleDown: &behavior.ScalingRules{
		Policies: []behavior.Policy{{Type: behavior.PodsPolicy, Value: 1, PeriodSeconds: 60}},
	}}
	rules.SetDefaults()
	now := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	before := behavior.Scaler{Behavior: rules}
	step := before.Step(now, behavior.Change{Current: 5, Desired: 2}, behavior.Bounds{Min: 1, Max: 20})
	before.Applied(now, 5, step.Replicas)
	saved, _ := json.Marshal(&before)
	fmt.Println(string(saved))

	after := behavior.Scaler{Behavior: rules}
	if err := json.Unmarshal(saved, &after); err != nil {
		fmt.Println(err)
	}
	now = now.Add(15 * time.Second)
	step = after.Step(now, behavior.Change{Current: 4, Desired: 2}, behavior.Bounds{Min: 1, Max: 20})
	fmt.Println(step.Replicas, step.Limits.Reason, step.Limits.Until.Format(time.TimeOnly))
	// Output:
	// {"recommendations":[{"time":"2026-07-01T12:00:00Z","replicas":5},{"time":"2026-07-01T12:00:00Z","replicas":2}],"events":{"added":[],"removed":[{"time":"2026-07-01T12:00:00Z","replicas":1}]},"scaledToZero":false}
	// 4 ScaleDownLimit 12:01:00
}

// A Scaler whose arguments make no sense keeps the size.
func ExampleStep() {
	var scaler behavior.Scaler
	step := scaler.Step(time.Now(), behavior.Change{Current: 3, Desired: 9}, behavior.Bounds{Min: 5, Max: 4})
	fmt.Println(step.Replicas, step.Err)
	// Output:
	// 3 bounds.max: Invalid value: 4: must be greater than or equal to `min`
}
