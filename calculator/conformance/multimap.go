//go:build kubernetes136

package conformance

import (
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/kubernetes/pkg/controller/podautoscaler"
	"k8s.io/kubernetes/pkg/controller/util/selectors"
)

// selectorStore holds the selectors in the releases before 1.37.
type selectorStore struct{ *selectors.BiMultimap }

// newSelectors sets these releases' field of the controller, and registers the
// autoscaler.
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
