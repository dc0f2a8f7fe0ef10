package kube_test

import (
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	custommetrics "k8s.io/metrics/pkg/apis/custom_metrics/v1beta2"
	externalmetrics "k8s.io/metrics/pkg/apis/external_metrics/v1beta1"
	resourcemetrics "k8s.io/metrics/pkg/apis/metrics/v1beta1"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/kube"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

func TestMilli(t *testing.T) {
	for text, want := range map[string]metrics.Milli{
		"0": 0, "1": 1000, "1n": 1, "999u": 1, "1000u": 1, "1001u": 2, "250m": 250, "1.5Gi": 1610612736000,
		"-1": -1000, "-1500u": -2, "-16.5Gi": -17716740096000, "-0.0001Ki": -103,
		"9223372036854775": 9223372036854775000, "9223372036854775807m": math.MaxInt64,
		"9223372036854775808m": math.MaxInt64, "9223372036854776": math.MaxInt64, "9E": math.MaxInt64, "8Ei": math.MaxInt64, "1000E": math.MaxInt64, "1e400": math.MaxInt64,
		"-9223372036854775807m": -math.MaxInt64, "-9223372036854775808m": math.MinInt64, "-9E": math.MinInt64, "-1e400": math.MinInt64,
		"9.1e15": 9100000000000000000, "0e400": 0,
	} {
		q := resource.MustParse(text)
		require.Equal(t, want, kube.Milli(q), text)
	}
}

// TestMilliAgainstText compares over all magnitudes with the parser of the
// text.
func TestMilliAgainstText(t *testing.T) {
	for _, suffix := range []string{"n", "u", "m", "", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "e3", "e-3"} {
		for _, digits := range []string{"0", "1", "7", "9", "10", "99", "1.5", "1023.999", "123456789", "999999999", "9007199254740993", "9223372036854775807"} {
			for _, sign := range []string{"", "-"} {
				text := sign + digits + suffix
				q := resource.MustParse(text)
				want, err := metrics.ParseMilli(text)
				require.NoError(t, err)
				require.Equal(t, want, kube.Milli(q), text)
			}
		}
	}
}

func autoscaler() *autoscalingv2.HorizontalPodAutoscaler {
	utilization, least := int32(50), int32(1)
	return &autoscalingv2.HorizontalPodAutoscaler{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", Generation: 7},
		Spec: autoscalingv2.HorizontalPodAutoscalerSpec{
			ScaleTargetRef: autoscalingv2.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "web"},
			MinReplicas:    &least,
			MaxReplicas:    10,
			Metrics: []autoscalingv2.MetricSpec{{
				Type: autoscalingv2.ResourceMetricSourceType,
				Resource: &autoscalingv2.ResourceMetricSource{
					Name:   corev1.ResourceCPU,
					Target: autoscalingv2.MetricTarget{Type: autoscalingv2.UtilizationMetricType, AverageUtilization: &utilization},
				},
			}},
		},
	}
}

// TestToleranceKeepsItsFloat: a quantity that never was JSON is held as it was
// written, and its float with it, which decides at the edge of the tolerance.
func TestToleranceKeepsItsFloat(t *testing.T) {
	for _, text := range []string{"0.05", "50m", "0.1", "100m", "0.15", "0.07", "5e-2", "1", "0"} {
		q := resource.MustParse(text)
		hpa := autoscaler()
		hpa.Spec.Behavior = &autoscalingv2.HorizontalPodAutoscalerBehavior{ScaleUp: &autoscalingv2.HPAScalingRules{Tolerance: &q}}
		spec, err := kube.Spec(hpa, &hpa.Spec)
		require.NoError(t, err)
		require.Equal(t, q.AsApproximateFloat64(), spec.Behavior.ScaleUp.Tolerance.Float64(), text) //nolint:testifylint // to the last bit
	}
}

