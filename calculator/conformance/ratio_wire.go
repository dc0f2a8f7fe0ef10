//go:build !kubernetes132

package conformance

import (
	"fmt"
	"math"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	podmetrics "k8s.io/kubernetes/pkg/controller/podautoscaler/metrics"
	custommetrics "k8s.io/metrics/pkg/apis/custom_metrics"
	customv1beta1 "k8s.io/metrics/pkg/apis/custom_metrics/v1beta1"
	customv1beta2 "k8s.io/metrics/pkg/apis/custom_metrics/v1beta2"
	externalmetrics "k8s.io/metrics/pkg/apis/external_metrics/v1beta1"
	customclient "k8s.io/metrics/pkg/client/custom_metrics"
	customscheme "k8s.io/metrics/pkg/client/custom_metrics/scheme"
	externalclient "k8s.io/metrics/pkg/client/external_metrics"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/kube"
	"github.com/purehpa/hpa/metrics"
)

// The target of each pod and of each series, and what they have, in milli-units.
const (
	wireTarget = 100_000
	wireValue  = 150_000
)

// wireRatios returns the work from an answer of the custom and of the external metrics
// API to a size, for n pods or series. That about pods has each pod's value.
func wireRatios(n int) []Ratio {
	s, f := ratioStep(n, false), DefaultFlags()
	value := *resource.NewMilliQuantity(wireValue, resource.DecimalSI)
	at := metav1.Time{Time: s.Now}
	custom, external := new(customv1beta2.MetricValueList), new(externalmetrics.ExternalMetricValueList)
	for i, p := range s.Pods {
		custom.Items = append(custom.Items, customv1beta2.MetricValue{
			DescribedObject: corev1.ObjectReference{Kind: "Pod", Namespace: Namespace, Name: p.Name, APIVersion: "/v1"},
			Metric:          customv1beta2.MetricIdentifier{Name: "queue"}, Timestamp: at, Value: value,
		})
		external.Items = append(external.Items, externalmetrics.ExternalMetricValue{
			MetricName: "queue", MetricLabels: map[string]string{"topic": fmt.Sprint(i)}, Timestamp: at, Value: value,
		})
	}
	var list []Ratio
	for _, c := range []struct{ name, contentType string }{{"JSON", runtime.ContentTypeJSON}, {"protobuf", runtime.ContentTypeProtobuf}} {
		ofPods, ofQueue := encoded(custom, customv1beta2.SchemeGroupVersion, c.contentType), encoded(external, externalmetrics.SchemeGroupVersion, c.contentType)
		list = append(list,
			Ratio{Name: fmt.Sprintf("pods metric from the wire, pods=%d/%s", n, c.name), Upstream: upstreamOfPods(s, f, ofPods), Library: libraryOfPods(s, f, ofPods)},
			Ratio{Name: fmt.Sprintf("external metric from the wire, series=%d/%s", n, c.name), Upstream: upstreamExternal(s, f, ofQueue, c.contentType), Library: libraryExternal(s, f, ofQueue)})
	}
	return list
}

// encoded returns the body of an answer.
func encoded(list runtime.Object, version schema.GroupVersion, contentType string) []byte {
	types := runtime.NewScheme()
	if err := customv1beta2.AddToScheme(types); err != nil {
		panic(err)
	}
	if err := externalmetrics.AddToScheme(types); err != nil {
		panic(err)
	}
	codecs := serializer.NewCodecFactory(types).WithoutConversion()
	info, _ := runtime.SerializerInfoForMediaType(codecs.SupportedMediaTypes(), contentType)
	body, err := runtime.Encode(codecs.EncoderForVersion(info.Serializer, version), list)
	if err != nil {
		panic(err)
	}
	return body
}

// customWire is the client of the custom metrics API once it has the body.
type customWire struct {
	customclient.CustomMetricsClient
	customclient.MetricsInterface
	body []byte
}

func (w *customWire) NamespacedMetrics(string) customclient.MetricsInterface { return w }

func (w *customWire) GetForObjects(schema.GroupKind, labels.Selector, string, labels.Selector) (*customv1beta2.MetricValueList, error) {
	decoder := customscheme.Codecs.UniversalDecoder(customv1beta2.SchemeGroupVersion, customv1beta1.SchemeGroupVersion, custommetrics.SchemeGroupVersion)
	list, err := runtime.Decode(decoder, w.body)
	// As the client does: to the type of its own, and back.
	for _, v := range []schema.GroupVersion{custommetrics.SchemeGroupVersion, customv1beta2.SchemeGroupVersion} {
		if err == nil {
			list, err = customscheme.Scheme.UnsafeConvertToVersion(list, v)
		}
	}
	if err != nil {
		return nil, err
	}
	return list.(*customv1beta2.MetricValueList), nil
}

