package stabilize_test

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/purehpa/hpa/stabilize"
)

// A peak that is over holds the size for the window.
func ExampleHistory_Stabilize() {
	windows := stabilize.Windows{Down: 5 * time.Minute}
	var history stabilize.History
	now := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	size := int32(10)
	for _, desired := range []int32{10, 4, 4} {
		r := history.Stabilize(now, size, desired, windows)
		history.Record(now, desired, windows)
		fmt.Println(now.Format(time.TimeOnly), r.Desired, "->", r.Replicas, r.Reason)
		if r.Reason != stabilize.NotStabilized {
			fmt.Println("  until", r.Until.Format(time.TimeOnly), "by the", r.Bound.Value, "of", r.Bound.Time.Format(time.TimeOnly))
		}
		now = now.Add(150 * time.Second)
	}
	// Output:
	// 12:00:00 10 -> 10 ReadyForNewScale
	// 12:02:30 4 -> 10 ScaleDownStabilized
	//   until 12:05:00 by the 10 of 12:00:00
	// 12:05:00 4 -> 4 ReadyForNewScale
}

// Without a behavior, a recommendation as old as the window still counts.
func ExampleHistory_StabilizeDown() {
	const window = 5 * time.Minute
	noon := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	var history stabilize.History
	history.Start(noon, 10)
	for _, age := range []time.Duration{window, window + time.Nanosecond} {
		fmt.Println(history.StabilizeDown(noon.Add(age), 4, window).Replicas)
	}
	// Output:
	// 10
	// 4
}

// A history is a list in JSON.
func ExampleHistory_MarshalJSON() {
	var history stabilize.History
	history.Start(time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC), 10)
	text, err := json.Marshal(history)
	fmt.Println(string(text), err)

	err = json.Unmarshal([]byte(`[{"time": "yesterday", "replicas": 10}]`), &history)
	fmt.Println(err)
	// Output:
	// [{"time":"2026-07-01T12:00:00Z","replicas":10}] <nil>
	// stabilize.History: [0].time: codec: time "yesterday" is not RFC 3339
}
