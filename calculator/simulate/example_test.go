package simulate_test

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/simulate"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// rules returns an autoscaler that aims at 60% cpu, with whatever more the JSON
// says.
func rules(more string) *calculator.Autoscaler {
	var spec autoscaling.HorizontalPodAutoscalerSpec
	err := json.Unmarshal([]byte(`{
		"scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
		"minReplicas": 2, "maxReplicas": 50,
		"metrics": [{"type": "Resource", "resource": {"name": "cpu",
			"target": {"type": "Utilization", "averageUtilization": 60}}}]`+more+`}`), &spec)
	if err != nil {
		panic(err)
	}
	spec.SetDefaults()
	return &calculator.Autoscaler{Spec: &spec}
}

// scenario is an hour in which the load doubles after ten minutes and goes back
// after thirty.
func scenario() *simulate.Scenario {
	start := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	pods := simulate.DefaultDeployment()
	pods.Capacity = 15_000 // requests per second, in milli-units
	pods.Containers = []podgroup.Container{{Name: "app", Requests: podgroup.Requests{CPU: podgroup.Requested(500)}}}
	pods.Gauges = []simulate.Gauge{{
		Metric: "cpu", PerLoad: 500, LoadUnit: 15_000, // all that it requests, when it can serve no more
		Period: 15 * time.Second, Lag: 5 * time.Second, Window: 15 * time.Second,
	}}
	pods.Startup = simulate.Uniform{Min: 20 * time.Second, Max: time.Minute}
	return &simulate.Scenario{
		Start:    start,
		Duration: time.Hour,
		Load: simulate.LoadSeries{
			{Time: start, Load: 90_000},
			{Time: start.Add(10 * time.Minute), Load: 180_000},
			{Time: start.Add(30 * time.Minute), Load: 90_000},
		},
		Workload: pods,
		Seed:     1,
	}
}

func ExampleScenario_Run() {
	for row, err := range scenario().Run(rules("")) {
		if err != nil {
			fmt.Println(err)
			return
		}
		if row.Rescaled() {
			fmt.Println(row.Time.Format("15:04:05"), row.CurrentReplicas, "->", row.DesiredReplicas,
				"load", row.Load, "lost", row.Unserved, "-", row.Decision.ReasonText())
		}
	}
	// Output:
	// 12:10:26 9 -> 13 load 180 lost 45 - cpu resource utilization (percentage of request) above target
	// 12:10:41 13 -> 15 load 180 lost 45 - cpu resource utilization (percentage of request) above target
	// 12:11:41 15 -> 20 load 180 lost 0 - cpu resource utilization (percentage of request) above target
	// 12:35:26 20 -> 15 load 90 lost 0 - All metrics below target
	// 12:35:41 15 -> 10 load 90 lost 0 - All metrics below target
}

func ExampleSummarize() {
	sum, err := simulate.Summarize(scenario().Run(rules("")))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.1f pod-hours, %d to %d replicas\n", sum.PodHours, sum.LowestReplicas, sum.HighestReplicas)
	fmt.Printf("lost %.2f%% of the load in %v\n", 100*sum.UnservedShare, sum.TimeUnserved.Round(time.Second))
	fmt.Printf("above target for %v after the step\n", sum.LongestRecovery.Round(time.Second))
	fmt.Printf("%d rescales, %d of them reversals\n", sum.Rescales, sum.Reversals)
	// Output:
	// 13.9 pod-hours, 9 to 20 replicas
	// lost 0.63% of the load in 1m7s
	// above target for 2m32s after the step
	// 5 rescales, 0 of them reversals
}

func ExampleScenario_Compare() {
	s := scenario()
	a, b := rules(""), rules(`, "behavior": {"scaleDown": {"stabilizationWindowSeconds": 60}}`)
	for rows, err := range s.Compare(a, b) {
		if err != nil {
			fmt.Println(err)
			return
		}
		since := rows[0].Time.Sub(s.Start)
		if since > 29*time.Minute && since < 38*time.Minute && since%time.Minute < calculator.SyncPeriod {
			fmt.Println(rows[0].Time.Format("15:04"), rows[0].DesiredReplicas, rows[1].DesiredReplicas, rows[0].Stabilization)
		}
	}
	sums, _ := simulate.SummarizeAll(s.Compare(a, b))
	for i, name := range []string{"default", "60 s"} {
		fmt.Printf("%s: %.1f pod-hours, lost %.2f%%\n", name, sums[i].PodHours, 100*sums[i].UnservedShare)
	}
	// Output:
	// 12:29 20 20 ReadyForNewScale
	// 12:30 20 20 ReadyForNewScale
	// 12:31 20 15 ScaleDownStabilized
	// 12:32 20 10 ScaleDownStabilized
	// 12:33 20 10 ScaleDownStabilized
	// 12:34 20 10 ScaleDownStabilized
	// 12:35 20 10 ScaleDownStabilized
	// 12:36 10 10 ReadyForNewScale
	// 12:37 10 10 ReadyForNewScale
	// default: 13.9 pod-hours, lost 0.63%
	// 60 s: 13.2 pod-hours, lost 0.63%
}

// queue is a workload of the caller's: nothing is lost, but has to wait. A
// worker takes a message each second, and is there at once.
type queue struct {
	now     time.Time
	workers int32
	waiting metrics.Milli
}

func (q *queue) Plant(b *simulate.RunConfig) (simulate.Plant, error) {
	return &queue{now: b.Start, workers: max(b.Replicas, 1)}, nil
}

func (q *queue) Observe(now time.Time, obs *calculator.Observation) {
	*obs = calculator.Observation{
		SpecReplicas: q.workers, StatusReplicas: q.workers,
		Readings: []calculator.Reading{{Values: []metrics.Milli{q.waiting}}},
	}
}

func (q *queue) Scale(now time.Time, replicas int32) { q.workers = replicas }

func (q *queue) Advance(to time.Time, load simulate.Load) simulate.Performance {
	passed := metrics.Milli(to.Sub(q.now) / time.Millisecond)
	arrive, _ := load.At(q.now)
	can := 1000 * metrics.Milli(q.workers)
	s := simulate.Performance{Load: arrive, Capacity: can, TargetLoad: can, PodTime: to.Sub(q.now) * time.Duration(q.workers)}
	q.waiting = max(q.waiting+(arrive-can)*passed/1000, 0)
	if q.waiting > 0 {
		s.TimeAboveTarget, s.AboveTarget = to.Sub(q.now), max(arrive-can, 0)
	}
	q.now = to
	return s
}

func ExampleWorkload() {
	s := scenario()
	s.Workload = &queue{}
	a := rules("")
	a.Spec.Metrics = []autoscaling.MetricSpec{autoscaling.ExternalAverageValueMetric("waiting", metrics.MustParseQuantity("30"))}
	s.Load = simulate.Steady(20_000) // 20 messages a second
	sum, err := simulate.Summarize(s.Run(a))
	fmt.Printf("%d to %d workers, %d rescales, %v\n", sum.LowestReplicas, sum.HighestReplicas, sum.Rescales, err)
	// Output:
	// 2 to 24 workers, 21 rescales, <nil>
}

func ExampleQuantiles() {
	startup := simulate.Quantiles{{Percent: 50, Duration: 20 * time.Second}, {Percent: 90, Duration: 45 * time.Second}, {Percent: 99, Duration: 2 * time.Minute}}
	r := simulate.NewRand(1)
	for range 4 {
		fmt.Println(startup.Draw(&r).Round(time.Second))
	}
	// Output:
	// 24s
	// 35s
	// 1m44s
	// 20s
}
