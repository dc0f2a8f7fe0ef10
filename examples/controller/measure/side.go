package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/purehpa/hpa/examples/controller/api/v1alpha1"
	"github.com/purehpa/hpa/examples/internal/cluster/clustertest"
)

// side is one of the two controllers.
type side struct {
	name   string
	binary string
	flags  []string
	// autoscaler returns what it reconciles.
	autoscaler func(*app) client.Object
	// decided counts those that have been decided on.
	decided func(context.Context, client.Client) (int, error)
}

// sides returns Kubernetes' side, and this controller's.
func sides(upstream, controller string) []*side {
	return []*side{
		{
			name: "Kubernetes", binary: upstream, flags: []string{"--only-autoscaler"},
			autoscaler: func(a *app) client.Object {
				return &autoscalingv2.HorizontalPodAutoscaler{ObjectMeta: a.meta(), Spec: a.scaling()}
			},
			decided: decidedHPAs,
		},
		{
			name: "example", binary: controller, flags: []string{"--leader-elect=false", "--metrics-bind-address=0", "--health-probe-bind-address=0"},
			autoscaler: func(a *app) client.Object {
				return &v1alpha1.Autoscaler{ObjectMeta: a.meta(), Spec: v1alpha1.AutoscalerSpec{HorizontalPodAutoscalerSpec: a.scaling()}}
			},
			decided: decidedAutoscalers,
		},
	}
}

func (a *app) meta() metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: a.namespace, Name: a.name}
}

func decidedHPAs(ctx context.Context, c client.Client) (n int, err error) {
	var list autoscalingv2.HorizontalPodAutoscalerList
	err = c.List(ctx, &list)
	for i := range list.Items {
		if hasMetrics(&list.Items[i].Status) {
			n++
		}
	}
	return n, err
}

func decidedAutoscalers(ctx context.Context, c client.Client) (n int, err error) {
	var list v1alpha1.AutoscalerList
	err = c.List(ctx, &list)
	for i := range list.Items {
		if hasMetrics(&list.Items[i].Status.HorizontalPodAutoscalerStatus) {
			n++
		}
	}
	return n, err
}

func hasMetrics(s *autoscalingv2.HorizontalPodAutoscalerStatus) bool {
	return len(s.CurrentMetrics) > 0 && s.CurrentMetrics[0].Resource != nil
}

// measure measures both sides in a cluster of n autoscalers.
func (o *options) measure(ctx context.Context, controller string, n int) (all []*result, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	metrics := new(metricsAPI)
	log.Printf("%d autoscalers", n)
	var c *clustertest.Cluster
	err = timed("cluster", func() (err error) {
		c, err = clustertest.Start(ctx, clustertest.Options{CRDs: []string{"manifests/crd.yaml"}, Add: v1alpha1.AddToScheme, Metrics: metrics})
		return err
	})
	defer func() { err = errors.Join(err, c.Stop()) }()
	if err != nil {
		return nil, err
	}
	unlimited := rest.CopyConfig(c.Config)
	unlimited.QPS = -1
	cl, err := client.NewWithWatch(unlimited, client.Options{Scheme: c.Client.Scheme()})
	if err != nil {
		return nil, err
	}
	w := newWorkload(cl, n, o.perNamespace)
	metrics.set(w.apps)
	if err := w.create(ctx); err != nil {
		return nil, err
	}
	for _, s := range sides(filepath.Join(c.Assets, "upstream-controllers"), controller) {
		results, err := o.measureSide(ctx, c, w, cl, metrics, s)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		all = append(all, results...)
	}
	return all, nil
}

// measureSide starts the controller, measures it, and leaves the workload as it
// was.
func (o *options) measureSide(ctx context.Context, c *clustertest.Cluster, w *workload, cl client.WithWatch, metrics *metricsAPI, s *side) ([]*result, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	p, err := clustertest.Run(s.binary, append([]string{
		"--kubeconfig=" + c.Admin, "--pprof-bind-address=" + address,
		"--horizontal-pod-autoscaler-sync-period=" + syncPeriod.String(),
		"--concurrent-horizontal-pod-autoscaler-syncs=" + strconv.Itoa(o.workers),
		"--kube-api-qps=5000", "--kube-api-burst=10000",
	}, s.flags...)...)
	if err != nil {
		return nil, err
	}
	defer p.Stop(syscall.SIGKILL)
	err = timed(s.name+": first decisions", func() error {
		if err := w.createAutoscalers(ctx, s); err != nil {
			return err
		}
		return s.awaitDecided(ctx, cl, len(w.apps), p)
	})
	if err != nil {
		return nil, err
	}
	m, err := newMeter(c.Config, p, address, metrics)
	if err != nil {
		return nil, err
	}
	var results []*result
	err = timed(s.name+": phases", func() (err error) {
		results, err = m.phases(ctx, w, cl, o, s.name)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, p.Out)
	}
	p.Stop(syscall.SIGTERM)
	return results, timed(s.name+": reset", func() error { return w.reset(ctx, s) })
}

// awaitDecided waits until all have been decided on.
func (s *side) awaitDecided(ctx context.Context, c client.Client, n int, p *clustertest.Process) error {
	for deadline := time.Now().Add(clustertest.Guard); ; {
		decided, err := s.decided(ctx, c)
		switch {
		case err != nil:
			return err
		case decided == n:
			return nil
		case p.Ended() || time.Now().After(deadline):
			return fmt.Errorf("%d of %d autoscalers were decided on\n%s", decided, n, p.Out)
		}
		if err := sleep(ctx, time.Second); err != nil {
			return err
		}
	}
}
