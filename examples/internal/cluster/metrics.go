package cluster

import (
	"context"
	"errors"
	"fmt"
	"mime"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/rest"
	externalmetrics "k8s.io/metrics/pkg/apis/external_metrics/v1beta1"
	resourcemetrics "k8s.io/metrics/pkg/apis/metrics/v1beta1"
	"k8s.io/metrics/pkg/client/clientset/versioned/scheme"
	"k8s.io/metrics/pkg/client/custom_metrics"
	customscheme "k8s.io/metrics/pkg/client/custom_metrics/scheme"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/kube"
	"github.com/purehpa/hpa/podgroup"
)

// MetricsAPIs asks the metrics APIs of a cluster.
type MetricsAPIs struct {
	resource, external rest.Interface
	custom             map[schema.GroupVersion]rest.Interface
	// versions says which of the custom ones to ask, and mapper what they call objects.
	versions custom_metrics.AvailableAPIsGetter
	mapper   meta.RESTMapper
	shared   *shared
}

// NewMetricsAPIs returns the APIs of a cluster.
func NewMetricsAPIs(config *rest.Config, mapper meta.RESTMapper, versions custom_metrics.AvailableAPIsGetter) (apis MetricsAPIs, err error) {
	config = limit(config, mostBytes)
	config.APIPath = "/apis"
	if config.UserAgent == "" {
		config.UserAgent = rest.DefaultKubernetesUserAgent()
	}
	config.AcceptContentTypes = runtime.ContentTypeProtobuf + "," + runtime.ContentTypeJSON
	client := func(version schema.GroupVersion, codecs serializer.CodecFactory) rest.Interface {
		of := rest.CopyConfig(config)
		of.GroupVersion, of.NegotiatedSerializer = &version, codecs.WithoutConversion()
		c, failed := rest.RESTClientFor(of)
		err = errors.Join(err, failed)
		return c
	}
	apis = MetricsAPIs{
		resource: client(resourcemetrics.SchemeGroupVersion, scheme.Codecs),
		external: client(externalmetrics.SchemeGroupVersion, scheme.Codecs),
		custom:   map[schema.GroupVersion]rest.Interface{},
		versions: versions, mapper: mapper, shared: new(shared),
	}
	for _, v := range custom_metrics.MetricVersions {
		apis.custom[v] = client(v, customscheme.Codecs)
	}
	return apis, err
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
func (q *question) ask(m *autoscalingv2.MetricSpec) kube.Answer {
	switch m.Type {
	case autoscalingv2.ResourceMetricSourceType, autoscalingv2.ContainerResourceMetricSourceType:
		if q.resources == nil {
			answer := q.ofResources()
			q.resources = &answer
		}
		return *q.resources
	case autoscalingv2.PodsMetricSourceType:
		return q.custom(schema.GroupKind{Kind: "Pod"}, allObjects, q.Selector, &m.Pods.Metric)
	case autoscalingv2.ObjectMetricSourceType:
		of := &m.Object.DescribedObject
		return q.custom(schema.FromAPIVersionAndKind(of.APIVersion, of.Kind).GroupKind(), of.Name, labels.Everything(), &m.Object.Metric)
	case autoscalingv2.ExternalMetricSourceType:
		return q.external(&m.External.Metric)
	}
	return kube.Answer{}
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

func (a *MetricsAPIs) ofResources(ctx context.Context, namespace string, selector labels.Selector) (answer kube.Answer) {
	result := selecting(a.resource.Get().Namespace(namespace).Resource("pods"), "labelSelector", selector).Do(ctx)
	if answer.Body = body(result); answer.Body == nil {
		answer.Resource = &resourcemetrics.PodMetricsList{}
		answer.Err = result.Into(answer.Resource)
	}
	return answer
}

func (q *question) external(m *autoscalingv2.MetricIdentifier) (answer kube.Answer) {
	selector, err := metav1.LabelSelectorAsSelector(m.Selector)
	if err != nil {
		return kube.Answer{Err: err}
	}
	result := selecting(q.apis.external.Get().Namespace(q.Namespace).Resource(m.Name), "labelSelector", selector).Do(q.ctx)
	if answer.Body = body(result); answer.Body == nil {
		answer.External = &externalmetrics.ExternalMetricValueList{}
		answer.Err = result.Into(answer.External)
	}
	return answer
}

// selecting adds a selector to a request, unless it reads as none.
func selecting(r *rest.Request, parameter string, selector labels.Selector) *rest.Request {
	if text := selector.String(); text != "" {
		return r.Param(parameter, text)
	}
	return r
}

// body returns the body of an answer in JSON or protobuf. Others, and errors, are for
// the result to decode.
func body(result rest.Result) []byte {
	var contentType string
	result.ContentType(&contentType)
	switch media, _, _ := mime.ParseMediaType(contentType); media {
	case runtime.ContentTypeProtobuf, runtime.ContentTypeJSON:
		if b, err := result.Raw(); err == nil && len(b) > 0 {
			return b
		}
	}
	return nil
}

// allObjects is the name of all objects that a selector selects.
const allObjects = "*"

// custom asks for a metric of objects.
func (q *question) custom(kind schema.GroupKind, name string, selector labels.Selector, m *autoscalingv2.MetricIdentifier) kube.Answer {
	metricSelector, err := metav1.LabelSelectorAsSelector(m.Selector)
	if err != nil {
		return kube.Answer{Err: err}
	}
	version, err := q.apis.versions.PreferredVersion()
	if err != nil {
		return kube.Answer{Err: err}
	}
	r := q.apis.custom[version].Get()
	if kind == (schema.GroupKind{Kind: "Namespace"}) {
		// Its own, whatever name the spec says.
		r = r.Resource("metrics").Namespace(q.Namespace).Name(m.Name)
	} else {
		mapping, err := q.apis.mapper.RESTMapping(kind)
		if err != nil {
			return kube.Answer{Err: fmt.Errorf("unable to map kind %s to resource: %v", kind, err)}
		}
		resource := mapping.Resource.GroupResource()
		r = r.Resource(resource.String()).Namespace(q.Namespace).Name(name).SubResource(m.Name)
	}
	result := selecting(selecting(r, "labelSelector", selector), "metricLabelSelector", metricSelector).Do(q.ctx)
	if err := result.Error(); err != nil {
		return kube.Answer{Err: err}
	}
	b, err := result.Raw()
	return kube.Answer{Body: b, Err: err}
}
