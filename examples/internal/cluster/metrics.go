package cluster

import (
	"context"
	"mime"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	custommetrics "k8s.io/metrics/pkg/apis/custom_metrics/v1beta2"
	externalmetrics "k8s.io/metrics/pkg/apis/external_metrics/v1beta1"
	resourcemetrics "k8s.io/metrics/pkg/apis/metrics/v1beta1"
	"k8s.io/metrics/pkg/client/clientset/versioned/scheme"
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
	Resource rest.Interface
	Custom   custom_metrics.CustomMetricsClient
	External external_metrics.ExternalMetricsClient

	shared *shared
}

// NewMetricsAPIs returns the clients of a cluster. Two of them take no context,
// so a deadline has to be that of the config.
func NewMetricsAPIs(config *rest.Config, mapper meta.RESTMapper, versions custom_metrics.AvailableAPIsGetter) (apis MetricsAPIs, err error) {
	config = limit(config, mostBytes)
	inProtobuf := rest.CopyConfig(config)
	inProtobuf.AcceptContentTypes = runtime.ContentTypeProtobuf + "," + runtime.ContentTypeJSON
	resources, err := resourceclient.NewForConfig(inProtobuf)
	if err != nil {
		return apis, err
	}
	apis.Resource, apis.shared = resources.RESTClient(), new(shared)
	if apis.External, err = external_metrics.NewForConfig(config); err != nil {
		return apis, err
	}
	apis.Custom = custom_metrics.NewForConfig(config, mapper, versions)
	return apis, nil
}

// Question is what one sync asks the metrics APIs.
type Question struct {
	Namespace string
	// Selector selects Pods, which the answers are aligned with.
	Selector labels.Selector
	Pods     []podgroup.Pod
	// Spec has its defaults.
	Spec *autoscaling.HorizontalPodAutoscalerSpec
	// Since is for autoscalers whose namespace has others that ask at the same
	// time: they share an answer about the resource metrics of all pods of the
	// namespace that was asked for since then, where the API says what labels the
	// pods have. Zero is to ask about the selected pods alone.
	Since time.Time
}

// Readings asks for all metrics of the spec. The readings are good until the next
// call with the same readers. An API that has no answer is a reading with an error;
// the error is that of a spec that Kubernetes' types cannot hold.
func (a *MetricsAPIs) Readings(ctx context.Context, asked Question, readers *kube.Readers) ([]calculator.Reading, error) {
	spec, err := kube.APISpec(asked.Spec)
	if err != nil {
		return nil, err
	}
	answers := make([]kube.Answer, len(spec.Metrics))
	q := question{ctx: ctx, apis: a, Question: asked}
	for i := range spec.Metrics {
		answers[i] = q.ask(&spec.Metrics[i])
	}
	return readers.Read(asked.Spec, asked.Pods, answers)
}

// question is a Question that is being asked.
type question struct {
	Question
	ctx  context.Context
	apis *MetricsAPIs
	// resources is the answer about all resources of the pods, asked for once.
	resources *kube.Answer
}

// ask asks for one metric. The selector of a metric that has none selects
// nothing, but is asked for as the empty one, which selects all.
func (q *question) ask(m *autoscalingv2.MetricSpec) (a kube.Answer) {
	if a.Err = q.ctx.Err(); a.Err != nil {
		return a // two of the clients take no context
	}
	switch m.Type {
	case autoscalingv2.ResourceMetricSourceType, autoscalingv2.ContainerResourceMetricSourceType:
		if q.resources == nil {
			answer := q.ofResources()
			q.resources = &answer
		}
		return *q.resources
	case autoscalingv2.PodsMetricSourceType:
		a.Pods, a.Err = q.ofPods(&m.Pods.Metric)
	case autoscalingv2.ObjectMetricSourceType:
		a.Object, a.Err = q.object(&m.Object.DescribedObject, &m.Object.Metric)
	case autoscalingv2.ExternalMetricSourceType:
		a.External, a.Err = q.external(&m.External.Metric)
	}
	return a
}

// ofResources asks about all resources of the pods.
func (q *question) ofResources() kube.Answer {
	if !q.Since.IsZero() {
		a, ok := q.apis.shared.ask(q.ctx, q.Namespace, q.Selector, q.Since, func(ctx context.Context) kube.Answer {
			return q.apis.ofResources(ctx, q.Namespace, labels.Everything())
		})
		if ok {
			return a
		}
	}
	return q.apis.ofResources(q.ctx, q.Namespace, q.Selector)
}

// ofResources asks about all resources of pods. An error, or an answer that is
// neither JSON nor protobuf, is left to the typed client.
func (a *MetricsAPIs) ofResources(ctx context.Context, namespace string, selector labels.Selector) (answer kube.Answer) {
	var contentType string
	options := metav1.ListOptions{LabelSelector: selector.String()}
	result := a.Resource.Get().Namespace(namespace).Resource("pods").VersionedParams(&options, scheme.ParameterCodec).Do(ctx).ContentType(&contentType)
	switch media, _, _ := mime.ParseMediaType(contentType); media {
	case runtime.ContentTypeProtobuf, runtime.ContentTypeJSON:
		if body, err := result.Raw(); err == nil && len(body) > 0 {
			return kube.Answer{Body: body}
		}
	}
	answer.Resource = &resourcemetrics.PodMetricsList{}
	answer.Err = result.Into(answer.Resource)
	return answer
}

func (q *question) ofPods(m *autoscalingv2.MetricIdentifier) (*custommetrics.MetricValueList, error) {
	selector, err := metav1.LabelSelectorAsSelector(m.Selector)
	if err != nil {
		return nil, err
	}
	return q.apis.Custom.NamespacedMetrics(q.Namespace).GetForObjects(schema.GroupKind{Kind: "Pod"}, q.Selector, m.Name, selector)
}

func (q *question) object(ref *autoscalingv2.CrossVersionObjectReference, m *autoscalingv2.MetricIdentifier) (*custommetrics.MetricValue, error) {
	selector, err := metav1.LabelSelectorAsSelector(m.Selector)
	if err != nil {
		return nil, err
	}
	gk := schema.FromAPIVersionAndKind(ref.APIVersion, ref.Kind).GroupKind()
	if gk == (schema.GroupKind{Kind: "Namespace"}) {
		// Its own, whatever name the spec says.
		return q.apis.Custom.RootScopedMetrics().GetForObject(gk, q.Namespace, m.Name, selector)
	}
	return q.apis.Custom.NamespacedMetrics(q.Namespace).GetForObject(gk, ref.Name, m.Name, selector)
}

func (q *question) external(m *autoscalingv2.MetricIdentifier) (*externalmetrics.ExternalMetricValueList, error) {
	selector, err := metav1.LabelSelectorAsSelector(m.Selector)
	if err != nil {
		return nil, err
	}
	return q.apis.External.NamespacedMetrics(q.Namespace).List(m.Name, selector)
}
