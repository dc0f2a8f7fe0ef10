package calculator_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

func condition(t *testing.T, d *calculator.Decision, typ autoscaling.HorizontalPodAutoscalerConditionType) autoscaling.HorizontalPodAutoscalerCondition {
	t.Helper()
	for _, c := range d.Conditions {
		if c.Type == typ {
			return c
		}
	}
	t.Fatalf("no condition %s", typ)
	return autoscaling.HorizontalPodAutoscalerCondition{}
}

func TestZones(t *testing.T) {
	settings := calculator.DefaultSettings()
	bounded := cpuSpec(t, "")
	two := int32(2)
	bounded.MinReplicas = &two
	for _, c := range []struct {
		current int32
		zone    calculator.Zone
		desired int32
	}{
		{0, calculator.ZoneDisabled, 0},
		{1, calculator.ZoneBelowMin, 2},
		{2, calculator.ZoneNormal, 4},
		{20, calculator.ZoneNormal, 20},
		{21, calculator.ZoneAboveMax, 20},
	} {
		var st calculator.State
		d := calculator.Decide(noon, &settings, bounded, cpuAt(c.current, 1000), &st)
		require.NoError(t, d.Err())
		require.Equal(t, c.zone, d.Zone, "size %d", c.current)
		require.Equal(t, c.desired, d.DesiredReplicas, "size %d", c.current)
		require.Equal(t, c.desired != c.current, d.Rescale, "size %d", c.current)
		require.EqualValues(t, c.current, d.CurrentReplicas)
		require.EqualValues(t, 2, d.MinReplicas)
		require.EqualValues(t, 20, d.MaxReplicas)
		if c.zone != calculator.ZoneNormal {
			require.Empty(t, d.Proposals)
			require.Nil(t, d.Status(&st).CurrentMetrics)
		}
	}
}

// A size out of bounds needs no readings, because no metric is computed.
func TestSizeOutOfBoundsNeedsNoReadings(t *testing.T) {
	settings := calculator.DefaultSettings()
	var st calculator.State
	d := calculator.Decide(noon, &settings, cpuSpec(t, ""), &calculator.Observation{SpecReplicas: 30}, &st)
	require.NoError(t, d.Err())
	require.EqualValues(t, 20, d.DesiredReplicas)
	require.Equal(t, "Current number of replicas above Spec.MaxReplicas", d.ReasonText())
}

func TestScaleToZeroAndBack(t *testing.T) {
	spec := externalSpec(t, `,"minReplicas":0`)
	settings := calculator.DefaultSettings()
	settings.DownscaleStabilization = -1 // not even the size at the start holds
	var st calculator.State
	var d calculator.Decision
	now := noon
	sync := func(obs *calculator.Observation) {
		t.Helper()
		now = now.Add(time.Minute)
		calculator.DecideInto(&d, now, &settings, spec, obs, &st)
		require.NoError(t, d.Err())
		st.Applied(now, &d)
	}

	sync(backlogOf(3, 0))
	require.EqualValues(t, 0, d.DesiredReplicas)
	require.Equal(t, autoscaling.ConditionTrue, condition(t, &d, autoscaling.ScaledToZero).Status)

	sync(backlogOf(0, 0))
	require.Equal(t, calculator.ZoneFromZero, d.Zone)
	require.False(t, d.Rescale)

	sync(backlogOf(0, 35000))
	require.EqualValues(t, 4, d.DesiredReplicas)
	require.Equal(t, autoscaling.ConditionFalse, condition(t, &d, autoscaling.ScaledToZero).Status)
	require.Equal(t, now, condition(t, &d, autoscaling.ScaledToZero).LastTransitionTime)

	// Someone else's zero stays zero.
	sync(backlogOf(0, 35000))
	require.Equal(t, calculator.ZoneDisabled, d.Zone)
	require.False(t, d.Rescale)
	require.Equal(t, "ScalingDisabled", condition(t, &d, autoscaling.ScalingActive).Reason)
}

