package calculator_test

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
	"github.com/purehpa/hpa/stabilize"
)

// The tests of this file name what Kubernetes leaves undefined or answers with
// nonsense, and hold the answer given here. The points are numbered as in the
// list of deviations in the package's documentation.

// 1. Kubernetes converts a float beyond int32, of which amd64 makes -2147483648
// and arm64 2147483647.
func TestSizeBeyondInt32IsTheLargest(t *testing.T) {
	pods := readyPods(3)
	in := &calculator.PodMetric{
		Resource:        podgroup.CPU,
		CurrentReplicas: 3,
		Pods:            pods,
		Samples:         same(3, math.MaxInt64/4),
		Tolerance:       metrics.Symmetric(0.1),
	}
	p, err := calculator.ProposeResourceUtilization(noon, in, 1)
	require.NoError(t, err)
	require.EqualValues(t, math.MaxInt32, p.Replicas)
	require.EqualValues(t, math.MaxInt32, p.Utilization)

	p, err = calculator.ProposePodsAverageValue(noon, in, 1)
	require.NoError(t, err)
	require.EqualValues(t, math.MaxInt32, p.Replicas)

	value := &calculator.ValueMetric{Values: []metrics.Milli{math.MaxInt64}, CurrentReplicas: 3, StatusReplicas: 3, Pods: pods}
	for name, f := range map[string]func(*calculator.ValueMetric, metrics.Milli) (calculator.Proposal, error){
		"ObjectValue":          calculator.ProposeObjectValue,
		"ObjectAverageValue":   calculator.ProposeObjectAverageValue,
		"ExternalValue":        calculator.ProposeExternalValue,
		"ExternalAverageValue": calculator.ProposeExternalAverageValue,
	} {
		p, err = f(value, 1)
		require.NoError(t, err, name)
		require.EqualValues(t, math.MaxInt32, p.Replicas, name)
	}
	zero := *value
	zero.CurrentReplicas = 0
	p, err = calculator.ProposeExternalValue(&zero, 1)
	require.NoError(t, err)
	require.EqualValues(t, math.MaxInt32, p.Replicas)
}

// 2. In 64 bits, 1,000 pods that use and request 100 GiB each come to -143%.
func TestSumsBeyondInt64AreExact(t *testing.T) {
	const gib100 = 100 << 30 * 1000
	pods := readyPods(1000)
	for i := range pods {
		pods[i].Memory = podgroup.Requested(gib100)
	}
	in := &calculator.PodMetric{
		Resource:        podgroup.Memory,
		CurrentReplicas: 1000,
		Pods:            pods,
		Samples:         same(1000, gib100),
		Tolerance:       metrics.Symmetric(0.1),
	}
	p, err := calculator.ProposeResourceUtilization(noon, in, 50)
	require.NoError(t, err)
	require.EqualValues(t, 100, p.Utilization)
	require.Equal(t, metrics.Milli(gib100), p.Usage)
	require.EqualValues(t, 2000, p.Replicas)

	in.Samples = same(1000, math.MaxInt64)
	p, err = calculator.ProposeResourceAverageValue(noon, in, math.MaxInt64)
	require.NoError(t, err)
	require.Equal(t, metrics.Milli(math.MaxInt64), p.Usage)
	require.Equal(t, calculator.WithinTolerance, p.Rule)

	p, err = calculator.ProposeExternalAverageValue(&calculator.ValueMetric{
		Values:         []metrics.Milli{math.MaxInt64, math.MaxInt64, -math.MaxInt64},
		StatusReplicas: 1,
	}, math.MaxInt64)
	require.NoError(t, err)
	require.Equal(t, 1.0, p.Ratio)
}

// 3. Kubernetes takes a negative sum for an overflow, so that -5 becomes
// 2147483647 replicas, or not, by the order of the series.
func TestNegativeExternalSumIsNegative(t *testing.T) {
	for _, values := range [][]metrics.Milli{{-5000}, {-15000, 10000}, {10000, -15000}} {
		spec := externalSpec(t, "")
		settings := calculator.DefaultSettings()
		settings.DownscaleStabilization = -1
		var st calculator.State
		d := calculator.Decide(noon, &settings, spec, backlogOf(4, values...), &st)
		require.NoError(t, d.Err())
		require.Zero(t, d.Proposals[0].Replicas)
		require.EqualValues(t, 1, d.DesiredReplicas)
		status := d.Status(&st)
		require.Equal(t, "-1250m", status.CurrentMetrics[0].External.Current.AverageValue.String())
	}
}

