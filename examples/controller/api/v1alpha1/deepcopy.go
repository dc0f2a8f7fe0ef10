package v1alpha1

import "k8s.io/apimachinery/pkg/runtime"

// DeepCopyInto copies a into out.
func (a *Autoscaler) DeepCopyInto(out *Autoscaler) {
	*out = *a
	a.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	a.Spec.HorizontalPodAutoscalerSpec.DeepCopyInto(&out.Spec.HorizontalPodAutoscalerSpec)
	a.Status.DeepCopyInto(&out.Status)
}

// DeepCopyInto copies s into out.
func (s *AutoscalerStatus) DeepCopyInto(out *AutoscalerStatus) {
	*out = *s
	s.HorizontalPodAutoscalerStatus.DeepCopyInto(&out.HorizontalPodAutoscalerStatus)
	out.State = s.State.DeepCopy()
	if s.Intent != nil {
		out.Intent = &Intent{Replicas: s.Intent.Replicas, State: *s.Intent.State.DeepCopy()}
	}
}

// DeepCopyObject returns a copy.
func (a *Autoscaler) DeepCopyObject() runtime.Object {
	out := new(Autoscaler)
	a.DeepCopyInto(out)
	return out
}

// DeepCopyObject returns a copy.
func (l *AutoscalerList) DeepCopyObject() runtime.Object {
	out := &AutoscalerList{TypeMeta: l.TypeMeta, Items: make([]Autoscaler, len(l.Items))}
	l.ListMeta.DeepCopyInto(&out.ListMeta)
	for i := range l.Items {
		l.Items[i].DeepCopyInto(&out.Items[i])
	}
	return out
}
