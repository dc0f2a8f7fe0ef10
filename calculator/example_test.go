package calculator_test

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// A manifest of a spec, and the events and conditions of the decision.
func ExampleDecide() {
	var spec autoscaling.HorizontalPodAutoscalerSpec
	manifest := `{
		"scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
		"maxReplicas": 10,
		"metrics": [{"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 60}}}]
	}`
	if err := json.Unmarshal([]byte(manifest), &spec); err != nil {
		fmt.Println(err)
		return
	}
	spec.SetDefaults()

	now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	obs := calculator.Observation{Namespace: "shop", SpecReplicas: 3, StatusReplicas: 3, Readings: make([]calculator.Reading, 1)}
	for _, name := range []string{"web-a", "web-b", "web-c"} {
		obs.Pods = append(obs.Pods, podgroup.Pod{
			Name:            name,
			Phase:           podgroup.PhaseRunning,
			Ready:           podgroup.ReadyTrue,
			StartTime:       metrics.At(now.Add(-time.Hour)),
			ReadyTransition: metrics.At(now.Add(-59 * time.Minute)),
			CPU:             podgroup.Requested(500),
		})
		obs.Readings[0].Samples = append(obs.Readings[0].Samples, metrics.Sample{
			Value:   450,
			Time:    metrics.At(now.Add(-10 * time.Second)),
			Window:  30 * time.Second,
			Present: true,
		})
	}

	settings := calculator.DefaultSettings()
	var state calculator.State
	d := calculator.Decide(now, &settings, &spec, &obs, &state)
	if err := d.Err(); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%d%% of the requests, ratio %.2f\n", d.Proposals[0].Utilization, d.Proposals[0].Ratio)
	if d.Rescale {
		// Write d.DesiredReplicas to the scale, then:
		state.Applied(now, &d)
	}
	for _, e := range d.AppendEvents(nil) {
		fmt.Println(e)
	}
	for _, c := range d.Conditions {
		fmt.Println(c.Type, c.Status, c.Reason)
	}
	// Output:
	// 90% of the requests, ratio 1.50
	// Normal SuccessfulRescale New size: 5; reason: cpu resource utilization (percentage of request) above target
	// AbleToScale True SucceededRescale
	// ScalingActive True ValidMetricFound
	// ScalingLimited False DesiredWithinRange
	// ScaledToZero False NotScaledToZero
}

// Simulators decide often: one Decision is used again and again.
func ExampleDecideInto() {
	var spec autoscaling.HorizontalPodAutoscalerSpec
	_ = json.Unmarshal([]byte(`{"minReplicas": 1, "maxReplicas": 50, "metrics": [{"type": "External", "external":
		{"metric": {"name": "backlog"}, "target": {"type": "AverageValue", "averageValue": "100"}}}]}`), &spec)
	settings := calculator.DefaultSettings()
	settings.DownscaleStabilization = time.Minute

	var state calculator.State
	var d calculator.Decision
	replicas, now := int32(1), time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	for _, backlog := range []metrics.Milli{120_000, 400_000, 900_000, 300_000, 0, 0, 0, 0} {
		obs := calculator.Observation{
			SpecReplicas:   replicas,
			StatusReplicas: replicas,
			Readings:       []calculator.Reading{{Values: []metrics.Milli{backlog}}},
		}
		calculator.DecideInto(&d, now, &settings, &spec, &obs, &state)
		state.Applied(now, &d)
		replicas = d.DesiredReplicas
		fmt.Print(replicas, " ")
		now = now.Add(calculator.SyncPeriod)
	}
	fmt.Println()
	// Output: 2 4 8 9 9 9 9 3
}

// A scheduler without Kubernetes takes the piece that it needs.
func ExampleProposeExternalAverageValue() {
	p, err := calculator.ProposeExternalAverageValue(&calculator.ValueMetric{
		Values:         []metrics.Milli{70_000, 35_000}, // two queues: 70 and 35 jobs
		StatusReplicas: 4,
		Tolerance:      metrics.Symmetric(0.1),
	}, 15_000) // 15 jobs for each worker
	fmt.Println(p.Replicas, p.Rule, err)
	// Output: 7 UsagePerTarget <nil>
}

func ExampleProposeExternalValue() {
	p, err := calculator.ProposeExternalValue(&calculator.ValueMetric{
		Values:          []metrics.Milli{3_000}, // the lag is 3 seconds
		CurrentReplicas: 2,
		Pods: []podgroup.Pod{
			{Phase: podgroup.PhaseRunning, Ready: podgroup.ReadyTrue},
			{Phase: podgroup.PhaseRunning, Ready: podgroup.ReadyTrue},
		},
		Tolerance: metrics.Symmetric(0.1),
	}, 2_000) // and should be 2
	fmt.Println(p.Replicas, p.Ratio, err)
	// Output: 3 1.5 <nil>
}