// externalWire is the client of the external metrics API once it has the body.
type externalWire struct {
	decoder runtime.Decoder
	body    []byte
}

func newExternalWire(body []byte, contentType string) *externalWire {
	codecs := serializer.NewCodecFactory(runtime.NewScheme()).WithoutConversion()
	info, _ := runtime.SerializerInfoForMediaType(codecs.SupportedMediaTypes(), contentType)
	return &externalWire{codecs.DecoderToVersion(info.Serializer, externalmetrics.SchemeGroupVersion), body}
}

func (w *externalWire) NamespacedMetrics(string) externalclient.MetricsInterface { return w }

func (w *externalWire) List(string, labels.Selector) (*externalmetrics.ExternalMetricValueList, error) {
	list := &externalmetrics.ExternalMetricValueList{}
	_, _, err := w.decoder.Decode(w.body, nil, list)
	return list, err
}

func upstreamOfPods(s *Step, f Flags, body []byte) func(*testing.B) {
	return func(b *testing.B) {
		u := NewUpstream(f)
		u.step = s
		calc := newCalculator(podmetrics.NewRESTMetricsClient(nil, &customWire{body: body}, nil), (*podLister)(u), &f)
		tolerances, everything := upstreamTolerances(metrics.Symmetric(f.Tolerance)), labels.Everything()
		b.ReportAllocs()
		b.ResetTimer()
		for range b.N {
			if n, _, _, err := calc.GetMetricReplicas(s.SpecReplicas, wireTarget, "queue", tolerances, Namespace, everything, everything); err != nil || n <= s.SpecReplicas {
				b.Fatal(n, err)
			}
		}
	}
}

func libraryOfPods(s *Step, f Flags, body []byte) func(*testing.B) {
	return func(b *testing.B) {
		m := calculator.PodMetric{CurrentReplicas: s.SpecReplicas, Tolerance: metrics.Symmetric(f.Tolerance), ReadinessSettings: f.Settings().ReadinessSettings}
		spec := autoscaling.NewSpec(1, math.MaxInt32, autoscaling.PodsAverageValueMetric("queue", metrics.MilliQuantity(wireTarget, metrics.DecimalSI)))
		var pods kube.Pods
		var readers kube.Readers
		answers := []kube.Answer{{Body: body}}
		run := func() {
			var err error
			if m.Pods, err = pods.Convert(s.Pods); err != nil {
				b.Fatal(err)
			}
			m.Group = pods.Group()
			readings, err := readers.Read(&spec, m.Pods, answers)
			if err != nil {
				b.Fatal(err)
			}
			m.Samples, m.Strays = readings[0].Samples, readings[0].Strays
			if p, err := calculator.ProposePodsAverageValue(s.Now, &m, wireTarget); err != nil || p.Replicas <= s.SpecReplicas {
				b.Fatal(p, err)
			}
		}
		run()
		b.ReportAllocs()
		b.ResetTimer()
		for range b.N {
			run()
		}
	}
}

func upstreamExternal(s *Step, f Flags, body []byte, contentType string) func(*testing.B) {
	return func(b *testing.B) {
		u := NewUpstream(f)
		u.step = s
		calc := newCalculator(podmetrics.NewRESTMetricsClient(nil, nil, newExternalWire(body, contentType)), (*podLister)(u), &f)
		tolerances, selects := upstreamTolerances(metrics.Symmetric(f.Tolerance)), new(metav1.LabelSelector)
		b.ReportAllocs()
		b.ResetTimer()
		for range b.N {
			if n, _, _, err := calc.GetExternalPerPodMetricReplicas(s.StatusReplicas, wireTarget, "queue", tolerances, Namespace, selects); err != nil || n <= s.SpecReplicas {
				b.Fatal(n, err)
			}
		}
	}
}

func libraryExternal(s *Step, f Flags, body []byte) func(*testing.B) {
	return func(b *testing.B) {
		m := calculator.ValueMetric{CurrentReplicas: s.SpecReplicas, StatusReplicas: s.StatusReplicas, Tolerance: metrics.Symmetric(f.Tolerance)}
		spec := autoscaling.NewSpec(1, math.MaxInt32, autoscaling.ExternalAverageValueMetric("queue", metrics.MilliQuantity(wireTarget, metrics.DecimalSI)))
		var readers kube.Readers
		answers := []kube.Answer{{Body: body}}
		run := func() {
			readings, err := readers.Read(&spec, nil, answers)
			if err != nil {
				b.Fatal(err)
			}
			m.Values = readings[0].Values
			if p, err := calculator.ProposeExternalAverageValue(&m, wireTarget); err != nil || p.Replicas <= s.SpecReplicas {
				b.Fatal(p, err)
			}
		}
		run()
		b.ReportAllocs()
		b.ResetTimer()
		for range b.N {
			run()
		}
	}
}
