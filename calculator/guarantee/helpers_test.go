package guarantee_test

import (
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/guarantee"
	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

// backlog is a metric of 1 per replica, so that it reads what load asks for.
var backlog = autoscaling.ExternalAverageValueMetric("backlog", metrics.MustParseQuantity("1"))

// scaleToZero is a release that has the gate off by default.
var scaleToZero = release.MustParse("1.36,HPAScaleToZero=true")

// ruled is a spec under settings, synced each period.
type ruled struct {
	settings calculator.Settings
	spec     autoscaling.HorizontalPodAutoscalerSpec
	period   time.Duration
	startup  time.Duration
}

func (r *ruled) of(t require.TestingT) guarantee.Guarantees {
	g, err := guarantee.Compute(&r.settings, &r.spec, r.period, r.startup)
	require.NoError(t, err)
	return g
}

// newRuled returns the metric between the bounds, under the default rules,
// without windows and tolerance.
func newRuled(low, high int32, m ...autoscaling.MetricSpec) *ruled {
	r := &ruled{settings: calculator.DefaultSettings(), spec: autoscaling.NewSpec(low, high, m...), period: 15 * time.Second}
	r.spec.ScaleTargetRef = autoscaling.CrossVersionObjectReference{Kind: "Deployment", Name: "web", APIVersion: "apps/v1"}
	r.settings.Tolerance, r.settings.DownscaleStabilization = 0, 0
	r.spec.Behavior = behavior.Default()
	return r
}

func policies(t *rapid.T, name string) *behavior.ScalingRules {
	policy := rapid.Custom(func(t *rapid.T) behavior.Policy {
		return behavior.Policy{
			Type:          rapid.SampledFrom([]behavior.PolicyType{behavior.PodsPolicy, behavior.PercentPolicy}).Draw(t, "type"),
			Value:         rapid.OneOf(rapid.Int32Range(1, 3), rapid.SampledFrom([]int32{10, 50, 100, 200})).Draw(t, "value"),
			PeriodSeconds: rapid.SampledFrom([]int32{15, 1, 16, 30, 44, 60}).Draw(t, "period"),
		}
	})
	window := rapid.SampledFrom([]int32{0, 15, 10, 16, 30, 40}).Draw(t, name+" window")
	return &behavior.ScalingRules{
		StabilizationWindowSeconds: &window,
		SelectPolicy:               rapid.SampledFrom([]behavior.SelectPolicy{behavior.SelectMax, behavior.SelectMax, behavior.SelectMin, behavior.SelectDisabled}).Draw(t, name+" select"),
		Policies:                   rapid.SliceOfN(policy, 1, 3).Draw(t, name+" policies"),
	}
}

// anyRuled draws rules for the backlog, of every release.
func anyRuled(t *rapid.T, highest int32) *ruled {
	all := release.All()
	r := newRuled(1, 1, backlog)
	r.settings.Release = rapid.SampledFrom(append(all, scaleToZero)).Draw(t, "release")
	least := int32(1)
	if r.settings.Release == scaleToZero || r.settings.Release == all[len(all)-1] {
		least = 0
	}
	low := rapid.Int32Range(least, 3).Draw(t, "min")
	r.spec.MinReplicas, r.spec.MaxReplicas = &low, rapid.Int32Range(max(low, 1), highest).Draw(t, "max")
	r.settings.DownscaleStabilization = time.Duration(rapid.SampledFrom([]int{0, 15, 10, 40}).Draw(t, "flag")) * time.Second
	r.period = time.Duration(rapid.SampledFrom([]int{15, 10, 20}).Draw(t, "sync period")) * time.Second
	r.spec.Behavior = nil
	if rapid.IntRange(0, 5).Draw(t, "with a behavior") > 0 {
		r.spec.Behavior = &behavior.Behavior{ScaleUp: policies(t, "up"), ScaleDown: policies(t, "down")}
		if rapid.Bool().Draw(t, "flag's window") {
			r.spec.Behavior.ScaleDown.StabilizationWindowSeconds = nil
		}
	}
	return r
}

// autoscaler is one that decides, sync by sync, on a metric of the backlog or
// of cpu.
type autoscaler struct {
	*ruled
	spec  *autoscaling.HorizontalPodAutoscalerSpec
	state calculator.State
	d     calculator.Decision
	now   time.Time
	size  int32
}

func (r *ruled) autoscaler(size int32) *autoscaler {
	a := &autoscaler{ruled: r, spec: r.spec.Clone(), now: noon, size: size}
	a.spec.ApplyAdmission(r.settings.Release)
	if size == 0 {
		a.state.Conditions = []autoscaling.HorizontalPodAutoscalerCondition{{Type: autoscaling.ScaledToZero, Status: autoscaling.ConditionTrue}}
	}
	return a
}

// sync decides at that load, in replicas.
func (a *autoscaler) sync(load float64) int32 {
	obs := calculator.Observation{SpecReplicas: a.size, StatusReplicas: a.size}
	m := a.spec.Metrics[0].Resolve()
	var reading calculator.Reading
	if !m.OfPods() {
		reading.Values = []metrics.Milli{metrics.Milli(load * float64(m.Target.Milli()))}
	} else {
		for range a.size { // a request of 100m makes a milli-unit a percent
			obs.Pods = append(obs.Pods, podgroup.RunningPod("web", noon.Add(-time.Hour), podgroup.Requests{CPU: podgroup.Requested(100)}))
			usage := metrics.Milli(float64(m.Target.Percent()) * load / float64(a.size))
			reading.Samples = append(reading.Samples, metrics.NewSample(usage, a.now, time.Minute))
		}
	}
	obs.Readings = []calculator.Reading{reading}
	calculator.DecideInto(&a.d, a.now, &a.settings, a.spec, &obs, &a.state)
	if a.d.Rescale {
		a.state.Applied(a.now, &a.d)
		a.size = a.d.DesiredReplicas
	}
	a.now = a.now.Add(a.period)
	return a.size
}

// seconds returns so many seconds.
func seconds(n int) time.Duration { return time.Duration(n) * time.Second }
