package main

import (
	"context"
	"fmt"
	"net/http"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	apiversion "k8s.io/apimachinery/pkg/util/version"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/pager"
	"k8s.io/metrics/pkg/client/custom_metrics"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/examples/internal/cluster"
)

// connection is what the commands ask a cluster with.
type connection struct {
	client    kubernetes.Interface
	targets   cluster.Targets
	metrics   cluster.MetricsAPIs
	namespace string
	settings  calculator.Settings
	// shared is set during a look.
	shared *shared
	// everything reports that pods and metrics are read even if no metric is
	// computed, since other rules may compute some.
	everything bool
	// requests are those of all clients.
	requests *requests
	// notes are about the cluster.
	notes []string
}

// connect returns a connection to the cluster of the flags, whose requests end
// with the context.
func (t *tool) connect(ctx context.Context) (*connection, error) {
	r := &requests{ctx: ctx, metricsTimeout: t.metricsTimeout, slow: func(what string) { t.tell(what) }}
	t.cluster.WrapConfigFn = func(c *rest.Config) *rest.Config {
		c.Wrap(func(next http.RoundTripper) http.RoundTripper { return &transport{r, next} })
		return c
	}
	config, err := t.cluster.ToRESTConfig()
	if err != nil {
		return nil, clusterError(err)
	}
	config.QPS, config.Burst = t.qps, int(6*t.qps)
	c := &connection{settings: t.settings, requests: r}
	if c.namespace, _, err = t.cluster.ToRawKubeConfigLoader().Namespace(); err != nil {
		return nil, clusterError(err)
	}
	if err := c.open(config, t); err != nil {
		return nil, clusterError(err)
	}
	if t.flags.Changed("release") {
		return c, nil
	}
	return c, c.findRelease()
}

func (c *connection) open(config *rest.Config, t *tool) error {
	d, err := t.cluster.ToDiscoveryClient()
	if err != nil {
		return err
	}
	mapper, err := t.cluster.ToRESTMapper()
	if err != nil {
		return err
	}
	if c.client, err = kubernetes.NewForConfig(config); err != nil {
		return err
	}
	if c.targets, err = cluster.NewTargets(config, mapper, d); err != nil {
		return err
	}
	// The cached discovery may not know a metrics API that is new, or know one
	// that is gone.
	versions := custom_metrics.NewAvailableAPIsGetter(c.client.Discovery())
	c.metrics, err = cluster.NewMetricsAPIs(c.requests.forMetrics(config), mapper, versions)
	return err
}

// pages lists objects page by page. Where a list has changed too much to go on
// with, it begins anew, and asks for all at once.
func pages[T any, L runtime.Object](ctx context.Context, options metav1.ListOptions, list func(context.Context, metav1.ListOptions) (L, error)) (all []*T, err error) {
	found, _, err := pager.New(func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) { return list(ctx, o) }).List(ctx, options)
	if err != nil {
		return nil, err
	}
	err = meta.EachListItem(found, func(o runtime.Object) error {
		all = append(all, any(o).(*T))
		return nil
	})
	return all, err
}

// findRelease decides as the cluster's release. One that is not known is
// decided on as the newest that is, or the oldest if it is older.
func (c *connection) findRelease() error {
	version, err := c.client.Discovery().ServerVersion()
	if err != nil {
		return clusterError(fmt.Errorf("the cluster does not answer: %w", err))
	}
	r, err := release.Parse(version.GitVersion)
	if err != nil {
		if v, err := apiversion.ParseGeneric(version.GitVersion); err == nil && v.Major() == 1 && v.Minor() < release.Oldest {
			r = release.All()[0]
		}
		c.notes = append(c.notes, fmt.Sprintf("The decision is that of Kubernetes %s, for the cluster's %s is not known.", r, version.GitVersion))
	}
	c.settings.Release = r
	return nil
}
