package kubejson

import (
	"cmp"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/internal/wire"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// metricValue is a MetricValue or ExternalMetricValue. v1beta1 has metricName
// and window, v1beta2 has metric.name and windowSeconds.
type metricValue struct {
	typeMeta
	DescribedObject struct {
		autoscaling.CrossVersionObjectReference
		Namespace string `json:"namespace"`
	} `json:"describedObject"`
	MetricName string `json:"metricName"`
	Metric     struct {
		Name string `json:"name"`
	} `json:"metric"`
	Timestamp     time.Time        `json:"timestamp"`
	Window        *int64           `json:"window"`
	WindowSeconds *int64           `json:"windowSeconds"`
	Value         metrics.Quantity `json:"value"`
}

// place returns the namespace of the object and its path.
func (v *metricValue) place() (path, namespace string) {
	return ".describedObject.namespace", v.DescribedObject.Namespace
}

// sample returns the value. Without a window, Kubernetes assumes
// metrics.DefaultWindow.
func (v *metricValue) sample() metrics.Sample {
	return metrics.NewSample(v.Value.Milli(), v.Timestamp, wire.Window(cmp.Or(v.WindowSeconds, v.Window)))
}

// CustomMetrics is an answer of the custom metrics API: the values of a metric,
// of pods or of one object. The zero CustomMetrics is an empty answer.
type CustomMetrics struct {
	values []value
}

// DecodeCustomMetrics reads a MetricValueList of custom.metrics.k8s.io, v1beta1
// or v1beta2, as `kubectl get --raw` prints it for paths such as
// /apis/custom.metrics.k8s.io/v1beta2/namespaces/NS/pods/*/METRIC. The error
// is an *Error.
func DecodeCustomMetrics(data []byte) (CustomMetrics, error) {
	return decode(customDocument, data, CustomMetrics{}, new(metricValue), (*CustomMetrics).add)
}

func (m *CustomMetrics) add(v *metricValue) *Error {
	metric, object := cmp.Or(v.Metric.Name, v.MetricName), v.DescribedObject.CrossVersionObjectReference
	m.values = append(m.values, value{ask(autoscaling.ObjectMetricSourceType, metric, object), object.Name, v.sample()})
	return cmp.Or(
		errorIf(metric == "", ".metric.name", "missing"),
		errorIf(object.Name == "", ".describedObject.name", "missing"),
		errorIf(!v.Value.IsSet(), ".value", "missing"))
}

// PodsReading returns the samples of a Pods metric. If a pod has several
// values, the last one counts. An answer without values is an error. It is
// GetRawMetric of upstream's customMetricsClient.
func (m *CustomMetrics) PodsReading(pods []podgroup.Pod, metric string) calculator.Reading {
	return question{source: autoscaling.PodsMetricSourceType, metric: metric}.reading(m.values, pods)
}

// ObjectReading returns the value of an Object metric. The error is that of an
// answer that does not have exactly one. It is GetObjectMetric of upstream's
// customMetricsClient.
func (m *CustomMetrics) ObjectReading(object autoscaling.CrossVersionObjectReference, metric string) calculator.Reading {
	return ask(autoscaling.ObjectMetricSourceType, metric, object).reading(m.values, nil)
}

// ExternalMetrics is an answer of the external metrics API: the series of one
// metric. The zero ExternalMetrics is an empty answer.
type ExternalMetrics struct {
	values []value
}

// DecodeExternalMetrics reads an ExternalMetricValueList of
// external.metrics.k8s.io/v1beta1, as `kubectl get --raw` prints it for paths
// such as /apis/external.metrics.k8s.io/v1beta1/namespaces/NS/METRIC. The error
// is an *Error.
func DecodeExternalMetrics(data []byte) (ExternalMetrics, error) {
	return decode(externalDocument, data, ExternalMetrics{}, new(metricValue), (*ExternalMetrics).add)
}

func (m *ExternalMetrics) add(v *metricValue) *Error {
	q := question{source: autoscaling.ExternalMetricSourceType, metric: v.MetricName}
	m.values = append(m.values, value{q, "", v.sample()})
	return cmp.Or(
		errorIf(v.MetricName == "", ".metricName", "missing"),
		errorIf(!v.Value.IsSet(), ".value", "missing"))
}

// Reading returns the series of the metric, or an error if it has no series. It
// is GetExternalMetric of upstream's externalMetricsClient.
func (m *ExternalMetrics) Reading(metric string) calculator.Reading {
	return question{source: autoscaling.ExternalMetricSourceType, metric: metric}.reading(m.values, nil)
}

// question is what a metric of the spec asks the custom or external metrics API
// for.
type question struct {
	source autoscaling.MetricSourceType
	metric string
	// kind and name are the object's, for an Object source. Any name fits a
	// Namespace, as the metric is always that of the autoscaler's own. The
	// versions of the API group may differ.
	kind, name string
	// selector is "" until an answer is taken, as answers do not repeat it.
	selector string
}

func ask(source autoscaling.MetricSourceType, metric string, object autoscaling.CrossVersionObjectReference) question {
	if object.Kind == "Namespace" {
		object.Name = ""
	}
	return question{source: source, metric: metric, kind: object.Kind, name: object.Name}
}

// value is a metric value. It answers its question, and if it is of a pod, the
// one for all pods.
type value struct {
	question
	object string
	metrics.Sample
}

// answers are the values of each document that answer a question, by the
// questions asked.
type answers map[question][][]*value

// in returns the values in a document that answer each question asked.
func (a answers) in(document []value) map[question][]*value {
	found := map[question][]*value{}
	for i := range document {
		v := &document[i]
		for _, q := range [...]question{v.question, {source: autoscaling.PodsMetricSourceType, metric: v.metric}} {
			if _, asked := a[q]; asked && (q == v.question || v.kind == "Pod") {
				found[q] = append(found[q], v)
			}
		}
	}
	return found
}

// reading returns the answer in a document, or upstream's error.
func (q question) reading(document []value, pods []podgroup.Pod) calculator.Reading {
	return q.readingOf(answers{q: nil}.in(document)[q], pods)
}

// readingOf is reading of the values that answer the question.
func (q question) readingOf(values []*value, pods []podgroup.Pod) calculator.Reading {
	var r calculator.Reading
	switch {
	case q.source == autoscaling.ObjectMetricSourceType && len(values) != 1:
		r.Err = wire.Unavailable("custom", wire.NotOne(len(values)))
	case len(values) == 0 && q.source == autoscaling.ExternalMetricSourceType:
		r.Err = wire.ErrNoExternal
	case len(values) == 0:
		r.Err = wire.ErrNoCustom
	case q.source == autoscaling.PodsMetricSourceType:
		byName := make(map[string]metrics.Sample, len(values))
		for _, v := range values {
			byName[v.object] = v.Sample
		}
		r = aligned(pods, byName)
	default:
		for _, v := range values {
			r.Values = append(r.Values, v.Value)
		}
	}
	return r
}

func newest(values []value) time.Time {
	var newest metrics.Instant
	for i := range values {
		newest = max(newest, values[i].Time)
	}
	return newest.Time()
}

// aligned returns the samples in the order of the pods.
func aligned(pods []podgroup.Pod, byName map[string]metrics.Sample) calculator.Reading {
	samples, strays := new(podgroup.Aligner).Align(pods, byName)
	return calculator.Reading{Samples: samples, Strays: strays}
}

// apis are the APIs that sources are read from, which nothing changes.
var apis = map[autoscaling.MetricSourceType]string{
	autoscaling.ResourceMetricSourceType:          "resource metrics",
	autoscaling.ContainerResourceMetricSourceType: "resource metrics",
	autoscaling.PodsMetricSourceType:              "custom metrics",
	autoscaling.ObjectMetricSourceType:            "custom metrics",
	autoscaling.ExternalMetricSourceType:          "external metrics",
}
