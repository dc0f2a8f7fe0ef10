package kube_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	custommetrics "k8s.io/metrics/pkg/apis/custom_metrics/v1beta2"
	externalmetrics "k8s.io/metrics/pkg/apis/external_metrics/v1beta1"
	resourcemetrics "k8s.io/metrics/pkg/apis/metrics/v1beta1"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/kube"
	"github.com/purehpa/hpa/podgroup"
)

// What the real controller decided in 2,000 random histories of an autoscaler.
const (
	vectorsFile  = "../testdata/kubernetes-1.37.1.jsonl.gz"
	vectorsSyncs = 15027
)

type vector struct {
	Name   string
	Config struct {
		Tolerance                                                              float64
		DownscaleStabilization, CPUInitializationPeriod, InitialReadinessDelay metav1.Duration
	}
	DefaultedSpec autoscalingv2.HorizontalPodAutoscalerSpec
	Steps         []struct {
		Now              time.Time
		Scale            struct{ SpecReplicas, StatusReplicas int32 }
		Pods             []*corev1.Pod
		Metrics          []vectorMetric
		ScaleUpdateFails bool
		Want             vectorWant
	}
}

type vectorMetric struct {
	Error   string
	Samples []struct {
		Pod       string
		Value     int64
		Timestamp metav1.Time
		Window    metav1.Duration
	}
	Values []int64
}

type vectorWant struct {
	Rescaled bool
	Replicas int32
	Error    string
	Status   any
	Events   []string
}

// errNone stands for an empty answer, which a client would call an error. The
// recording does not.
var errNone = errors.New("an empty answer")

// answer returns what a metrics API would have answered.
func (m *vectorMetric) answer(asked autoscaling.Metric) kube.Answer {
	if m.Error != "" {
		return kube.Answer{Err: errors.New(m.Error)}
	}
	milli := func(v int64) resource.Quantity { return *resource.NewMilliQuantity(v, resource.DecimalSI) }
	switch asked.Source {
	case autoscaling.ResourceMetricSourceType, autoscaling.ContainerResourceMetricSourceType:
		name := corev1.ResourceName(asked.Name)
		// A pod without containers, which has no sample: the recorded answer
		// may be empty, which the client would call an error.
		list := []resourcemetrics.PodMetrics{{ObjectMeta: metav1.ObjectMeta{Name: "nothing"}}}
		for _, s := range m.Samples {
			item := resourcemetrics.PodMetrics{ObjectMeta: metav1.ObjectMeta{Name: s.Pod}, Timestamp: s.Timestamp, Window: s.Window}
			if asked.Container == "" {
				// In two parts, the sum of which counts.
				part := s.Value / 3
				item.Containers = []resourcemetrics.ContainerMetrics{
					{Name: "a", Usage: corev1.ResourceList{name: milli(part)}},
					{Name: "b", Usage: corev1.ResourceList{name: milli(s.Value - part)}},
				}
			} else {
				item.Containers = []resourcemetrics.ContainerMetrics{
					{Name: "other", Usage: corev1.ResourceList{name: milli(1)}},
					{Name: asked.Container, Usage: corev1.ResourceList{name: milli(s.Value)}},
				}
			}
			list = append(list, item)
		}
		return kube.Answer{Resource: &resourcemetrics.PodMetricsList{Items: list}}
	case autoscaling.PodsMetricSourceType:
		if len(m.Samples) == 0 {
			return kube.Answer{Err: errNone}
		}
		var list []custommetrics.MetricValue
		for _, s := range m.Samples {
			seconds := int64(s.Window.Seconds())
			v := custommetrics.MetricValue{
				DescribedObject: corev1.ObjectReference{Kind: "Pod", Name: s.Pod},
				Timestamp:       s.Timestamp,
				WindowSeconds:   &seconds,
				Value:           milli(s.Value),
			}
			if s.Window.Duration == time.Minute {
				v.WindowSeconds = nil
			}
			list = append(list, v)
		}
		return kube.Answer{Pods: &custommetrics.MetricValueList{Items: list}}
	case autoscaling.ObjectMetricSourceType:
		return kube.Answer{Object: &custommetrics.MetricValue{Value: milli(m.Values[0])}}
	}
	if len(m.Values) == 0 {
		return kube.Answer{Err: errNone}
	}
	var list []externalmetrics.ExternalMetricValue
	for _, v := range m.Values {
		list = append(list, externalmetrics.ExternalMetricValue{Value: milli(v)})
	}
	return kube.Answer{External: &externalmetrics.ExternalMetricValueList{Items: list}}
}

// events is a recorder.
type events []string

func (e *events) Event(_ runtime.Object, eventtype, reason, message string) {
	*e = append(*e, strings.TrimRight(eventtype+" "+reason+" "+message, " "))
}

