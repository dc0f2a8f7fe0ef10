package proposers_test

import (
	"fmt"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/examples/proposers"
)

// 10 requests at a time for each pod. After a quiet minute there are 150, from
// one second to the next.
func ExampleWindows() {
	windows := proposers.DefaultWindows(10_000)
	var load proposers.Load // what this application remembers
	now := noon
	for range 60 {
		windows.Record(now, 20_000, &load)
		now = now.Add(time.Second)
	}
	for range 2 {
		windows.Record(now, 150_000, &load)
		now = now.Add(time.Second)
	}
	p, err := windows.Propose(now, 2, &load)

	spec := autoscaling.NewSpec(1, 50, autoscaling.ProposalMetric("concurrency"))
	obs := calculator.Observation{SpecReplicas: 2, StatusReplicas: 2, Readings: []calculator.Reading{{Proposed: &p, Err: err}}}
	web := calculator.Autoscaler{Spec: &spec}
	d := web.Decide(now, &obs)
	if d.Rescale { // write d.DesiredReplicas to the scale, and then
		web.Applied(now, &d)
	}
	for _, c := range d.Conditions {
		fmt.Println(c.Type, c.Status, c.Reason)
	}
	fmt.Print(d)
	// Output:
	// AbleToScale True SucceededRescale
	// ScalingActive True ValidMetricFound
	// ScalingLimited True ScaleUpLimit
	// ScaledToZero False NotScaledToZero
	// At 2026-05-04T12:01:02Z, the size was changed from 2 to 4 replicas: proposal concurrency above target.
	// Size: 2 replicas, within the bounds of 1 to 50, so the metrics decide.
	// Metric 1 of 1, Proposal concurrency: proposed by the caller: 24406m over 60s is 3 pods of 10, 72 over 6s is 8; the panic last seen at 2026-05-04T12:01:02Z keeps 8. That changes at 2026-05-04T12:01:03Z, in 1s.
	//   Proposal: 8 replicas, as proposed.
	// Choice: 8 replicas, by the only metric.
	// Stabilization: 8 replicas. There is no higher recommendation in the last 5m.
	// Limits: 4 replicas instead of 8: without spec.behavior, one sync scales up to twice the size at most, or to 4.
}
