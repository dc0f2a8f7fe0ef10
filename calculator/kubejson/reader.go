package kubejson

import (
	"bytes"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/internal/wire"
	"github.com/purehpa/hpa/podgroup"
)

// Reader turns the answers of a metrics API about one metric into readings, from sync
// to sync. A body is JSON or Kubernetes' protobuf, which begins with "k8s\x00". The
// zero Reader is ready to use, by one goroutine at a time.
//
// A reading is good until the next call. An ordinary answer, as Kubernetes encodes it,
// is read without decoding it and allocates nothing once the memory is long enough. Its
// field names are case-sensitive. Other JSON is decoded by DecodePodMetrics,
// DecodeCustomMetrics or DecodeExternalMetrics, whose *Error the methods return. Other
// protobuf is an *Error.
//
// The API was asked for one metric, so all values count, whatever metric or kind of
// object they name. An empty answer is not an error of a method, but a reading with
// one, in the words of upstream's metrics clients.
type Reader struct {
	wire wire.Reader
}

// Resource returns the samples of a resource in a PodMetricsList, in milli-units and in
// the order of the pods: the usage of one container or, if container is "", the sum over
// the pod's containers, as [PodMetrics.Reading] has it. It is GetResourceMetric of
// upstream's resourceMetricsClient.
func (r *Reader) Resource(pods []podgroup.Pod, body []byte, resource, container string) (calculator.Reading, error) {
	if reading, ordinary := r.wire.Resource(pods, body, resource, container); ordinary {
		return reading, nil
	}
	if err := podMetricsDocument.inProtobuf(body); err != nil {
		return calculator.Reading{}, err
	}
	m, err := DecodePodMetrics(body)
	if err != nil {
		return calculator.Reading{}, err
	}
	return m.Reading(pods, resource, container), nil
}

// Pods returns the samples of a Pods metric in a MetricValueList, in milli-units and in
// the order of the pods. If a pod has several values, the last one counts. It is
// GetRawMetric of upstream's customMetricsClient.
func (r *Reader) Pods(pods []podgroup.Pod, body []byte) (calculator.Reading, error) {
	if reading, ordinary := r.wire.Pods(pods, body); ordinary {
		return reading, nil
	}
	return customReading(autoscaling.PodsMetricSourceType, pods, body)
}

// Object returns the value of an Object metric in a MetricValueList, in milli-units.
// Unless the list has exactly one value, the reading has an error. It is
// GetObjectMetric of upstream's customMetricsClient.
func (r *Reader) Object(body []byte) (calculator.Reading, error) {
	if reading, ordinary := r.wire.Object(body); ordinary {
		return reading, nil
	}
	return customReading(autoscaling.ObjectMetricSourceType, nil, body)
}

func customReading(source autoscaling.MetricSourceType, pods []podgroup.Pod, body []byte) (calculator.Reading, error) {
	if err := customDocument.inProtobuf(body); err != nil {
		return calculator.Reading{}, err
	}
	m, err := DecodeCustomMetrics(body)
	if err != nil {
		return calculator.Reading{}, err
	}
	return question{source: source}.readingOf(all(m.values), pods), nil
}

// External returns the values of all series of an External metric in an
// ExternalMetricValueList, in milli-units. It is GetExternalMetric of upstream's
// externalMetricsClient.
func (r *Reader) External(body []byte) (calculator.Reading, error) {
	if reading, ordinary := r.wire.External(body); ordinary {
		return reading, nil
	}
	if err := externalDocument.inProtobuf(body); err != nil {
		return calculator.Reading{}, err
	}
	m, err := DecodeExternalMetrics(body)
	if err != nil {
		return calculator.Reading{}, err
	}
	return question{source: autoscaling.ExternalMetricSourceType}.readingOf(all(m.values), nil), nil
}

func all(values []value) []*value {
	pointers := make([]*value, len(values))
	for i := range values {
		pointers[i] = &values[i]
	}
	return pointers
}

// inProtobuf returns the error of a body that is protobuf, but not ordinary.
func (d document) inProtobuf(body []byte) error {
	if !bytes.HasPrefix(body, []byte(wire.Magic)) {
		return nil
	}
	return errorAt("", "protobuf that is malformed, of another type, or not as Kubernetes encodes it").in(d.name)
}
