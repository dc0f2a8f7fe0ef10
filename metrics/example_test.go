package metrics_test

import (
	"fmt"
	"time"

	"github.com/purehpa/hpa/metrics"
)

// A target of 60%, and one pod of four uses 450 of its 500 milli-cores.
func Example() {
	var usage, requests metrics.Sum
	usage.Add(450)
	requests.Add(500)
	utilization := usage.Percent(requests)
	ratio := metrics.UtilizationRatio(utilization, 60)
	size := int32(4)
	if !metrics.Symmetric(0.1).Within(ratio) {
		size = metrics.Replicas(ratio * 4)
	}
	fmt.Println(utilization, ratio, size)
	// Output: 90 1.5 6
}

func ExampleAt() {
	i := metrics.At(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))
	j := i.Add(90 * time.Second)
	fmt.Println(i < j, j.Sub(i))
	fmt.Println(j)
	fmt.Println(metrics.Instant(0))
	// Output:
	// true 1m30s
	// 2026-05-01T12:01:30Z
	// not set
}

func ExampleSum() {
	const gib = 1 << 30 * 1000 // in milli-units
	var sum metrics.Sum
	for range 1000 {
		sum.Add(100 * gib)
	}
	fmt.Println(sum.Milli(), sum.Average(1000))
	// Output: 107374182400k 107374182400
}

func ExampleSum_Average() {
	var sum metrics.Sum
	for _, cpu := range []metrics.Milli{250, 300, 301} {
		sum.Add(cpu)
	}
	fmt.Println(sum.Average(3)) // not 283.67m
	// Output: 283m
}

func ExampleSum_Percent() {
	var usage, requests metrics.Sum
	usage.AddTimes(333, 3)
	requests.AddTimes(500, 3)
	fmt.Println(usage.Percent(requests)) // not 66.6
	// Output: 66
}

func ExampleSum_AddShare() {
	var usage metrics.Sum
	usage.AddShare(250, 120) // a missing pod, where the target is 120%
	fmt.Println(usage.Milli())
	// Output: 300m
}

func ExampleNewSample() {
	end := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	s := metrics.NewSample(250, end, 15*time.Second)
	fmt.Println(s.Value, s.Time, s.Window, s.Present)
	// Output: 250m 2026-05-01T12:00:00Z 15s true
}

func ExampleCollapse() {
	at := func(seconds int64) metrics.Instant { return metrics.At(time.Unix(1_700_000_000+seconds, 0)) }
	s := metrics.Collapse([]metrics.Point{
		{Value: 900, Time: at(0)}, // a whole window older than the newest
		{Value: 100, Time: at(30)},
		{Value: 201, Time: at(60)},
	}, metrics.DefaultWindow)
	fmt.Println(s.Value, s.Time, s.Window)
	// Output: 150m 2023-11-14T22:14:20Z 1m0s
}

func ExampleTolerance_Within() {
	t := metrics.Tolerance{Down: 0.1, Up: 0.05}
	for _, ratio := range []float64{0.89, 0.9, 1, 1.05, 1.06} {
		fmt.Println(ratio, t.Within(ratio))
	}
	// Output:
	// 0.89 false
	// 0.9 true
	// 1 true
	// 1.05 true
	// 1.06 false
}

func ExampleSymmetric() {
	t := metrics.Symmetric(0.1)
	fmt.Println(t.Down, t.Up)
	// Output: 0.1 0.1
}

func ExampleUtilization() {
	t := metrics.Utilization(70)
	fmt.Println(t.Type(), t, t.Percent(), t.Valid())
	// Output: Utilization 70% 70 true
}

func ExampleAverageValue() {
	t := metrics.AverageValue(1500)
	fmt.Println(t.Type(), t, t.Valid())
	// Output: AverageValue 1500m per pod true
}

func ExampleValue() {
	fmt.Println(metrics.Value(10_000), metrics.Value(0).Valid())
	// Output: 10 false
}

func ExampleUsageRatio() {
	fmt.Println(metrics.UsageRatio(900, 600))
	fmt.Println(metrics.UsageRatio(900, 0)) // not a valid target
	// Output:
	// 1.5
	// 0
}

func ExampleUtilizationRatio() {
	fmt.Println(metrics.UtilizationRatio(90, 60))
	// Output: 1.5
}

func ExampleReplicas() {
	fmt.Println(metrics.Replicas(1.5*4), metrics.Replicas(6.01), metrics.Replicas(-3), metrics.Replicas(1e12))
	// Output: 6 7 0 2147483647
}

func ExamplePerPod() {
	fmt.Println(metrics.PerPod(10_000, 3), metrics.PerPod(10_000, 0))
	// Output: 3334m 0
}
