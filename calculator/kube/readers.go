package kube

import (
	"fmt"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	custommetrics "k8s.io/metrics/pkg/apis/custom_metrics/v1beta2"
	externalmetrics "k8s.io/metrics/pkg/apis/external_metrics/v1beta1"
	resourcemetrics "k8s.io/metrics/pkg/apis/metrics/v1beta1"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/internal/wire"
	"github.com/purehpa/hpa/podgroup"
)

// Answer is what a metrics API answered about one metric of a spec. Each type
// of metric has a field, which takes what the client of its API returns. Body
// is for all types, and takes what the API sent:
//
//	answers[0].Resource, answers[0].Err = podMetrics.List(ctx, options)
//	answers[1].External, answers[1].Err = external.List(name, selector)
//	answers[2].Body, answers[2].Err = request.DoRaw(ctx)
//
// The zero Answer is for a metric that no API is asked for, such as one of type
// Proposal.
type Answer struct {
	// Resource is for a Resource or a ContainerResource metric. Metrics of the
	// same pods may share it: it has all resources of all containers.
	Resource *resourcemetrics.PodMetricsList
	// Pods is for a Pods metric.
	Pods *custommetrics.MetricValueList
	// Object is for an Object metric.
	Object *custommetrics.MetricValue
	// External is for an External metric.
	External *externalmetrics.ExternalMetricValueList
	// Body is the answer as it came, in JSON or in Kubernetes' protobuf, instead of one
	// of the fields above: the body of the response, as client-go's DoRaw returns it.
	// The type of the metric says what it has: a PodMetricsList, a MetricValueList (of
	// v1beta1 or v1beta2) or an ExternalMetricValueList. It is read without decoding it
	// into a list, which is faster by far. Metrics may share it.
	Body []byte
	// Err is why there is no answer. The other fields do not matter then.
	Err error
}

// Readers turns the answers to the metrics of one autoscaler into readings,
// from sync to sync. It has memory of its own for each metric, and looks up
// only the names, of the pods and of the answers, that do not follow each other
// as they did before. The zero Readers is ready to use, by one goroutine at a
// time. It may be dropped at any time.
type Readers struct {
	readers  []reader
	readings []calculator.Reading
}

// Read returns the readings of an observation: one for each metric of the spec,
// in its order, as the answers are. Samples are aligned with the pods, which
// should be those of the observation. The result is good until the next call.
// Once its memory is long enough, Read allocates nothing.
//
// Samples are found by the names of pods, which two clusters may share. Use
// Readers of their own for the pods and answers of each cluster, and append
// their samples in the order of the pods.
//
// A pod has no sample of a resource if one of its containers lacks the
// resource, or if there are no containers. If a pod is listed twice, the last
// one counts. A custom metric without a window has [metrics.DefaultWindow].
//
// Answer.Err, a body that cannot be decoded and an empty list are not errors of
// Read. They are a reading with an error, in the words of upstream's metrics
// clients; the first wraps Answer.Err.
//
// The error is an *Error: the answers are more or fewer than the metrics, or
// one is missing or of another type than its metric. Its Field is then
// "answers", or has the metric's index, as in "answers[2].pods".
func (r *Readers) Read(spec *autoscaling.HorizontalPodAutoscalerSpec, pods []podgroup.Pod, answers []Answer) ([]calculator.Reading, error) {
	switch {
	case spec == nil:
		return nil, &Error{Field: "spec", Problem: "nil"}
	case len(answers) != len(spec.Metrics):
		return nil, &Error{Field: "answers", Problem: fmt.Sprintf("%d for %d metrics", len(answers), len(spec.Metrics))}
	}
	r.readings = r.readings[:0]
	for i := range answers {
		m, a := spec.Metrics[i].Resolve(), &answers[i]
		if err := a.problem(m.Source); err != nil {
			return nil, err.within(element("answers", i))
		}
		if i == len(r.readers) {
			r.readers = append(r.readers, reader{})
		}
		r.readings = append(r.readings, r.readers[i].read(&m, pods, a))
	}
	return r.readings, nil
}

// problem returns why a is not an answer to a metric of that source: it has
// another type, or, if that is all, there is no answer.
func (a *Answer) problem(source autoscaling.MetricSourceType) (missing *Error) {
	if a.Err != nil {
		return nil
	}
	asked := false
	for _, f := range [...]struct {
		name      string
		set, fits bool
	}{
		{"resource", a.Resource != nil, source == autoscaling.ResourceMetricSourceType || source == autoscaling.ContainerResourceMetricSourceType},
		{"pods", a.Pods != nil, source == autoscaling.PodsMetricSourceType},
		{"object", a.Object != nil, source == autoscaling.ObjectMetricSourceType},
		{"external", a.External != nil, source == autoscaling.ExternalMetricSourceType},
	} {
		asked = asked || f.fits
		switch {
		case f.set && a.Body != nil:
			return &Error{Field: "body", Problem: "there is a " + f.name + " field, too"}
		case f.set && !f.fits:
			return &Error{Field: f.name, Problem: "the metric is of type " + strconv.Quote(string(source))}
		case f.fits && !f.set && a.Body == nil:
			missing = &Error{Field: f.name, Problem: "missing, without an error"}
		}
	}
	if a.Body != nil && !asked {
		return &Error{Field: "body", Problem: "the metric is of type " + strconv.Quote(string(source))}
	}
	return missing
}

// read returns the reading of an answer to the metric m, which has no problem.
func (r *reader) read(m *autoscaling.Metric, pods []podgroup.Pod, a *Answer) calculator.Reading {
	if a.Err != nil {
		return unavailable(m.Source, a.Err)
	}
	if a.Body != nil {
		return r.body(m, pods, a.Body)
	}
	switch m.Source {
	case autoscaling.ResourceMetricSourceType, autoscaling.ContainerResourceMetricSourceType:
		return r.resource(pods, a.Resource.Items, corev1.ResourceName(m.Name), m.Container)
	case autoscaling.PodsMetricSourceType:
		return r.ofPods(pods, a.Pods.Items)
	case autoscaling.ObjectMetricSourceType:
		return r.object(a.Object)
	case autoscaling.ExternalMetricSourceType:
		return r.external(a.External.Items)
	}
	return calculator.Reading{}
}

// unavailable returns the reading of a metric whose API answered with an error.
func unavailable(source autoscaling.MetricSourceType, err error) calculator.Reading {
	api := ""
	switch source {
	case autoscaling.ResourceMetricSourceType, autoscaling.ContainerResourceMetricSourceType:
		api = "resource"
	case autoscaling.PodsMetricSourceType, autoscaling.ObjectMetricSourceType:
		api = "custom"
	case autoscaling.ExternalMetricSourceType:
		api = "external"
	default: // no API has such a metric
		return calculator.Reading{Err: err}
	}
	return calculator.Reading{Err: wire.Unavailable(api, err)}
}
