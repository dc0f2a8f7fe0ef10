package stage_test

import (
	"encoding/json"
	"fmt"

	"github.com/purehpa/hpa/calculator/stage"
)

// A stage that was kept as JSON says the same later.
func Example() {
	var s stage.Stage
	err := json.Unmarshal([]byte(`{
		"name": "Stabilization", "now": "2026-05-04T12:01:00Z", "current": 8, "low": 8, "high": 8,
		"bound": "ScaleDownStabilized", "until": "2026-05-04T12:05:00Z",
		"stabilization": {"desired": 3, "direction": "Down", "windowSeconds": 300, "recommended": 8, "made": "2026-05-04T12:00:00Z"}
	}`), &s)
	if err != nil {
		fmt.Println(err)
	}
	fmt.Print(s.Text())
	fmt.Println(s.Bound, "until", s.Until)
	// Output:
	// Stabilization: 8 replicas instead of 3, the highest recommendation in the last 5m, made 1m ago, at 2026-05-04T12:00:00Z. It counts until 2026-05-04T12:05:00Z, in 4m.
	// ScaleDownStabilized until 2026-05-04 12:05:00 +0000 UTC
}

// Programs that are not in Go read the JSON.
func ExampleStage_MarshalJSON() {
	s := stage.Stage{Name: stage.NameLimits, Current: 8, Low: 10, High: 10, Bound: "TooManyReplicas",
		Limits: &stage.Limits{DesiredLow: 12, DesiredHigh: 12}}
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(string(text))
	// Output:
	// {
	//   "name": "Limits",
	//   "now": "0001-01-01T00:00:00Z",
	//   "current": 8,
	//   "low": 10,
	//   "high": 10,
	//   "bound": "TooManyReplicas",
	//   "limits": {
	//     "desiredLow": 12,
	//     "desiredHigh": 12
	//   },
	//   "sentences": "10 replicas instead of 12, the maximum.",
	//   "text": "Limits: 10 replicas instead of 12, the maximum.\n"
	// }
}
