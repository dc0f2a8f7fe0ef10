package calctest

import (
	"time"

	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/prove"
	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// Setups draws a setup: a spec, settings, and how pods behave.
func Setups(opts ...Option) *rapid.Generator[*prove.Setup] {
	specs := Specs(opts...)
	return rapid.Custom(func(t *rapid.T) *prove.Setup {
		r := prove.NewSetup(specs.Draw(t, "spec"))
		r.Settings = anySettings().Draw(t, "settings")
		r.SyncPeriod = time.Duration(rapid.SampledFrom([]int{15, 10, 30, 7}).Draw(t, "period")) * time.Second
		r.Startup = time.Duration(rapid.SampledFrom([]int{0, 20, 15, 90}).Draw(t, "startup")) * time.Second
		r.Lag = time.Duration(rapid.SampledFrom([]int{0, 0, 15, 60}).Draw(t, "lag")) * time.Second
		r.Capacity = rapid.SampledFrom([]int32{0, 0, 100, 200}).Draw(t, "capacity")
		return r
	})
}

func anySettings() *rapid.Generator[calculator.Settings] {
	return rapid.Custom(func(t *rapid.T) calculator.Settings {
		s := calculator.DefaultSettings()
		s.Tolerance = rapid.SampledFrom([]float64{0.1, 0, 0.05, 0.5}).Draw(t, "tolerance")
		s.DownscaleStabilization = time.Duration(rapid.SampledFrom([]int{300, 0, 15, 60, 90}).Draw(t, "downscale stabilization")) * time.Second
		s.CPUInitializationPeriod = time.Duration(rapid.SampledFrom([]int{300, 0, 60}).Draw(t, "initialization period")) * time.Second
		s.InitialReadinessDelay = time.Duration(rapid.SampledFrom([]int{30, 0}).Draw(t, "readiness delay")) * time.Second
		s.ZeroFlags = s != calculator.DefaultSettings() // zeros are drawn on purpose
		all := release.All()
		s.Release = all[len(all)-1-rapid.IntRange(0, len(all)-1).Draw(t, "releases before the newest")]
		return s
	})
}

// Specs draws valid specs with their defaults, of every source and target type,
// with and without behavior and scaling to zero. Some have a metric selector
// that passes Kubernetes' validation and fails in its controller. It shrinks to
// one cpu utilization and no behavior.
func Specs(opts ...Option) *rapid.Generator[*autoscaling.HorizontalPodAutoscalerSpec] {
	c := configOf(opts)
	behaviors := Behaviors(opts...)
	return rapid.Custom(func(t *rapid.T) *autoscaling.HorizontalPodAutoscalerSpec {
		s := &autoscaling.HorizontalPodAutoscalerSpec{
			ScaleTargetRef: autoscaling.CrossVersionObjectReference{Kind: "Deployment", Name: "web", APIVersion: "apps/v1"},
			Metrics:        rapid.SliceOfN(c.metrics(), 1, 3).Draw(t, "metrics"),
			Behavior:       behaviors.Draw(t, "behavior"),
		}
		least := int32(1)
		if s.HasObjectOrExternalMetric() {
			least = 0
		}
		lowest := rapid.Int32Range(least, c.maxReplicas).Draw(t, "minReplicas")
		s.MinReplicas = &lowest
		s.MaxReplicas = rapid.Int32Range(max(lowest, 1), c.maxReplicas).Draw(t, "maxReplicas")
		s.SetDefaults()
		return s
	})
}

func (c *config) metrics() *rapid.Generator[autoscaling.MetricSpec] {
	return rapid.Custom(func(t *rapid.T) autoscaling.MetricSpec {
		m := autoscaling.MetricSpec{Type: rapid.SampledFrom(c.sources).Draw(t, "source")}
		switch m.Type {
		case autoscaling.ResourceMetricSourceType:
			name := resources().Draw(t, "resource")
			m.Resource = &autoscaling.ResourceMetricSource{Name: name, Target: resourceTarget(name).Draw(t, "target")}
		case autoscaling.ContainerResourceMetricSourceType:
			name := resources().Draw(t, "resource")
			m.ContainerResource = &autoscaling.ContainerResourceMetricSource{
				Name:      name,
				Container: rapid.SampledFrom([]string{"app", "proxy"}).Draw(t, "container"),
				Target:    resourceTarget(name).Draw(t, "target"),
			}
		case autoscaling.PodsMetricSourceType:
			m.Pods = &autoscaling.PodsMetricSource{Metric: metricNames("qps").Draw(t, "metric"), Target: averageValue().Draw(t, "target")}
		case autoscaling.ObjectMetricSourceType:
			m.Object = &autoscaling.ObjectMetricSource{
				DescribedObject: autoscaling.CrossVersionObjectReference{Kind: "Service", Name: "front", APIVersion: "v1"},
				Metric:          metricNames("hits").Draw(t, "metric"),
				Target:          amountTarget().Draw(t, "target"),
			}
		default:
			m.External = &autoscaling.ExternalMetricSource{Metric: metricNames("backlog").Draw(t, "metric"), Target: amountTarget().Draw(t, "target")}
		}
		return m
	})
}

func resources() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{podgroup.CPU, podgroup.Memory, "ephemeral-storage"})
}

