package kubejson

import (
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/metrics"
)

// ExternalMetrics is an answer of the external metrics API: the series of one
// metric. The zero ExternalMetrics is an empty one.
type ExternalMetrics struct {
	values []externalValue
}

type externalValue struct {
	MetricName string           `json:"metricName"`
	Timestamp  time.Time        `json:"timestamp"`
	Value      metrics.Quantity `json:"value"`
}

func externalMetricsDocument() *document {
	return &document{name: "external metrics", kind: "ExternalMetricValue", versions: []string{"external.metrics.k8s.io/v1beta1"}}
}

// DecodeExternalMetrics reads an ExternalMetricValueList of
// external.metrics.k8s.io/v1beta1, as `kubectl get --raw` prints it for paths
// such as /apis/external.metrics.k8s.io/v1beta1/namespaces/NS/METRIC. The error
// is an *Error.
func DecodeExternalMetrics(data []byte) (ExternalMetrics, error) {
	d := externalMetricsDocument()
	items, list, err := decode[externalValue](d, data)
	if err != nil {
		return ExternalMetrics{}, err
	}
	for i := range items {
		switch v, path := &items[i], itemPath(list, i); {
		case v.MetricName == "":
			return ExternalMetrics{}, d.errorf(join(path, "metricName"), "missing")
		case !v.Value.IsSet():
			return ExternalMetrics{}, d.errorf(join(path, "value"), "missing")
		}
	}
	return ExternalMetrics{values: items}, nil
}

// Reading returns the series of the metric. An answer without any is an error.
// It is GetExternalMetric of upstream's externalMetricsClient.
func (m *ExternalMetrics) Reading(metric string) calculator.Reading {
	var values []metrics.Milli
	for i := range m.values {
		if v := &m.values[i]; v.MetricName == metric {
			values = append(values, v.Value.Milli())
		}
	}
	if len(values) == 0 {
		return calculator.Reading{Err: apiError("no metrics returned from external metrics API")}
	}
	return calculator.Reading{Values: values}
}

// answers reports whether the answer is one to a question for the metric.
func (m *ExternalMetrics) answers(metric string) bool {
	for i := range m.values {
		if m.values[i].MetricName == metric {
			return true
		}
	}
	return false
}
