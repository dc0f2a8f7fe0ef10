package proposers_test

import (
	"fmt"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/examples/proposers"
	"github.com/purehpa/hpa/metrics"
)

// The latency should be between 40 and 80 milliseconds, or a tenth beyond. It
// is 120.
func ExampleWatermarks() {
	marks := proposers.Watermarks{Low: 40_000, High: 80_000, Tolerance: metrics.Symmetric(0.1)}
	p, err := marks.Propose(120_000, 4, 4)

	spec := autoscaling.NewSpec(2, 20, autoscaling.ProposalMetric("latency"))
	obs := calculator.Observation{SpecReplicas: 4, StatusReplicas: 4, Readings: []calculator.Reading{{Proposed: &p, Err: err}}}
	web := calculator.Autoscaler{Spec: &spec}
	d := web.Decide(noon, &obs)
	if d.Rescale { // write d.DesiredReplicas to the scale, and then
		web.Applied(noon, &d)
	}
	for _, c := range d.Conditions {
		fmt.Println(c.Type, c.Status, c.Reason)
	}
	fmt.Print(d)
	// Output:
	// AbleToScale True SucceededRescale
	// ScalingActive True ValidMetricFound
	// ScalingLimited False DesiredWithinRange
	// ScaledToZero False NotScaledToZero
	// At 2026-05-04T12:00:00Z, the size was changed from 4 to 6 replicas: proposal latency above target.
	// Size: 4 replicas, within the bounds of 2 to 20, so the metrics decide.
	// Metric 1 of 1, Proposal latency: proposed by the caller: 120 is above the high watermark of 80 (88 with its tolerance): 120/80 times 4 ready, rounded up.
	//   Proposal: 6 replicas, as proposed.
	// Choice: 6 replicas, by the only metric.
	// Stabilization: 6 replicas. There is no higher recommendation in the last 5m.
	// Limits: 6 replicas, within bounds and policies.
}

// Without ready pods there is no proposal. The size stays, and the conditions
// say why.
func ExampleWatermarks_failure() {
	marks := proposers.Watermarks{Low: 40_000, High: 80_000}
	p, err := marks.Propose(120_000, 4, 0)

	spec := autoscaling.NewSpec(2, 20, autoscaling.ProposalMetric("latency"))
	obs := calculator.Observation{SpecReplicas: 4, StatusReplicas: 4, Readings: []calculator.Reading{{Proposed: &p, Err: err}}}
	web := calculator.Autoscaler{Spec: &spec}
	d := web.Decide(noon, &obs)
	fmt.Println(d.DesiredReplicas)
	for _, c := range d.Conditions {
		fmt.Println(c.Type, c.Status, c.Reason, c.Message)
	}
	// Output:
	// 4
	// AbleToScale True SucceededGetScale the HPA controller was able to get the target's current scale
	// ScalingActive False FailedGetProposal the HPA was unable to compute the replica count: unable to get proposal latency: no pod is ready
}
