//go:build !kubernetes132

package conformance

import (
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/kube"
	"github.com/purehpa/hpa/podgroup"
)

// podConverter converts pods through package kube.
type podConverter struct{}

func (podConverter) appendTo(dst []podgroup.Pod, pods []*corev1.Pod) ([]podgroup.Pod, error) {
	return kube.AppendPods(dst, pods)
}

func observeScale(o *calculator.Observation, scale *autoscalingv1.Scale) {
	kube.ObserveScale(o, scale)
}

// requestAsWhole sets the pod-level requests.
func requestAsWhole(p *corev1.Pod, list corev1.ResourceList) {
	p.Spec.Resources = &corev1.ResourceRequirements{Requests: list}
}

// attach sets the tolerances of a user's rules.
func (t tolerances) attach(b *autoscalingv2.HorizontalPodAutoscalerBehavior) {
	if b == nil {
		return
	}
	if b.ScaleUp != nil {
		b.ScaleUp.Tolerance = t.up
	}
	if b.ScaleDown != nil {
		b.ScaleDown.Tolerance = t.down
	}
}

// complete does nothing: the rules have their tolerances.
func (tolerances) complete(*behavior.Behavior) error { return nil }
