package calculator_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
	"github.com/purehpa/hpa/stabilize"
)

// stages is what a decision says of the size at each stage, and until when.
type stages struct {
	Proposals     []proposed
	Choice        calculator.ChooseResult
	Stabilization stabilize.Result
	Limited       int32
	LimitReason   behavior.LimitReason
	LimitUntil    time.Time
	Cooldown      behavior.CooldownResult
	Desired       int32
	Rescale       bool
	Reason        calculator.RescaleReason
	Until         time.Time
}

type proposed struct {
	Replicas int32
	Rule     calculator.Rule
	Failure  calculator.FailureKind
	Pods     calculator.PodCounts
	Until    time.Time
}

func stagesOf(d *calculator.Decision) stages {
	s := stages{
		Choice:        d.Choice,
		Stabilization: d.Stabilization,
		Limited:       d.Limits.Replicas,
		LimitReason:   d.Limits.Reason,
		LimitUntil:    d.Limits.Until,
		Cooldown:      behavior.CooldownResult{Desired: d.Cooldown.Desired, Replicas: d.Cooldown.Replicas, Until: d.Cooldown.Until},
		Desired:       d.DesiredReplicas,
		Rescale:       d.Rescale,
		Reason:        d.Reason,
		Until:         d.Until,
	}
	for i := range d.Proposals {
		p := &d.Proposals[i]
		pods := p.Pods
		pods.Reasons = podgroup.ReasonCounts{} // why a pod is unready may change before its class does
		s.Proposals = append(s.Proposals, proposed{p.Replicas, p.Rule, p.Failure.Kind, pods, p.Until})
	}
	return s
}

// holdUntil checks what Until promises about the decision d that left the state
// st: deciding again, with nothing changed but the clock, says the same before,
// and something else of each stage whose moment it is then. It returns whether
// there was such a moment.
func holdUntil(t require.TestingT, d *calculator.Decision, settings *calculator.Settings, spec *autoscaling.HorizontalPodAutoscalerSpec, obs *calculator.Observation, st *calculator.State) bool {
	again := func(now time.Time) *calculator.Decision {
		fork := st.Clone()
		e := calculator.Decide(now, settings, spec, obs, &fork)
		return &e
	}
	same := func(now time.Time) {
		require.Equal(t, stagesOf(d), stagesOf(again(now)), "%s after %s; until %s", now.Sub(d.Now), d.Now, d.Until)
	}
	if d.Until.IsZero() {
		for _, later := range []time.Duration{1, time.Second, 17 * time.Second, time.Minute, 7 * time.Minute, time.Hour, 24 * time.Hour} {
			same(d.Now.Add(later))
		}
		return false
	}
	left := d.Until.Sub(d.Now)
	require.Positive(t, left)
	for _, later := range []time.Duration{0, left / 3, left / 2, left - 1} {
		same(d.Now.Add(later))
	}
	e := again(d.Until)
	lifted := 0
	if d.Stabilization.Until.Equal(d.Until) {
		// The setting ColdStart may go on holding where a recommendation ends.
		require.NotEqual(t, d.Stabilization.Until, e.Stabilization.Until)
		require.True(t, d.Stabilization.Bound != e.Stabilization.Bound || e.ColdStart)
		lifted++
	}
	if d.Limits.Until.Equal(d.Until) && d.Stabilization.Replicas == e.Stabilization.Replicas {
		if d.Limits.Reason == behavior.ScaleUpLimit || d.Limits.Reason == behavior.ScaleDownLimit {
			require.NotEqual(t, d.Limits.Replicas, e.Limits.Replicas)
		}
		require.NotEqual(t, d.Limits.Until, e.Limits.Until)
		lifted++
	}
	if d.Cooldown.Until.Equal(d.Until) {
		require.NotEqual(t, d.Cooldown.Until, e.Cooldown.Until)
		lifted++
	}
	for i := range d.Proposals {
		if d.Proposals[i].Until.Equal(d.Until) {
			require.True(t, e.Proposals[i].Pods.Ready > d.Proposals[i].Pods.Ready || e.Proposals[i].Rule == calculator.Fallback)
			lifted++
		}
	}
	require.Positive(t, lifted, "nothing was lifted at %s", d.Until)
	return true
}

// TestUntilOfVectors checks the promise of Until by search, on a sample of the
// recorded histories.
func TestUntilOfVectors(t *testing.T) {
	t.Parallel()
	const sample = 5
	n, syncs, moments := 0, 0, 0
	eachVector(t, func(v *vector) {
		n++
		if n%sample != 0 {
			return
		}
		settings := v.settings()
		var st calculator.State
		var d calculator.Decision
		for i := range v.Steps {
			s := &v.Steps[i]
			obs := s.observation()
			calculator.DecideInto(&d, s.Now, &settings, &v.DefaultedSpec, &obs, &st)
			if holdUntil(t, &d, &settings, &v.DefaultedSpec, &obs, &st) {
				moments++
			}
			if d.Rescale && !s.ScaleUpdateFails {
				st.Applied(s.Now, &d)
			}
			syncs++
		}
	})
	t.Logf("of %d syncs, %d wait for a moment", syncs, moments)
	require.Greater(t, moments, syncs/10)
}

