package main

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/resourceversion"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/purehpa/hpa/examples/controller/api/v1alpha1"
)

// tries is how often a write is tried that conflicts with writes of no concern.
const tries = 5

// stored is an Autoscaler as the API server has it. The schema allows a few
// values that the types cannot hold, such as the quantity 1e1.5 and the time
// 2026-01-01t00:00:00z. A watch of the types would end at the first of them.
type stored struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	// Neither is ever changed in place, so copies share them.
	Spec   json.RawMessage `json:"spec"`
	Status json.RawMessage `json:"status,omitempty"`
}

type storedList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata"`
	Items           []stored `json:"items"`
}

// autoscalerType is what events say about objects whose types the scheme does not
// know.
var autoscalerType = metav1.TypeMeta{APIVersion: v1alpha1.GroupVersion.String(), Kind: "Autoscaler"}

// addToScheme makes both known as the kinds of v1alpha1.
func addToScheme(s *runtime.Scheme) error {
	s.AddKnownTypeWithName(v1alpha1.GroupVersion.WithKind("Autoscaler"), &stored{})
	s.AddKnownTypeWithName(v1alpha1.GroupVersion.WithKind("AutoscalerList"), &storedList{})
	metav1.AddToGroupVersion(s, v1alpha1.GroupVersion)
	return nil
}

func (s *stored) copy() (out stored) {
	out = *s
	s.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	return out
}

// DeepCopyObject returns a copy.
func (s *stored) DeepCopyObject() runtime.Object {
	out := s.copy()
	return &out
}

// DeepCopyObject returns a copy.
func (l *storedList) DeepCopyObject() runtime.Object {
	out := &storedList{TypeMeta: l.TypeMeta, Items: slices.Clone(l.Items)}
	l.ListMeta.DeepCopyInto(&out.ListMeta)
	for i := range out.Items {
		out.Items[i] = l.Items[i].copy()
	}
	return out
}

// look returns an Autoscaler and its memory, or nil if there is no such Autoscaler.
// It comes from the cache, or from the answer to this controller's own last write
// while the cache is behind that.
func (r *reconciler) look(ctx context.Context, key client.ObjectKey) (*memory, *v1alpha1.Autoscaler, error) {
	var s stored
	switch err := r.client.Get(ctx, key, &s); {
	case apierrors.IsNotFound(err) || err == nil && s.DeletionTimestamp != nil:
		return nil, nil, nil
	case err != nil:
		return nil, nil, err
	}
	m := r.remember(key, &s)
	if m.object == nil || newer(&s, m.object) {
		a, err := r.decode(&s)
		if err != nil {
			return nil, nil, err
		}
		m.object = a
	}
	a := new(v1alpha1.Autoscaler)
	m.object.DeepCopyInto(a)
	return m, a, nil
}

// remember returns the memory of the Autoscaler, a new one for a new object.
func (r *reconciler) remember(key client.ObjectKey, s *stored) *memory {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := r.memories[key]
	if m == nil || m.uid != s.UID {
		m = &memory{uid: s.UID}
		r.memories[key] = m
	}
	return m
}

// newer reports whether a is of a later version than b.
func newer(a, b client.Object) bool {
	order, err := resourceversion.CompareResourceVersion(a.GetResourceVersion(), b.GetResourceVersion())
	return err != nil || order > 0
}

// decode returns the Autoscaler. A status that the types cannot hold is
// dropped, a spec refused.
func (r *reconciler) decode(s *stored) (*v1alpha1.Autoscaler, error) {
	a := &v1alpha1.Autoscaler{TypeMeta: autoscalerType}
	s.ObjectMeta.DeepCopyInto(&a.ObjectMeta)
	if err := json.Unmarshal(s.Spec, &a.Spec); err != nil {
		r.recorder.Event(a, corev1.EventTypeWarning, "InvalidSpec", err.Error())
		return nil, err
	}
	if len(s.Status) == 0 {
		return a, nil
	}
	if err := json.Unmarshal(s.Status, &a.Status); err != nil {
		a.Status = v1alpha1.AutoscalerStatus{}
		r.recorder.Event(a, corev1.EventTypeWarning, "StateLost", err.Error())
	}
	return a, nil
}

