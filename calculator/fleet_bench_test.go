package calculator_test

import (
	"testing"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
)

// BenchmarkFleet decides once on each of 100,000 autoscalers of 10 pods, one
// after the other, each with memory of its own, as a controller does each sync.
func BenchmarkFleet(b *testing.B) {
	const autoscalers, pods = 100_000, 10
	type autoscaler struct {
		spec  *autoscaling.HorizontalPodAutoscalerSpec
		obs   *calculator.Observation
		state calculator.State
	}
	fleet := make([]autoscaler, autoscalers)
	for i := range fleet {
		fleet[i].spec = cpuSpec(b, "")
		fleet[i].obs = cpuAt(pods, metrics.Milli(500+i%100-50))
	}
	settings := calculator.DefaultSettings()
	var d calculator.Decision
	now := noon
	decide := func() {
		now = now.Add(calculator.SyncPeriod)
		for i := range fleet {
			a := &fleet[i]
			calculator.DecideInto(&d, now, &settings, a.spec, a.obs, &a.state)
			if d.Rescale {
				b.Fatal("the load is within tolerance")
			}
		}
	}
	// The histories are as long as they get.
	for range 2 * settings.DownscaleStabilization / calculator.SyncPeriod {
		decide()
	}
	b.Run("autoscalers=100000/pods=10", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			decide()
		}
		b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(time.Millisecond), "ms/fleet")
	})
}
