package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/kube"
	"github.com/purehpa/hpa/examples/controller/api/v1alpha1"
	"github.com/purehpa/hpa/examples/internal/cluster"
)

// write writes the scale at the version that was read. Where that is no more,
// it tries again if the change is of no concern, such as one of the target's
// status: the size is the same, and no later decision has removed the intent.
// The intent is read last: a decision after that changes the version.
func (r *reconciler) write(ctx context.Context, t cluster.Target, a *v1alpha1.Autoscaler) error {
	scales, scale := r.targets.Scales.Scales(t.Scale.Namespace), t.Scale.DeepCopy()
	for try := 1; ; try++ {
		scale.Spec.Replicas = a.Status.Intent.Replicas
		_, err := scales.Update(ctx, t.Resource, scale, metav1.UpdateOptions{})
		if try == tries || !apierrors.IsConflict(err) {
			return err
		}
		fresh, again := scales.Get(ctx, t.Resource, t.Scale.Name, metav1.GetOptions{})
		if again != nil || fresh.UID != t.Scale.UID || fresh.Spec.Replicas != t.Scale.Spec.Replicas || !r.intends(ctx, a) {
			return err
		}
		scale = fresh
	}
}

// intends reports whether the API server has the intent of a.
func (r *reconciler) intends(ctx context.Context, a *v1alpha1.Autoscaler) bool {
	fresh, err := r.read(ctx, client.ObjectKeyFromObject(a))
	return err == nil && fresh.UID == a.UID && fresh.Status.Intent != nil && text(&fresh.Status.Intent.State) == text(&a.Status.Intent.State)
}

// observe looks at the pods and asks for the metrics. The error is one of this
// controller's own; those of the scale and of the metrics are observations.
func (r *reconciler) observe(ctx context.Context, a *v1alpha1.Autoscaler, t cluster.Target, spec *autoscaling.HorizontalPodAutoscalerSpec, m *memory) (calculator.Observation, error) {
	var obs calculator.Observation
	selector := kube.ObserveScale(&obs, t.Scale)
	obs.Namespace = a.Namespace
	if !calculator.NeedsReadings(&r.settings, spec, &obs, &m.state) {
		return obs, nil
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
		obs.SelectorError = &calculator.SelectorError{Reason: calculator.SelectorAmbiguous, Selector: t.Scale.Status.Selector, Others: others}
		return obs, nil
	}
	obs.Readings, err = r.apis.Readings(ctx, cluster.Question{
		Namespace: a.Namespace, Selector: selector, Pods: obs.Pods, Spec: spec, Since: m.since,
	}, &m.readers)
	return obs, err
}

// share notes the selector, and returns the Autoscalers that select some of the
// pods if this is not the only one.
func (r *reconciler) share(key client.ObjectKey, selector labels.Selector, pods []*corev1.Pod) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := r.selectors[key.Namespace]
	if all == nil {
		all = cluster.Selectors{}
		r.selectors[key.Namespace] = all
	}
	all[key.Name] = selector
	return all.Sharing(key.Namespace, pods, r.settings.Release.Quirks())
}
