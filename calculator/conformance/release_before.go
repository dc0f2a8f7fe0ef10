//go:build kubernetes136 || kubernetes135

package conformance

import (
	"slices"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/kubernetes/pkg/controller/podautoscaler"
	"k8s.io/kubernetes/pkg/controller/util/selectors"

	"github.com/purehpa/hpa/calculator"
)

// selectorStore is what the releases before 1.37 keep selectors in.
type selectorStore struct{ *selectors.BiMultimap }

func newSelectors(c *podautoscaler.HorizontalController) selectorStore {
	s := selectors.NewBiMultimap()
	set(c, "hpaSelectors", s)
	s.PutSelector(selectors.Key{Namespace: Namespace, Name: Name}, labels.Nothing())
	return selectorStore{s}
}

// rival says whether there is another autoscaler of all pods.
func (s selectorStore) rival(is bool) {
	rival := selectors.Key{Namespace: Namespace, Name: "rival"}
	if s.DeleteSelector(rival); is {
		s.PutSelector(rival, labels.Everything())
	}
}

// adapt leaves out what these releases do not have, so that what else differs
// can be seen.
func adapt(up *autoscalingv2.HorizontalPodAutoscalerStatus, lib *calculator.Status) {
	lib.ObservedGeneration = up.ObservedGeneration
	if !slices.ContainsFunc(up.Conditions, func(c autoscalingv2.HorizontalPodAutoscalerCondition) bool { return c.Type == "ScaledToZero" }) {
		lib.Conditions = slices.DeleteFunc(slices.Clone(lib.Conditions), func(c calculator.Condition) bool { return c.Type == "ScaledToZero" })
	}
}
