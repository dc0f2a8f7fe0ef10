// Quickstart decides twice on a workload, and prints why. The README shows it.
package main

import (
	"fmt"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

func main() {
	spec := autoscaling.NewSpec(2, 10, autoscaling.ResourceUtilizationMetric("cpu", 60))
	web := calculator.Autoscaler{Spec: &spec}
	noon := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	sync(&web, noon, 5, "450m")
	sync(&web, noon.Add(time.Minute), 8, "100m")
}

// sync decides once on pods that request 500m of cpu and use that much.
func sync(web *calculator.Autoscaler, now time.Time, size int32, usage string) {
	obs := calculator.Observation{SpecReplicas: size, StatusReplicas: size}
	requests := podgroup.Requests{CPU: podgroup.Requested(metrics.MustParseMilli("500m"))}
	var cpu calculator.Reading
	for i := range size {
		obs.Pods = append(obs.Pods, podgroup.RunningPod(fmt.Sprint("web-", i), now.Add(-time.Hour), requests))
		cpu.Samples = append(cpu.Samples, metrics.NewSample(metrics.MustParseMilli(usage), now, 30*time.Second))
	}
	obs.Readings = []calculator.Reading{cpu} // one for each metric of the spec

	d := web.Decide(now, &obs)
	if err := d.Err(); err != nil {
		fmt.Println(err) // a metric failed, or the input is invalid
	}
	if d.Rescale { // write d.DesiredReplicas to the scale, and then
		web.Applied(now, &d)
	}
	fmt.Println(d)
}