// TestUntilOfRandomHistories checks the same where the vectors do not go: with
// options, young pods, clocks that jump and seconds that are not whole.
func TestUntilOfRandomHistories(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		settings, spec := drawSettings(rt), drawSpec(rt)
		var st calculator.State
		var d calculator.Decision
		now, size := noon, int32(rapid.IntRange(1, 20).Draw(rt, "size"))
		for range rapid.IntRange(1, 8).Draw(rt, "syncs") {
			now = now.Add(time.Duration(rapid.Int64Range(-int64(10*time.Second), int64(2*time.Minute)).Draw(rt, "step")))
			obs := drawObservation(rt, now, size)
			calculator.DecideInto(&d, now, &settings, spec, &obs, &st)
			require.NoError(rt, d.Err())
			holdUntil(rt, &d, &settings, spec, &obs, &st)
			if d.Rescale && rapid.Bool().Draw(rt, "written") {
				st.Applied(now, &d)
				size = d.DesiredReplicas
			}
		}
	})
}

func drawSettings(t *rapid.T) calculator.Settings {
	s := calculator.DefaultSettings()
	s.DownscaleStabilization = rapid.SampledFrom([]time.Duration{-1, 0, 30 * time.Second, 5 * time.Minute}).Draw(t, "stabilization")
	s.CPUInitializationPeriod = rapid.SampledFrom([]time.Duration{0, time.Minute, 5 * time.Minute}).Draw(t, "initialization")
	if rapid.IntRange(0, 3).Draw(t, "cooldown") == 0 {
		s.Cooldown = behavior.DefaultCooldown()
	}
	if rapid.IntRange(0, 3).Draw(t, "cold start") == 0 {
		s.ColdStart = calculator.HoldScaleDown
	}
	return s
}

// drawSpec returns a spec of one cpu metric, with a behavior or without.
func drawSpec(t *rapid.T) *autoscaling.HorizontalPodAutoscalerSpec {
	s := &autoscaling.HorizontalPodAutoscalerSpec{
		MaxReplicas: 30,
		Metrics:     []autoscaling.MetricSpec{autoscaling.ResourceUtilizationMetric(podgroup.CPU, 50)},
	}
	if rapid.IntRange(0, 3).Draw(t, "behavior") > 0 {
		s.Behavior = &behavior.Behavior{ScaleUp: drawRules(t), ScaleDown: drawRules(t)}
	}
	s.SetDefaults()
	return s
}

func drawRules(t *rapid.T) *behavior.ScalingRules {
	r := &behavior.ScalingRules{
		SelectPolicy: rapid.SampledFrom([]behavior.SelectPolicy{behavior.SelectMax, behavior.SelectMin, behavior.SelectDisabled}).Draw(t, "select"),
		Policies: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) behavior.Policy {
			return behavior.Policy{
				Type:          rapid.SampledFrom([]behavior.PolicyType{behavior.PodsPolicy, behavior.PercentPolicy}).Draw(t, "type"),
				Value:         int32(rapid.SampledFrom([]int{1, 3, 10, 50, 100, 200}).Draw(t, "value")),
				PeriodSeconds: int32(rapid.IntRange(1, 300).Draw(t, "period")),
			}
		}), 1, 3).Draw(t, "policies"),
	}
	if window := int32(rapid.SampledFrom([]int{-1, 0, 30, 120}).Draw(t, "window")); window >= 0 {
		r.StabilizationWindowSeconds = &window
	}
	return r
}

// drawObservation returns pods of which some are young, not ready or without a
// sample.
func drawObservation(t *rapid.T, now time.Time, size int32) calculator.Observation {
	obs := calculator.Observation{SpecReplicas: size, StatusReplicas: size, Pods: readyPods(int(size))}
	var samples []metrics.Sample
	usage := metrics.Milli(rapid.IntRange(0, 1000).Draw(t, "usage"))
	for i := range obs.Pods {
		p := &obs.Pods[i]
		sample := samplesOf(usage)[0]
		sample.Time = metrics.At(now.Add(-15 * time.Second))
		switch rapid.IntRange(0, 9).Draw(t, "pod") {
		case 0:
			age := time.Duration(rapid.Int64Range(0, int64(6*time.Minute)).Draw(t, "age"))
			p.StartTime = metrics.At(now.Add(-age))
			p.ReadyTransition = p.StartTime.Add(time.Duration(rapid.Int64Range(0, int64(time.Minute)).Draw(t, "delay")))
			p.Ready = rapid.SampledFrom([]podgroup.Readiness{podgroup.ReadyTrue, podgroup.ReadyFalse}).Draw(t, "ready")
		case 1:
			sample = metrics.Sample{}
		}
		samples = append(samples, sample)
	}
	// One pod is always there to be measured.
	obs.Pods[0] = readyPods(1)[0]
	samples[0] = samplesOf(usage)[0]
	obs.Readings = []calculator.Reading{{Samples: samples}}
	return obs
}