func TestSpecErrors(t *testing.T) {
	hpa := autoscaler()
	_, err := kube.Spec(hpa, nil)
	require.EqualError(t, err, "kube: HorizontalPodAutoscaler shop/web: spec: nil")
	_, err = kube.Spec(nil, nil)
	require.EqualError(t, err, "kube: HorizontalPodAutoscaler: spec: nil")
	_, err = kube.APISpec(nil)
	require.EqualError(t, err, "kube: HorizontalPodAutoscaler: spec: nil")
}

// TestSpecSharesNothing changes all of a spec after the conversion.
func TestSpecSharesNothing(t *testing.T) {
	hpa := autoscaler()
	hpa.Spec.Metrics = append(hpa.Spec.Metrics, autoscalingv2.MetricSpec{
		Type: autoscalingv2.ExternalMetricSourceType,
		External: &autoscalingv2.ExternalMetricSource{
			Metric: autoscalingv2.MetricIdentifier{Name: "q", Selector: &metav1.LabelSelector{
				MatchLabels:      map[string]string{"a": "b"},
				MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "k", Operator: metav1.LabelSelectorOpIn, Values: []string{"v"}}},
			}},
			Target: autoscalingv2.MetricTarget{Type: autoscalingv2.ValueMetricType, Value: resource.NewQuantity(5, resource.DecimalSI)},
		},
	})
	spec, err := kube.Spec(hpa, &hpa.Spec)
	require.NoError(t, err)
	before := spec.Clone()
	*hpa.Spec.MinReplicas = 3
	*hpa.Spec.Metrics[0].Resource.Target.AverageUtilization = 99
	s := hpa.Spec.Metrics[1].External.Metric.Selector
	s.MatchLabels["a"], s.MatchExpressions[0].Values[0] = "c", "w"
	require.Equal(t, *before, spec)

	api, err := kube.APISpec(&spec)
	require.NoError(t, err)
	api.Metrics[1].External.Metric.Selector.MatchLabels["a"] = "z"
	api.Metrics[1].External.Metric.Selector.MatchExpressions[0].Values[0] = "z"
	*api.MinReplicas = 9
	require.Equal(t, *before, spec)
}

func TestObserveScale(t *testing.T) {
	var obs calculator.Observation
	scale := &autoscalingv1.Scale{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop"},
		Spec:       autoscalingv1.ScaleSpec{Replicas: 3},
		Status:     autoscalingv1.ScaleStatus{Replicas: 2, Selector: "app=web"},
	}
	require.Equal(t, "app=web", kube.ObserveScale(&obs, scale).String())
	require.Equal(t, calculator.Observation{Namespace: "shop", SpecReplicas: 3, StatusReplicas: 2}, obs)

	scale.Status.Selector = "app in ("
	require.True(t, kube.ObserveScale(&obs, scale).Empty() || kube.ObserveScale(&obs, scale).String() == "")
	require.Equal(t, calculator.SelectorInvalid, obs.SelectorError.Reason)
	require.ErrorContains(t, obs.SelectorError, "couldn't convert selector into a corresponding internal selector object: ")

	kube.ObserveScale(&obs, nil)
	require.EqualError(t, obs.SelectorError, "selector is required")
	require.Zero(t, obs.SpecReplicas)
}

