package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

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

// autoscalersResource is what the API calls Autoscalers.
const autoscalersResource = "autoscalers"

// metadata returns what the cache has of an Autoscaler, here empty. Specs and statuses
// are not cached: this controller knows what it wrote, and reads what others did.
func metadata() *metav1.PartialObjectMetadata {
	m := new(metav1.PartialObjectMetadata)
	m.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind("Autoscaler"))
	return m
}

// look returns an Autoscaler and its memory, or nil if there is no such Autoscaler.
// It is what was read or written last, unless the cache knows of a later version.
func (r *reconciler) look(ctx context.Context, key client.ObjectKey) (*memory, *v1alpha1.Autoscaler, error) {
	cached := metadata()
	switch err := r.client.Get(ctx, key, cached); {
	case apierrors.IsNotFound(err) || err == nil && cached.DeletionTimestamp != nil:
		return nil, nil, nil
	case err != nil:
		return nil, nil, err
	}
	m := r.remember(key, cached.UID)
	if m.object == nil || newer(cached, m.object) {
		fresh, err := r.read(ctx, key)
		switch {
		case err != nil:
			return nil, nil, err
		case fresh.UID != m.uid:
			return nil, nil, fmt.Errorf("another Autoscaler is called %s by now", key)
		}
		m.object = fresh
	}
	a := new(v1alpha1.Autoscaler)
	m.object.DeepCopyInto(a)
	return m, a, nil
}

// remember returns the memory of the Autoscaler, a new one for a new object.
func (r *reconciler) remember(key client.ObjectKey, uid types.UID) *memory {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := r.memories[key]
	if m == nil || m.uid != uid {
		m = &memory{uid: uid}
		r.memories[key] = m
	}
	return m
}

// newer reports whether a is of a later version than b.
func newer(a, b client.Object) bool {
	order, err := resourceversion.CompareResourceVersion(a.GetResourceVersion(), b.GetResourceVersion())
	return err != nil || order > 0
}

// read returns the Autoscaler as the API server has it.
func (r *reconciler) read(ctx context.Context, key client.ObjectKey) (*v1alpha1.Autoscaler, error) {
	raw, err := r.autoscalers.Get().Namespace(key.Namespace).Resource(autoscalersResource).Name(key.Name).DoRaw(ctx)
	if err != nil {
		return nil, err
	}
	return r.decode(raw)
}

// decode returns the Autoscaler. The schema allows a few values that the types cannot
// hold, such as the quantity 1e1.5 and the time 2026-01-01t00:00:00z. A status with
// one is dropped, a spec refused.
func (r *reconciler) decode(raw []byte) (*v1alpha1.Autoscaler, error) {
	var stored struct {
		Metadata     metav1.ObjectMeta
		Spec, Status json.RawMessage
	}
	if err := json.Unmarshal(raw, &stored); err != nil {
		return nil, err
	}
	a := &v1alpha1.Autoscaler{ObjectMeta: stored.Metadata}
	a.ManagedFields = nil
	if err := json.Unmarshal(stored.Spec, &a.Spec); err != nil {
		r.recorder.Event(a, corev1.EventTypeWarning, "InvalidSpec", err.Error())
		return nil, err
	}
	if len(stored.Status) == 0 {
		return a, nil
	}
	if err := json.Unmarshal(stored.Status, &a.Status); err != nil {
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
	body, err := json.Marshal(statusWrite{metadata().TypeMeta, writeMetadata{a.Namespace, a.Name, a.UID, a.ResourceVersion}, &a.Status})
	if err != nil {
		return err
	}
	answer, err := r.autoscalers.Put().Namespace(a.Namespace).Resource(autoscalersResource).Name(a.Name).SubResource("status").
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
	fresh, err := r.read(ctx, client.ObjectKeyFromObject(a))
	switch {
	case err != nil:
		return err
	case fresh.UID != m.uid || text(fresh.Status.State) != m.saved || !any && fresh.Generation != a.Generation || !r.selector.Matches(labels.Set(fresh.Labels)):
		return conflict
	}
	m.object = fresh
	status := a.Status
	fresh.DeepCopyInto(a)
	a.Status = status
	return nil
}