// averageOverNothing replaces the recorded result of a division by zero pods
// with this library's, which deviates on purpose.
func averageOverNothing(status any) {
	list, _ := status.(map[string]any)["currentMetrics"].([]any)
	for _, m := range list {
		for _, source := range []string{"object", "external"} {
			s, ok := m.(map[string]any)[source].(map[string]any)
			if !ok {
				continue
			}
			if current := s["current"].(map[string]any); current["averageValue"] == "-9223372036854775808m" {
				current["averageValue"] = "0"
			}
		}
	}
}

// TestVectors replays all recorded syncs through the typed objects, with one
// set of slices, and compares what an API client sees.
func TestVectors(t *testing.T) {
	file, err := os.Open(vectorsFile)
	require.NoError(t, err)
	defer file.Close()
	zipped, err := gzip.NewReader(bufio.NewReader(file))
	require.NoError(t, err)

	var (
		syncs   int
		pods    []podgroup.Pod
		readers kube.Readers
		d       calculator.Decision
	)
	for lines := json.NewDecoder(zipped); lines.More(); {
		var v vector
		require.NoError(t, lines.Decode(&v))
		hpa := &autoscalingv2.HorizontalPodAutoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "web"}, Spec: v.DefaultedSpec}
		before := hpa.DeepCopy()
		spec, err := kube.Spec(hpa, &hpa.Spec)
		require.NoError(t, err, v.Name)

		back, err := kube.APISpec(&spec)
		require.NoError(t, err, v.Name)
		require.Empty(t, cmp.Diff(v.DefaultedSpec, back), v.Name)

		settings := calculator.Settings{
			ZeroFlags:              true,
			Tolerance:              v.Config.Tolerance,
			DownscaleStabilization: v.Config.DownscaleStabilization.Duration,
			ReadinessSettings: podgroup.ReadinessSettings{
				CPUInitializationPeriod: v.Config.CPUInitializationPeriod.Duration,
				InitialReadinessDelay:   v.Config.InitialReadinessDelay.Duration,
			},
		}
		var st calculator.State
		for i := range v.Steps {
			s := &v.Steps[i]
			var obs calculator.Observation
			kube.ObserveScale(&obs, &autoscalingv1.Scale{
				ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "web"},
				Spec:       autoscalingv1.ScaleSpec{Replicas: s.Scale.SpecReplicas},
				Status:     autoscalingv1.ScaleStatus{Replicas: s.Scale.StatusReplicas, Selector: "app=web"},
			})
			pods, err = kube.AppendPods(pods[:0], s.Pods)
			require.NoError(t, err, v.Name)
			obs.Pods = pods
			var answers []kube.Answer
			for j := range s.Metrics {
				answers = append(answers, s.Metrics[j].answer(spec.Metrics[j].Resolve()))
			}
			if len(answers) > 0 {
				obs.Readings, err = readers.Read(&spec, pods, answers)
				require.NoError(t, err, v.Name)
			}
			for j := range answers { // whose errors are recorded as the client's
				switch err := answers[j].Err; {
				case errors.Is(err, errNone):
					obs.Readings[j].Err = nil
				case err != nil:
					obs.Readings[j].Err = err
				}
			}
			calculator.DecideInto(&d, s.Now, &settings, &spec, &obs, &st)
			switch {
			case !d.Rescale:
			case s.ScaleUpdateFails:
				st.Failed(s.Now, &d, errors.New("injected failure"))
			default:
				st.Applied(s.Now, &d)
			}

			require.NoError(t, kube.UpdateStatus(&hpa.Status, hpa.Generation, &d, &st))
			text, err := json.Marshal(hpa.Status)
			require.NoError(t, err)
			got := vectorWant{Rescaled: d.Outcome == calculator.OutcomeWritten, Replicas: s.Scale.SpecReplicas}
			require.NoError(t, json.Unmarshal(text, &got.Status))
			if got.Rescaled {
				got.Replicas = d.DesiredReplicas
			}
			if err := d.Err(); err != nil {
				got.Error = err.Error()
			}
			kube.RecordEvents((*events)(&got.Events), hpa, &d)
			if s.Scale.StatusReplicas == 0 {
				averageOverNothing(s.Want.Status)
			}
			if diff := cmp.Diff(s.Want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("vector %s, step %d (-want +got):\n%s", v.Name, i, diff)
			}
			// A state that knows only what the status says shows the same.
			again := kube.State(&hpa.Status)
			require.Len(t, again.Conditions, len(hpa.Status.Conditions))
			syncs++
		}
		require.Equal(t, before.Spec, hpa.Spec, "%s: the spec was changed", v.Name)
	}
	require.Equal(t, vectorsSyncs, syncs)
}
