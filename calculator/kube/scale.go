package kube

import (
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/purehpa/hpa/calculator"
)

// ObserveScale notes the scale's namespace and sizes in the observation, and
// returns its selector. Where it has none, or one that cannot be parsed, the
// observation says so, and the selector selects nothing. A nil scale is one of
// size zero without a selector; one that could not be read is
// Observation.ScaleError.
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
		obs.SelectorError = &calculator.SelectorError{Reason: calculator.SelectorInvalid, Selector: text, Err: err}
		return labels.Nothing()
	}
	return selector
}
