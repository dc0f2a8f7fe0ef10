package conformance

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	podmetrics "k8s.io/kubernetes/pkg/controller/podautoscaler/metrics"
	metricsapi "k8s.io/metrics/pkg/apis/metrics/v1beta1"
	metricsclient "k8s.io/metrics/pkg/client/clientset/versioned/typed/metrics/v1beta1"
)

// containers answers with the reading's samples through upstream's own client,
// since releases differ in what they make of a pod without the container. That
// client never returns an empty answer, which recorded vectors have.
func (r *Reading) containers(ctx context.Context, name corev1.ResourceName, ns string, pods labels.Selector, container string) (podmetrics.PodMetricsInfo, time.Time, error) {
	if r.Err != nil || len(r.Samples) == 0 {
		return r.samples()
	}
	api := &containerAPI{reading: r, resource: name, container: container}
	return podmetrics.NewRESTMetricsClient(api, nil, nil).GetResourceMetric(ctx, name, ns, pods, container)
}

// containerAPI is the resource metrics API. Each pod has one container.
type containerAPI struct {
	metricsclient.PodMetricsInterface
	reading   *Reading
	resource  corev1.ResourceName
	container string
}

func (a *containerAPI) PodMetricses(string) metricsclient.PodMetricsInterface { return a }

func (a *containerAPI) List(context.Context, metav1.ListOptions) (*metricsapi.PodMetricsList, error) {
	list := &metricsapi.PodMetricsList{Items: make([]metricsapi.PodMetrics, len(a.reading.Samples))}
	for i := range list.Items {
		s := &a.reading.Samples[i]
		c := metricsapi.ContainerMetrics{Name: a.container}
		if s.NoContainer {
			c.Name = "not-" + a.container
		}
		c.Usage = corev1.ResourceList{a.resource: *resource.NewMilliQuantity(s.Value, resource.DecimalSI)}
		list.Items[i] = metricsapi.PodMetrics{
			ObjectMeta: metav1.ObjectMeta{Name: s.Pod, Namespace: Namespace},
			Timestamp:  metav1.Time{Time: s.Time},
			Window:     metav1.Duration{Duration: s.Window},
			Containers: []metricsapi.ContainerMetrics{c},
		}
	}
	return list, nil
}
