package kube

import (
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/purehpa/hpa/calculator"
)

// ObserveScale sets the namespace, the sizes and the SelectorError of the
// observation, and returns the scale's selector. A selector that is missing or
// cannot be parsed selects nothing. A nil scale is an empty one. For a scale
// that could not be read, set obs.ScaleError instead.
func ObserveScale(obs *calculator.Observation, scale *autoscalingv1.Scale) labels.Selector {
	if scale == nil {
		scale = new(autoscalingv1.Scale)
	}
	obs.Namespace = scale.Namespace
	obs.SpecReplicas, obs.StatusReplicas = scale.Spec.Replicas, scale.Status.Replicas
	obs.SelectorError = nil
	text := scale.Status.Selector
	if text == "" {
		obs.SelectorError = &calculator.SelectorError{Reason: calculator.SelectorRequired}
		return labels.Nothing()
	}
	selector, err := labels.Parse(text)
	if err != nil {
		obs.SelectorError = &calculator.SelectorError{Reason: calculator.SelectorInvalid, Selector: text, Problem: err.Error()}
		return labels.Nothing()
	}
	return selector
}
