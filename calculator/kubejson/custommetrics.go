package kubejson

import (
	"fmt"
	"math"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// CustomMetrics is an answer of the custom metrics API: values of one metric
// of pods, or of one object. The zero CustomMetrics is an empty one.
type CustomMetrics struct {
	values []customValue
}

// customValue is a MetricValue of either version: the name and the window moved
// from one to the other.
type customValue struct {
	DescribedObject calculator.CrossVersionObjectReference `json:"describedObject"`
	MetricName      string                                 `json:"metricName"`
	Metric          struct {
		Name string `json:"name"`
	} `json:"metric"`
	Timestamp     time.Time        `json:"timestamp"`
	Window        *int64           `json:"window"`
	WindowSeconds *int64           `json:"windowSeconds"`
	Value         metrics.Quantity `json:"value"`
}

func customMetricsDocument() *document {
	return &document{
		name:     "custom metrics",
		kind:     "MetricValue",
		versions: []string{"custom.metrics.k8s.io/v1beta1", "custom.metrics.k8s.io/v1beta2"},
	}
}

// DecodeCustomMetrics reads a MetricValueList of custom.metrics.k8s.io, v1beta1
// or v1beta2, as `kubectl get --raw` prints it for paths such as
// /apis/custom.metrics.k8s.io/v1beta2/namespaces/NS/pods/*/METRIC. The error
// is an *Error.
func DecodeCustomMetrics(data []byte) (CustomMetrics, error) {
	d := customMetricsDocument()
	items, list, err := decode[customValue](d, data)
	if err != nil {
		return CustomMetrics{}, err
	}
	for i := range items {
		switch v, path := &items[i], itemPath(list, i); {
		case v.metric() == "":
			return CustomMetrics{}, d.errorf(join(path, "metric.name"), "missing")
		case v.DescribedObject.Name == "":
			return CustomMetrics{}, d.errorf(join(path, "describedObject.name"), "missing")
		case !v.Value.IsSet():
			return CustomMetrics{}, d.errorf(join(path, "value"), "missing")
		}
	}
	return CustomMetrics{values: items}, nil
}

func (v *customValue) metric() string {
	if v.Metric.Name != "" {
		return v.Metric.Name
	}
	return v.MetricName
}

// window returns the length of the window that the value tells of, or else the
// one that Kubernetes assumes.
func (v *customValue) window() time.Duration {
	const most = math.MaxInt64 / int64(time.Second)
	for _, s := range []*int64{v.WindowSeconds, v.Window} {
		if s != nil {
			return time.Duration(min(max(*s, -most), most)) * time.Second
		}
	}
	return metrics.DefaultWindow
}

func (v *customValue) describesPod() bool {
	return v.DescribedObject.Kind == "Pod"
}

// describes reports whether the value is one of the object. A metric of the
// namespace is that of the autoscaler's own, whatever name the spec says. The
// versions of the API group may differ.
func (v *customValue) describes(object *calculator.CrossVersionObjectReference) bool {
	o := &v.DescribedObject
	return o.Kind == object.Kind && (o.Name == object.Name || o.Kind == "Namespace")
}

// PodsReading returns what the answer says of a metric of the pods. Of two
// values of one pod the later holds. An answer without any is an error. It is
// GetRawMetric of upstream's customMetricsClient.
func (m *CustomMetrics) PodsReading(pods []podgroup.Pod, metric string) calculator.Reading {
	byName := make(map[string]metrics.Sample, len(m.values))
	for i := range m.values {
		v := &m.values[i]
		if v.metric() != metric || !v.describesPod() {
			continue
		}
		byName[v.DescribedObject.Name] = metrics.Sample{
			Value:   v.Value.Milli(),
			Time:    metrics.At(v.Timestamp),
			Window:  v.window(),
			Present: true,
		}
	}
	if len(byName) == 0 {
		return calculator.Reading{Err: apiError("no metrics returned from custom metrics API")}
	}
	return aligned(pods, byName)
}

// ObjectReading returns what the answer says of a metric of the object. Any
// other number of values than one is an error. It is GetObjectMetric of
// upstream's customMetricsClient.
func (m *CustomMetrics) ObjectReading(object calculator.CrossVersionObjectReference, metric string) calculator.Reading {
	var values []metrics.Milli
	for i := range m.values {
		if v := &m.values[i]; v.metric() == metric && v.describes(&object) {
			values = append(values, v.Value.Milli())
		}
	}
	if len(values) != 1 {
		return calculator.Reading{Err: apiError(fmt.Sprintf(
			"unable to fetch metrics from custom metrics API: the custom metrics API server returned %d results when we asked for exactly one", len(values)))}
	}
	return calculator.Reading{Values: values}
}

// answers reports whether the answer is one to a question for the metric of
// what about tells.
func (m *CustomMetrics) answers(metric string, about func(*customValue) bool) bool {
	for i := range m.values {
		if v := &m.values[i]; v.metric() == metric && about(v) {
			return true
		}
	}
	return false
}