// A minimum that was raised above zero brings the target back, whatever the
// metrics say.
func TestRaisedMinimumBringsBackFromZero(t *testing.T) {
	spec := externalSpec(t, `,"minReplicas":0`)
	settings := calculator.DefaultSettings()
	settings.DownscaleStabilization = -1 // not even the size at the start holds
	var st calculator.State
	d := calculator.Decide(noon, &settings, spec, backlogOf(3, 0), &st)
	st.Applied(noon, &d)
	two := int32(2)
	spec.MinReplicas = &two
	d = calculator.Decide(noon, &settings, spec, backlogOf(0, 0), &st)
	require.EqualValues(t, 2, d.DesiredReplicas)
	// Without a behavior the bounds come first, and leave nothing to raise.
	require.False(t, d.RaisedToMin)

	spec.Behavior = &behavior.Behavior{}
	spec.Behavior.SetDefaults()
	d = calculator.Decide(noon, &settings, spec, backlogOf(0, 0), &st)
	require.EqualValues(t, 2, d.DesiredReplicas)
	require.True(t, d.RaisedToMin)
	require.Equal(t, "Current number of replicas below Spec.MinReplicas", d.ReasonText())
}

func TestFailedWriteLeavesNoEvent(t *testing.T) {
	spec := cpuSpec(t, `,"behavior":{}`)
	settings := calculator.DefaultSettings()
	st := calculator.State{DesiredReplicas: 7}
	d := calculator.Decide(noon, &settings, spec, cpuAt(3, 1000), &st)
	require.True(t, d.Rescale)
	require.Equal(t, calculator.OutcomePending, d.Outcome)
	conflict := errors.New("conflict")
	st.Failed(noon, &d, conflict)
	require.ErrorIs(t, d.Err(), conflict)
	require.EqualError(t, d.Err(), "failed to rescale Deployment/ns/web: conflict")
	require.Equal(t, []string{"Warning FailedRescale New size: 6; reason: cpu resource utilization (percentage of request) above target; error: conflict"}, texts(&d))
	require.Zero(t, st.Events.Len())
	require.True(t, st.LastScaleTime.IsZero())
	require.EqualValues(t, 7, d.Status(&st).DesiredReplicas, "the status keeps its desired size")
	c := condition(t, &d, autoscaling.AbleToScale)
	require.Equal(t, "FailedUpdateScale", c.Reason)
	require.Equal(t, "the HPA controller was unable to update the target scale: conflict", c.Message)

	// What was recorded is not recorded again.
	st.Applied(noon, &d)
	require.Zero(t, st.Events.Len())
	require.Equal(t, calculator.OutcomeNotWritten, d.Outcome)
	st.Failed(noon, &d, nil)
	require.ErrorIs(t, d.Err(), conflict)
}

func TestWriteThatFailsWithoutAnError(t *testing.T) {
	settings := calculator.DefaultSettings()
	var st calculator.State
	d := calculator.Decide(noon, &settings, cpuSpec(t, ""), cpuAt(3, 1000), &st)
	st.Failed(noon, &d, nil)
	require.EqualError(t, d.Err(), "failed to rescale Deployment/ns/web: <nil>")
}

func TestAppliedRecordsOnce(t *testing.T) {
	spec := cpuSpec(t, `,"behavior":{}`)
	settings := calculator.DefaultSettings()
	var st calculator.State
	d := calculator.Decide(noon, &settings, spec, cpuAt(3, 1000), &st)
	st.Applied(noon, &d)
	st.Applied(noon, &d)
	require.Equal(t, 1, st.Events.Len())
	require.Equal(t, noon, st.LastScaleTime)
	require.EqualValues(t, 6, st.DesiredReplicas)
	require.Equal(t, []string{"Normal SuccessfulRescale New size: 6; reason: cpu resource utilization (percentage of request) above target"}, texts(&d))
}

func TestScaleThatCannotBeRead(t *testing.T) {
	settings := calculator.DefaultSettings()
	var st calculator.State
	gone := errors.New("deployments.apps \"web\" not found")
	d := calculator.Decide(noon, &settings, cpuSpec(t, ""), &calculator.Observation{Namespace: "ns", ScaleError: gone}, &st)
	require.ErrorIs(t, d.Err(), gone)
	require.EqualError(t, d.Err(), `failed to query scale subresource for Deployment/ns/web: deployments.apps "web" not found`)
	require.Equal(t, []string{`Warning FailedGetScale deployments.apps "web" not found`}, texts(&d))
	c := condition(t, &d, autoscaling.AbleToScale)
	require.Equal(t, autoscaling.ConditionFalse, c.Status)
	require.Equal(t, "FailedGetScale", c.Reason)
	require.Equal(t, `the HPA controller was unable to get the target's current scale: deployments.apps "web" not found`, c.Message)
	require.Zero(t, st.Recommendations.Len(), "nothing is recorded")
	require.False(t, d.Rescale)
}

