package kube

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	custommetrics "k8s.io/metrics/pkg/apis/custom_metrics/v1beta2"
	externalmetrics "k8s.io/metrics/pkg/apis/external_metrics/v1beta1"
	resourcemetrics "k8s.io/metrics/pkg/apis/metrics/v1beta1"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/internal/align"
	"github.com/purehpa/hpa/calculator/internal/wire"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// reader turns the answers to one metric into readings. A reading is good until
// the next call, which reuses its memory, so each metric needs a reader of its
// own.
type reader struct {
	wire    wire.Reader
	aligner align.Aligner
	values  []metrics.Milli
}

// resource returns the samples of a resource: the usage of the named container
// of each pod, or if container is "" the sum over its containers. A pod has no
// sample if one of the containers lacks the resource, or if there are no
// containers. If a pod is listed twice, the last one counts. An empty list is
// an error. It is GetResourceMetric of upstream's resourceMetricsClient.
func (r *reader) resource(pods []podgroup.Pod, list []resourcemetrics.PodMetrics, resource corev1.ResourceName, container string) calculator.Reading {
	if len(list) == 0 {
		return calculator.Reading{Err: wire.ErrNoResource}
	}
	r.aligner.Start(pods)
	without := ""
	for i := range list {
		m := &list[i]
		value, ok := usage(m.Containers, resource, container)
		switch {
		case ok:
			r.aligner.Add(m.Name, metrics.NewSample(value, m.Timestamp.Time, m.Window.Duration))
		case container != "" && without == "" && !slices.ContainsFunc(m.Containers, func(c resourcemetrics.ContainerMetrics) bool { return c.Name == container }):
			without = m.Name
		}
	}
	reading := r.aligned()
	reading.WithoutContainer = without
	return reading
}

func usage(containers []resourcemetrics.ContainerMetrics, resource corev1.ResourceName, container string) (metrics.Milli, bool) {
	var sum metrics.Sum
	found := false
	for i := range containers {
		c := &containers[i]
		if container != "" && c.Name != container {
			continue
		}
		q, ok := c.Usage[resource]
		if !ok {
			return 0, false
		}
		m := milli(&q)
		if container != "" {
			return m, true
		}
		sum.Add(m)
		found = true
	}
	return sum.Milli(), found
}

// ofPods returns the samples of a custom metric. The default window is
// [metrics.DefaultWindow]. If a pod is listed twice, the last one counts. An
// empty list is an error. It is GetRawMetric of upstream's customMetricsClient.
func (r *reader) ofPods(pods []podgroup.Pod, list []custommetrics.MetricValue) calculator.Reading {
	if len(list) == 0 {
		return calculator.Reading{Err: wire.ErrNoCustom}
	}
	r.aligner.Start(pods)
	for i := range list {
		v := &list[i]
		r.aligner.Add(v.DescribedObject.Name, metrics.NewSample(milli(&v.Value), v.Timestamp.Time, wire.Window(v.WindowSeconds)))
	}
	return r.aligned()
}

// object returns the value of a metric of one object. It is GetObjectMetric of
// upstream's customMetricsClient.
func (r *reader) object(value *custommetrics.MetricValue) calculator.Reading {
	r.values = append(r.values[:0], Milli(value.Value))
	return calculator.Reading{Values: r.values}
}

// external returns the series of an external metric. An empty list is an error.
// It is GetExternalMetric of upstream's externalMetricsClient.
func (r *reader) external(list []externalmetrics.ExternalMetricValue) calculator.Reading {
	if len(list) == 0 {
		return calculator.Reading{Err: wire.ErrNoExternal}
	}
	r.values = r.values[:0]
	for i := range list {
		r.values = append(r.values, Milli(list[i].Value))
	}
	return calculator.Reading{Values: r.values}
}

func (r *reader) aligned() calculator.Reading {
	samples, strays := r.aligner.Aligned()
	return calculator.Reading{Samples: samples, Strays: strays}
}
