package kube

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	custommetrics "k8s.io/metrics/pkg/apis/custom_metrics/v1beta2"
	externalmetrics "k8s.io/metrics/pkg/apis/external_metrics/v1beta1"
	resourcemetrics "k8s.io/metrics/pkg/apis/metrics/v1beta1"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// API is one of the metrics APIs.
type API string

// The metrics APIs.
const (
	// ResourceMetrics is metrics.k8s.io, for Resource and ContainerResource.
	ResourceMetrics API = "resource metrics"
	// CustomMetrics is custom.metrics.k8s.io, for Pods and Object.
	CustomMetrics API = "custom metrics"
	// ExternalMetrics is external.metrics.k8s.io, for External.
	ExternalMetrics API = "external metrics"
)

var (
	errNoResource = errors.New("no metrics returned from resource metrics API")
	errNoCustom   = errors.New("no metrics returned from custom metrics API")
	errNoExternal = errors.New("no metrics returned from external metrics API")
)

// Unavailable returns the reading of an API that answered with an error. Its Err
// wraps that error.
func Unavailable(api API, err error) calculator.Reading {
	return calculator.Reading{Err: fmt.Errorf("unable to fetch metrics from %s API: %w", api, err)}
}

// Reader turns the answers to one metric of the spec into readings. A reading is
// good until the next call, which reuses its memory, so each metric needs a Reader
// of its own. Keep it for the next sync: it looks up only the names, of the pods and
// of the answer, that do not follow each other as they did before. The zero Reader is
// ready to use.
type Reader struct {
	aligner aligner
	values  []metrics.Milli
}

// Resource returns the samples of a resource: the usage of the named container of
// each pod, or if container is "" the sum over its containers. A pod has no sample
// if one of the containers lacks the resource, or if there are no containers. If a
// pod is listed twice, the last one counts. An empty list is an error. It is
// GetResourceMetric of upstream's resourceMetricsClient.
func (r *Reader) Resource(pods []podgroup.Pod, list []resourcemetrics.PodMetrics, resource corev1.ResourceName, container string) calculator.Reading {
	if len(list) == 0 {
		return calculator.Reading{Err: errNoResource}
	}
	r.aligner.start(pods)
	without := ""
	for i := range list {
		m := &list[i]
		value, ok := usage(m.Containers, resource, container)
		switch {
		case ok:
			r.aligner.add(m.Name, metrics.NewSample(value, m.Timestamp.Time, m.Window.Duration))
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

// Pods returns the samples of a custom metric. The default window is
// [metrics.DefaultWindow]. If a pod is listed twice, the last one counts. An empty
// list is an error. It is GetRawMetric of upstream's customMetricsClient.
func (r *Reader) Pods(pods []podgroup.Pod, list []custommetrics.MetricValue) calculator.Reading {
	if len(list) == 0 {
		return calculator.Reading{Err: errNoCustom}
	}
	r.aligner.start(pods)
	for i := range list {
		v := &list[i]
		r.aligner.add(v.DescribedObject.Name, metrics.NewSample(milli(&v.Value), v.Timestamp.Time, window(v.WindowSeconds)))
	}
	return r.aligned()
}

func window(seconds *int64) time.Duration {
	const most = math.MaxInt64 / int64(time.Second)
	if seconds == nil {
		return metrics.DefaultWindow
	}
	return time.Duration(min(max(*seconds, -most), most)) * time.Second
}

// Object returns the value of a metric of one object. Nil is an error. It is
// GetObjectMetric of upstream's customMetricsClient.
func (r *Reader) Object(value *custommetrics.MetricValue) calculator.Reading {
	if value == nil {
		return calculator.Reading{Err: errNoCustom}
	}
	r.values = append(r.values[:0], Milli(value.Value))
	return calculator.Reading{Values: r.values}
}

// External returns the series of an external metric. An empty list is an error. It
// is GetExternalMetric of upstream's externalMetricsClient.
func (r *Reader) External(list []externalmetrics.ExternalMetricValue) calculator.Reading {
	if len(list) == 0 {
		return calculator.Reading{Err: errNoExternal}
	}
	r.values = r.values[:0]
	for i := range list {
		r.values = append(r.values, Milli(list[i].Value))
	}
	return calculator.Reading{Values: r.values}
}

func (r *Reader) aligned() calculator.Reading {
	samples, strays := r.aligner.aligned()
	return calculator.Reading{Samples: samples, Strays: strays}
}