// 4. Kubernetes divides by the pods there are, of which there may be none, and
// shows what the processor makes of infinity.
func TestAverageOverZeroPodsIsZero(t *testing.T) {
	spec := externalSpec(t, "")
	settings := calculator.DefaultSettings()
	for _, usage := range []metrics.Milli{0, 25000, -25000} {
		obs := backlogOf(3, usage)
		obs.StatusReplicas = 0
		var st calculator.State
		d := calculator.Decide(noon, &settings, spec, obs, &st)
		require.NoError(t, d.Err())
		require.EqualValues(t, max(0, (usage+9999)/10000), d.Proposals[0].Replicas)
		require.Equal(t, "0", d.Status(&st).CurrentMetrics[0].External.Current.AverageValue.String())
	}
}

// 5. Kubernetes panics on these, or answers -1 without an error.
func TestImpossibleInputIsAnErrorThatNamesTheField(t *testing.T) {
	external := func(target autoscaling.MetricTarget) autoscaling.MetricSpec {
		return autoscaling.MetricSpec{
			Type:     autoscaling.ExternalMetricSourceType,
			External: &autoscaling.ExternalMetricSource{Metric: autoscaling.MetricIdentifier{Name: "backlog"}, Target: target},
		}
	}
	window := int32(0)
	minusOne := int32(-1)
	rules := func(change func(*behavior.ScalingRules)) func(*autoscaling.HorizontalPodAutoscalerSpec) {
		return func(s *autoscaling.HorizontalPodAutoscalerSpec) {
			s.Behavior = &behavior.Behavior{}
			s.Behavior.SetDefaults()
			change(s.Behavior.ScaleUp)
		}
	}
	for field, change := range map[string]func(*autoscaling.HorizontalPodAutoscalerSpec){
		"spec.maxReplicas":         func(s *autoscaling.HorizontalPodAutoscalerSpec) { s.MaxReplicas = 0 },
		"spec.minReplicas":         func(s *autoscaling.HorizontalPodAutoscalerSpec) { s.MinReplicas = &minusOne },
		"spec.metrics":             func(s *autoscaling.HorizontalPodAutoscalerSpec) { s.Metrics = nil },
		"spec.metrics[0].resource": func(s *autoscaling.HorizontalPodAutoscalerSpec) { s.Metrics[0].Resource = nil },
		"averageUtilization: Invalid value: 0": func(s *autoscaling.HorizontalPodAutoscalerSpec) {
			s.Metrics[0] = autoscaling.ResourceUtilizationMetric(podgroup.CPU, 0)
		},
		"averageUtilization: Invalid value: -": func(s *autoscaling.HorizontalPodAutoscalerSpec) {
			s.Metrics[0] = autoscaling.ResourceUtilizationMetric(podgroup.CPU, -50)
		},
		"target.averageValue: Invalid value: \"0\"": func(s *autoscaling.HorizontalPodAutoscalerSpec) {
			s.Metrics[0] = external(autoscaling.MetricTarget{Type: autoscaling.AverageValueMetricType, AverageValue: metrics.MustParseQuantity("0")})
		},
		"target.value: Invalid value: \"-1\"": func(s *autoscaling.HorizontalPodAutoscalerSpec) {
			s.Metrics[0] = external(autoscaling.MetricTarget{Type: autoscaling.ValueMetricType, Value: metrics.MustParseQuantity("-1")})
		},
		"spec.metrics[0].pods.target": func(s *autoscaling.HorizontalPodAutoscalerSpec) {
			s.Metrics[0] = autoscaling.MetricSpec{Type: autoscaling.PodsMetricSourceType, Pods: &autoscaling.PodsMetricSource{Metric: autoscaling.MetricIdentifier{Name: "qps"}}}
		},
		"spec.behavior.scaleUp":                            func(s *autoscaling.HorizontalPodAutoscalerSpec) { s.Behavior = &behavior.Behavior{} },
		"spec.behavior.scaleUp.stabilizationWindowSeconds": rules(func(r *behavior.ScalingRules) { r.StabilizationWindowSeconds = nil }),
		"spec.behavior.scaleUp.selectPolicy":               rules(func(r *behavior.ScalingRules) { r.SelectPolicy = "Median" }),
		"spec.behavior.scaleUp.policies":                   rules(func(r *behavior.ScalingRules) { r.Policies = []behavior.Policy{} }),
		"spec.behavior.scaleUp.policies[0].type": rules(func(r *behavior.ScalingRules) {
			r.Policies = []behavior.Policy{{Type: "Nodes", Value: 1, PeriodSeconds: 1}}
			r.StabilizationWindowSeconds = &window
		}),
	} {
		t.Run(field, func(t *testing.T) {
			spec := cpuSpec(t, "")
			change(spec)
			settings := calculator.DefaultSettings()
			st := calculator.State{DesiredReplicas: 7}
			before := st.Clone()
			d := calculator.Decide(noon, &settings, spec, cpuAt(3, 900), &st)
			require.ErrorContains(t, d.Err(), field)
			require.False(t, d.Rescale)
			require.Equal(t, calculator.NoZone, d.Zone)
			require.True(t, st.Equal(&before), "the state is as it was")
		})
	}
}