// A caller that reads more than a scale has reasons of its own.
func TestScaleErrorWithAReason(t *testing.T) {
	gone := errors.New("no binding matches the target resource")
	for _, c := range []struct {
		err           error
		event, reason string
		message, says string
	}{
		{
			&calculator.ScaleError{Reason: "FailedGetBindings", Message: "unable to get the binding: no binding", Err: gone},
			"Warning FailedGetBindings no binding matches the target resource",
			"FailedGetBindings", "unable to get the binding: no binding", "unable to get the binding: no binding",
		},
		{
			fmt.Errorf("federation: %w", &calculator.ScaleError{Reason: "FailedGetBindings", Err: gone}),
			"Warning FailedGetBindings federation: no binding matches the target resource", "FailedGetBindings",
			"the HPA controller was unable to get the target's current scale: federation: no binding matches the target resource",
			"failed to query scale subresource for Deployment/ns/web: federation: no binding matches the target resource",
		},
		{
			&calculator.ScaleError{Err: gone},
			"Warning FailedGetScale no binding matches the target resource", "FailedGetScale",
			"the HPA controller was unable to get the target's current scale: no binding matches the target resource",
			"failed to query scale subresource for Deployment/ns/web: no binding matches the target resource",
		},
	} {
		var st calculator.State
		d := calculator.Decide(noon, nil, cpuSpec(t, ""), &calculator.Observation{Namespace: "ns", ScaleError: c.err}, &st)
		able := condition(t, &d, autoscaling.AbleToScale)
		require.Equal(t, []string{c.event}, texts(&d))
		require.Equal(t, c.reason, able.Reason)
		require.Equal(t, c.message, able.Message)
		require.EqualError(t, d.Err(), c.says)
		require.ErrorIs(t, d.Err(), gone)
	}
	for _, empty := range []error{&calculator.ScaleError{}, (*calculator.ScaleError)(nil)} {
		d := calculator.Decide(noon, nil, cpuSpec(t, ""), &calculator.Observation{ScaleError: empty}, new(calculator.State))
		require.Equal(t, []string{"Warning FailedGetScale <nil>"}, texts(&d))
	}
}

func TestSelectorErrors(t *testing.T) {
	settings := calculator.DefaultSettings()
	for _, c := range []struct {
		err                       calculator.SelectorError
		text, event, reason, says string
	}{
		{
			calculator.SelectorError{Reason: calculator.SelectorRequired},
			"selector is required", "SelectorRequired", "InvalidSelector", "the HPA target's scale is missing a selector",
		},
		{
			calculator.SelectorError{Reason: calculator.SelectorInvalid, Problem: "unable to parse requirement"},
			"couldn't convert selector into a corresponding internal selector object: unable to parse requirement", "InvalidSelector", "InvalidSelector",
			"couldn't convert selector into a corresponding internal selector object: unable to parse requirement",
		},
		{
			calculator.SelectorError{Reason: calculator.SelectorAmbiguous, Selector: "app=web", Others: "[ns/a ns/b]"},
			"pods by selector app=web are controlled by more than one HPA (e.g. [ns/a ns/b])", "AmbiguousSelector", "AmbiguousSelector",
			"pods by selector app=web are controlled by more than one HPA (e.g. [ns/a ns/b])",
		},
	} {
		st := calculator.State{DesiredReplicas: 9}
		obs := &calculator.Observation{Namespace: "ns", SpecReplicas: 3, SelectorError: &c.err}
		d := calculator.Decide(noon, &settings, cpuSpec(t, ""), obs, &st)
		require.False(t, d.Rescale)
		require.EqualError(t, d.Err(), "failed to compute desired number of replicas based on listed metrics for Deployment/ns/web: "+c.text)
		var selector *calculator.SelectorError
		require.ErrorAs(t, d.Err(), &selector)
		require.Equal(t, c.err, *selector)
		require.Equal(t, []string{
			"Warning " + c.event + " " + c.text,
			"Warning FailedComputeMetricsReplicas " + c.text,
		}, texts(&d))
		active := condition(t, &d, autoscaling.ScalingActive)
		require.Equal(t, c.reason, active.Reason)
		require.Equal(t, c.says, active.Message)
		require.EqualValues(t, 9, d.Status(&st).DesiredReplicas)
	}
}

