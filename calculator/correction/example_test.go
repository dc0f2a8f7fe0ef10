package correction_test

import (
	"fmt"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/correction"
	"github.com/purehpa/hpa/metrics"
)

// A rollout starts two pods more than the scale asks for. The backlog is within
// tolerance, so nothing should change, but Kubernetes keeps all 12 pods.
func Example() {
	spec := autoscaling.NewSpec(1, 20, autoscaling.ExternalAverageValueMetric("backlog", metrics.MustParseQuantity("100")))
	obs := calculator.Observation{
		SpecReplicas:   10,
		StatusReplicas: 12,
		Readings:       []calculator.Reading{{Values: []metrics.Milli{metrics.MustParseMilli("1150")}}},
	}
	now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	for _, corrections := range []correction.Set{0, correction.NewSet(correction.StatusSize, correction.Strays)} {
		settings := calculator.DefaultSettings()
		settings.Corrections = corrections
		var state calculator.State
		d := calculator.Decide(now, &settings, &spec, &obs, &state)
		fmt.Printf("with %q: %d to %d, corrected by %q\n", corrections, d.CurrentReplicas, d.DesiredReplicas, d.Corrections)
	}
	// Output:
	// with "": 10 to 12, corrected by ""
	// with "StatusSize,Strays": 10 to 10, corrected by "StatusSize"
}

// A flag of a controller names the corrections.
func ExampleParse() {
	set, err := correction.Parse("StatusSize,Strays")
	fmt.Println(set.Has(correction.Strays), set.Has(correction.Owners), err)
	// Output: true false <nil>
}

func ExampleSet_All() {
	set := correction.NewSet(correction.Strays, correction.StatusSize)
	for c := range set.All() {
		fmt.Println(c)
	}
	// Output:
	// StatusSize
	// Strays
}
