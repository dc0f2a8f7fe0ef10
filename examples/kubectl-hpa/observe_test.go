package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/http2"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"
	"k8s.io/client-go/discovery/fake"
	kubefake "k8s.io/client-go/kubernetes/fake"
	scalefake "k8s.io/client-go/scale/fake"
	clienttesting "k8s.io/client-go/testing"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/examples/internal/cluster"
	"github.com/purehpa/hpa/examples/internal/cluster/clustertest"
)

// faked is a connection to a cluster that has these objects, and Deployments
// with the scales that read returns.
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

// An error that is this command's own is no answer; one that the controller
// gets, too, is.
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
		{fmt.Errorf("while reading the body: %w", io.ErrUnexpectedEOF), true},
		{fmt.Errorf("while reading the body: %w", http2.StreamError{}), true},
		{&net.OpError{Op: "read", Err: errors.New("connection reset by peer")}, true},
		{apierrors.NewNotFound(deployments, "web"), false},
		{apierrors.NewInternalError(errors.New("no")), false},
		{apierrors.NewServiceUnavailable("no"), false},
	} {
		t.Run(c.err.Error(), func(t *testing.T) {
			s, err := faked(func(string) (*autoscalingv1.Scale, error) { return nil, c.err }).observe(t.Context(), rowOf(t, 2).snapshot.autoscaler)
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

// Autoscalers that share pods are named with the scale's selector, and a note
// says what the controller may see differently.
func TestNeighbours(t *testing.T) {
	hpa := func(name string) *autoscalingv2.HorizontalPodAutoscaler {
		return &autoscalingv2.HorizontalPodAutoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name}, Spec: clustertest.Scaling(name)}
	}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-1", Labels: map[string]string{"app": "web"}}}
	for _, c := range []struct {
		name, selector string
		size           int32
		err            error
		shared         bool
		note           string
	}{
		{name: "none", selector: "app=other", size: 2},
		{name: "one", selector: "app=web", size: 2, shared: true},
		{name: "one at zero", selector: "app=web", shared: true, note: "Pods are shared with autoscalers at size zero alone"},
		{name: "one that cannot be read", err: errNone, note: "Whether shop/second selects the same pods is not known: there is no"},
	} {
		t.Run(c.name, func(t *testing.T) {
			one := faked(func(name string) (*autoscalingv1.Scale, error) {
				scale := &autoscalingv1.Scale{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name}}
				scale.Spec.Replicas, scale.Status.Selector = 2, "app in (web, api)"
				if name == "second" {
					scale.Spec.Replicas, scale.Status.Selector = c.size, c.selector
					return scale, c.err
				}
				return scale, nil
			}, hpa("web"), hpa("second"), pod)
			a := rowOf(t, 2).snapshot.autoscaler
			a.Spec.Metrics = nil
			s, err := one.observe(t.Context(), a)
			require.NoError(t, err)
			if c.shared {
				require.Equal(t, "app in (web, api)", s.obs.SelectorError.Selector)
			} else {
				require.Nil(t, s.obs.SelectorError)
			}
			notes := strings.Join(s.notes, "\n")
			require.Contains(t, notes, c.note)
			require.Equal(t, c.note != "", strings.Contains(notes, "hared") || strings.Contains(notes, "same pods"), notes)
		})
	}
}

// Where no metric is computed, no pods and no metrics are read, unless other
// rules may compute some.
func TestReadsWhatCounts(t *testing.T) {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-1", Labels: map[string]string{"app": "web"}}}
	for size, reads := range map[int32]bool{0: false, 2: true, 99: false} {
		c := faked(func(name string) (*autoscalingv1.Scale, error) {
			scale := &autoscalingv1.Scale{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name}}
			scale.Spec.Replicas, scale.Status.Selector = size, "app=web"
			return scale, nil
		}, pod)
		a := rowOf(t, 2).snapshot.autoscaler
		a.Spec.Metrics = nil
		for _, c.everything = range []bool{false, true} {
			s, err := c.observe(t.Context(), a)
			require.NoError(t, err)
			require.Equal(t, reads || c.everything, len(s.obs.Pods) == 1, "size %d", size)
		}
	}
}
