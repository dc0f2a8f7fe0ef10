package kube_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	custommetrics "k8s.io/metrics/pkg/apis/custom_metrics/v1beta2"
	externalmetrics "k8s.io/metrics/pkg/apis/external_metrics/v1beta1"
	resourcemetrics "k8s.io/metrics/pkg/apis/metrics/v1beta1"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/kube"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

var (
	ten        = metrics.MustParseQuantity("10")
	ofPods     = autoscaling.PodsAverageValueMetric("rps", ten)
	ofObject   = autoscaling.ObjectValueMetric(autoscaling.CrossVersionObjectReference{Kind: "Service", Name: "front"}, "hits", ten)
	ofExternal = autoscaling.ExternalValueMetric("jobs", ten)
)

// reader reads one metric with Readers. It panics on an error.
type reader struct{ readers kube.Readers }

func (r *reader) read(m autoscaling.MetricSpec, pods []podgroup.Pod, a kube.Answer) calculator.Reading {
	spec := autoscaling.NewSpec(1, 10, m)
	readings, err := r.readers.Read(&spec, pods, []kube.Answer{a})
	if err != nil {
		panic(err)
	}
	return readings[0]
}

func (r *reader) Resource(pods []podgroup.Pod, list []resourcemetrics.PodMetrics, resource corev1.ResourceName, container string) calculator.Reading {
	m := autoscaling.ResourceUtilizationMetric(string(resource), 60)
	if container != "" {
		m = autoscaling.ContainerResourceUtilizationMetric(string(resource), container, 60)
	}
	return r.read(m, pods, kube.Answer{Resource: &resourcemetrics.PodMetricsList{Items: list}})
}

func (r *reader) Pods(pods []podgroup.Pod, list []custommetrics.MetricValue) calculator.Reading {
	return r.read(ofPods, pods, kube.Answer{Pods: &custommetrics.MetricValueList{Items: list}})
}

func (r *reader) Object(value *custommetrics.MetricValue) calculator.Reading {
	return r.read(ofObject, nil, kube.Answer{Object: value})
}

func (r *reader) External(list []externalmetrics.ExternalMetricValue) calculator.Reading {
	return r.read(ofExternal, nil, kube.Answer{External: &externalmetrics.ExternalMetricValueList{Items: list}})
}

// everyMetric returns a spec with metrics of every type, some of them twice,
// and their answers.
func everyMetric(list []resourcemetrics.PodMetrics) (autoscaling.HorizontalPodAutoscalerSpec, []kube.Answer) {
	usage := &resourcemetrics.PodMetricsList{Items: list}
	rps := &custommetrics.MetricValueList{Items: customMetrics(list)}
	hits := &custommetrics.MetricValue{Value: *resource.NewMilliQuantity(7, resource.DecimalSI)}
	return autoscaling.NewSpec(1, 10,
			autoscaling.ResourceUtilizationMetric("cpu", 60),
			autoscaling.ResourceUtilizationMetric("memory", 60),
			autoscaling.ContainerResourceUtilizationMetric("cpu", "log", 60),
			ofPods, ofObject, ofExternal, ofExternal,
			autoscaling.ProposalMetric("mine"),
		), []kube.Answer{
			{Resource: usage}, {Resource: usage}, {Resource: usage}, {Pods: rps}, {Object: hits},
			{External: &externalmetrics.ExternalMetricValueList{Items: []externalmetrics.ExternalMetricValue{{Value: *resource.NewMilliQuantity(1, resource.DecimalSI)}, {Value: *resource.NewMilliQuantity(2, resource.DecimalSI)}}}},
			{External: &externalmetrics.ExternalMetricValueList{Items: []externalmetrics.ExternalMetricValue{{Value: *resource.NewMilliQuantity(3, resource.DecimalSI)}}}},
			{},
		}
}