func TestReader(t *testing.T) {
	pods := []podgroup.Pod{{Name: "a"}, {Name: "b"}, {Name: "c"}}
	at := metav1.NewTime(noon)
	usage := func(pod string, containers ...resourcemetrics.ContainerMetrics) resourcemetrics.PodMetrics {
		return resourcemetrics.PodMetrics{ObjectMeta: metav1.ObjectMeta{Name: pod}, Timestamp: at, Window: metav1.Duration{Duration: 15 * time.Second}, Containers: containers}
	}
	sample := func(v metrics.Milli, window time.Duration) metrics.Sample {
		return metrics.Sample{Value: v, Time: metrics.At(noon), Window: window, Present: true}
	}
	list := []resourcemetrics.PodMetrics{
		usage("gone", resourcemetrics.ContainerMetrics{Name: "app", Usage: amounts("cpu", "7")}),
		usage("c", resourcemetrics.ContainerMetrics{Name: "app", Usage: amounts("cpu", "9E")}, resourcemetrics.ContainerMetrics{Name: "log", Usage: amounts("cpu", "9E")}),
		usage("b", resourcemetrics.ContainerMetrics{Name: "app", Usage: amounts("cpu", "1")}, resourcemetrics.ContainerMetrics{Name: "log", Usage: amounts("memory", "1")}),
		usage("a"),
		usage("a", resourcemetrics.ContainerMetrics{Name: "app", Usage: amounts("cpu", "1n")}, resourcemetrics.ContainerMetrics{Name: "log", Usage: amounts("cpu", "1n")}),
	}
	var r reader
	got := r.Resource(pods, list, "cpu", "")
	require.NoError(t, got.Err)
	require.Equal(t, []metrics.Sample{sample(2, 15*time.Second), {}, sample(math.MaxInt64, 15*time.Second)}, got.Samples)
	require.Equal(t, []metrics.Sample{sample(7000, 15*time.Second)}, got.Strays)

	got = r.Resource(pods, list, "cpu", "app")
	require.Equal(t, []metrics.Sample{sample(1, 15*time.Second), sample(1000, 15*time.Second), sample(math.MaxInt64, 15*time.Second)}, got.Samples)
	got = r.Resource(pods, list, "cpu", "log")
	require.Equal(t, []metrics.Sample{sample(1, 15*time.Second), {}, sample(math.MaxInt64, 15*time.Second)}, got.Samples)
	require.Empty(t, got.Strays)

	seconds, huge := int64(30), int64(math.MaxInt64)
	custom := func(pod string, w *int64) custommetrics.MetricValue {
		return custommetrics.MetricValue{DescribedObject: corev1.ObjectReference{Name: pod}, Timestamp: at, WindowSeconds: w, Value: resource.MustParse("1500u")}
	}
	got = r.Pods(pods, []custommetrics.MetricValue{custom("b", &seconds), custom("c", &huge), custom("a", nil)})
	require.Equal(t, []metrics.Sample{sample(2, time.Minute), sample(2, 30*time.Second), sample(2, math.MaxInt64/time.Second*time.Second)}, got.Samples)

	one := custom("", nil)
	require.Equal(t, calculator.Reading{Values: []metrics.Milli{2}}, r.Object(&one))
	require.Equal(t, calculator.Reading{Values: []metrics.Milli{-3000, math.MaxInt64}}, r.External([]externalmetrics.ExternalMetricValue{
		{Value: resource.MustParse("-3")}, {Value: resource.MustParse("9E")},
	}))

	require.EqualError(t, r.Resource(pods, nil, "cpu", "").Err, "no metrics returned from resource metrics API")
	require.EqualError(t, r.Pods(pods, nil).Err, "no metrics returned from custom metrics API")
	require.EqualError(t, r.External(nil).Err, "no metrics returned from external metrics API")
}

// TestReaderWithoutNames: pods made by hand may have none.
func TestReaderWithoutNames(t *testing.T) {
	pods := []podgroup.Pod{{}, {Name: "a"}}
	value := func(pod string, v int64) custommetrics.MetricValue {
		return custommetrics.MetricValue{DescribedObject: corev1.ObjectReference{Name: pod}, Value: *resource.NewMilliQuantity(v, resource.DecimalSI)}
	}
	var r reader
	for _, list := range [][]custommetrics.MetricValue{
		{value("a", 2), value("", 1)}, {value("", 1), value("a", 2)}, {value("", 3), value("a", 2), value("", 1)},
	} {
		got := r.Pods(pods, list)
		require.Empty(t, got.Strays)
		require.Equal(t, []metrics.Milli{1, 2}, []metrics.Milli{got.Samples[0].Value, got.Samples[1].Value})
	}
}

