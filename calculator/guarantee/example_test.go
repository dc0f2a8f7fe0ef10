package guarantee_test

import (
	"fmt"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/guarantee"
)

func ExampleCompute() {
	spec := autoscaling.NewSpec(2, 20, autoscaling.ResourceUtilizationMetric("cpu", 60))
	spec.Behavior = &behavior.Behavior{
		ScaleUp:   &behavior.ScalingRules{Policies: []behavior.Policy{{Type: behavior.PodsPolicy, Value: 2, PeriodSeconds: 60}}},
		ScaleDown: &behavior.ScalingRules{Policies: []behavior.Policy{{Type: behavior.PercentPolicy, Value: 10, PeriodSeconds: 60}}},
	}
	settings := calculator.DefaultSettings()
	g, err := guarantee.Compute(&settings, &spec, calculator.SyncPeriod, 30*time.Second)
	if err != nil {
		panic(err)
	}
	fmt.Print(g)
	// Output:
	// From 2 to 20 replicas, a sync each 15s, pods ready after 30s
	//
	// Time from size to size, after a steady load, up at least
	//   from  to 2  to 4   to 8  to 16  to 20
	//      2         15s  2m15s  6m15s  8m15s
	//      4    6m        1m15s  5m15s  7m15s
	//      8   10m    8m         3m15s  5m15s
	//     16   15m   13m     9m         1m15s
	//     20   17m   15m    11m     6m
	//   2 to 20: at least 8m15s after a steady load; at least 8m15s after the worst history, if each sync asks for it
	//   20 to 2: 17m after a steady load; at least 17m15s after the worst history, if each sync asks for it
	//
	// Fastest load growth that scaling keeps up with
	//   at most 2.233 pods every 1m; the size is at least 15s behind
	//
	// After a peak that outlasts the scaleDown periods
	//   the first pod is removed after 5m, the last one after 17m; it costs 0.165 pod-hours per pod
	//
	// Load at which no sync asks for another size, in replicas
	//   size  load from  to below  reads from   to
	//      2      1.033     2.233         31%  66%
	//      4      3.067     4.467         46%  66%
	//      8      7.067     8.933         53%  66%
	//     16       14.4     17.87         54%  66%
	//     20         18     22.33         54%  66%
	//
	// Smallest wave that moves the size at each sync
	//   none: the size is held longer than a sync
	//
	// Sizes that no load leads to
	//   none
}