// metricTexts are what Kubernetes calls each source, and what it says of its
// failures. The vectors have most of these; here is every one.
func TestTextsOfEverySource(t *testing.T) {
	const selector = `"selector":{"matchLabels":{"queue":"orders"}}`
	const selectorText = "&LabelSelector{MatchLabels:map[string]string{queue: orders,},MatchExpressions:[]LabelSelectorRequirement{},}"
	down := errors.New("down")
	for _, c := range []struct {
		metric, name, reason, says, err string
	}{
		{
			`{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":50}}}`,
			"cpu resource utilization (percentage of request)", "FailedGetResourceMetric",
			"failed to get cpu utilization: unable to get metrics for resource cpu: down",
			"failed to get cpu resource metric value: ",
		},
		{
			`{"type":"Resource","resource":{"name":"memory","target":{"type":"AverageValue","averageValue":"1Gi"}}}`,
			"memory resource", "FailedGetResourceMetric",
			"failed to get memory usage: unable to get metrics for resource memory: down",
			"failed to get memory resource metric value: ",
		},
		{
			`{"type":"ContainerResource","containerResource":{"name":"cpu","container":"app","target":{"type":"Utilization","averageUtilization":50}}}`,
			"cpu container resource utilization (percentage of request)", "FailedGetContainerResourceMetric",
			"failed to get cpu utilization: unable to get metrics for resource cpu: down",
			"failed to get app container metric value: ",
		},
		{
			`{"type":"ContainerResource","containerResource":{"name":"cpu","container":"app","target":{"type":"AverageValue","averageValue":"1"}}}`,
			"cpu resource", "FailedGetContainerResourceMetric",
			"failed to get cpu usage: unable to get metrics for resource cpu: down",
			"failed to get app container metric value: ",
		},
		{
			`{"type":"Pods","pods":{"metric":{"name":"qps"},"target":{"type":"AverageValue","averageValue":"1"}}}`,
			"pods metric qps", "FailedGetPodsMetric",
			"unable to get metric qps: down",
			"failed to get pods metric value: ",
		},
		{
			`{"type":"Object","object":{"metric":{"name":"hits",` + selector + `},"describedObject":{"kind":"Service","name":"front"},"target":{"type":"Value","value":"1"}}}`,
			"Service metric hits", "FailedGetObjectMetric",
			"unable to get metric hits on Service ns/front: down",
			"failed to get object metric value: ",
		},
		{
			`{"type":"Object","object":{"metric":{"name":"hits",` + selector + `},"describedObject":{"kind":"Service","name":"front"},"target":{"type":"AverageValue","averageValue":"1"}}}`,
			"external metric hits(" + selectorText + ")", "FailedGetObjectMetric",
			"unable to get metric hits on Service ns/front: down",
			"failed to get object metric value: failed to get hits object metric: ",
		},
		{
			`{"type":"External","external":{"metric":{"name":"backlog",` + selector + `},"target":{"type":"Value","value":"1"}}}`,
			"external metric backlog(" + selectorText + ")", "FailedGetExternalMetric",
			"unable to get external metric ns/backlog/" + selectorText + ": down",
			"failed to get backlog external metric value: failed to get external metric backlog: ",
		},
		{
			`{"type":"External","external":{"metric":{"name":"backlog"},"target":{"type":"AverageValue","averageValue":"1"}}}`,
			"external metric backlog(nil)", "FailedGetExternalMetric",
			"unable to get external metric ns/backlog/nil: down",
			"failed to get backlog external metric value: failed to get backlog external metric: ",
		},
	} {
		spec := specOf(t, `{`+webRef+`,"maxReplicas":20,"metrics":[`+c.metric+`]}`)
		settings := calculator.DefaultSettings()
		obs := &calculator.Observation{Namespace: "ns", SpecReplicas: 2, StatusReplicas: 2, Readings: []calculator.Reading{{Err: down}}}
		var st calculator.State
		d := calculator.Decide(noon, &settings, spec, obs, &st)
		require.ErrorIs(t, d.Err(), down)
		invalid := "invalid metrics (1 invalid out of 1), first error is: " + c.err + c.says
		require.EqualError(t, d.Err(), "failed to compute desired number of replicas based on listed metrics for Deployment/ns/web: "+invalid)
		require.Equal(t, []string{
			"Warning " + c.reason + " " + c.says,
			"Warning FailedComputeMetricsReplicas " + invalid,
		}, texts(&d))
		active := condition(t, &d, autoscaling.ScalingActive)
		require.Equal(t, c.reason, active.Reason)
		require.Equal(t, "the HPA was unable to compute the replica count: "+c.says, active.Message)
		require.Equal(t, c.name, d.MetricName(0))
		require.Equal(t, autoscaling.MetricStatus{}, d.Status(&st).CurrentMetrics[0])
	}
}

