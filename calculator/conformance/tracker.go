//go:build !kubernetes136

package conformance

import (
	_ "unsafe" // for go:linkname

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/kubernetes/pkg/controller/podautoscaler"
	"k8s.io/kubernetes/pkg/controller/util/consistency"
	"k8s.io/kubernetes/pkg/controller/util/selectors"
)

// opaqueStore is upstream's tracker of selectors. Its methods are linked by
// name.
type opaqueStore struct{ _ [64]byte }

//go:linkname newStore k8s.io/kubernetes/pkg/controller/podautoscaler.newHPASelectorStore
func newStore() *opaqueStore

//go:linkname putIfAbsent k8s.io/kubernetes/pkg/controller/podautoscaler.(*hpaSelectorStore).PutIfAbsent
func putIfAbsent(*opaqueStore, string, selectors.Key, labels.Selector) bool

//go:linkname putIfPresent k8s.io/kubernetes/pkg/controller/podautoscaler.(*hpaSelectorStore).PutIfPresent
func putIfPresent(*opaqueStore, string, selectors.Key, labels.Selector) bool

//go:linkname deleteSelector k8s.io/kubernetes/pkg/controller/podautoscaler.(*hpaSelectorStore).Delete
func deleteSelector(*opaqueStore, string, selectors.Key)

//go:linkname matchingPods k8s.io/kubernetes/pkg/controller/podautoscaler.(*hpaSelectorStore).HPAsMatchingPods
func matchingPods(*opaqueStore, string, []*corev1.Pod, int) []selectors.Key

// tracker passes the controller's calls on to its own store.
type tracker struct{ store *opaqueStore }

func (t tracker) PutIfAbsent(ns string, k selectors.Key, s labels.Selector) bool {
	return putIfAbsent(t.store, ns, k, s)
}

func (t tracker) PutIfPresent(ns string, k selectors.Key, s labels.Selector) bool {
	return putIfPresent(t.store, ns, k, s)
}

func (t tracker) Delete(ns string, k selectors.Key) { deleteSelector(t.store, ns, k) }

func (t tracker) HPAsMatchingPods(ns string, pods []*corev1.Pod, limit int) []selectors.Key {
	return matchingPods(t.store, ns, pods, limit)
}

// selectorStore is the tracker, to add another autoscaler to it.
type selectorStore = tracker

// newSelectors sets this release's fields of the controller, and registers the
// autoscaler.
func newSelectors(c *podautoscaler.HorizontalController) selectorStore {
	set(c, "consistencyStore", consistency.NewNoopConsistencyStore())
	t := tracker{newStore()}
	set(c, "selectorTracker", t)
	t.PutIfAbsent(Namespace, selectors.Key{Namespace: Namespace, Name: Name}, labels.Nothing())
	return t
}

// rival adds or removes another autoscaler of all pods.
func (t tracker) rival(is bool) {
	rival := selectors.Key{Namespace: Namespace, Name: "rival"}
	if t.Delete(Namespace, rival); is {
		t.PutIfAbsent(Namespace, rival, labels.Everything())
	}
}