// Each metric has a reading of its own, whatever the others read.
func TestReadersKeepMetricsApart(t *testing.T) {
	listed, list := fleet(3)
	pods, err := kube.AppendPods(nil, listed)
	require.NoError(t, err)
	spec, answers := everyMetric(list)
	var kept kube.Readers
	readings, err := kept.Read(&spec, pods, answers)
	require.NoError(t, err)
	first := func(i int) metrics.Milli { return readings[i].Samples[0].Value }
	require.Equal(t, metrics.Milli(441), first(0), "cpu of both containers")
	require.Equal(t, metrics.Milli(108<<20*1000), first(1), "memory")
	require.Equal(t, metrics.Milli(3), first(2), "cpu of one container")
	require.Equal(t, metrics.Milli(2), readings[3].Samples[2].Value)
	require.Equal(t, []metrics.Milli{7}, readings[4].Values)
	require.Equal(t, []metrics.Milli{1, 2}, readings[5].Values)
	require.Equal(t, []metrics.Milli{3}, readings[6].Values)
	require.Equal(t, calculator.Reading{}, readings[7])

	// Readers that are kept over a change of the metrics read as new ones do.
	for _, order := range [][]int{{6, 5, 4, 3, 2, 1, 0}, {1}, {7, 3, 0, 2}, {}, {0, 1, 2, 3, 4, 5, 6, 7}} {
		changed, asked := *spec.Clone(), []kube.Answer{}
		changed.Metrics = nil
		for _, i := range order {
			changed.Metrics, asked = append(changed.Metrics, spec.Metrics[i]), append(asked, answers[i])
		}
		got, err := kept.Read(&changed, pods, asked)
		require.NoError(t, err)
		want, err := new(kube.Readers).Read(&changed, pods, asked)
		require.NoError(t, err)
		require.Len(t, got, len(order))
		for i := range want {
			require.Equal(t, want[i].Values, got[i].Values)
			require.Equal(t, want[i].Samples, got[i].Samples)
			require.Empty(t, got[i].Strays)
			require.NoError(t, got[i].Err)
		}
	}
}

func TestAnswersThatDoNotFit(t *testing.T) {
	_, list := fleet(1)
	spec, valid := everyMetric(list)
	for want, change := range map[string]func(a []kube.Answer) []kube.Answer{
		"kube: answers: 7 for 8 metrics":                           func(a []kube.Answer) []kube.Answer { return a[:7] },
		"kube: answers: 9 for 8 metrics":                           func(a []kube.Answer) []kube.Answer { return append(a, kube.Answer{}) },
		`kube: answers[0].pods: the metric is of type "Resource"`:  func(a []kube.Answer) []kube.Answer { a[0] = a[3]; return a },
		`kube: answers[2].object: the metric is of type "Contai`:   func(a []kube.Answer) []kube.Answer { a[2].Object = a[4].Object; return a },
		`kube: answers[3].resource: the metric is of type "Pods"`:  func(a []kube.Answer) []kube.Answer { a[3] = a[0]; return a },
		`kube: answers[4].external: the metric is of type "Object`: func(a []kube.Answer) []kube.Answer { a[4] = a[5]; return a },
		`kube: answers[5].object: the metric is of type "External`: func(a []kube.Answer) []kube.Answer { a[5] = a[4]; return a },
		`kube: answers[7].resource: the metric is of type "Propos`: func(a []kube.Answer) []kube.Answer { a[7] = a[0]; return a },
		"kube: answers[1].resource: missing, without an error":     func(a []kube.Answer) []kube.Answer { a[1] = kube.Answer{}; return a },
		"kube: answers[3].pods: missing, without an error":         func(a []kube.Answer) []kube.Answer { a[3] = kube.Answer{}; return a },
		"kube: answers[4].object: missing, without an error":       func(a []kube.Answer) []kube.Answer { a[4] = kube.Answer{}; return a },
		"kube: answers[6].external: missing, without an error":     func(a []kube.Answer) []kube.Answer { a[6] = kube.Answer{}; return a },
	} {
		readings, err := new(kube.Readers).Read(&spec, nil, change(append([]kube.Answer(nil), valid...)))
		require.ErrorContains(t, err, want)
		require.ErrorAs(t, err, new(*kube.Error))
		require.Nil(t, readings)
	}
	_, err := new(kube.Readers).Read(nil, nil, nil)
	require.EqualError(t, err, "kube: spec: nil")
}

// An API without an answer is a reading with the error, in upstream's words. A
// client may return an empty list beside the error.
func TestReadersOfFailingAPIs(t *testing.T) {
	spec, answers := everyMetric(nil)
	cause := errors.New("timeout")
	for i := range answers {
		answers[i].Err = cause
	}
	readings, err := new(kube.Readers).Read(&spec, nil, answers)
	require.NoError(t, err)
	for i, want := range []string{
		"unable to fetch metrics from resource metrics API: timeout",
		"unable to fetch metrics from resource metrics API: timeout",
		"unable to fetch metrics from resource metrics API: timeout",
		"unable to fetch metrics from custom metrics API: timeout",
		"unable to fetch metrics from custom metrics API: timeout",
		"unable to fetch metrics from external metrics API: timeout",
		"unable to fetch metrics from external metrics API: timeout",
		"timeout",
	} {
		require.EqualError(t, readings[i].Err, want)
		require.ErrorIs(t, readings[i].Err, cause)
	}
}
