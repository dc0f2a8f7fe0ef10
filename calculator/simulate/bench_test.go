package simulate_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/simulate"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

func specOf(t testing.TB, text string) *autoscaling.HorizontalPodAutoscalerSpec {
	t.Helper()
	var s autoscaling.HorizontalPodAutoscalerSpec
	require.NoError(t, json.Unmarshal([]byte(text), &s))
	s.SetDefaults()
	require.NoError(t, s.Validate().Err())
	return &s
}

var start = time.Date(2026, 5, 4, 0, 0, 0, 0, time.UTC)

// BenchmarkRun simulates a sync each 15 seconds: 80,640 decisions in 14 days,
// with about 50 pods and two metrics. What it allocates is the names of pods,
// and does not stay.
func BenchmarkRun(b *testing.B) {
	spec := specOf(b, `{"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"},
		"minReplicas":10,"maxReplicas":100,"metrics":[
		{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":60}}},
		{"type":"Pods","pods":{"metric":{"name":"rps"},"target":{"type":"AverageValue","averageValue":"10"}}}]}`)
	a := calculator.Autoscaler{Spec: spec}
	for _, days := range []int{14, 56} {
		for _, rough := range []bool{false, true} {
			name := fmt.Sprintf("pods=50/metrics=2/days=%d", days)
			if rough {
				name += "/rough"
			}
			b.Run(name, func(b *testing.B) {
				s := fiftyPods(days, rough)
				var sum simulate.Summary
				b.ReportAllocs()
				for b.Loop() {
					var err error
					if sum, err = simulate.Summarize(s.Run(&a)); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(sum.Rows), "decisions/op")
				b.ReportMetric(sum.PodHours/sum.Duration.Hours(), "pods")
			})
		}
	}
}

// fiftyPods is a load that changes each five minutes. With a rough ride,
// samples go missing, pods crash and are rolled out anew each day.
func fiftyPods(days int, rough bool) *simulate.Scenario {
	var load simulate.LoadSeries
	r := simulate.NewRand(1)
	for i := range days * 24 * 12 {
		load = append(load, simulate.LoadPoint{Time: start.Add(time.Duration(i) * 5 * time.Minute), Load: metrics.Milli(450_000 + r.Below(100_000))})
	}
	w := simulate.DefaultDeployment()
	w.Capacity = 15_000
	w.Containers = []podgroup.Container{{Name: "app", Requests: podgroup.Requests{CPU: podgroup.Requested(500)}}}
	w.Gauges = []simulate.Gauge{
		{Metric: "cpu", Idle: 5, PerLoad: 30, Period: 15 * time.Second, Lag: 5 * time.Second, Window: 15 * time.Second},
		{Metric: "rps", PerLoad: 1000, Period: 30 * time.Second, Window: time.Minute},
	}
	w.Startup = simulate.Uniform{Min: 20 * time.Second, Max: 60 * time.Second}
	if rough {
		w.CrashAfter, w.Restart = simulate.Exponential{Mean: 24 * time.Hour}, simulate.Fixed(10*time.Second)
		w.Gauges[0].MissingRate, w.Gauges[1].FailureRate = 0.01, 0.01
		for day := range days {
			w.Rollouts = append(w.Rollouts, start.Add(time.Duration(day)*24*time.Hour+12*time.Hour))
		}
	}
	return &simulate.Scenario{Start: start, Duration: time.Duration(days) * 24 * time.Hour, Load: load, Workload: w, Seed: 1}
}
