package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/kube"
	"github.com/purehpa/hpa/examples/controller/api/v1alpha1"
	"github.com/purehpa/hpa/examples/internal/cluster"
)

// tries is how often a write is tried that conflicts with writes of no concern.
const tries = 5

// reconciler decides on Autoscalers.
type reconciler struct {
	client       client.Client // pods from the cache
	live         client.Reader // Autoscalers as they are, with the state of the last sync
	targets      cluster.Targets
	apis         cluster.MetricsAPIs
	recorder     kube.EventRecorder
	settings     calculator.Settings
	syncPeriod   time.Duration
	writeTimeout time.Duration

	mu        sync.Mutex
	memories  map[client.ObjectKey]*memory
	selectors cluster.Selectors
}

// memory is what is kept of an Autoscaler between syncs. All but the state is
// there to be used again; the state is more than what the status has only where
// that could not be written.
type memory struct {
	uid      types.UID
	known    bool   // whether the state is any
	saved    string // the state as the API server has it
	state    calculator.State
	decision calculator.Decision
	pods     kube.Pods
	readers  kube.Readers
}

// Reconcile is one sync of one Autoscaler.
func (r *reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	start := time.Now()
	defer func() { syncSeconds.Observe(time.Since(start).Seconds()) }()
	var a v1alpha1.Autoscaler
	switch err := r.get(ctx, req.NamespacedName, &a); {
	case apierrors.IsNotFound(err) || err == nil && a.DeletionTimestamp != nil:
		r.forget(req.NamespacedName)
		return ctrl.Result{}, nil
	case err != nil:
		return ctrl.Result{}, err
	}
	spec, err := kube.Spec(&a, &a.Spec.HorizontalPodAutoscalerSpec)
	if err == nil {
		err = spec.ApplyAdmission(r.settings.Release).Err()
	}
	if err != nil {
		return ctrl.Result{RequeueAfter: r.syncPeriod}, r.refuse(ctx, &a, err)
	}
	t, scaleErr := r.targets.Read(ctx, a.Namespace, spec.ScaleTargetRef)
	m := r.recall(&a, t.Scale)
	obs := calculator.Observation{Namespace: a.Namespace, ScaleError: scaleErr}
	if scaleErr == nil {
		if obs, err = r.observe(ctx, &a, t, &spec, m); err != nil {
			return ctrl.Result{}, err
		}
	}

	d, now := &m.decision, time.Now()
	calculator.DecideInto(d, now, &r.settings, &spec, &obs, &m.state)

	// What has begun is finished, whatever becomes of the controller.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), r.writeTimeout)
	defer cancel()
	if d.Rescale && !a.Spec.DryRun {
		if err := r.rescale(ctx, now, &a, t, m); err != nil {
			return ctrl.Result{}, err
		}
	}
	if err := r.report(ctx, now, &a, m); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{RequeueAfter: r.next(now, d.Until)}, nil
}

// get reads the Autoscaler as it is. The schema lets pass a few values that the
// types cannot hold, such as the quantity 1e1.5 and the time
// 2026-01-01t00:00:00z. A status with one is dropped, a spec with one refused.
func (r *reconciler) get(ctx context.Context, key client.ObjectKey, a *v1alpha1.Autoscaler) error {
	err := r.live.Get(ctx, key, a)
	if err == nil || apierrors.ReasonForError(err) != metav1.StatusReasonUnknown {
		return err
	}
	raw := new(unstructured.Unstructured)
	raw.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind("Autoscaler"))
	if again := r.live.Get(ctx, key, raw); again != nil {
		return err
	}
	convert := func() error {
		*a = v1alpha1.Autoscaler{}
		return runtime.DefaultUnstructuredConverter.FromUnstructured(raw.Object, a)
	}
	problem := convert()
	if problem == nil {
		return nil // the first answer was cut off
	}
	delete(raw.Object, "status")
	if err := convert(); err != nil {
		r.recorder.Event(raw, corev1.EventTypeWarning, "InvalidSpec", err.Error())
		return err
	}
	r.recorder.Event(a, corev1.EventTypeWarning, "StateLost", problem.Error())
	return nil
}

// next is the time to the next sync: the period, or less if the clock alone
// changes the decision before that.
func (r *reconciler) next(now, until time.Time) time.Duration {
	next := r.syncPeriod
	if !until.IsZero() {
		next = min(next, until.Sub(now))
	}
	return max(next-time.Since(now), time.Millisecond)
}

