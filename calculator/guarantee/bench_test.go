package guarantee_test

import (
	"math"
	"testing"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/guarantee"
)

func BenchmarkOf(b *testing.B) {
	for name, high := range map[string]int32{"max=100": 100, "max=2147483647": math.MaxInt32} {
		b.Run(name, func(b *testing.B) {
			r := newRuled(1, high, autoscaling.ResourceUtilizationMetric("cpu", 60))
			b.ReportAllocs()
			for range b.N {
				if _, err := guarantee.Compute(&r.settings, &r.spec, r.period, r.startup); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
