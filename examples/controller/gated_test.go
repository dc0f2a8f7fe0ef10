package main

import (
	"context"
	"maps"
	"testing"

	"github.com/purehpa/hpa/examples/controller/api/v1alpha1"
	"github.com/purehpa/hpa/examples/internal/cluster/clustertest"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// gated is this controller behind the turnstile.
type gated struct{ *reconciler }

// Reconcile waits for the turnstile, and until the cache holds the pods that
// the API server has.
func (g gated) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if err := testbed.Turnstile.Pass(ctx, req.String()); err != nil {
		return ctrl.Result{}, err
	}
	for {
		fresh, err := g.fresh(ctx, req.Namespace)
		switch {
		case err != nil:
			return ctrl.Result{}, err
		case fresh:
			return g.reconciler.Reconcile(ctx, req)
		}
		clustertest.Pause()
	}
}

// fresh reports whether the cache holds the Autoscalers and the pods of a
// namespace as the API server has them.
func (r *reconciler) fresh(ctx context.Context, namespace string) (bool, error) {
	autoscalers := new(metav1.PartialObjectMetadataList)
	autoscalers.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind("AutoscalerList"))
	for _, list := range []client.ObjectList{autoscalers, new(corev1.PodList)} {
		live, err := versions(ctx, testbed.Client, list, namespace)
		if err != nil {
			return false, err
		}
		cached, err := versions(ctx, r.client, list, namespace)
		if err != nil || !maps.Equal(live, cached) {
			return false, err
		}
	}
	return true, nil
}

// versions returns those of the objects of a namespace, by UID.
func versions(ctx context.Context, c client.Reader, list client.ObjectList, namespace string) (map[types.UID]string, error) {
	if err := c.List(ctx, list, client.InNamespace(namespace)); err != nil {
		return nil, err
	}
	all := map[types.UID]string{}
	err := meta.EachListItem(list, func(o runtime.Object) error {
		all[o.(client.Object).GetUID()] = o.(client.Object).GetResourceVersion()
		return nil
	})
	return all, err
}

// startGated runs the controller for one namespace behind the turnstile, with
// the rights of its manifest, until the end of the test.
func startGated(t *testing.T, namespace string) {
	t.Helper()
	o, mgr, r := newController(t, namespace)
	require.NoError(t, o.control(t.Context(), mgr, gated{r}))
	run(t, mgr)
}

// newController returns a controller for one namespace in this process.
func newController(t *testing.T, namespace string) (*options, ctrl.Manager, *reconciler) {
	t.Helper()
	o := parsed(t)
	o.namespaces, o.leaderElect, o.metricsAddress, o.healthAddress = []string{namespace}, false, "0", "0"
	o.syncPeriod, o.settings.DownscaleStabilization = clustertest.GatedPeriod, clustertest.GatedStabilization
	o.metricsTimeout = clustertest.Guard
	config := rest.CopyConfig(testbed.user)
	config.QPS, config.Burst = 200, 400
	mgr, r, err := o.manager(config)
	require.NoError(t, err)
	return o, mgr, r
}

// parsed returns the options that the flags make.
func parsed(t *testing.T, flags ...string) *options {
	t.Helper()
	o, fs := new(options), pflag.NewFlagSet("", pflag.ContinueOnError)
	for _, set := range o.flags().FlagSets {
		fs.AddFlagSet(set)
	}
	require.NoError(t, fs.Parse(flags))
	return o
}

// run runs what the manager has until the end of the test.
func run(t *testing.T, mgr ctrl.Manager) {
	t.Helper()
	done := make(chan error)
	go func() { done <- mgr.Start(t.Context()) }()
	t.Cleanup(func() { require.NoError(t, <-done) })
}
