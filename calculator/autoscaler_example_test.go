package calculator_test

import (
	"fmt"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
)

// An autoscaler with Kubernetes' settings follows a queue. A copy tries what is
// next if nothing waits; the autoscaler itself knows nothing of that.
func ExampleAutoscaler() {
	spec := autoscaling.NewSpec(2, 10, autoscaling.ExternalAverageValueMetric("waiting", metrics.MustParseQuantity("30")))
	workers := calculator.Autoscaler{Spec: &spec}
	size := int32(2)
	sync := func(a *calculator.Autoscaler, now time.Time, waiting metrics.Milli) {
		d := a.Decide(now, &calculator.Observation{
			SpecReplicas: size, StatusReplicas: size,
			Readings: []calculator.Reading{{Values: []metrics.Milli{waiting * 1000}}},
		})
		if d.Rescale { // write d.DesiredReplicas to the scale, and then
			a.Applied(now, &d)
		}
		size = d.DesiredReplicas
		fmt.Println(now.Format("15:04:05"), d.CurrentReplicas, "to", size, d.Stabilization.Reason)
	}
	now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	sync(&workers, now, 110)
	now = now.Add(calculator.SyncPeriod)

	before, what := size, workers.Clone()
	fmt.Println("what if")
	for _, minutes := range []time.Duration{0, 4, 5} {
		sync(&what, now.Add(minutes*time.Minute), 0)
	}

	fmt.Println("and now")
	size = before
	sync(&workers, now, 240)
	// Output:
	// 12:00:00 2 to 4 ReadyForNewScale
	// what if
	// 12:00:15 4 to 4 ScaleDownStabilized
	// 12:04:15 4 to 4 ScaleDownStabilized
	// 12:05:15 4 to 2 ReadyForNewScale
	// and now
	// 12:00:15 4 to 8 ReadyForNewScale
}

// A schedule proposes the size of each hour. The bounds, the stabilization
// window and the rest of the decision stay Kubernetes'.
func ExampleProposerFunc() {
	spec := autoscaling.NewSpec(2, 10, autoscaling.ProposalMetric("schedule"))
	shop := calculator.Autoscaler{Spec: &spec, Proposer: calculator.ProposerFunc(func(now time.Time, obs *calculator.Observation) {
		size := int32(1)
		if now.Hour() >= 8 {
			size = 5
		}
		obs.Readings[0].Proposed = &calculator.Proposed{Replicas: size, Text: "scheduled"}
	})}
	for _, hour := range []int{7, 8} {
		d := shop.Decide(time.Date(2026, 5, 4, hour, 0, 0, 0, time.UTC), &calculator.Observation{
			SpecReplicas: 2, StatusReplicas: 2, Readings: make([]calculator.Reading, 1),
		})
		fmt.Println(hour, d.DesiredReplicas, d.Limits.Reason)
	}
	// Output:
	// 7 2 DesiredWithinRange
	// 8 4 ScaleUpLimit
}