// Where no metric decides, Kubernetes does not look at them, and so does not
// panic.
func TestImpossibleMetricsWhereNoneDecides(t *testing.T) {
	settings := calculator.DefaultSettings()
	for name, metrics := range map[string][]autoscaling.MetricSpec{
		"none":             nil,
		"without a source": {{Type: autoscaling.ResourceMetricSourceType}},
		"without a target": {{Type: autoscaling.PodsMetricSourceType, Pods: &autoscaling.PodsMetricSource{}}},
		"a target of 0":    {autoscaling.ResourceUtilizationMetric(podgroup.CPU, 0)},
	} {
		t.Run(name, func(t *testing.T) {
			for size, want := range map[int32]int32{0: 0, 1: 2, 11: 10} {
				spec := autoscaling.NewSpec(2, 10, metrics...)
				spec.Metrics = metrics // without the default
				var st calculator.State
				d := calculator.Decide(noon, &settings, &spec, &calculator.Observation{SpecReplicas: size, StatusReplicas: size}, &st)
				require.NoError(t, d.Err())
				require.Equal(t, want, d.DesiredReplicas)
				require.Empty(t, d.Status(&st).CurrentMetrics)
			}
			spec := autoscaling.NewSpec(2, 10, metrics...)
			spec.Metrics = metrics
			var st calculator.State
			obs := calculator.Observation{SpecReplicas: 5, StatusReplicas: 5, SelectorError: &calculator.SelectorError{}}
			d := calculator.Decide(noon, &settings, &spec, &obs, &st)
			require.ErrorContains(t, d.Err(), "selector is required", "which Kubernetes looks at first")
		})
	}
}

// 5, in the arguments beside the spec.
func TestImpossibleObservationIsAnErrorThatNamesTheField(t *testing.T) {
	settings := calculator.DefaultSettings()
	object := specOf(t, `{`+webRef+`,"maxReplicas":20,"metrics":[{"type":"Object","object":{"metric":{"name":"hits"},
		"describedObject":{"kind":"Service","name":"front"},"target":{"type":"Value","value":"10"}}}]}`)
	spec := cpuSpec(t, "")
	var st calculator.State
	decide := func(settings *calculator.Settings, spec *autoscaling.HorizontalPodAutoscalerSpec, obs *calculator.Observation, st *calculator.State) error {
		d := calculator.Decide(noon, settings, spec, obs, st)
		return d.Err()
	}
	for name, err := range map[string]error{
		"settings":                        decide(&calculator.Settings{}, spec, cpuAt(3, 900), &st),
		"spec":                            decide(&settings, nil, cpuAt(3, 900), &st),
		"observation":                     decide(&settings, spec, nil, &st),
		"state":                           decide(&settings, spec, cpuAt(3, 900), nil),
		"observation.specReplicas":        decide(&settings, spec, &calculator.Observation{SpecReplicas: -1}, &st),
		"observation.statusReplicas":      decide(&settings, spec, &calculator.Observation{SpecReplicas: 1, StatusReplicas: -1}, &st),
		"observation.readings":            decide(&settings, spec, &calculator.Observation{SpecReplicas: 1}, &st),
		"observation.readings[0].samples": decide(&settings, spec, &calculator.Observation{SpecReplicas: 1, Pods: readyPods(2), Readings: []calculator.Reading{{Samples: same(3, 1)}}}, &st),
		"observation.readings[0].values":  decide(&settings, object, &calculator.Observation{SpecReplicas: 1, Readings: []calculator.Reading{{}}}, &st),
	} {
		var input *field.Error
		require.ErrorAs(t, err, &input, name)
		require.Equal(t, name, input.Field)
		require.ErrorContains(t, err, name+": ")
	}
	require.True(t, st.Equal(&calculator.State{}), "the state is as it was")
}

