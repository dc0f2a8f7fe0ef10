package kubejson

import (
	"slices"
	"strings"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/internal/wire"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// PodMetrics is an answer of the resource metrics API. The zero PodMetrics is
// an empty answer.
type PodMetrics struct {
	pods []podMetrics
}

type podMetrics struct {
	object
	Timestamp time.Time `json:"timestamp"`
	Window    duration  `json:"window"`
	// Containers are sorted by name.
	Containers counted[containerMetrics] `json:"containers"`
}

type containerMetrics struct {
	Name  string                      `json:"name"`
	Usage map[string]metrics.Quantity `json:"usage"`
}

// DecodePodMetrics reads a PodMetricsList of metrics.k8s.io/v1beta1, as
// `kubectl get --raw /apis/metrics.k8s.io/v1beta1/namespaces/NS/pods` prints
// it, and the List or PodMetrics that `kubectl get podmetrics -o json` prints.
// The error is an *Error.
func DecodePodMetrics(data []byte) (PodMetrics, error) {
	return decode(podMetricsDocument, data, PodMetrics{}, new(podMetrics), (*PodMetrics).add)
}

func (m *PodMetrics) add(p *podMetrics) *Error {
	slices.SortStableFunc(p.Containers, func(a, b containerMetrics) int { return strings.Compare(a.Name, b.Name) })
	m.pods = append(m.pods, *p)
	return errorIf(p.Metadata.Name == "", ".metadata.name", "missing")
}

// Reading returns the samples of a resource: the usage of one container or, if
// container is "", the sum over the pod's containers. A pod without containers
// has no sample, nor has one with a container that does not report the
// resource. If a pod is reported several times, the last one counts. The error
// is that of an empty answer. It is GetResourceMetric of upstream's
// resourceMetricsClient.
func (m *PodMetrics) Reading(pods []podgroup.Pod, resource, container string) calculator.Reading {
	if len(m.pods) == 0 {
		return calculator.Reading{Err: wire.ErrNoResource}
	}
	byName := make(map[string]metrics.Sample, len(m.pods))
	without := ""
	for i := range m.pods {
		p := &m.pods[i]
		if usage, ok := p.usage(resource, container); ok {
			byName[p.Metadata.Name] = metrics.NewSample(usage, p.Timestamp, time.Duration(p.Window))
		} else if _, found := p.container(container); container != "" && !found && without == "" {
			without = p.Metadata.Name
		}
	}
	reading := aligned(pods, byName)
	reading.WithoutContainer = without
	return reading
}

// container returns the index of the container, or where it would be.
func (p *podMetrics) container(name string) (i int, found bool) {
	return slices.BinarySearchFunc(p.Containers, name, func(c containerMetrics, name string) int { return strings.Compare(c.Name, name) })
}

func (p *podMetrics) usage(resource, container string) (metrics.Milli, bool) {
	containers := p.Containers
	if container != "" {
		i, found := p.container(container)
		if containers = containers[i:]; found {
			containers = containers[:1]
		} else {
			containers = nil
		}
	}
	var sum metrics.Sum
	for i := range containers {
		q, ok := containers[i].Usage[resource]
		if !ok {
			return 0, false
		}
		sum.Add(q.Milli())
	}
	return sum.Milli(), len(containers) > 0
}