func TestUpdateStatus(t *testing.T) {
	hpa := autoscaler()
	early := metav1.NewTime(noon.Add(-time.Hour))
	hpa.Status.Conditions = []autoscalingv2.HorizontalPodAutoscalerCondition{
		{Type: "Frozen", Status: corev1.ConditionFalse, Reason: "ByHand", LastTransitionTime: early},
		{Type: autoscalingv2.AbleToScale, Status: corev1.ConditionTrue, LastTransitionTime: early},
	}
	spec, err := kube.Spec(hpa, &hpa.Spec)
	require.NoError(t, err)
	settings, st := calculator.DefaultSettings(), kube.State(&hpa.Status)
	now := noon.Add(987 * time.Millisecond)
	pods, err := kube.AppendPods(nil, []*corev1.Pod{plainPod("web-a")})
	require.NoError(t, err)
	obs := calculator.Observation{Namespace: "shop", SpecReplicas: 1, StatusReplicas: 1, Pods: pods, Readings: []calculator.Reading{
		{Samples: []metrics.Sample{{Value: 510, Time: metrics.At(noon), Window: time.Minute, Present: true}}},
	}}
	d := calculator.Decide(now, &settings, &spec, &obs, &st)
	st.Applied(now, &d)
	require.NoError(t, d.Err())
	require.NoError(t, kube.UpdateStatus(&hpa.Status, hpa.Generation, &d, &st))
	s := &hpa.Status
	require.Equal(t, []string{"Frozen", "AbleToScale", "ScalingActive", "ScalingLimited", "ScaledToZero"}, types(s))
	require.Equal(t, early, s.Conditions[0].LastTransitionTime)
	require.True(t, s.Conditions[1].LastTransitionTime.Equal(&early), "a status that stays has no transition")
	require.Equal(t, "SucceededRescale", s.Conditions[1].Reason)
	require.Equal(t, noon, s.Conditions[2].LastTransitionTime.Time, "whole seconds")
	require.Equal(t, noon, s.LastScaleTime.Time)
	require.EqualValues(t, 7, *s.ObservedGeneration)
	require.EqualValues(t, 1, s.CurrentReplicas)
	require.EqualValues(t, 2, s.DesiredReplicas)
	require.EqualValues(t, 100, *s.CurrentMetrics[0].Resource.Current.AverageUtilization)

	// The status holds the state.
	again := kube.State(s)
	require.EqualValues(t, 2, again.DesiredReplicas)
	require.Equal(t, noon, again.LastScaleTime)
	require.Len(t, again.Conditions, 5)

	// Without a scale, only conditions change.
	before := s.DeepCopy()
	obs.ScaleError = errors.New("not found")
	d = calculator.Decide(now, &settings, &spec, &obs, &st)
	require.NoError(t, kube.UpdateStatus(s, 8, &d, &st))
	require.Equal(t, "FailedGetScale", s.Conditions[1].Reason)
	require.Equal(t, corev1.ConditionFalse, s.Conditions[1].Status)
	before.Conditions, s.Conditions = nil, nil
	require.True(t, equality.Semantic.DeepEqual(before, s))

	// Without a decision, nothing does.
	s.Conditions = []autoscalingv2.HorizontalPodAutoscalerCondition{{Type: "Frozen"}}
	before = s.DeepCopy()
	d = calculator.Decide(now, &settings, &autoscaling.HorizontalPodAutoscalerSpec{}, &obs, &st)
	require.Error(t, d.Err())
	require.NoError(t, kube.UpdateStatus(s, 9, &d, &st))
	require.True(t, equality.Semantic.DeepEqual(before, s))
	var none events
	kube.RecordEvents(&none, hpa, &d)
	require.Empty(t, none)

	require.EqualError(t, kube.UpdateStatus(nil, 0, &d, &st), "kube: HorizontalPodAutoscaler: status: nil")
	require.EqualError(t, kube.UpdateStatus(s, 0, nil, &st), "kube: HorizontalPodAutoscaler: status: nil decision")
	require.Empty(t, kube.State(nil))
}