// metricNames draws a metric with or without a selector, which rarely is
// malformed.
func metricNames(name string) *rapid.Generator[autoscaling.MetricIdentifier] {
	return rapid.Custom(func(t *rapid.T) autoscaling.MetricIdentifier {
		m := autoscaling.MetricIdentifier{Name: name}
		switch n := rapid.IntRange(0, 31).Draw(t, "selector"); {
		case n == 31:
			m.Selector = &autoscaling.LabelSelector{MatchLabels: map[string]string{"not a key": ""}}
		case n > 15:
			m.Selector = &autoscaling.LabelSelector{MatchLabels: map[string]string{"queue": "orders"}}
		}
		return m
	})
}

func resourceTarget(resource string) *rapid.Generator[autoscaling.MetricTarget] {
	return rapid.Custom(func(t *rapid.T) autoscaling.MetricTarget {
		if rapid.IntRange(0, 2).Draw(t, "average value") == 2 {
			amounts := []string{"500m", "1", "33m"}
			if resource != podgroup.CPU {
				amounts = []string{"512Mi", "1Gi", "100M"}
			}
			return autoscaling.MetricTarget{Type: autoscaling.AverageValueMetricType, AverageValue: metrics.MustParseQuantity(rapid.SampledFrom(amounts).Draw(t, "amount"))}
		}
		percent := percents([]int32{50, 80, 10, 95}, 1, 300).Draw(t, "percent")
		return autoscaling.MetricTarget{Type: autoscaling.UtilizationMetricType, AverageUtilization: &percent}
	})
}

func averageValue() *rapid.Generator[autoscaling.MetricTarget] {
	return rapid.Map(rapid.SampledFrom([]string{"10", "100m", "1k", "7"}), func(s string) autoscaling.MetricTarget {
		return autoscaling.MetricTarget{Type: autoscaling.AverageValueMetricType, AverageValue: metrics.MustParseQuantity(s)}
	})
}

func amountTarget() *rapid.Generator[autoscaling.MetricTarget] {
	return rapid.Custom(func(t *rapid.T) autoscaling.MetricTarget {
		target := averageValue().Draw(t, "amount")
		if rapid.Bool().Draw(t, "whole") {
			target = autoscaling.MetricTarget{Type: autoscaling.ValueMetricType, Value: target.AverageValue}
		}
		return target
	})
}

// percents draws one of some usual numbers, or any.
func percents(usual []int32, low, high int32) *rapid.Generator[int32] {
	return rapid.OneOf(rapid.SampledFrom(usual), rapid.Int32Range(low, high))
}

// Behaviors draws behaviors that are valid and have their defaults, and nil: of
// every policy type and select policy. It shrinks to nil.
func Behaviors(opts ...Option) *rapid.Generator[*behavior.Behavior] {
	c := configOf(opts)
	if !c.anyBehavior {
		return rapid.Map(rapid.Just(c.behavior), (*behavior.Behavior).Clone)
	}
	return rapid.Custom(func(t *rapid.T) *behavior.Behavior {
		if rapid.IntRange(0, 2).Draw(t, "behavior") == 0 {
			return nil
		}
		b := &behavior.Behavior{
			ScaleUp:   directions().Draw(t, "scaleUp"),
			ScaleDown: directions().Draw(t, "scaleDown"),
		}
		b.SetDefaults()
		return b
	})
}

func directions() *rapid.Generator[*behavior.ScalingRules] {
	seconds := func(usual []int32, high int32) *rapid.Generator[int32] {
		return rapid.Custom(func(t *rapid.T) int32 {
			if rapid.IntRange(0, 3).Draw(t, "odd") == 3 {
				return rapid.Int32Range(1, high).Draw(t, "seconds")
			}
			return rapid.SampledFrom(usual).Draw(t, "seconds")
		})
	}
	policy := rapid.Custom(func(t *rapid.T) behavior.Policy {
		return behavior.Policy{
			Type:          rapid.SampledFrom([]behavior.PolicyType{behavior.PodsPolicy, behavior.PercentPolicy}).Draw(t, "type"),
			Value:         percents([]int32{1, 2, 4, 10, 25, 50, 100}, 1, 150).Draw(t, "value"),
			PeriodSeconds: seconds([]int32{15, 60, 30, 300}, behavior.MaxPeriodSeconds).Draw(t, "period"),
		}
	})
	return rapid.Custom(func(t *rapid.T) *behavior.ScalingRules {
		if rapid.IntRange(0, 3).Draw(t, "rules") == 0 {
			return nil
		}
		r := &behavior.ScalingRules{
			SelectPolicy: rapid.SampledFrom([]behavior.SelectPolicy{"", behavior.SelectMax, behavior.SelectMin, behavior.SelectMin, behavior.SelectDisabled}).Draw(t, "select policy"),
			Policies:     rapid.SliceOfN(policy, 0, 3).Draw(t, "policies"),
		}
		if len(r.Policies) == 0 {
			r.Policies = nil
		}
		if rapid.Bool().Draw(t, "window") {
			w := seconds([]int32{0, 15, 30, 60, 300}, behavior.MaxStabilizationWindowSeconds).Draw(t, "stabilization window")
			r.StabilizationWindowSeconds = &w
		}
		if rapid.IntRange(0, 3).Draw(t, "own tolerance") == 3 {
			r.Tolerance = metrics.MustParseQuantity(rapid.SampledFrom([]string{"0", "50m", "0.2", "1"}).Draw(t, "tolerance"))
		}
		return r
	})
}
