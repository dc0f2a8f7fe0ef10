package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"sync"
	"time"

	"golang.org/x/net/http2"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/kube"
	"github.com/purehpa/hpa/examples/internal/cli"
	"github.com/purehpa/hpa/examples/internal/cluster"
)

// snapshot is what one look at an autoscaler saw.
type snapshot struct {
	*autoscaler
	obs      calculator.Observation
	selector labels.Selector
	past     past
	// events are those about the autoscaler, or why they are not known.
	events      []*corev1.Event
	eventsError error
	// made are recommendations that the controller remembers.
	made []recommendation
	// lowerSince is since when the metrics have asked for less than the size
	// that a window holds; the zero time.Time if that is not known.
	lowerSince time.Time
	// notes are for people.
	notes []string

	mu sync.Mutex
}

// note keeps a text.
func (s *snapshot) note(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notes = append(s.notes, cli.OneLine(fmt.Sprintf(format, args...)))
}

// noteUnknown notes what is not known, and the error that hid it.
func (s *snapshot) noteUnknown(what string, err error) { s.note("%s: %v", what, readable(err)) }

// observe looks at the autoscaler's target, its pods and their metrics, and its
// past. The error is what keeps this command from seeing what the controller
// sees, and the snapshot then has what was seen before; what the controller
// could not see either is part of the observation.
func (c *connection) observe(ctx context.Context, a *autoscaler) (*snapshot, error) {
	c = c.forLook()
	s := &snapshot{autoscaler: a, obs: calculator.Observation{Namespace: a.Namespace}}
	s.notes = append(s.notes, c.notes...)
	if text := a.ownerNote(); text != "" {
		s.note("%s", text)
	}
	var near *selectorsInNamespace
	var events, wait sync.WaitGroup
	events.Go(func() { s.events, s.eventsError = c.events(ctx, a) })
	defer events.Wait()
	defer wait.Wait()
	t, err := c.scale(ctx, a)
	if isClientError(err) {
		return s, clusterError(readable(err))
	}
	if err != nil {
		s.obs.ScaleError = err
		return s, nil
	}
	s.selector = kube.ObserveScale(&s.obs, t.Scale)
	wait.Go(func() {
		events.Wait()
		s.past, s.made = c.past(ctx, s), c.recommended(ctx, s)
	})
	wait.Go(func() { c.noteRollout(ctx, s, t) })
	wait.Go(func() { near = c.near(ctx, s) })
	if err := c.look(ctx, s, t.Scale, func() *selectorsInNamespace { wait.Wait(); return near }); err != nil {
		return s, clusterError(readable(err))
	}
	return s, nil
}

// isClientError reports whether an error is this command's own: it may not ask,
// or got no answer. The controller may get one.
func isClientError(err error) bool {
	return apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err) || apierrors.IsTooManyRequests(err) ||
		apierrors.IsTimeout(err) || apierrors.IsServerTimeout(err) || errors.As(err, new(net.Error)) ||
		errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, new(http2.StreamError)) ||
		errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// look lists the pods and asks for the metrics, if any is computed.
func (c *connection) look(ctx context.Context, s *snapshot, scale *autoscalingv1.Scale, near func() *selectorsInNamespace) error {
	state := calculator.State{Conditions: s.Status.Conditions}
	if s.obs.SelectorError != nil || !c.everything && !calculator.NeedsReadings(&c.settings, &s.Spec, &s.obs, &state) {
		return nil
	}
	pods, err := pages[corev1.Pod](ctx, metav1.ListOptions{LabelSelector: s.selector.String()}, c.client.CoreV1().Pods(s.Namespace).List)
	if err != nil {
		return err
	}
	if s.obs.Pods, err = kube.AppendPods(nil, pods); err != nil {
		return err
	}
	if n := near(); n != nil {
		sharing := func(all cluster.Selectors) string {
			all = maps.Clone(all)
			all[s.Name] = s.selector
			return all.Sharing(s.Namespace, pods, c.settings.Release.Quirks())
		}
		if found := sharing(n.selectors); found != "" {
			s.obs.SelectorError = &calculator.SelectorError{Reason: calculator.SelectorAmbiguous, Selector: scale.Status.Selector, Others: found}
			if sharing(n.busy) == "" {
				s.note("Pods are shared with autoscalers at size zero alone: they count if the controller has computed metrics for them since it started.")
			}
			return nil
		}
	}
	s.obs.Readings, err = c.readings(ctx, s, &s.Spec)
	return err
}