// 5, in the pieces used alone.
func TestTargetThatIsNotPositiveFails(t *testing.T) {
	pods := &calculator.PodMetric{CurrentReplicas: 2, Pods: readyPods(2), Samples: same(2, 5)}
	value := &calculator.ValueMetric{Values: []metrics.Milli{5}, CurrentReplicas: 2, StatusReplicas: 2}
	for _, target := range []metrics.Milli{0, -1, math.MinInt64} {
		for name, err := range map[string]error{
			"ResourceUtilization":  second(calculator.ProposeResourceUtilization(noon, pods, int32(max(target, math.MinInt32)))),
			"ResourceAverageValue": second(calculator.ProposeResourceAverageValue(noon, pods, target)),
			"PodsAverageValue":     second(calculator.ProposePodsAverageValue(noon, pods, target)),
			"ObjectValue":          second(calculator.ProposeObjectValue(value, target)),
			"ObjectAverageValue":   second(calculator.ProposeObjectAverageValue(value, target)),
			"ExternalValue":        second(calculator.ProposeExternalValue(value, target)),
			"ExternalAverageValue": second(calculator.ProposeExternalAverageValue(value, target)),
		} {
			var f *calculator.Failure
			require.ErrorAs(t, err, &f, name)
			require.Equal(t, calculator.InvalidTarget, f.Kind, name)
			require.EqualError(t, err, "the target is not positive", name)
		}
	}
}

func second(_ calculator.Proposal, err error) error { return err }

// 6. Kubernetes' maximum of negative proposals depends on their order.
func TestProposalsAreNeverNegative(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		milli := rapid.Custom(func(t *rapid.T) metrics.Milli {
			if rapid.Bool().Draw(t, "any") {
				return metrics.Milli(rapid.Int64().Draw(t, "value"))
			}
			return metrics.Milli(rapid.Int64Range(-100000, 100000).Draw(t, "value"))
		})
		target := metrics.Milli(rapid.Int64Range(1, 100000).Draw(t, "target"))
		n := rapid.IntRange(0, 5).Draw(t, "pods")
		tolerance := metrics.Symmetric(rapid.Float64Range(0, 1).Draw(t, "tolerance"))
		samples := samplesOf(rapid.SliceOfN(milli, n, n).Draw(t, "samples")...)
		for i := range samples {
			samples[i].Present = rapid.Bool().Draw(t, "present")
		}
		pods := &calculator.PodMetric{
			Resource:        rapid.SampledFrom([]string{"", podgroup.CPU, podgroup.Memory}).Draw(t, "resource"),
			CurrentReplicas: rapid.Int32Range(0, 10).Draw(t, "current"),
			Pods:            readyPods(n),
			Samples:         samples,
			Strays:          samplesOf(rapid.SliceOfN(milli, 0, 2).Draw(t, "strays")...),
			Tolerance:       tolerance,
		}
		value := &calculator.ValueMetric{
			Values:          rapid.SliceOfN(milli, 0, 4).Draw(t, "values"),
			CurrentReplicas: pods.CurrentReplicas,
			StatusReplicas:  rapid.Int32Range(0, 10).Draw(t, "status"),
			Pods:            pods.Pods,
			Tolerance:       tolerance,
		}
		for name, f := range map[string]func() (calculator.Proposal, error){
			"ResourceUtilization": func() (calculator.Proposal, error) {
				return calculator.ProposeResourceUtilization(noon, pods, int32(target))
			},
			"ResourceAverageValue": func() (calculator.Proposal, error) { return calculator.ProposeResourceAverageValue(noon, pods, target) },
			"PodsAverageValue":     func() (calculator.Proposal, error) { return calculator.ProposePodsAverageValue(noon, pods, target) },
			"ObjectValue":          func() (calculator.Proposal, error) { return calculator.ProposeObjectValue(value, target) },
			"ObjectAverageValue":   func() (calculator.Proposal, error) { return calculator.ProposeObjectAverageValue(value, target) },
			"ExternalValue":        func() (calculator.Proposal, error) { return calculator.ProposeExternalValue(value, target) },
			"ExternalAverageValue": func() (calculator.Proposal, error) { return calculator.ProposeExternalAverageValue(value, target) },
		} {
			p, err := f()
			if p.Replicas < 0 {
				t.Fatalf("%s proposes %d", name, p.Replicas)
			}
			if (err == nil) != (p.Rule != calculator.NoProposal) {
				t.Fatalf("%s: rule %v with error %v", name, p.Rule, err)
			}
		}
	})
}

