package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	resourcemetrics "k8s.io/metrics/pkg/apis/metrics/v1beta1"
	resourceclient "k8s.io/metrics/pkg/client/clientset/versioned/typed/metrics/v1beta1"
	"k8s.io/metrics/pkg/client/custom_metrics"
	"k8s.io/metrics/pkg/client/external_metrics"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/kube"
	"github.com/purehpa/hpa/examples/controller/api/v1alpha1"
)

// target is what is scaled.
type target struct {
	resource schema.GroupResource
	scale    *autoscalingv1.Scale // as it was read
}

// read reads the scale of whatever the reference points to.
func (r *reconciler) read(ctx context.Context, a *v1alpha1.Autoscaler) (target, error) {
	var t target
	ref := &a.Spec.ScaleTargetRef
	gv, err := schema.ParseGroupVersion(ref.APIVersion)
	if err != nil {
		return t, err
	}
	mapping, err := r.mapper.RESTMapping(schema.GroupKind{Group: gv.Group, Kind: ref.Kind})
	if err != nil {
		return t, err
	}
	t.resource = mapping.Resource.GroupResource()
	t.scale, err = r.scales.Scales(a.Namespace).Get(ctx, t.resource, ref.Name, metav1.GetOptions{})
	return t, err
}

// write writes the scale at the version that was read. Where that is no more, it
// tries again if the change is of no concern, such as one of the target's status:
// the size is the same, and nobody has decided since, who would have taken the
// intent away. The intent is read last: a decision after that changes the version.
func (r *reconciler) write(ctx context.Context, t target, a *v1alpha1.Autoscaler) error {
	scales, scale := r.scales.Scales(t.scale.Namespace), t.scale.DeepCopy()
	for try := 1; ; try++ {
		scale.Spec.Replicas = a.Status.Intent.Replicas
		_, err := scales.Update(ctx, t.resource, scale, metav1.UpdateOptions{})
		if try == tries || !apierrors.IsConflict(err) {
			return err
		}
		fresh, again := scales.Get(ctx, t.resource, t.scale.Name, metav1.GetOptions{})
		if again != nil || fresh.UID != t.scale.UID || fresh.Spec.Replicas != t.scale.Spec.Replicas || !r.intends(ctx, a) {
			return err
		}
		scale = fresh
	}
}

// intends reports whether the API server has the intent of a.
func (r *reconciler) intends(ctx context.Context, a *v1alpha1.Autoscaler) bool {
	var fresh v1alpha1.Autoscaler
	err := r.live.Get(ctx, client.ObjectKeyFromObject(a), &fresh)
	i := fresh.Status.Intent
	return err == nil && fresh.UID == a.UID && i != nil && text(&i.State) == text(&a.Status.Intent.State)
}

// observe looks at the pods and asks for the metrics. The error is one of this
// controller's own; those of the scale and of the metrics are observations.
func (r *reconciler) observe(ctx context.Context, a *v1alpha1.Autoscaler, t target, spec *autoscaling.HorizontalPodAutoscalerSpec, m *memory) (calculator.Observation, error) {
	var obs calculator.Observation
	selector := kube.ObserveScale(&obs, t.scale)
	obs.Namespace = a.Namespace
	if obs.SelectorError != nil {
		return obs, nil
	}
	if obs.SpecReplicas == 0 && !scaledToZero(&m.state) {
		return obs, nil // it stays there, whatever the metrics say
	}
	var list corev1.PodList
	err := r.client.List(ctx, &list, client.InNamespace(a.Namespace), client.MatchingLabelsSelector{Selector: selector}, client.UnsafeDisableDeepCopy)
	if err != nil {
		return obs, err
	}
	pods := make([]*corev1.Pod, len(list.Items))
	for i := range list.Items {
		pods[i] = &list.Items[i]
	}
	if obs.Pods, err = m.pods.Convert(pods); err != nil {
		return obs, err
	}
	obs.Group = m.pods.Group()
	if others := r.share(client.ObjectKeyFromObject(a), selector, pods); others != "" {
		obs.SelectorError = &calculator.SelectorError{Reason: calculator.SelectorAmbiguous, Selector: t.scale.Status.Selector, Others: others}
		return obs, nil
	}
	// The spec with its defaults, which may have a metric that a.Spec lacks.
	asked, err := kube.APISpec(spec)
	if err != nil {
		return obs, err
	}
	for len(m.readers) < len(asked.Metrics) {
		m.readers = append(m.readers, kube.Reader{})
	}
	q := question{ctx: ctx, apis: &r.apis, namespace: a.Namespace, selector: selector, obs: &obs}
	for i := range asked.Metrics {
		obs.Readings = append(obs.Readings, q.ask(&asked.Metrics[i], &m.readers[i]))
	}
	return obs, nil
}