// readings asks for the metrics of a spec. The error is this command's own.
func (c *connection) readings(ctx context.Context, s *snapshot, spec *autoscaling.HorizontalPodAutoscalerSpec) ([]calculator.Reading, error) {
	var readers kube.Readers
	ctx, cancel := c.requests.metricsContext(ctx)
	defer cancel()
	all, err := c.metrics.Readings(ctx, cluster.Question{Namespace: s.Namespace, Selector: s.selector, Pods: s.obs.Pods, Spec: spec}, &readers)
	if err != nil {
		return nil, err
	}
	for _, r := range all {
		if isClientError(r.Err) {
			return nil, c.waited(r.Err)
		}
	}
	return all, nil
}

// selectorsInNamespace are what the autoscalers of a namespace select.
type selectorsInNamespace struct {
	// selectors are those of all, busy those of all that are not at size zero.
	selectors, busy cluster.Selectors
	// notes are about those whose scale cannot be read.
	notes []string
}

// near returns what the autoscalers of the namespace select, nil if that is not
// known.
func (c *connection) near(ctx context.Context, s *snapshot) *selectorsInNamespace {
	found, err := once(c.shared, "selectors "+s.Namespace, func() (*selectorsInNamespace, error) { return c.selectors(ctx, s.Namespace) })
	if err != nil {
		s.noteUnknown("Whether other autoscalers select the same pods is not known", err)
		return nil
	}
	for _, note := range found.notes {
		s.note("%s", note)
	}
	return found
}

func (c *connection) selectors(ctx context.Context, namespace string) (*selectorsInNamespace, error) {
	all, err := c.autoscalers(ctx, namespace)
	if err != nil {
		return nil, err
	}
	found := &selectorsInNamespace{selectors: cluster.Selectors{}, busy: cluster.Selectors{}}
	scales, errs := make([]*autoscalingv1.Scale, len(all)), make([]error, len(all))
	inParallel(len(all), func(i int) { scales[i], errs[i] = c.scaleOrList(ctx, all[i]) })
	for i, a := range all {
		if errs[i] != nil {
			found.notes = append(found.notes, fmt.Sprintf("Whether %s selects the same pods is not known: %v", a.key(), readable(errs[i])))
			continue
		}
		var obs calculator.Observation
		if selector := kube.ObserveScale(&obs, scales[i]); obs.SelectorError == nil {
			found.selectors[a.Name] = selector
			if obs.SpecReplicas > 0 {
				found.busy[a.Name] = selector
			}
		}
	}
	return found, nil
}

// scaleOrList returns the scale of a target, made of the Deployment if these
// are listed anyway.
func (c *connection) scaleOrList(ctx context.Context, a *autoscaler) (*autoscalingv1.Scale, error) {
	if isDeployment(a.Spec.ScaleTargetRef) && c.listsDeployments(ctx, a.Namespace) {
		d, err := c.deployment(ctx, a.Namespace, a.Spec.ScaleTargetRef.Name)
		if err == nil {
			return scaleOf(d)
		}
		if !isClientError(err) {
			return nil, err
		}
	}
	t, err := c.scale(ctx, a)
	return t.Scale, err
}

// scaleOf returns the scale of a Deployment.
func scaleOf(d *appsv1.Deployment) (*autoscalingv1.Scale, error) {
	selector, err := metav1.LabelSelectorAsSelector(d.Spec.Selector)
	if err != nil {
		return nil, err
	}
	scale := &autoscalingv1.Scale{ObjectMeta: metav1.ObjectMeta{Namespace: d.Namespace, Name: d.Name}}
	if d.Spec.Replicas != nil {
		scale.Spec.Replicas = *d.Spec.Replicas
	}
	scale.Status = autoscalingv1.ScaleStatus{Replicas: d.Status.Replicas, Selector: selector.String()}
	return scale, nil
}

// noteRollout notes a Deployment whose rollout is paused.
func (c *connection) noteRollout(ctx context.Context, s *snapshot, t cluster.Target) {
	if t.Resource != appsv1.Resource("deployments") {
		return
	}
	d, err := c.deployment(ctx, s.Namespace, t.Scale.Name)
	switch {
	case err != nil:
		s.noteUnknown("Whether a rollout is paused is not known", err)
	case d.Spec.Paused:
		s.note("The rollout of Deployment %s is paused: sizes change all the same, and pods of all its ReplicaSets count.", d.Name)
	}
}