// 7. Kubernetes adds the value to the size in 32 bits.
func TestPolicyBeyondInt32IsTheLargest(t *testing.T) {
	spec := cpuSpec(t, `,"behavior":{"scaleUp":{"policies":[{"type":"Pods","value":2147483647,"periodSeconds":60}]}}`)
	settings := calculator.DefaultSettings()
	var st calculator.State
	d := calculator.Decide(noon, &settings, spec, cpuAt(3, 1000), &st)
	require.NoError(t, d.Err())
	require.EqualValues(t, 6, d.DesiredReplicas)
	require.EqualValues(t, math.MaxInt32, d.Policies[0].Limit)
}

// 8. Kubernetes says that no metrics matched known pods.
func TestZeroRequestsSaySo(t *testing.T) {
	in := &calculator.PodMetric{Resource: podgroup.CPU, CurrentReplicas: 2, Pods: readyPods(2), Samples: same(2, 100)}
	for i := range in.Pods {
		in.Pods[i].CPU = podgroup.Requested(0)
	}
	_, err := calculator.ProposeResourceUtilization(noon, in, 50)
	var f *calculator.Failure
	require.ErrorAs(t, err, &f)
	require.Equal(t, calculator.ZeroRequests, f.Kind)
	require.EqualError(t, err, "the requests of the pods with metrics are zero")

	// Strays alone are what Kubernetes means.
	in.Samples, in.Strays = nil, same(1, 100)
	_, err = calculator.ProposeResourceUtilization(noon, in, 50)
	require.ErrorAs(t, err, &f)
	require.Equal(t, calculator.NoMatchingSamples, f.Kind)
	require.EqualError(t, err, "no metrics returned matched known pods")
}

// 9. A clock that went back, or was never within reason, neither panics nor
// leaves the autoscaler stuck for longer than a window.
func TestClocksThatJump(t *testing.T) {
	spec := cpuSpec(t, `,"behavior":{"scaleDown":{"stabilizationWindowSeconds":300}}`)
	settings := calculator.DefaultSettings()
	decide := func(now time.Time, st *calculator.State, n int32, milli metrics.Milli) calculator.Decision {
		d := calculator.Decide(now, &settings, spec, cpuAt(n, milli), st)
		require.NoError(t, d.Err())
		st.Applied(now, &d)
		return d
	}
	for name, start := range map[string]time.Time{
		"today":          noon,
		"zero":           {},
		"before 1678":    time.Date(1500, 1, 1, 0, 0, 0, 0, time.UTC),
		"after 2262":     time.Date(3000, 1, 1, 0, 0, 0, 0, time.UTC),
		"year -1000000":  time.Date(-1000000, 1, 1, 0, 0, 0, 0, time.UTC),
		"year 200000000": time.Date(200000000, 1, 1, 0, 0, 0, 0, time.UTC),
	} {
		for _, jump := range []time.Duration{0, -time.Hour, -200 * 365 * 24 * time.Hour, 200 * 365 * 24 * time.Hour} {
			var st calculator.State
			decide(start, &st, 10, 500)
			now := start.Add(jump)
			d := decide(now, &st, 10, 250)
			if jump <= 0 {
				require.EqualValues(t, 10, d.DesiredReplicas, "%s %v: held by the window", name, jump)
				require.False(t, d.Until.After(now.Add(300*time.Second)), "%s %v: until %v", name, jump, d.Until)
			}
			d = decide(now.Add(301*time.Second), &st, 10, 250)
			require.EqualValues(t, 5, d.DesiredReplicas, "%s %v: free again", name, jump)
		}
	}
}

// 9, in samples: one from the future is a sample like any other.
func TestSamplesFromTheFuture(t *testing.T) {
	in := &calculator.PodMetric{
		Resource:          podgroup.CPU,
		CurrentReplicas:   2,
		Pods:              readyPods(2),
		Samples:           same(2, 1000),
		Tolerance:         metrics.Symmetric(0.1),
		ReadinessSettings: podgroup.DefaultReadinessSettings(),
	}
	in.Samples[0].Time = metrics.At(noon.Add(1000 * time.Hour))
	in.Pods[1].StartTime = metrics.At(noon.Add(time.Hour))
	p, err := calculator.ProposeResourceUtilization(noon, in, 50)
	require.NoError(t, err)
	require.Equal(t, calculator.PodCounts{Ready: 2}, p.Pods, "a start in the future is within the initialization period")
	require.EqualValues(t, 4, p.Replicas)
}

