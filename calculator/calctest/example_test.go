package calctest_test

import (
	"fmt"
	"time"

	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/calctest"
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

// Tests use rapid.Check instead, and fail.
func ExampleFind() {
	setup, err := prove.ParseManifest([]byte(manifest))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(calctest.Find(1, 100, func(t *rapid.T) {
		calctest.AnswersStep(t, setup, 2*time.Minute, calctest.LoadUpTo(10))
	}))
	// Output:
	// A step of load is answered within 2m.
	//
	//   time  load  pods ready  size  metrics ask  window holds  size after
	//   0:00     0      2 of 2     2            0             2           2  ScaleDownStabilized
	//   0:15   5.6      2 of 2     2            6             6           3  ScaleUpLimit
	//   0:30   5.6      2 of 3     3            6             6           3  ScaleUpLimit
	//   0:45   5.6      3 of 3     3            4             4           3  ScaleUpLimit
	//   1:00   5.6      3 of 3     3            6             6           3  ScaleUpLimit
	//   1:15   5.6      3 of 3     3            6             6           4  ScaleUpLimit
	//   1:30   5.6      3 of 4     4            6             6           4  ScaleUpLimit
	//   1:45   5.6      4 of 4     4            4             4           4
	//   2:00   5.6      4 of 4     4            6             6           4  ScaleUpLimit
	//   2:15   5.6      4 of 4     4            6             6           5  <<< ScaleUpLimit
	//
	// At 2:15, the load has been 5.6 since 0:15, 0 before that, and the size is 5.
	//
	//   At 2026-05-04T12:02:15Z, the size was changed from 4 to 5 replicas: cpu resource utilization (percentage of request) above target.
	//   Size: 4 replicas, within the bounds of 2 to 20, so the metrics decide.
	//   Metric 1 of 1, Resource cpu, target averageUtilization 60%: 4 pods, all ready.
	//     Usage: the ready pods use 3360m of the 4 cpu that they request: 84%. The ratio to the target is 1.4000, outside the tolerance of 0.9000 to 1.1000.
	//     Proposal: 6 replicas, 1.4000 times 4 ready pods, rounded up.
	//   Choice: 6 replicas, by the only metric.
	//   Stabilization: 6 replicas. There is no stabilization window for scaling up.
	//   Policies: up to 5 replicas, by the only policy.
	//     Policy 1: 1 pod up in 1m: from 4 at the start of the period to 5.
	//   Limits: 5 replicas instead of 6, the most that the policies allow.
}

// Generators serve other properties, too.
func ExampleSpecs() {
	specs := calctest.Specs(calctest.MetricsFrom(autoscaling.PodsMetricSourceType), calctest.WithBehavior(nil))
	for seed := range 3 {
		s := specs.Example(seed)
		fmt.Println(*s.MinReplicas, s.MaxReplicas, s.Metrics[0].Pods.Target.AverageValue, s.Validate().Err())
	}
	// Output:
	// 3 7 100m <nil>
	// 11 12 100m <nil>
	// 5 10 10 <nil>
}

func ExampleLoadProfiles() {
	for seed := range 2 {
		fmt.Println(calctest.LoadProfiles(calctest.LoadUpTo(10)).Example(seed))
	}
	// Output:
	// 5.6 for 30s, 0.3 for 30s, 1.6 for 45s, 6.4 for 1m45s, 3.2 for 45s, 10 for 1m, 6.2 for 1m45s, 0.8 for 2m, 0.2 for 1m45s, 0.8 for 2m15s
	// 4.9 for 45s
}