func scaledToZero(st *calculator.State) bool {
	c := st.Condition(autoscaling.ScaledToZero)
	return c != nil && c.Status == autoscaling.ConditionTrue
}

// selectors are those of all Autoscalers, to find pods that have two.
type selectors map[client.ObjectKey]labels.Selector

// share notes the selector, and returns the Autoscalers that select some of the
// pods if this is not the only one.
func (r *reconciler) share(key client.ObjectKey, selector labels.Selector, pods []*corev1.Pod) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.selectors[key] = selector
	var found []string
	for k, s := range r.selectors {
		if k.Namespace == key.Namespace && slices.ContainsFunc(pods, func(p *corev1.Pod) bool { return s.Matches(labels.Set(p.Labels)) }) {
			found = append(found, fmt.Sprintf("{%s %s}", k.Name, k.Namespace))
		}
	}
	if len(found) < 2 {
		return ""
	}
	slices.Sort(found)
	return "[" + strings.Join(found, " ") + "]"
}

// metricsAPIs are the clients of the metrics APIs.
type metricsAPIs struct {
	resource resourceclient.PodMetricsesGetter
	custom   custom_metrics.CustomMetricsClient
	external external_metrics.ExternalMetricsClient
}

// question is what one sync asks the metrics APIs about.
type question struct {
	ctx       context.Context
	apis      *metricsAPIs
	namespace string
	selector  labels.Selector
	obs       *calculator.Observation
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
		selector, err := metav1.LabelSelectorAsSelector(m.Pods.Metric.Selector)
		if err != nil {
			return calculator.Reading{Err: err}
		}
		list, err := q.apis.custom.NamespacedMetrics(q.namespace).GetForObjects(schema.GroupKind{Kind: "Pod"}, q.selector, m.Pods.Metric.Name, selector)
		if err != nil {
			return kube.Unavailable(kube.CustomMetrics, err)
		}
		return r.Pods(q.obs.Pods, list.Items)
	case autoscalingv2.ObjectMetricSourceType:
		selector, err := metav1.LabelSelectorAsSelector(m.Object.Metric.Selector)
		if err != nil {
			return calculator.Reading{Err: err}
		}
		ref := &m.Object.DescribedObject
		gk := schema.FromAPIVersionAndKind(ref.APIVersion, ref.Kind).GroupKind()
		from, name := custom_metrics.MetricsInterface(q.apis.custom.NamespacedMetrics(q.namespace)), ref.Name
		if gk == (schema.GroupKind{Kind: "Namespace"}) {
			// Its own, whatever name the spec says.
			from, name = q.apis.custom.RootScopedMetrics(), q.namespace
		}
		value, err := from.GetForObject(gk, name, m.Object.Metric.Name, selector)
		if err != nil {
			return kube.Unavailable(kube.CustomMetrics, err)
		}
		return r.Object(value)
	case autoscalingv2.ExternalMetricSourceType:
		selector, err := metav1.LabelSelectorAsSelector(m.External.Metric.Selector)
		if err != nil {
			return calculator.Reading{Err: err}
		}
		list, err := q.apis.external.NamespacedMetrics(q.namespace).List(m.External.Metric.Name, selector)
		if err != nil {
			return kube.Unavailable(kube.ExternalMetrics, err)
		}
		return r.External(list.Items)
	}
	return calculator.Reading{Err: fmt.Errorf("unknown metric source type %q", m.Type)}
}

func (q *question) resource(r *kube.Reader, name corev1.ResourceName, container string) calculator.Reading {
	if q.list == nil && q.err == nil {
		q.list, q.err = q.apis.resource.PodMetricses(q.namespace).List(q.ctx, metav1.ListOptions{LabelSelector: q.selector.String()})
	}
	if q.err != nil {
		return kube.Unavailable(kube.ResourceMetrics, q.err)
	}
	return r.Resource(q.obs.Pods, q.list.Items, name, container)
}
