package main

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/purehpa/hpa/examples/internal/cluster/clustertest"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/scale"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// paused is a client of scales that waits before a write.
type paused struct {
	scale.ScalesGetter
	scale.ScaleInterface
	wait func()
}

func (p paused) Scales(namespace string) scale.ScaleInterface {
	p.ScaleInterface = p.ScalesGetter.Scales(namespace)
	return p
}

func (p paused) Update(ctx context.Context, resource schema.GroupResource, s *autoscalingv1.Scale, o metav1.UpdateOptions) (*autoscalingv1.Scale, error) {
	p.wait()
	return p.ScaleInterface.Update(ctx, resource, s, o)
}

// TestPausedLeader: a leader is paused between its intent and the write.
// Another one finds the intent, and decides on another size. The write is
// refused, even if the size is the one that the paused leader read.
func TestPausedLeader(t *testing.T) {
	t.Parallel()
	workload(t, "paused", high, nil)
	_, first, one := newController(t, "paused")
	_, second, two := newController(t, "paused")
	run(t, first)
	run(t, second)
	one.writeTimeout = clustertest.Guard
	scales := one.targets.Scales
	web := ctrl.Request{NamespacedName: client.ObjectKey{Namespace: "paused", Name: "web"}}
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "paused", Name: "web"}}
	for _, meanwhile := range [][]string{
		{`{"metadata": {"annotations": {"another": "change"}}}`},
		{`{"spec": {"replicas": 3}}`, `{"spec": {"replicas": 1}}`},
	} {
		testbed.World.Set(high, "paused")
		one.targets.Scales = paused{ScalesGetter: scales, wait: sync.OnceFunc(func() {
			require.Equal(t, int32(4), autoscaler(t, "paused", "web").Status.Intent.Replicas)
			testbed.World.Set(clustertest.Load{Fails: "external.metrics.k8s.io"}, "paused")
			awaitFresh(t, two, "paused")
			_, err := two.Reconcile(t.Context(), web)
			require.NoError(t, err)
			for _, patch := range meanwhile {
				require.NoError(t, testbed.Client.Patch(t.Context(), deployment, client.RawPatch(types.MergePatchType, []byte(patch))))
			}
		})}
		awaitFresh(t, one, "paused")
		_, err := one.Reconcile(t.Context(), web)
		require.True(t, apierrors.IsConflict(err), "%v", err)
		require.Equal(t, int32(1), testbed.Size(t, "paused", "web"))
	}
}

// awaitFresh waits until the cache holds what the API server has.
func awaitFresh(t *testing.T, r *reconciler, namespace string) {
	t.Helper()
	testbed.Await(t, func() error {
		if fresh, err := r.fresh(t.Context(), namespace); !fresh {
			return errors.Join(err, errors.New("the cache is behind"))
		}
		return nil
	})
}

// TestWriteTimeout: what a paused leader sends ends before another one leads.
func TestWriteTimeout(t *testing.T) {
	for flags, want := range map[string]time.Duration{
		"":                                 5 * time.Second,
		"--leader-elect=false":             10 * time.Second,
		"--leader-elect-lease-duration=1m": 10 * time.Second,
		"--leader-elect-lease-duration=12s --leader-elect-renew-deadline=11500ms": 500 * time.Millisecond,
	} {
		require.Equal(t, want, parsed(t, strings.Fields(flags)...).writeTimeout(), flags)
	}
}
