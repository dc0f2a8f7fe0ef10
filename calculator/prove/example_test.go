package prove_test

import (
	"context"
	"fmt"
	"time"

	"github.com/purehpa/hpa/calculator/prove"
)

// What `kubectl get hpa web -o json` prints.
const manifest = `{
	"apiVersion": "autoscaling/v2",
	"kind": "HorizontalPodAutoscaler",
	"metadata": {"name": "web", "namespace": "shop"},
	"spec": {
		"scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
		"minReplicas": 2,
		"maxReplicas": 20,
		"metrics": [{"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 60}}}],
		"behavior": {"scaleUp": {"policies": [{"type": "Pods", "value": 1, "periodSeconds": 60}]}}
	}
}`

// Tests use calctest.Exhaust instead, and fail.
func ExampleSearch_Run() {
	setup, err := prove.ParseManifest([]byte(manifest))
	if err != nil {
		fmt.Println(err)
		return
	}
	// The rules add one pod a minute.
	x, err := prove.Search{Levels: []float64{2, 5}}.Run(context.Background(), setup,
		prove.CarriedWithin(2*time.Minute),
		prove.SettledWithin(10*time.Minute),
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(x)
	for i := range x.Verdicts {
		fmt.Println(&x.Verdicts[i])
	}
	// Output:
	// 824 states, 1204 decisions, all within 52 syncs
	// scaled up: 2m15s, from 2 replicas at load 5
	// within tolerance: 2m15s, from 2 replicas at load 5
	// scaled down: 5m15s, from 3 replicas at load 2
	// settled: 5m15s, from 3 replicas at load 2
	//
	// A constant load is carried within 2m.
	//
	//   time  load  pods ready  size  metrics ask  window holds  size after
	//   0:00     5      2 of 2     2            5             5           3  ScaleUpLimit
	//   0:15     5      2 of 3     3            5             5           3  ScaleUpLimit
	//   0:30     5      3 of 3     3            3             3           3
	//   0:45     5      3 of 3     3            5             5           3  ScaleUpLimit
	//   1:00     5      3 of 3     3            5             5           4  ScaleUpLimit
	//   1:15     5      3 of 4     4            5             5           4  ScaleUpLimit
	//   1:30     5      4 of 4     4            4             4           4
	//   1:45     5      4 of 4     4            5             5           4  <<< ScaleUpLimit
	//
	// At 1:45, the load has been 5 since 0:00, perhaps since -0:15, and the size is still too small.
	//
	//   At 2026-05-04T12:01:45Z, the size stays at 4 replicas.
	//   Size: 4 replicas, within the bounds of 2 to 20, so the metrics decide.
	//   Metric 1 of 1, Resource cpu, target averageUtilization 60%: 4 pods, all ready.
	//     Usage: the ready pods use 3 of the 4 cpu that they request: 75%. The ratio to the target is 1.2500, outside the tolerance of 0.9000 to 1.1000.
	//     Proposal: 5 replicas, 1.2500 times 4 ready pods, rounded up.
	//   Choice: 5 replicas, by the only metric.
	//   Stabilization: 5 replicas. There is no stabilization window for scaling up.
	//   Policies: up to 4 replicas, unchanged, by the only policy.
	//     Policy 1: 1 pod up in 1m: from 3 at the start of the period to 4. Since then: 1 pod added. The first of these events counts until 2026-05-04T12:02:00Z, in 15s.
	//   Limits: 4 replicas instead of 5, the most that the policies allow. That changes at 2026-05-04T12:02:00Z, in 15s.
	//   Next: the decision stays the same until 2026-05-04T12:02:00Z, in 15s, unless an input changes first.
	//
	// A constant load settles within 10m.
	//
	// Proved.
}

// A timeline can also be put together by hand.
func ExampleTimeline_Run() {
	setup, err := prove.ParseManifest([]byte(manifest))
	if err != nil {
		fmt.Println(err)
		return
	}
	timeline := prove.Timeline{
		Setup: setup,
		Size:  4,
		Segments: []prove.Segment{
			{Syncs: 2, Load: 4},
			{Syncs: 3, Load: 6, Troubles: []prove.Trouble{{Kind: prove.PodsMute, N: 1}}},
		},
	}
	err = timeline.Run(func(s *prove.Sync) bool {
		fmt.Println(s.Now.Format("15:04:05"), s.Size, "->", s.After, s.Decision.Limits.Reason)
		return true
	})
	fmt.Println(err)
	// Output:
	// 12:00:00 4 -> 4 DesiredWithinRange
	// 12:00:15 4 -> 4 DesiredWithinRange
	// 12:00:30 4 -> 5 DesiredWithinRange
	// 12:00:45 5 -> 5 ScaleUpLimit
	// 12:01:00 5 -> 5 DesiredWithinRange
	// <nil>
}
