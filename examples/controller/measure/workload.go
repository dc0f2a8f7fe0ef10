package main

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const (
	// podsPerApp pods run for each app, whatever size is asked for.
	podsPerApp = 10
	// targetLoad is the load, in milli-cores of all pods, at which an app is
	// exactly at its target: half of what the pods request.
	targetLoad   = podsPerApp * podRequest / 2
	podRequest   = 100 // milli-cores
	concurrency  = 64  // of the requests that create the workload
	maxReplicas  = 30
	wantReplicas = 2 * podsPerApp // once the load has doubled
)

// app is a Deployment, its pods and its load.
type app struct {
	namespace, name string
	pods            []string
	load            atomic.Int64 // milli-cores of all pods
}

// workload is all apps of a cluster.
type workload struct {
	client client.Client
	apps   []*app
}

// newWorkload names n apps, so many to a namespace, all at their target.
func newWorkload(c client.Client, n, perNamespace int) *workload {
	w := &workload{client: c, apps: make([]*app, n)}
	for i := range w.apps {
		a := &app{namespace: fmt.Sprintf("shop-%d", i/perNamespace), name: fmt.Sprintf("app-%d", i%perNamespace)}
		for p := range podsPerApp {
			a.pods = append(a.pods, fmt.Sprintf("%s-%d", a.name, p))
		}
		a.load.Store(targetLoad)
		w.apps[i] = a
	}
	return w
}

// each calls f for all apps, many at once.
func (w *workload) each(ctx context.Context, f func(context.Context, *app) error) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(concurrency)
	for _, a := range w.apps {
		g.Go(func() error { return f(ctx, a) })
	}
	return g.Wait()
}

// create creates the namespaces, the Deployments, and pods that run.
func (w *workload) create(ctx context.Context) error {
	for i, a := range w.apps {
		if i > 0 && w.apps[i-1].namespace == a.namespace {
			continue
		}
		if err := w.client.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: a.namespace}}); err != nil {
			return err
		}
	}
	if err := timed("Deployments", func() error { return w.each(ctx, w.createDeployment) }); err != nil {
		return err
	}
	return timed("pods", func() error { return w.each(ctx, w.createPods) })
}

// createDeployment creates one with the status that its controller would write.
func (w *workload) createDeployment(ctx context.Context, a *app) error {
	d := &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Namespace: a.namespace, Name: a.name},
		Spec: appsv1.DeploymentSpec{
			Replicas: new(int32(podsPerApp)),
			Selector: &metav1.LabelSelector{MatchLabels: a.labels()},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: a.labels()}, Spec: podSpec()},
		},
	}
	if err := w.client.Create(ctx, d); err != nil {
		return err
	}
	d.Status.Replicas, d.Status.ObservedGeneration = podsPerApp, d.Generation
	return w.client.Status().Update(ctx, d)
}

// createPods creates the pods of an app, which have run for an hour.
func (w *workload) createPods(ctx context.Context, a *app) error {
	started := metav1.NewTime(time.Now().Add(-time.Hour))
	for _, name := range a.pods {
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: a.namespace, Name: name, Labels: a.labels()}, Spec: podSpec()}
		if err := w.client.Create(ctx, p); err != nil {
			return err
		}
		p.Status.Phase, p.Status.StartTime = corev1.PodRunning, &started
		p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: started}}
		if err := w.client.Status().Update(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) labels() map[string]string { return map[string]string{"app": a.name} }

func podSpec() corev1.PodSpec {
	return corev1.PodSpec{Containers: []corev1.Container{{
		Name: "app", Image: "app",
		Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{"cpu": *resource.NewMilliQuantity(podRequest, resource.DecimalSI)}},
	}}}
}

// scaling is the spec of the app's autoscaler.
func (a *app) scaling() autoscalingv2.HorizontalPodAutoscalerSpec {
	return autoscalingv2.HorizontalPodAutoscalerSpec{
		ScaleTargetRef: autoscalingv2.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: a.name},
		MinReplicas:    new(int32(1)),
		MaxReplicas:    maxReplicas,
		Metrics: []autoscalingv2.MetricSpec{{Type: autoscalingv2.ResourceMetricSourceType, Resource: &autoscalingv2.ResourceMetricSource{
			Name: "cpu", Target: autoscalingv2.MetricTarget{Type: autoscalingv2.UtilizationMetricType, AverageUtilization: new(int32(50))},
		}}},
	}
}

// createAutoscalers creates one for each app, spread evenly over a period, as
// their syncs then are, too.
func (w *workload) createAutoscalers(ctx context.Context, s *side) error {
	pace := time.NewTicker(syncPeriod / time.Duration(len(w.apps)))
	defer pace.Stop()
	return w.each(ctx, func(ctx context.Context, a *app) error {
		<-pace.C
		return w.client.Create(ctx, s.autoscaler(a))
	})
}

// reset makes the workload what it was before a side had it.
func (w *workload) reset(ctx context.Context, s *side) error {
	patch := client.RawPatch("application/merge-patch+json", fmt.Appendf(nil, `{"spec":{"replicas":%d}}`, podsPerApp))
	return w.each(ctx, func(ctx context.Context, a *app) error {
		a.load.Store(targetLoad)
		if err := w.client.Delete(ctx, s.autoscaler(a)); err != nil {
			return err
		}
		return w.client.Patch(ctx, &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: a.namespace, Name: a.name}}, patch)
	})
}
