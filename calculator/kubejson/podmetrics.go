package kubejson

import (
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// PodMetrics is an answer of the resource metrics API. The zero PodMetrics is
// an empty one.
type PodMetrics struct {
	pods []podMetrics
}

type podMetrics struct {
	Metadata   objectMeta         `json:"metadata"`
	Timestamp  time.Time          `json:"timestamp"`
	Window     duration           `json:"window"`
	Containers []containerMetrics `json:"containers"`
}

type containerMetrics struct {
	Name  string       `json:"name"`
	Usage resourceList `json:"usage"`
}

func podMetricsDocument() *document {
	return &document{name: "pod metrics", kind: "PodMetrics", versions: []string{"metrics.k8s.io/v1beta1"}}
}

// DecodePodMetrics reads a PodMetricsList of metrics.k8s.io/v1beta1, as
// `kubectl get --raw /apis/metrics.k8s.io/v1beta1/namespaces/NS/pods` prints
// it, and the List or PodMetrics that `kubectl get podmetrics -o json` prints.
// The error is an *Error.
func DecodePodMetrics(data []byte) (PodMetrics, error) {
	d := podMetricsDocument()
	items, list, err := decode[podMetrics](d, data)
	if err != nil {
		return PodMetrics{}, err
	}
	for i := range items {
		if items[i].Metadata.Name == "" {
			return PodMetrics{}, d.errorf(join(itemPath(list, i), "metadata.name"), "missing")
		}
	}
	return PodMetrics{pods: items}, nil
}

// Reading returns what the answer says of a resource of the pods: the sum over
// each pod's containers, or, with a container named, what that one uses. A pod
// with a container that tells nothing of the resource has no sample, nor does a
// pod without containers. Of two answers on one pod the later holds. An answer
// about no pod at all is an error. It is GetResourceMetric of upstream's
// resourceMetricsClient.
func (m *PodMetrics) Reading(pods []podgroup.Pod, resource, container string) calculator.Reading {
	if len(m.pods) == 0 {
		return calculator.Reading{Err: apiError("no metrics returned from resource metrics API")}
	}
	byName := make(map[string]metrics.Sample, len(m.pods))
	for i := range m.pods {
		p := &m.pods[i]
		usage, ok := p.usage(resource, container)
		if !ok {
			continue
		}
		byName[p.Metadata.Name] = metrics.Sample{
			Value:   usage,
			Time:    metrics.At(p.Timestamp),
			Window:  time.Duration(p.Window),
			Present: true,
		}
	}
	return aligned(pods, byName)
}

func (p *podMetrics) usage(resource, container string) (metrics.Milli, bool) {
	var sum metrics.Sum
	found := false
	for i := range p.Containers {
		c := &p.Containers[i]
		if container != "" && c.Name != container {
			continue
		}
		q, ok := c.Usage[resource]
		if !ok {
			return 0, false
		}
		if container != "" {
			return q.Milli(), true
		}
		sum.Add(q.Milli())
		found = true
	}
	return sum.Milli(), found
}

// aligned returns the samples in the order of the pods.
func aligned(pods []podgroup.Pod, byName map[string]metrics.Sample) calculator.Reading {
	var a podgroup.Aligner
	samples, strays := a.Align(pods, byName)
	return calculator.Reading{Samples: samples, Strays: strays}
}

// apiError is what upstream's metrics clients say of an answer.
type apiError string

func (e apiError) Error() string { return string(e) }
