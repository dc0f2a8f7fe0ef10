package calculator_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// noon is when most tests decide.
var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

// readyPods returns n pods that have run for an hour and request 1 core and
// 1 GiB each.
func readyPods(n int) []podgroup.Pod {
	pods := make([]podgroup.Pod, n)
	for i := range pods {
		pods[i] = podgroup.Pod{
			Name:            fmt.Sprintf("web-%d", i),
			Phase:           podgroup.PhaseRunning,
			Ready:           podgroup.ReadyTrue,
			StartTime:       metrics.At(noon.Add(-time.Hour)),
			ReadyTransition: metrics.At(noon.Add(-time.Hour)),
			CPU:             podgroup.Requested(1000),
			Memory:          podgroup.Requested(1 << 30 * 1000),
		}
	}
	return pods
}

// samplesOf returns a sample of each value.
func samplesOf(values ...metrics.Milli) []metrics.Sample {
	var s []metrics.Sample
	for _, v := range values {
		s = append(s, metrics.Sample{Value: v, Time: metrics.At(noon), Window: time.Minute, Present: true})
	}
	return s
}

// same returns n samples of the value.
func same(n int, value metrics.Milli) []metrics.Sample {
	var s []metrics.Sample
	for range n {
		s = append(s, samplesOf(value)...)
	}
	return s
}

// specOf returns the spec that the JSON says, with its defaults.
func specOf(t testing.TB, text string) *autoscaling.HorizontalPodAutoscalerSpec {
	t.Helper()
	var s autoscaling.HorizontalPodAutoscalerSpec
	require.NoError(t, json.Unmarshal([]byte(text), &s))
	s.SetDefaults()
	require.NoError(t, s.Validate().Err())
	return &s
}

const webRef = `"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"}`

// cpuSpec aims at 50% of the cpu requests, between 1 and 20 replicas.
func cpuSpec(t testing.TB, more string) *autoscaling.HorizontalPodAutoscalerSpec {
	t.Helper()
	return specOf(t, `{`+webRef+`,"maxReplicas":20,"metrics":[{"type":"Resource","resource":{"name":"cpu",
		"target":{"type":"Utilization","averageUtilization":50}}}]`+more+`}`)
}

// externalSpec aims at 10 of an external metric for each pod.
func externalSpec(t testing.TB, more string) *autoscaling.HorizontalPodAutoscalerSpec {
	t.Helper()
	return specOf(t, `{`+webRef+`,"maxReplicas":20,"metrics":[{"type":"External","external":{"metric":{"name":"backlog"},
		"target":{"type":"AverageValue","averageValue":"10"}}}]`+more+`}`)
}

// cpuAt observes n ready pods that each use the milli-cores.
func cpuAt(n int32, milli metrics.Milli) *calculator.Observation {
	return &calculator.Observation{
		Namespace:      "ns",
		SpecReplicas:   n,
		StatusReplicas: n,
		Pods:           readyPods(int(n)),
		Readings:       []calculator.Reading{{Samples: same(int(n), milli)}},
	}
}

// backlogOf observes n ready pods and the values of an external metric.
func backlogOf(n int32, values ...metrics.Milli) *calculator.Observation {
	return &calculator.Observation{
		Namespace:      "ns",
		SpecReplicas:   n,
		StatusReplicas: n,
		Pods:           readyPods(int(n)),
		Readings:       []calculator.Reading{{Values: values}},
	}
}

// texts returns the decision's events.
func texts(d *calculator.Decision) []string {
	var s []string
	for _, e := range d.AppendEvents(nil) {
		s = append(s, e.String())
	}
	return s
}