// The API server lets a Value target through that is not of its type, and the
// controller then finds none.
func TestObjectTargetOfAnotherType(t *testing.T) {
	var spec autoscaling.HorizontalPodAutoscalerSpec
	require.NoError(t, json.Unmarshal([]byte(`{`+webRef+`,"maxReplicas":20,"metrics":[{"type":"Object","object":{"metric":{"name":"hits"},
		"describedObject":{"kind":"Service","name":"front"},"target":{"type":"AverageValue","value":"1"}}}]}`), &spec))
	spec.SetDefaults()
	settings := calculator.DefaultSettings()
	var st calculator.State
	obs := &calculator.Observation{Namespace: "ns", SpecReplicas: 2, Readings: []calculator.Reading{{Values: []metrics.Milli{1}}}}
	d := calculator.Decide(noon, &settings, &spec, obs, &st)
	require.Equal(t, calculator.NoTarget, d.Proposals[0].Failure.Kind)
	require.Contains(t, texts(&d)[0], "Warning FailedGetObjectMetric invalid object metric source: neither a value target nor an average value target was set")
	require.ErrorContains(t, d.Err(), "first error is: failed to get object metric value: invalid object metric source: ")
}

// A metric of an unknown type, or without a target, fails alone. Its answer is
// not looked at.
func TestMetricsThatCannotBeAskedFor(t *testing.T) {
	settings := calculator.DefaultSettings()
	target := autoscaling.MetricTarget{Type: autoscaling.ValueMetricType}
	id := autoscaling.MetricIdentifier{Name: "backlog", Selector: &autoscaling.LabelSelector{MatchExpressions: []autoscaling.LabelSelectorRequirement{{Key: "a", Operator: "Like"}}}}
	for _, c := range []struct {
		metric            autoscaling.MetricSpec
		reason, err, says string
	}{
		{autoscaling.MetricSpec{Type: "Weather"}, "InvalidMetricSourceType", "", `unknown metric source type "Weather"`},
		{autoscaling.MetricSpec{}, "InvalidMetricSourceType", "", `unknown metric source type ""`},
		{
			autoscaling.MetricSpec{Type: autoscaling.ResourceMetricSourceType, Resource: &autoscaling.ResourceMetricSource{Name: "cpu"}},
			"FailedGetResourceMetric", "failed to get cpu resource metric value: ",
			"invalid resource metric source: neither an average utilization target nor an average value (usage) target was set",
		},
		{
			autoscaling.MetricSpec{Type: autoscaling.ContainerResourceMetricSourceType, ContainerResource: &autoscaling.ContainerResourceMetricSource{Name: "cpu", Container: "app"}},
			"FailedGetContainerResourceMetric", "failed to get app container metric value: ",
			"invalid resource metric source: neither an average utilization target nor an average value (usage) target was set",
		},
		{
			// Its selector, which is not valid, is looked at only after the
			// target.
			autoscaling.MetricSpec{Type: autoscaling.ExternalMetricSourceType, External: &autoscaling.ExternalMetricSource{Metric: id, Target: target}},
			"FailedGetExternalMetric", "failed to get backlog external metric value: ",
			"invalid external metric source: neither a value target nor an average value target was set",
		},
	} {
		t.Run(c.says, func(t *testing.T) {
			spec := autoscaling.NewSpec(1, 20, c.metric)
			obs := backlogOf(2, 55_000)
			var st calculator.State
			var d calculator.Decision
			for range 2 {
				calculator.DecideInto(&d, noon, &settings, &spec, obs, &st)
				require.EqualError(t, d.Proposals[0].Err(), c.says)
				require.EqualError(t, d.Err(), "failed to compute desired number of replicas based on listed metrics for /ns/: "+
					"invalid metrics (1 invalid out of 1), first error is: "+c.err+c.says)
				active := condition(t, &d, autoscaling.ScalingActive)
				require.Equal(t, c.reason, active.Reason)
				require.Equal(t, "the HPA was unable to compute the replica count: "+c.says, active.Message)
				require.Zero(t, testing.AllocsPerRun(1, func() { calculator.DecideInto(&d, noon, &settings, &spec, obs, &st) }))
			}

			// A good metric still scales up, and does not scale down.
			good := autoscaling.ExternalAverageValueMetric("backlog", metrics.MustParseQuantity("10"))
			spec.Metrics = append(spec.Metrics, good)
			obs.Readings = append(obs.Readings, obs.Readings[0])
			calculator.DecideInto(&d, noon, &settings, &spec, obs, &st)
			require.EqualValues(t, 6, d.Choice.Replicas)
			require.Equal(t, "ValidMetricFound", condition(t, &d, autoscaling.ScalingActive).Reason)
			obs.SpecReplicas = 7
			calculator.DecideInto(&d, noon, &settings, &spec, obs, &st)
			require.True(t, d.Choice.Blocked)
			require.False(t, d.Rescale)
		})
	}

	// A target that comes back finds the selector still not valid.
	spec := autoscaling.NewSpec(1, 20, autoscaling.MetricSpec{Type: autoscaling.ExternalMetricSourceType, External: &autoscaling.ExternalMetricSource{Metric: id, Target: target}})
	var st calculator.State
	var d calculator.Decision
	calculator.DecideInto(&d, noon, &settings, &spec, backlogOf(2, 55_000), &st)
	spec.Metrics[0].External.Target.Value = metrics.MustParseQuantity("10")
	calculator.DecideInto(&d, noon, &settings, &spec, backlogOf(2, 55_000), &st)
	require.Equal(t, calculator.InvalidSelector, d.Proposals[0].Failure.Kind)
}

