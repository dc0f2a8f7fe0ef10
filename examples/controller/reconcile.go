package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/kube"
	"github.com/purehpa/hpa/examples/controller/api/v1alpha1"
	"github.com/purehpa/hpa/examples/internal/cluster"
)

// reconciler decides on Autoscalers.
type reconciler struct {
	client       client.Reader // the cache
	autoscalers  rest.Interface
	selector     labels.Selector
	targets      cluster.Targets
	apis         cluster.MetricsAPIs
	recorder     kube.EventRecorder
	settings     calculator.Settings
	syncPeriod   time.Duration
	syncs        int // at once
	writeTimeout time.Duration
	lag          lag

	mu        sync.Mutex
	memories  map[client.ObjectKey]*memory
	selectors map[string]cluster.Selectors // by namespace
}

// memory is what is kept of an Autoscaler between syncs. All but the state is
// there to be used again; the state is more than what the status has only where
// that could not be written, or nothing but the clock had changed.
type memory struct {
	uid      types.UID
	object   *v1alpha1.Autoscaler // as the API server had it last
	known    bool                 // whether the state is any
	saved    string               // the state as the API server has it
	written  calculator.State     // the same, decoded
	state    calculator.State
	decision calculator.Decision
	pods     kube.Pods
	readers  kube.Readers
	due      time.Time // of the next sync, zero if that is not known
	together bool      // whether others of the namespace are due then, too
	since    time.Time // since when an answer that they share is good enough
}

// Reconcile is one sync of one Autoscaler.
func (r *reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	start := time.Now()
	defer func() { syncSeconds.Observe(time.Since(start).Seconds()) }()
	m, a, err := r.look(ctx, req.NamespacedName)
	switch {
	case err != nil:
		return ctrl.Result{}, err
	case a == nil:
		r.forget(req.NamespacedName)
		return ctrl.Result{}, nil
	}
	r.lag.observe(start, m.due, r.syncPeriod)
	m.begin(start)
	until, err := r.sync(ctx, a, m)
	if err != nil {
		return ctrl.Result{}, err
	}
	now := time.Now()
	key, together := r.turn(req.NamespacedName)
	next, turn := nextSync(now, until, r.syncPeriod, key)
	m.due, m.together = now.Add(next), together && turn
	return ctrl.Result{RequeueAfter: next}, nil
}

// sync decides, and writes what was decided. It returns when the clock alone
// changes the decision, the zero time for never.
func (r *reconciler) sync(ctx context.Context, a *v1alpha1.Autoscaler, m *memory) (until time.Time, err error) {
	spec, err := kube.Spec(a, &a.Spec.HorizontalPodAutoscalerSpec)
	if err == nil {
		err = spec.ApplyAdmission(r.settings.Release).Err()
	}
	if err != nil {
		return until, r.refuse(ctx, a, m, err)
	}
	t, scaleErr := r.targets.Read(ctx, a.Namespace, spec.ScaleTargetRef)
	r.recall(a, t.Scale, m)
	obs := calculator.Observation{Namespace: a.Namespace, ScaleError: scaleErr}
	if scaleErr == nil {
		if obs, err = r.observe(ctx, a, t, &spec, m); err != nil {
			return until, err
		}
	}

	d, now := &m.decision, time.Now()
	calculator.DecideInto(d, now, &r.settings, &spec, &obs, &m.state)

	// What has begun is finished, whatever becomes of the controller.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), r.writeTimeout)
	defer cancel()
	if d.Rescale && !a.Spec.DryRun {
		if err := r.rescale(ctx, now, a, t, m); err != nil {
			return until, err
		}
	}
	return d.Until, r.report(ctx, now, a, m)
}

// forget drops what is known of an Autoscaler that is gone.
func (r *reconciler) forget(key client.ObjectKey) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.memories, key)
	delete(r.selectors[key.Namespace], key.Name)
	if len(r.selectors[key.Namespace]) == 0 {
		delete(r.selectors, key.Namespace)
	}
	uncount(key)
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

// report writes the events and, where it changed, the status.
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
	if m.unchanged(a) {
		return nil
	}
	return client.IgnoreNotFound(r.save(ctx, a, m, anySpec))
}

// unchanged reports whether the API server has the status of a, and the state but
// for the time of its last recommendation, which repeatLast makes up for.
func (m *memory) unchanged(a *v1alpha1.Autoscaler) bool {
	before := &m.object.Status
	return before.State != nil && before.Intent == nil && repeats(&m.state, &m.written) &&
		equality.Semantic.DeepEqual(&before.HorizontalPodAutoscalerStatus, &a.Status.HorizontalPodAutoscalerStatus)
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
func (r *reconciler) refuse(ctx context.Context, a *v1alpha1.Autoscaler, m *memory, problem error) error {
	failures.WithLabelValues(a.Namespace, a.Name).Inc()
	if !setCondition(a, time.Now(), autoscalingv2.ScalingActive, corev1.ConditionFalse, "InvalidSpec", problem.Error()) {
		return nil
	}
	r.recorder.Event(a, corev1.EventTypeWarning, "InvalidSpec", problem.Error())
	return r.update(ctx, a, m)
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