// forget drops what is known of an Autoscaler that is gone.
func (r *reconciler) forget(key client.ObjectKey) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.memories, key)
	delete(r.selectors, key)
	uncount(key)
}

// recall returns the memory of the Autoscaler, with the state that its status
// has, or the one in memory if the status is as this controller left it. An
// intent that was carried out, but never reported, counts.
func (r *reconciler) recall(a *v1alpha1.Autoscaler, scale *autoscalingv1.Scale) *memory {
	key := client.ObjectKeyFromObject(a)
	r.mu.Lock()
	m := r.memories[key]
	if m == nil || m.uid != a.UID {
		m = &memory{uid: a.UID}
		r.memories[key] = m
	}
	r.mu.Unlock()

	raw, adopted := a.Status.State, false
	if i := a.Status.Intent; i != nil && scale != nil {
		if adopted = scale.Spec.Replicas == i.Replicas; adopted {
			raw = &i.State
		}
		a.Status.Intent = nil
	}
	if saved := text(a.Status.State); !m.known || adopted || saved != m.saved {
		m.state, m.known, m.saved = r.decode(a, raw), true, saved
	}
	return m
}

// decode returns the state. Without one, or if it cannot be read, it is
// what the rest of the status tells.
func (r *reconciler) decode(a *v1alpha1.Autoscaler, raw *runtime.RawExtension) calculator.State {
	var st calculator.State
	if raw == nil {
		return kube.State(&a.Status.HorizontalPodAutoscalerStatus)
	}
	if err := json.Unmarshal(raw.Raw, &st); err != nil {
		r.recorder.Event(a, corev1.EventTypeWarning, "StateLost", err.Error())
		return kube.State(&a.Status.HorizontalPodAutoscalerStatus)
	}
	return st
}

func text(raw *runtime.RawExtension) string {
	if raw == nil {
		return ""
	}
	return string(raw.Raw)
}

// rescale writes the size that was decided on. Before that, it writes its
// intent to the status: a later leader then knows the state even if this
// controller never reports. If another leader or the owner has written since,
// it does not scale at all.
func (r *reconciler) rescale(ctx context.Context, now time.Time, a *v1alpha1.Autoscaler, t cluster.Target, m *memory) error {
	d := &m.decision
	then, done := m.state.Clone(), *d
	done.Conditions = nil // those of d are d's
	then.Applied(now, &done)
	after, err := encode(&then)
	if err != nil {
		return r.restart(ctx, a, m, err)
	}
	a.Status.Intent = &v1alpha1.Intent{Replicas: d.DesiredReplicas, State: *after}
	if err := r.save(ctx, a, m, sameSpec); err != nil {
		return err
	}
	if err := r.write(ctx, t, a); err != nil {
		// The intent stays: an answer that got lost may have been a yes.
		m.state.Failed(now, d, err)
		return nil
	}
	m.state.Applied(now, d)
	a.Status.Intent = nil
	return nil
}

// report writes the status and the events.
func (r *reconciler) report(ctx context.Context, now time.Time, a *v1alpha1.Autoscaler, m *memory) error {
	d := &m.decision
	status := &a.Status.HorizontalPodAutoscalerStatus
	if err := kube.UpdateStatus(status, a.Generation, d, &m.state); err != nil {
		return err
	}
	if a.Spec.DryRun {
		r.reportDryRun(now, a, d)
	} else {
		status.Conditions = slices.DeleteFunc(status.Conditions, func(c autoscalingv2.HorizontalPodAutoscalerCondition) bool { return c.Type == v1alpha1.DryRun })
	}
	count(client.ObjectKeyFromObject(a), d)
	kube.RecordEvents(r.recorder, a, d)
	if err := d.Err(); err != nil {
		ctrl.LoggerFrom(ctx).Error(err, "A sync with an error")
	}
	return client.IgnoreNotFound(r.save(ctx, a, m, anySpec))
}