// TestUpdateStatusLeavesOthers: what someone else sets in the status stays.
func TestUpdateStatusLeavesOthers(t *testing.T) {
	// As text, since the floor of k8s.io/api has no generation of a condition.
	const before = `{"desiredReplicas": 1, "currentMetrics": null, "conditions": [
		{"type": "Frozen", "status": "False", "lastTransitionTime": null, "observedGeneration": 5},
		{"type": "AbleToScale", "status": "True", "lastTransitionTime": null, "observedGeneration": 6}]}`
	hpa := autoscaler()
	require.NoError(t, json.Unmarshal([]byte(before), &hpa.Status))
	spec, err := kube.Spec(hpa, &hpa.Spec)
	require.NoError(t, err)
	settings, st := calculator.DefaultSettings(), kube.State(&hpa.Status)
	hpa.Status.Conditions[0].Status = corev1.ConditionTrue // after the state was made
	d := calculator.Decide(noon, &settings, &spec, &calculator.Observation{}, &st)
	require.NoError(t, kube.UpdateStatus(&hpa.Status, 1, &d, &st))
	require.Equal(t, []string{"Frozen", "AbleToScale", "ScalingActive"}, types(&hpa.Status))
	require.Equal(t, corev1.ConditionTrue, hpa.Status.Conditions[0].Status)
	require.Equal(t, "SucceededGetScale", hpa.Status.Conditions[1].Reason)

	var want autoscalingv2.HorizontalPodAutoscalerStatus
	require.NoError(t, json.Unmarshal([]byte(before), &want))
	for i := range want.Conditions {
		want.Conditions[i].Status, want.Conditions[i].Reason, want.Conditions[i].Message = "", "", ""
		hpa.Status.Conditions[i].Status, hpa.Status.Conditions[i].Reason, hpa.Status.Conditions[i].Message = "", "", ""
	}
	require.Equal(t, want.Conditions, hpa.Status.Conditions[:2])
}

// TestStateCanBeEncoded makes states of statuses that no API server stores.
func TestStateCanBeEncoded(t *testing.T) {
	condition := func(t, status string) autoscalingv2.HorizontalPodAutoscalerCondition {
		return autoscalingv2.HorizontalPodAutoscalerCondition{
			Type: autoscalingv2.HorizontalPodAutoscalerConditionType(t), Status: corev1.ConditionStatus(status), Reason: "\xff", Message: strings.Repeat("m", 1e5),
		}
	}
	bad := autoscalingv2.HorizontalPodAutoscalerStatus{
		DesiredReplicas: -3,
		LastScaleTime:   &metav1.Time{},
		Conditions: []autoscalingv2.HorizontalPodAutoscalerCondition{
			condition("", "True"), condition("A", ""), condition("A", "true"), condition("A", "Unknown"), condition("A", "True"),
			condition("\xff", "True"), condition(strings.Repeat("x", 256), "True"), condition(strings.Repeat("x", 255), "False"),
		},
	}
	st := kube.State(&bad)
	require.Zero(t, st.DesiredReplicas)
	require.Len(t, st.Conditions, 2)
	require.Equal(t, autoscaling.ConditionUnknown, st.Conditions[0].Status)

	many := bad
	for i := range 2 * calculator.MaxConditions {
		many.Conditions = append(many.Conditions, condition("C"+strconv.Itoa(i), "True"))
	}
	full := kube.State(&many)
	require.Len(t, full.Conditions, calculator.MaxConditions)
	for _, s := range []calculator.State{st, full, kube.State(nil)} {
		text, err := json.Marshal(s)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(text, new(calculator.State)))
		compact, err := s.MarshalBinary()
		require.NoError(t, err)
		require.NoError(t, new(calculator.State).UnmarshalBinary(compact))
	}
}

func types(s *autoscalingv2.HorizontalPodAutoscalerStatus) (all []string) {
	for _, c := range s.Conditions {
		all = append(all, string(c.Type))
	}
	return all
}
