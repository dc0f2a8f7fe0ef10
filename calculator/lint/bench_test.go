package lint_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/lint"
)

// The specs on which there is the most to do.
func BenchmarkLint(b *testing.B) {
	settings := calculator.DefaultSettings()
	run := func(name string, spec autoscaling.HorizontalPodAutoscalerSpec, tolerance float64) {
		settings := settings
		settings.Tolerance = tolerance
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := lint.Lint(&settings, &spec, lint.DefaultFacts()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	cpu := autoscaling.ResourceUtilizationMetric("cpu", 60)
	memory := autoscaling.ResourceUtilizationMetric("memory", 60)
	run("typical", autoscaling.NewSpec(2, 20, cpu, memory), 0.1)
	run("sizes=707", autoscaling.NewSpec(100_000, 100_707, autoscaling.ResourceUtilizationMetric("cpu", 1)), 1e9)
	run("sizes=223/metrics=10", autoscaling.NewSpec(100_000, 100_223, slices.Repeat([]autoscaling.MetricSpec{cpu}, 10)...), 1e9)
	run("metrics=4000", autoscaling.NewSpec(1, math.MaxInt32, slices.Repeat([]autoscaling.MetricSpec{memory}, 4000)...), 0.1)
	run("largest sizes", autoscaling.NewSpec(math.MaxInt32-2, math.MaxInt32, cpu), 0.1)
	slow := autoscaling.NewSpec(1, math.MaxInt32, cpu)
	slow.Behavior = lintRules(func(b *behavior.Behavior) {
		b.ScaleUp.Policies = nil
		for i := range int32(16) {
			b.ScaleUp.Policies = append(b.ScaleUp.Policies, podsIn(1, 1800-i))
		}
		b.ScaleDown.Policies = b.ScaleUp.Policies
	})
	run("pace", slow, 0.1)
	for name, list := range map[string]func(i int32) behavior.Policy{
		"equal":   func(int32) behavior.Policy { return percentIn(1, 15) },
		"rising":  func(i int32) behavior.Policy { return percentIn(i+1, 15) },
		"falling": func(i int32) behavior.Policy { return percentIn(4000-i, 15) },
		"mixed":   func(i int32) behavior.Policy { return []behavior.Policy{podsIn(20_000-i, 15), percentIn(100, 15)}[i%2] },
	} {
		spec := autoscaling.NewSpec(1, math.MaxInt32, cpu)
		spec.Behavior = lintRules(func(b *behavior.Behavior) {
			b.ScaleUp.Policies = nil
			for i := range int32(4000) {
				b.ScaleUp.Policies = append(b.ScaleUp.Policies, list(i))
			}
			b.ScaleDown.Policies = b.ScaleUp.Policies
		})
		run(fmt.Sprintf("policies=4000/%s", name), spec, 0.1)
	}
}
