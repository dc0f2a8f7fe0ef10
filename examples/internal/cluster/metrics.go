package cluster

import (
	"context"
	"fmt"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	resourcemetrics "k8s.io/metrics/pkg/apis/metrics/v1beta1"
	resourceclient "k8s.io/metrics/pkg/client/clientset/versioned/typed/metrics/v1beta1"
	"k8s.io/metrics/pkg/client/custom_metrics"
	"k8s.io/metrics/pkg/client/external_metrics"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/kube"
	"github.com/purehpa/hpa/podgroup"
)

// MetricsAPIs are the clients of the metrics APIs.
type MetricsAPIs struct {
	Resource resourceclient.PodMetricsesGetter
	Custom   custom_metrics.CustomMetricsClient
	External external_metrics.ExternalMetricsClient
}

// NewMetricsAPIs returns the clients of a cluster. Two of them take no context, so a
// deadline has to be that of the config.
func NewMetricsAPIs(config *rest.Config, mapper meta.RESTMapper, versions custom_metrics.AvailableAPIsGetter) (apis MetricsAPIs, err error) {
	if apis.Resource, err = resourceclient.NewForConfig(config); err != nil {
		return apis, err
	}
	if apis.External, err = external_metrics.NewForConfig(config); err != nil {
		return apis, err
	}
	apis.Custom = custom_metrics.NewForConfig(config, mapper, versions)
	return apis, nil
}

// Readings asks for all metrics of a spec that has its defaults. Answers about pods
// are aligned with pods, which the selector selects. There is a reader for each metric
// after the call; who asks again passes them again. An API that has no answer is a
// reading with an error; the error is that of a spec that Kubernetes' types cannot
// hold.
func (a *MetricsAPIs) Readings(ctx context.Context, namespace string, selector labels.Selector, pods []podgroup.Pod, spec *autoscaling.HorizontalPodAutoscalerSpec, readers *[]kube.Reader) ([]calculator.Reading, error) {
	asked, err := kube.APISpec(spec)
	if err != nil {
		return nil, err
	}
	for len(*readers) < len(asked.Metrics) {
		*readers = append(*readers, kube.Reader{})
	}
	var readings []calculator.Reading
	q := question{ctx: ctx, apis: a, namespace: namespace, selector: selector, pods: pods}
	for i := range asked.Metrics {
		readings = append(readings, q.ask(&asked.Metrics[i], &(*readers)[i]))
	}
	return readings, nil
}

// question is what one sync asks the metrics APIs about.
type question struct {
	ctx       context.Context
	apis      *MetricsAPIs
	namespace string
	selector  labels.Selector
	pods      []podgroup.Pod
	// list is the answer about all resources of the pods, asked for once.
	list *resourcemetrics.PodMetricsList
	err  error
}

// ask asks for one metric. The selector of a metric that has none selects nothing,
// but is asked for as the empty one, which selects all.
func (q *question) ask(m *autoscalingv2.MetricSpec, r *kube.Reader) calculator.Reading {
	switch m.Type {
	case autoscalingv2.ResourceMetricSourceType:
		return q.resource(r, m.Resource.Name, "")
	case autoscalingv2.ContainerResourceMetricSourceType:
		return q.resource(r, m.ContainerResource.Name, m.ContainerResource.Container)
	case autoscalingv2.PodsMetricSourceType:
		return q.ofPods(r, &m.Pods.Metric)
	case autoscalingv2.ObjectMetricSourceType:
		return q.object(r, &m.Object.DescribedObject, &m.Object.Metric)
	case autoscalingv2.ExternalMetricSourceType:
		return q.external(r, &m.External.Metric)
	}
	return calculator.Reading{Err: fmt.Errorf("unknown metric source type %q", m.Type)}
}

func (q *question) resource(r *kube.Reader, name corev1.ResourceName, container string) calculator.Reading {
	if q.list == nil && q.err == nil {
		q.list, q.err = q.apis.Resource.PodMetricses(q.namespace).List(q.ctx, metav1.ListOptions{LabelSelector: q.selector.String()})
	}
	if q.err != nil {
		return kube.Unavailable(kube.ResourceMetrics, q.err)
	}
	return r.Resource(q.pods, q.list.Items, name, container)
}

func (q *question) ofPods(r *kube.Reader, m *autoscalingv2.MetricIdentifier) calculator.Reading {
	selector, err := metav1.LabelSelectorAsSelector(m.Selector)
	if err != nil {
		return calculator.Reading{Err: err}
	}
	list, err := q.apis.Custom.NamespacedMetrics(q.namespace).GetForObjects(schema.GroupKind{Kind: "Pod"}, q.selector, m.Name, selector)
	if err != nil {
		return kube.Unavailable(kube.CustomMetrics, err)
	}
	return r.Pods(q.pods, list.Items)
}

func (q *question) object(r *kube.Reader, ref *autoscalingv2.CrossVersionObjectReference, m *autoscalingv2.MetricIdentifier) calculator.Reading {
	selector, err := metav1.LabelSelectorAsSelector(m.Selector)
	if err != nil {
		return calculator.Reading{Err: err}
	}
	gk := schema.FromAPIVersionAndKind(ref.APIVersion, ref.Kind).GroupKind()
	from, name := custom_metrics.MetricsInterface(q.apis.Custom.NamespacedMetrics(q.namespace)), ref.Name
	if gk == (schema.GroupKind{Kind: "Namespace"}) {
		// Its own, whatever name the spec says.
		from, name = q.apis.Custom.RootScopedMetrics(), q.namespace
	}
	value, err := from.GetForObject(gk, name, m.Name, selector)
	if err != nil {
		return kube.Unavailable(kube.CustomMetrics, err)
	}
	return r.Object(value)
}

func (q *question) external(r *kube.Reader, m *autoscalingv2.MetricIdentifier) calculator.Reading {
	selector, err := metav1.LabelSelectorAsSelector(m.Selector)
	if err != nil {
		return calculator.Reading{Err: err}
	}
	list, err := q.apis.External.NamespacedMetrics(q.namespace).List(m.Name, selector)
	if err != nil {
		return kube.Unavailable(kube.ExternalMetrics, err)
	}
	return r.External(list.Items)
}
