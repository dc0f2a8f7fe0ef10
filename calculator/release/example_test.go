package release_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// Ten pods use exactly 10% more than their target. The decision says which
// quirk of 1.32 mattered.
func Example() {
	spec := autoscaling.NewSpec(1, 20, autoscaling.ResourceUtilizationMetric("cpu", 50))
	now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	requests := podgroup.Requests{CPU: podgroup.Requested(metrics.MustParseMilli("1"))}
	obs := calculator.Observation{SpecReplicas: 10, StatusReplicas: 10, Readings: make([]calculator.Reading, 1)}
	for i := range 10 {
		obs.Pods = append(obs.Pods, podgroup.RunningPod(fmt.Sprint("web-", i), now.Add(-time.Hour), requests))
		obs.Readings[0].Samples = append(obs.Readings[0].Samples, metrics.NewSample(metrics.MustParseMilli("550m"), now, 30*time.Second))
	}
	for _, version := range []string{"1.32", "1.37"} {
		settings := calculator.DefaultSettings()
		settings.Release = release.MustParse(version)
		var state calculator.State
		d := calculator.Decide(now, &settings, &spec, &obs, &state)
		fmt.Printf("%s: %d to %d, quirks %q\n", d.Release, d.CurrentReplicas, d.DesiredReplicas, d.Quirks)
	}
	// Output:
	// 1.32: 10 to 11, quirks "ToleranceByDistance"
	// 1.37: 10 to 10, quirks ""
}

// Text that names no known release is an error.
func ExampleParse_error() {
	_, err := release.Parse("1.12")
	fmt.Println(err)
	var e *release.ParseError
	fmt.Println(errors.As(err, &e))
	// Output:
	// release: "1.12": not among the releases known, 1.29 to 1.37
	// true
}

// Each quirk has a row: what it changes, and which release ended it.
func ExampleRelease_Quirks() {
	r := release.MustParse("1.35")
	for q := range r.Quirks().All() {
		if row := q.Row(); row.Kind == release.Decides {
			fmt.Println(q, "until", row.Since, row.Gate)
		}
	}
	// Output:
	// ZeroByMinReplicas until 36
}

// An administrator has switched a feature gate on.
func ExampleRelease_With() {
	r, err := release.MustParse("1.36").With(release.HPAScaleToZero, true)
	fmt.Println(r, err)
	fmt.Println(r.Quirks().Has(release.NoScaleToZero))
	_, err = release.MustParse("1.34").With(release.HPAGeneration, true)
	fmt.Println(err)
	// Output:
	// 1.36,HPAScaleToZero=true <nil>
	// false
	// Kubernetes 1.34 has no gate "HPAGeneration"
}
