//go:build kubernetes136 || kubernetes135

package conformance

import (
	"slices"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/labels"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/kubernetes/pkg/controller/podautoscaler"
	"k8s.io/kubernetes/pkg/controller/util/selectors"

	"github.com/purehpa/hpa/calculator/autoscaling"
)

// Scaling to zero is off in these releases by default.
var _ = func() bool {
	if err := utilfeature.DefaultMutableFeatureGate.Set("HPAScaleToZero=true"); err != nil {
		panic(err)
	}
	return true
}()

// selectorStore holds the selectors in the releases before 1.37.
type selectorStore struct{ *selectors.BiMultimap }

func newSelectors(c *podautoscaler.HorizontalController) selectorStore {
	s := selectors.NewBiMultimap()
	set(c, "hpaSelectors", s)
	s.PutSelector(selectors.Key{Namespace: Namespace, Name: Name}, labels.Nothing())
	return selectorStore{s}
}

// rival adds or removes another autoscaler of all pods.
func (s selectorStore) rival(is bool) {
	rival := selectors.Key{Namespace: Namespace, Name: "rival"}
	if s.DeleteSelector(rival); is {
		s.PutSelector(rival, labels.Everything())
	}
}

// adapt makes the library's status lack what these releases lack, so that other
// differences show.
func adapt(up *autoscalingv2.HorizontalPodAutoscalerStatus, lib *autoscaling.HorizontalPodAutoscalerStatus) {
	lib.ObservedGeneration = up.ObservedGeneration
	if !slices.ContainsFunc(up.Conditions, func(c autoscalingv2.HorizontalPodAutoscalerCondition) bool { return c.Type == "ScaledToZero" }) {
		lib.Conditions = slices.DeleteFunc(slices.Clone(lib.Conditions), func(c autoscaling.HorizontalPodAutoscalerCondition) bool { return c.Type == "ScaledToZero" })
	}
}