func ExampleProposeObjectValue() {
	p, err := calculator.ProposeObjectValue(&calculator.ValueMetric{Values: []metrics.Milli{2_500_000}}, 1_000_000)
	fmt.Println(p.Replicas, p.Rule, err)
	// Output: 3 RatioFromZero <nil>
}

func ExampleProposeObjectAverageValue() {
	p, err := calculator.ProposeObjectAverageValue(&calculator.ValueMetric{
		Values:         []metrics.Milli{1_050_000},
		StatusReplicas: 10,
		Tolerance:      metrics.Symmetric(0.1),
	}, 100_000)
	fmt.Println(p.Replicas, p.Rule, err)
	// Output: 10 WithinTolerance <nil>
}

// Missing and unready pods damp what the others ask for.
func ExampleProposeResourceUtilization() {
	now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	pod := podgroup.Pod{
		Phase:     podgroup.PhaseRunning,
		Ready:     podgroup.ReadyTrue,
		StartTime: metrics.At(now.Add(-time.Hour)),
		CPU:       podgroup.Requested(500),
	}
	pending := pod
	pending.Phase = podgroup.PhasePending
	busy := metrics.Sample{Value: 500, Time: metrics.At(now), Present: true}
	p, err := calculator.ProposeResourceUtilization(now, &calculator.PodMetric{
		Resource:          podgroup.CPU,
		CurrentReplicas:   3,
		Pods:              []podgroup.Pod{pod, pod, pending},
		Samples:           []metrics.Sample{busy, busy, {}},
		Tolerance:         metrics.Symmetric(0.1),
		ReadinessSettings: podgroup.DefaultReadinessSettings(),
	}, 50)
	fmt.Printf("%d: %d ready, %d unready\n", p.Replicas, p.Pods.Ready, p.Pods.Unready)
	fmt.Println("ratio", p.Ratio, "corrected to", p.CorrectedRatio, err)
	// Output:
	// 4: 2 ready, 1 unready
	// ratio 2 corrected to 1.32 <nil>
}

func ExampleProposeResourceAverageValue() {
	p, err := calculator.ProposeResourceAverageValue(time.Time{}, &calculator.PodMetric{
		Resource:        podgroup.Memory,
		CurrentReplicas: 2,
		Pods:            make([]podgroup.Pod, 2),
		Samples:         []metrics.Sample{{Value: 900 << 20 * 1000, Present: true}, {Value: 700 << 20 * 1000, Present: true}},
		Tolerance:       metrics.Symmetric(0.1),
	}, 500<<20*1000)
	fmt.Println(p.Replicas, p.Ratio, err)
	// Output: 4 1.6 <nil>
}

func ExampleProposePodsAverageValue() {
	_, err := calculator.ProposePodsAverageValue(time.Time{}, &calculator.PodMetric{
		CurrentReplicas: 1,
		Pods:            make([]podgroup.Pod, 1),
		Samples:         make([]metrics.Sample, 1), // missing
	}, 1000)
	fmt.Println(err)
	// Output: did not receive metrics for targeted pods (pods might be unready)
}

// A metric that failed might have asked for more: the size may rise, but not
// fall.
func ExampleChoose() {
	failed := calculator.Proposal{Failure: calculator.Failure{Kind: calculator.NoSamples}}
	up := calculator.Choose(4, []calculator.Proposal{failed, {Replicas: 6}, {Replicas: 3}})
	fmt.Println(up.Replicas, up.Metric, up.Blocked)
	down := calculator.Choose(4, []calculator.Proposal{failed, {Replicas: 3}})
	fmt.Println(down.Replicas, down.Metric, down.Blocked)
	// Output:
	// 6 1 false
	// 0 -1 true
}

// A cluster that has not been upgraded decides as its own release.
func ExampleSettings() {
	settings := calculator.DefaultSettings()
	settings.Release = release.MustParse("v1.32.13") // what the cluster says of itself
	spec := autoscaling.NewSpec(1, 20, autoscaling.ResourceUtilizationMetric("cpu", 50))
	now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	obs := calculator.Observation{SpecReplicas: 10, StatusReplicas: 10, Readings: make([]calculator.Reading, 1)}
	for i := range 10 {
		obs.Pods = append(obs.Pods, podgroup.RunningPod(fmt.Sprint("web-", i), now.Add(-time.Hour), podgroup.Requests{CPU: podgroup.Requested(1000)}))
		obs.Readings[0].Samples = append(obs.Readings[0].Samples, metrics.NewSample(550, now, 30*time.Second))
	}
	var state calculator.State
	d := calculator.Decide(now, &settings, &spec, &obs, &state)
	fmt.Println(d.CurrentReplicas, "to", d.DesiredReplicas)
	for difference := range d.Quirks.All() {
		fmt.Println("Kubernetes", d.Release, difference.Row().Did)
	}
	// Output:
	// 10 to 11
	// Kubernetes 1.32 compares the rounded distance of the ratio from 1 with the tolerance
}
