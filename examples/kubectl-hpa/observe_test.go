package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"
	"k8s.io/client-go/discovery/fake"
	kubefake "k8s.io/client-go/kubernetes/fake"
	scalefake "k8s.io/client-go/scale/fake"
	clienttesting "k8s.io/client-go/testing"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/examples/internal/cluster"
)

// faked is a connection to a cluster that has these objects, and Deployments with the
// scales that read returns.
func faked(read func(name string) (*autoscalingv1.Scale, error), objects ...runtime.Object) *connection {
	apps := schema.GroupVersion{Group: "apps", Version: "v1"}
	mapper := meta.NewDefaultRESTMapper([]schema.GroupVersion{apps})
	mapper.Add(apps.WithKind("Deployment"), meta.RESTScopeNamespace)
	scales := new(scalefake.FakeScaleClient)
	scales.AddReactor("get", "deployments", func(action clienttesting.Action) (bool, runtime.Object, error) {
		scale, err := read(action.(clienttesting.GetAction).GetName())
		return true, scale, err
	})
	return &connection{
		client: kubefake.NewClientset(objects...), targets: cluster.Targets{Mapper: mapper, Scales: scales},
		namespace: "shop", settings: calculator.DefaultSettings(),
	}
}

// An error that is this command's own is no answer; one that the controller gets, too, is.
func TestOwnErrors(t *testing.T) {
	deployments := schema.GroupResource{Group: "apps", Resource: "deployments"}
	for _, c := range []struct {
		err  error
		ours bool
	}{
		{apierrors.NewForbidden(deployments, "web", nil), true},
		{apierrors.NewUnauthorized("who are you"), true},
		{apierrors.NewTooManyRequests("later", 1), true},
		{apierrors.NewTimeoutError("later", 1), true},
		{apierrors.NewServerTimeout(deployments, "get", 1), true},
		{&url.Error{Op: "Get", URL: "https://localhost", Err: errors.New("connection refused")}, true},
		{fmt.Errorf("unable to fetch metrics: %w", context.Canceled), true},
		{context.DeadlineExceeded, true},
		{apierrors.NewNotFound(deployments, "web"), false},
		{apierrors.NewInternalError(errors.New("no")), false},
		{apierrors.NewServiceUnavailable("no"), false},
	} {
		t.Run(c.err.Error(), func(t *testing.T) {
			s, err := faked(func(string) (*autoscalingv1.Scale, error) { return nil, c.err }).observe(t.Context(), rowOf(t, 2).scene.autoscaler)
			if !c.ours {
				require.NoError(t, err)
				require.ErrorIs(t, s.obs.ScaleError, c.err)
				return
			}
			var f *failure
			require.ErrorAs(t, err, &f)
			require.Equal(t, statusCluster, f.status)
			require.ErrorIs(t, err, c.err)
		})
	}
}

// A cluster that is older than all releases known is decided on as the oldest.
func TestFindRelease(t *testing.T) {
	for _, c := range []struct{ is, as, note string }{
		{"v1.32.4-gke.1", "1.32", ""},
		{"v1.28.3", "1.29", "The decision is that of Kubernetes 1.29, for the cluster's v1.28.3 is not known."},
		{"v1.9.0", "1.29", "The decision is that of Kubernetes 1.29, for the cluster's v1.9.0 is not known."},
		{"v1.99.0", "1.37", "The decision is that of Kubernetes 1.37, for the cluster's v1.99.0 is not known."},
		{"unknown", "1.37", "The decision is that of Kubernetes 1.37, for the cluster's unknown is not known."},
	} {
		one := faked(nil)
		one.client.Discovery().(*fake.FakeDiscovery).FakedServerVersion = &version.Info{GitVersion: c.is}
		require.NoError(t, one.findRelease())
		require.Equal(t, c.as, one.settings.Release.String(), c.is)
		if c.note == "" {
			require.Empty(t, one.notes)
		} else {
			require.Equal(t, []string{c.note}, one.notes)
		}
	}
}
