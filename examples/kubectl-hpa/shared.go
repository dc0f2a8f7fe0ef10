package main

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/types"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/examples/internal/cluster"
)

// shared is what one look reads once, for however many autoscalers.
type shared struct {
	// fleet are the autoscalers looked at, if there are so many that lists are
	// cheaper than a request for each. They are in namespace, or in all if that
	// is empty.
	fleet     []*autoscaler
	namespace string
	// whole reports whether fleet are all autoscalers there.
	whole bool

	mu  sync.Mutex
	all map[string]func() (any, error)
}

// listsFrom is the number of autoscalers from which lists are cheaper: one of
// everything against a request for each.
const listsFrom = 3

// forLook returns the connection for one look.
func (c *connection) forLook() *connection {
	if c.shared != nil {
		return c
	}
	other := *c
	other.shared = &shared{all: map[string]func() (any, error){}}
	return &other
}

// forFleet returns the connection for one look at many autoscalers.
func (c *connection) forFleet(namespace string, all []*autoscaler, whole bool) *connection {
	c = c.forLook()
	c.shared.namespace, c.shared.whole = namespace, whole
	if len(all) >= listsFrom {
		c.shared.fleet = all
	}
	if c.requests != nil {
		c.requests.givesUp.Store(true)
	}
	return c
}

// once reads what has that key, unless it was read before.
func once[T any](s *shared, key string, read func() (T, error)) (T, error) {
	s.mu.Lock()
	first := s.all[key]
	if first == nil {
		first = sync.OnceValues(func() (any, error) { return read() })
		s.all[key] = first
	}
	s.mu.Unlock()
	value, err := first()
	return value.(T), err
}

// scope is the namespace to list for something about an autoscaler of another
// one.
func (s *shared) scope(namespace string) string {
	if s.fleet != nil {
		return s.namespace
	}
	return namespace
}

// scale reads the scale of a target.
func (c *connection) scale(ctx context.Context, a *autoscaler) (cluster.Target, error) {
	ref := a.Spec.ScaleTargetRef
	return once(c.shared, fmt.Sprint("scale ", a.Namespace, ref), func() (cluster.Target, error) {
		return c.targets.Read(ctx, a.Namespace, ref)
	})
}

// lease reads when the controller began to lead.
func (c *connection) lease(ctx context.Context) (time.Time, error) {
	return once(c.shared, "lease", func() (time.Time, error) { return c.started(ctx) })
}

// events reads those about the autoscaler, the last one first.
func (c *connection) events(ctx context.Context, a *autoscaler) ([]*corev1.Event, error) {
	about := fields.Set{"involvedObject.kind": "HorizontalPodAutoscaler"}
	if c.shared.fleet == nil {
		about["involvedObject.uid"] = string(a.meta.UID)
	}
	scope := c.shared.scope(a.Namespace)
	found, err := once(c.shared, fmt.Sprint("events ", scope, about), func() (map[types.UID][]*corev1.Event, error) {
		all, err := pages[corev1.Event](ctx, metav1.ListOptions{FieldSelector: about.String()}, c.client.CoreV1().Events(scope).List)
		found := map[types.UID][]*corev1.Event{}
		for _, e := range all {
			found[e.InvolvedObject.UID] = append(found[e.InvolvedObject.UID], e)
		}
		return found, err
	})
	return found[a.meta.UID], err
}

// deployments lists them, by their names.
func (c *connection) deployments(ctx context.Context, namespace string) (map[types.NamespacedName]*appsv1.Deployment, error) {
	scope := c.shared.scope(namespace)
	return once(c.shared, "deployments "+scope, func() (map[types.NamespacedName]*appsv1.Deployment, error) {
		all, err := pages[appsv1.Deployment](ctx, metav1.ListOptions{}, c.client.AppsV1().Deployments(scope).List)
		found := map[types.NamespacedName]*appsv1.Deployment{}
		for _, d := range all {
			found[types.NamespacedName{Namespace: d.Namespace, Name: d.Name}] = d
		}
		return found, err
	})
}

// listsDeployments reports whether that is cheaper than to read each.
func (c *connection) listsDeployments(ctx context.Context, namespace string) bool {
	all := c.shared.fleet
	if all == nil {
		all, _ = c.autoscalers(ctx, namespace) // or there are none
	}
	n := 0
	for _, a := range all {
		if isDeployment(a.Spec.ScaleTargetRef) {
			n++
		}
	}
	return n >= listsFrom
}

// deployment reads one: out of a list if that is read anyway.
func (c *connection) deployment(ctx context.Context, namespace, name string) (*appsv1.Deployment, error) {
	if !c.listsDeployments(ctx, namespace) {
		return c.client.AppsV1().Deployments(namespace).Get(ctx, name, metav1.GetOptions{})
	}
	all, err := c.deployments(ctx, namespace)
	if err != nil {
		return nil, err
	}
	d := all[types.NamespacedName{Namespace: namespace, Name: name}]
	if d == nil {
		err = apierrors.NewNotFound(appsv1.Resource("deployments"), name)
	}
	return d, err
}

// autoscalers lists those of a namespace.
func (c *connection) autoscalers(ctx context.Context, namespace string) ([]*autoscaler, error) {
	s := c.shared
	found, err := once(s, "autoscalers "+s.scope(namespace), func() (map[string][]*autoscaler, error) {
		all, err := s.fleet, error(nil)
		if all == nil || !s.whole {
			all, err = c.list(ctx, s.scope(namespace), "")
		}
		found := map[string][]*autoscaler{}
		for _, a := range all {
			found[a.Namespace] = append(found[a.Namespace], a)
		}
		return found, err
	})
	return found[namespace], err
}

// isDeployment reports whether the target is one.
func isDeployment(ref autoscaling.CrossVersionObjectReference) bool {
	return ref.Kind == "Deployment" && cmp.Or(ref.APIVersion, "apps/v1") == "apps/v1"
}