// The API server does not look at selectors of metrics; the controller does,
// before it asks for the metric.
func TestMetricSelectorThatIsNotValid(t *testing.T) {
	const bad = `"selector":{"matchExpressions":[{"key":"queue","operator":"Like","values":["x"]}]}`
	const says = `"Like" is not a valid label selector operator`
	for metric, prefix := range map[string]string{
		`{"type":"Pods","pods":{"metric":{"name":"qps",` + bad + `},"target":{"type":"AverageValue","averageValue":"1"}}}`:                                                          "failed to get pods metric value: ",
		`{"type":"Object","object":{"metric":{"name":"hits",` + bad + `},"describedObject":{"kind":"Service","name":"front"},"target":{"type":"AverageValue","averageValue":"1"}}}`: "failed to get object metric value: ",
		`{"type":"External","external":{"metric":{"name":"backlog",` + bad + `},"target":{"type":"AverageValue","averageValue":"1"}}}`:                                              "failed to get backlog external metric value: failed to get backlog external metric: ",
		`{"type":"External","external":{"metric":{"name":"backlog",` + bad + `},"target":{"type":"Value","value":"1"}}}`:                                                            "failed to get backlog external metric value: failed to get external metric backlog: ",
	} {
		spec := specOf(t, `{`+webRef+`,"maxReplicas":20,"metrics":[`+metric+`]}`)
		settings := calculator.DefaultSettings()
		var st calculator.State
		d := calculator.Decide(noon, &settings, spec, backlogOf(2, 5), &st)
		require.Equal(t, calculator.InvalidSelector, d.Proposals[0].Failure.Kind)
		require.ErrorContains(t, d.Err(), "first error is: "+prefix+says)
		require.Contains(t, texts(&d)[0], " "+says)
	}
}

func TestCooldownIsAnOption(t *testing.T) {
	spec := cpuSpec(t, "")
	settings := calculator.DefaultSettings()
	settings.DownscaleStabilization = -1 // not even the size at the start holds
	settings.Cooldown = behavior.DefaultCooldown()
	st := calculator.State{LastScaleTime: noon}
	for _, c := range []struct {
		after   time.Duration
		milli   metrics.Milli
		desired int32
		reason  string
	}{
		{3 * time.Minute, 1000, 4, "BackoffBoth"},
		{3*time.Minute + 1, 1000, 8, "BackoffDownscale"},
		{3*time.Minute + 1, 250, 4, "BackoffDownscale"},
		{5 * time.Minute, 250, 4, "BackoffDownscale"},
		{5*time.Minute + 1, 250, 2, "ReadyForNewScale"},
	} {
		st := st.Clone()
		now := noon.Add(c.after)
		d := calculator.Decide(now, &settings, spec, cpuAt(4, c.milli), &st)
		require.NoError(t, d.Err())
		require.Equal(t, c.desired, d.DesiredReplicas, "%v after", c.after)
		require.Equal(t, c.reason, condition(t, &d, autoscaling.AbleToScale).Reason, "%v after", c.after)
		if !d.Rescale {
			require.True(t, d.Until.After(now))
			again := calculator.Decide(d.Until, &settings, spec, cpuAt(4, c.milli), &st)
			require.True(t, again.Rescale)
		}
	}
}