// 10. Kubernetes' lists never shrink.
func TestHistoriesAreBounded(t *testing.T) {
	spec := cpuSpec(t, `,"behavior":{"scaleDown":{"stabilizationWindowSeconds":3600}}`)
	settings := calculator.DefaultSettings()
	var st calculator.State
	var d calculator.Decision
	for i := range 3 * behavior.MaxEvents {
		now := noon.Add(time.Duration(i) * time.Millisecond)
		obs := cpuAt(2, metrics.Milli(400+200*(i%2)))
		calculator.DecideInto(&d, now, &settings, spec, obs, &st)
		require.NoError(t, d.Err())
		st.Events.Record(now, 2, 3-int32(i%2)*2, spec.Behavior)
	}
	require.LessOrEqual(t, st.Recommendations.Len(), stabilize.MaxRecommendations)
	require.LessOrEqual(t, st.Events.Len(), 2*behavior.MaxEvents)
}

// Nothing panics, whatever the arguments are.
func TestZeroArguments(t *testing.T) {
	var d calculator.Decision
	require.NoError(t, d.Err())
	require.Empty(t, d.AppendEvents(nil))
	require.Empty(t, d.ReasonText())
	require.Empty(t, d.MetricName(0))
	require.Empty(t, d.AppendVerdicts(nil, 0, &calculator.Settings{}, &calculator.Observation{}))
	var st calculator.State
	st.Applied(noon, &d)
	st.Applied(noon, nil)
	st.Failed(noon, &d, errors.New("no"))
	st.Failed(noon, nil, nil)
	require.True(t, st.Equal(&calculator.State{}))
	require.Equal(t, autoscaling.HorizontalPodAutoscalerStatus{}, d.Status(&st))
	require.Equal(t, autoscaling.HorizontalPodAutoscalerStatus{}, d.Status(nil))
	require.Empty(t, d.AppendVerdicts(nil, 0, nil, nil))
	require.True(t, calculator.Choose(0, nil).Blocked)

	// Nil stands for zero in the pieces, too.
	for name, err := range map[string]error{
		"ResourceUtilization":  second(calculator.ProposeResourceUtilization(noon, nil, 1)),
		"ResourceAverageValue": second(calculator.ProposeResourceAverageValue(noon, nil, 1)),
		"PodsAverageValue":     second(calculator.ProposePodsAverageValue(noon, nil, 1)),
	} {
		require.EqualError(t, err, "no pods returned by selector while calculating replica count", name)
	}
	for name, err := range map[string]error{
		"ObjectValue":          second(calculator.ProposeObjectValue(nil, 1)),
		"ObjectAverageValue":   second(calculator.ProposeObjectAverageValue(nil, 1)),
		"ExternalValue":        second(calculator.ProposeExternalValue(nil, 1)),
		"ExternalAverageValue": second(calculator.ProposeExternalAverageValue(nil, 1)),
	} {
		require.NoError(t, err, name)
	}
	require.Equal(t, podgroup.Missing, podgroup.Classify(noon, nil, metrics.Sample{}, podgroup.CPU, podgroup.ReadinessSettings{}).Class)
	var g podgroup.Group
	require.Equal(t, podgroup.Count(noon, nil, nil, nil), g.Count(noon, nil, nil))
}

// Reading a single field of a decision with an error does no worse than
// nothing: both sizes are the observed one.
func TestSizesOnErrorsAreTheObservedOnes(t *testing.T) {
	settings := calculator.DefaultSettings()
	unreachable := cpuAt(40, 500)
	unreachable.ScaleError = errors.New("no route to host")
	unread := cpuAt(20, 500)
	unread.Readings = nil
	for name, tt := range map[string]struct {
		spec *autoscaling.HorizontalPodAutoscalerSpec
		obs  *calculator.Observation
	}{
		"invalid spec": {&autoscaling.HorizontalPodAutoscalerSpec{}, cpuAt(40, 500)},
		"no spec":      {nil, cpuAt(40, 500)},
		"scale error":  {cpuSpec(t, ""), unreachable},
		"no readings":  {cpuSpec(t, ""), unread},
	} {
		var st calculator.State
		d := calculator.Decide(noon, &settings, tt.spec, tt.obs, &st)
		require.Error(t, d.Err(), name)
		require.False(t, d.Rescale, name)
		require.Equal(t, tt.obs.SpecReplicas, d.CurrentReplicas, name)
		require.Equal(t, tt.obs.SpecReplicas, d.DesiredReplicas, name)
	}
}