// reportDryRun tells in the status what would have been done. In the state,
// nothing was: its scale events are those of real changes.
func (r *reconciler) reportDryRun(now time.Time, a *v1alpha1.Autoscaler, d *calculator.Decision) {
	if d.Zone == calculator.NoZone {
		return
	}
	reason, message := "WouldNotRescale", fmt.Sprintf("would stay at %d", d.CurrentReplicas)
	if d.Rescale {
		reason, message = "WouldRescale", fmt.Sprintf("would scale from %d to %d; reason: %s", d.CurrentReplicas, d.DesiredReplicas, d.ReasonText())
	}
	a.Status.DesiredReplicas = d.DesiredReplicas
	if setCondition(a, now, v1alpha1.DryRun, corev1.ConditionTrue, reason, message) && d.Rescale {
		r.recorder.Event(a, corev1.EventTypeNormal, "DryRun", message)
	}
}

// refuse reports a spec that cannot be decided on.
func (r *reconciler) refuse(ctx context.Context, a *v1alpha1.Autoscaler, problem error) error {
	failures.WithLabelValues(a.Namespace, a.Name).Inc()
	if !setCondition(a, time.Now(), autoscalingv2.ScalingActive, corev1.ConditionFalse, "InvalidSpec", problem.Error()) {
		return nil
	}
	r.recorder.Event(a, corev1.EventTypeWarning, "InvalidSpec", problem.Error())
	return r.update(ctx, a)
}

// Whether a status may be saved once the spec is another.
const (
	sameSpec = false
	anySpec  = true
)

// save writes the status with the state. Where the object has changed since it
// was read, it tries again on top of that, but not if it is the state that
// changed, for someone else decides then, nor if it is the spec that did and
// that matters.
func (r *reconciler) save(ctx context.Context, a *v1alpha1.Autoscaler, m *memory, any bool) error {
	raw, err := encode(&m.state)
	if err != nil {
		return r.restart(ctx, a, m, err)
	}
	a.Status.State = raw
	for try := 1; ; try++ {
		err := r.update(ctx, a)
		switch {
		case err == nil:
			m.saved = text(a.Status.State) // as the answer has it
			return nil
		case apierrors.IsInvalid(err):
			return r.restart(ctx, a, m, err)
		case try == tries || !apierrors.IsConflict(err):
			return err
		}
		var fresh v1alpha1.Autoscaler
		if again := r.live.Get(ctx, client.ObjectKeyFromObject(a), &fresh); again != nil {
			return again
		}
		if fresh.UID != m.uid || text(fresh.Status.State) != m.saved || !any && fresh.Generation != a.Generation {
			return err
		}
		fresh.Status = a.Status
		*a = fresh
	}
}

// restart empties a status that cannot be saved because of what someone wrote
// to it, so that the next sync can. It returns why.
func (r *reconciler) restart(ctx context.Context, a *v1alpha1.Autoscaler, m *memory, why error) error {
	r.recorder.Event(a, corev1.EventTypeWarning, "StateLost", why.Error())
	m.known, a.Status = false, v1alpha1.AutoscalerStatus{}
	return errors.Join(why, r.update(ctx, a))
}

func (r *reconciler) update(ctx context.Context, a *v1alpha1.Autoscaler) error {
	if a.Status.CurrentMetrics == nil {
		a.Status.CurrentMetrics = []autoscalingv2.MetricStatus{} // null is no list
	}
	return r.client.Status().Update(ctx, a)
}

func encode(st *calculator.State) (*runtime.RawExtension, error) {
	raw, err := json.Marshal(st)
	return &runtime.RawExtension{Raw: raw}, err
}

// setCondition sets a condition of this controller's own, and reports whether
// it reads differently now.
func setCondition(a *v1alpha1.Autoscaler, now time.Time, t autoscalingv2.HorizontalPodAutoscalerConditionType, status corev1.ConditionStatus, reason, message string) bool {
	conditions := &a.Status.Conditions
	i := slices.IndexFunc(*conditions, func(c autoscalingv2.HorizontalPodAutoscalerCondition) bool { return c.Type == t })
	if i < 0 {
		*conditions = append(*conditions, autoscalingv2.HorizontalPodAutoscalerCondition{Type: t})
		i = len(*conditions) - 1
	}
	c := &(*conditions)[i]
	message = cut(message, calculator.MaxMessageLength) // as the library does
	if c.Status == status && c.Reason == reason && c.Message == message {
		return false
	}
	if c.Status != status {
		c.LastTransitionTime = metav1.NewTime(now.UTC().Truncate(time.Second))
	}
	c.Status, c.Reason, c.Message = status, reason, message
	return true
}