func TestTolerancesOfTheRules(t *testing.T) {
	settings := calculator.DefaultSettings()
	settings.DownscaleStabilization = -1 // not even the size at the start holds
	for _, c := range []struct {
		rules   string
		milli   metrics.Milli // of a target of 500
		desired int32
	}{
		{`{}`, 550, 10},
		{`{}`, 560, 12},
		{`{"scaleUp":{"tolerance":"0"}}`, 510, 11},
		{`{"scaleUp":{"tolerance":"0"}}`, 450, 10},
		{`{"scaleUp":{"tolerance":"500m"}}`, 750, 10},
		{`{"scaleDown":{"tolerance":"0"}}`, 440, 9},
		{`{"scaleDown":{"tolerance":"500m"}}`, 250, 10},
		{`{"scaleDown":{"tolerance":"500m"}}`, 240, 5},
	} {
		spec := cpuSpec(t, `,"behavior":`+c.rules)
		var st calculator.State
		// Nothing but the newest recommendation counts.
		zero := int32(0)
		spec.Behavior.ScaleDown.StabilizationWindowSeconds = &zero
		d := calculator.Decide(noon, &settings, spec, cpuAt(10, c.milli), &st)
		require.NoError(t, d.Err())
		require.Equal(t, c.desired, d.DesiredReplicas, "%s at %d", c.rules, c.milli)
	}
}

func TestVerdictsOfADecision(t *testing.T) {
	spec := specOf(t, `{`+webRef+`,"maxReplicas":20,"metrics":[
		{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":50}}},
		{"type":"ContainerResource","containerResource":{"name":"memory","container":"app","target":{"type":"AverageValue","averageValue":"1"}}},
		{"type":"Pods","pods":{"metric":{"name":"qps"},"target":{"type":"AverageValue","averageValue":"1"}}},
		{"type":"External","external":{"metric":{"name":"backlog"},"target":{"type":"AverageValue","averageValue":"1"}}}]}`)
	settings := calculator.DefaultSettings()
	obs := cpuAt(3, 500)
	obs.Pods[1].Deleted = true
	obs.Pods[2].Ready = podgroup.NoReadiness
	r := obs.Readings[0]
	obs.Readings = []calculator.Reading{r, r, {}, {Values: []metrics.Milli{}}}
	var st calculator.State
	d := calculator.Decide(noon, &settings, spec, obs, &st)
	of := func(i int) (reasons []podgroup.Reason) {
		for _, v := range d.AppendVerdicts(nil, i, &settings, obs) {
			reasons = append(reasons, v.Reason)
		}
		return reasons
	}
	require.Equal(t, []podgroup.Reason{podgroup.Counted, podgroup.BeingDeleted, podgroup.NoReadyCondition}, of(0))
	require.Equal(t, []podgroup.Reason{podgroup.Counted, podgroup.BeingDeleted, podgroup.Counted}, of(1))
	require.Equal(t, []podgroup.Reason{podgroup.NoSample, podgroup.BeingDeleted, podgroup.NoSample}, of(2))
	require.Empty(t, of(3))
	require.Empty(t, of(4))
	require.Empty(t, of(-1))
}

func TestStatesFork(t *testing.T) {
	spec := cpuSpec(t, `,"behavior":{}`)
	settings := calculator.DefaultSettings()
	var st calculator.State
	d := calculator.Decide(noon, &settings, spec, cpuAt(3, 1000), &st)
	st.Applied(noon, &d)
	fork := st.Clone()
	require.True(t, fork.Equal(&st))
	now := noon.Add(time.Minute)
	d = calculator.Decide(now, &settings, spec, cpuAt(6, 1000), &fork)
	fork.Applied(now, &d)
	require.False(t, fork.Equal(&st))
	require.Equal(t, 2, st.Recommendations.Len())
	require.Equal(t, 1, st.Events.Len())
	require.Equal(t, "the HPA controller was able to update the target scale to 6", st.Condition(autoscaling.AbleToScale).Message)
	require.Nil(t, st.Condition("Own"))
}