// statusWrite is what is written of an Autoscaler. The API server would take nothing
// else.
type statusWrite struct {
	metav1.TypeMeta `json:",inline"`
	Metadata        writeMetadata              `json:"metadata"`
	Status          *v1alpha1.AutoscalerStatus `json:"status"`
}

type writeMetadata struct {
	Namespace       string    `json:"namespace"`
	Name            string    `json:"name"`
	UID             types.UID `json:"uid"`
	ResourceVersion string    `json:"resourceVersion"`
}

// update writes the status of the Autoscaler, and remembers the answer, of which only
// the version and the status are decoded: all else is as it was at the version that
// was written to.
func (r *reconciler) update(ctx context.Context, a *v1alpha1.Autoscaler, m *memory) error {
	if a.Status.CurrentMetrics == nil {
		a.Status.CurrentMetrics = []autoscalingv2.MetricStatus{} // null is no list
	}
	body, err := json.Marshal(statusWrite{autoscalerType, writeMetadata{a.Namespace, a.Name, a.UID, a.ResourceVersion}, &a.Status})
	if err != nil {
		return err
	}
	answer, err := r.autoscalers.Put().Namespace(a.Namespace).Resource("autoscalers").Name(a.Name).SubResource("status").
		SetHeader("Content-Type", runtime.ContentTypeJSON).Body(body).DoRaw(ctx)
	if err != nil {
		return err
	}
	after := *m.object
	written := statusWrite{Status: new(v1alpha1.AutoscalerStatus)}
	if err := json.Unmarshal(answer, &written); err != nil {
		return err
	}
	after.ResourceVersion, after.Status = written.Metadata.ResourceVersion, *written.Status
	m.object = &after
	after.DeepCopyInto(a)
	return nil
}

// Whether a status may be saved once the spec is another.
const (
	sameSpec = false
	anySpec  = true
)

// save writes the status with the state. If the Autoscaler has changed since it was
// read, it tries again on top of that, unless refresh finds that the change matters.
func (r *reconciler) save(ctx context.Context, a *v1alpha1.Autoscaler, m *memory, any bool) error {
	raw, err := encode(&m.state)
	if err != nil {
		return r.restart(ctx, a, m, err)
	}
	a.Status.State = raw
	for try := 1; ; try++ {
		err := r.update(ctx, a, m)
		switch {
		case err == nil:
			m.saved, m.written = text(a.Status.State), m.state.Clone() // as the answer has it
			return nil
		case apierrors.IsInvalid(err):
			return r.restart(ctx, a, m, err)
		case try == tries || !apierrors.IsConflict(err):
			return err
		}
		if err := r.refresh(ctx, a, m, any, err); err != nil {
			return err
		}
	}
}

// restart empties a status that cannot be saved because of what someone wrote
// to it, so that the next sync can. It returns why.
func (r *reconciler) restart(ctx context.Context, a *v1alpha1.Autoscaler, m *memory, why error) error {
	r.recorder.Event(a, corev1.EventTypeWarning, "StateLost", why.Error())
	m.known, a.Status = false, v1alpha1.AutoscalerStatus{}
	return errors.Join(why, r.update(ctx, a, m))
}

// refresh reads the Autoscaler again, and keeps the status that is about to be
// written. The error is the conflict if that status is out of date: another
// state was written, the spec changed and that matters, or the Autoscaler is
// another instance's now.
func (r *reconciler) refresh(ctx context.Context, a *v1alpha1.Autoscaler, m *memory, any bool, conflict error) error {
	var s stored
	if err := r.live.Get(ctx, client.ObjectKeyFromObject(a), &s); err != nil {
		return err
	}
	fresh, err := r.decode(&s)
	switch {
	case err != nil:
		return err
	case s.UID != m.uid || text(fresh.Status.State) != m.saved || !any && s.Generation != a.Generation || !r.selector.Matches(labels.Set(s.Labels)):
		return conflict
	}
	m.object = fresh
	status := a.Status
	fresh.DeepCopyInto(a)
	a.Status = status
	return nil
}
