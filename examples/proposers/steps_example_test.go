package proposers_test

import (
	"fmt"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/examples/proposers"
	"github.com/purehpa/hpa/metrics"
)

// 10% more at 60, 30% more at 70. The policy allows 4 pods in a minute, so of
// the second step of 6 pods, only 2 are taken at once.
func ExampleSteps() {
	steps := proposers.Steps{
		Target: 50_000,
		Up: []proposers.Step{
			{From: 10_000, Type: behavior.PercentPolicy, Value: 10},
			{From: 20_000, Type: behavior.PercentPolicy, Value: 30},
		},
	}
	spec := autoscaling.NewSpec(2, 50, autoscaling.ProposalMetric("busy"))
	spec.Behavior = &behavior.Behavior{ScaleUp: &behavior.ScalingRules{
		Policies: []behavior.Policy{{Type: behavior.PodsPolicy, Value: 4, PeriodSeconds: 60}},
	}}
	spec.SetDefaults()
	web := calculator.Autoscaler{Spec: &spec}
	sync := func(now time.Time, replicas int32, busy metrics.Milli) calculator.Decision {
		p, err := steps.Propose(busy, replicas)
		obs := calculator.Observation{SpecReplicas: replicas, StatusReplicas: replicas, Readings: []calculator.Reading{{Proposed: &p, Err: err}}}
		d := web.Decide(now, &obs)
		if d.Rescale {
			web.Applied(now, &d)
		}
		return d
	}
	first := sync(noon, 20, 62_000)
	fmt.Println(first.CurrentReplicas, "to", first.DesiredReplicas)
	d := sync(noon.Add(15*time.Second), first.DesiredReplicas, 75_000)
	for _, c := range d.Conditions {
		fmt.Println(c.Type, c.Status, c.Reason)
	}
	fmt.Print(d)
	// Output:
	// 20 to 22
	// AbleToScale True SucceededRescale
	// ScalingActive True ValidMetricFound
	// ScalingLimited True ScaleUpLimit
	// ScaledToZero False NotScaledToZero
	// At 2026-05-04T12:00:15Z, the size was changed from 22 to 24 replicas: proposal busy above target.
	// Size: 22 replicas, within the bounds of 2 to 50, so the metrics decide.
	// Metric 1 of 1, Proposal busy: proposed by the caller: 75 is 25 above the target of 50: the step from 20 adds 30%, 6 pods.
	//   Proposal: 28 replicas, as proposed.
	// Choice: 28 replicas, by the only metric.
	// Stabilization: 28 replicas. There is no stabilization window for scaling up.
	// Policies: up to 24 replicas, by the only policy.
	//   Policy 1: 4 pods up in 1m: from 20 at the start of the period to 24. Since then: 2 pods added. The first of these events counts until 2026-05-04T12:01:00Z, in 45s.
	// Limits: 24 replicas instead of 28, the most that the policies allow. That changes at 2026-05-04T12:01:00Z, in 45s.
}
