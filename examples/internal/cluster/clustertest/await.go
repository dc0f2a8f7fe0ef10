package clustertest

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/discovery"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Await polls until there is no error.
func (c *Cluster) Await(t testing.TB, check func() error) {
	t.Helper()
	for deadline := time.Now().Add(Guard); ; Pause() {
		err := check()
		switch {
		case err == nil:
			return
		case c.Upstream != nil && c.Upstream.Ended():
			t.Fatalf("upstream's controllers ended (testcluster/build.sh builds those of this version):\n%s", c.Upstream.Out)
		case time.Now().After(deadline):
			t.Fatalf("after %v: %v", Guard, err)
		}
	}
}

// Pause is the time between two looks.
func Pause() { time.Sleep(20 * time.Millisecond) }

// AwaitSyncs waits until a sync of each key waits at the turnstile, so that the
// one before is over.
func (c *Cluster) AwaitSyncs(t testing.TB, keys ...string) {
	t.Helper()
	c.Await(t, func() error { return c.Turnstile.waits(keys) })
}

// AwaitSize waits until the Deployment has the size, and all its pods run.
func (c *Cluster) AwaitSize(t testing.TB, namespace, name string, want int32) {
	t.Helper()
	c.Await(t, func() error {
		is, running := c.Size(t, namespace, name), c.World.Running(namespace, name)
		if is != want || running != int(want) {
			return fmt.Errorf("%s/%s: size %d with %d running, want %d", namespace, name, is, running, want)
		}
		return nil
	})
}

// AwaitSettled waits until nothing about the apps of the namespace changes, and
// returns what there is of each.
func (c *Cluster) AwaitSettled(t testing.TB, namespace string) (all map[string]string) {
	t.Helper()
	c.Await(t, func() (err error) {
		all, err = c.World.Settled(t.Context(), namespace)
		return err
	})
	return all
}

// AwaitMetricsAPIs waits until the API server offers them, and passes requests
// on. It returns their versions, which change whenever it begins or ends to
// refuse one.
func (c *Cluster) AwaitMetricsAPIs(t testing.TB) map[string]string {
	t.Helper()
	d, err := discovery.NewDiscoveryClientForConfig(c.Config)
	require.NoError(t, err)
	all := map[string]string{}
	c.Await(t, func() error {
		groups, err := d.ServerGroups()
		if err != nil {
			return err
		}
		for name, version := range metricsGroups {
			if !slices.ContainsFunc(groups.Groups, func(g metav1.APIGroup) bool { return g.Name == name }) {
				return fmt.Errorf("no group %s", name)
			}
			if all[name], err = c.Available(t.Context(), name); err != nil {
				return err
			}
			if _, err := d.ServerResourcesForGroupVersion(name + "/" + version); err != nil {
				return err
			}
		}
		return nil
	})
	return all
}

// Available returns the version of the APIService of a metrics API, or an error
// while the aggregator refuses requests to it.
func (c *Cluster) Available(ctx context.Context, group string) (string, error) {
	s := APIService(group)
	if err := c.Client.Get(ctx, client.ObjectKeyFromObject(s), s); err != nil {
		return "", err
	}
	conditions, _, err := unstructured.NestedSlice(s.Object, "status", "conditions")
	for _, c := range conditions {
		if c, ok := c.(map[string]any); ok && c["type"] == "Available" && c["status"] == "True" {
			return s.GetResourceVersion(), nil
		}
	}
	return "", fmt.Errorf("%s is not available: %v (%w)", group, conditions, err)
}
