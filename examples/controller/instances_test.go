package main

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/purehpa/hpa/examples/controller/api/v1alpha1"
	"github.com/purehpa/hpa/examples/internal/cluster/clustertest"
)

// shard gives an Autoscaler to an instance.
func shard(t *testing.T, ns, name, value string) {
	t.Helper()
	a := &v1alpha1.Autoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: name}}
	patch := client.RawPatch(types.MergePatchType, fmt.Appendf(nil, `{"metadata":{"labels":{"shard":%q}}}`, value))
	require.NoError(t, testbed.Client.Patch(t.Context(), a, patch))
}

// TestInstances: of two instances with disjoint selectors, each leads, and
// decides on its own Autoscalers alone. One that is moved to the other in a
// window goes on with that window.
func TestInstances(t *testing.T) {
	t.Parallel()
	const ns, long = "shards", 15 * time.Second
	s := workload(t, ns, high, nil)
	testbed.Deployment(t, ns, "api", 1)
	api := &v1alpha1.Autoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "api"}, Spec: autoscaler(t, ns, "web").Spec}
	api.Spec.ScaleTargetRef.Name = "api"
	require.NoError(t, testbed.Client.Create(t.Context(), api))
	shard(t, ns, "web", "a")
	shard(t, ns, "api", "b")

	start := func(selector string, window string) (metrics string) {
		metrics = freeAddress(t)
		startController(t, ns, "--kubeconfig="+testbed.Admin, "--watch-label-selector="+selector, window, "--metrics-bind-address="+metrics,
			"--leader-elect=true", "--leader-elect-resource-namespace=purehpa", "--leader-elect-lease-duration=6h", "--leader-elect-renew-deadline=5h")
		return metrics
	}
	a, b := start("shard=a", window(time.Hour)), start("shard=b", window(long))
	shows := func(metrics, name string) bool {
		return strings.Contains(scrape(t, metrics), fmt.Sprintf("name=%q", name))
	}
	for _, name := range []string{"web", "api"} {
		testbed.AwaitSize(t, ns, name, 6)
	}
	require.Equal(t, []bool{true, false}, []bool{shows(a, "web"), shows(a, "api")})
	require.Equal(t, []bool{false, true}, []bool{shows(b, "web"), shows(b, "api")})

	testbed.World.Set(low, ns)
	awaitLow(t, ns)
	shard(t, ns, "web", "b")
	began := lastHigh(t, ns)
	fallsAfter(t, ns, began, long, began)
	s.require(t, "web", 1, 4, 6, 1)
	require.Eventually(t, func() bool { return !shows(a, "web") && shows(b, "web") }, clustertest.Guard, 50*time.Millisecond)
}

// TestMoved: a sync that is under way when its Autoscaler is given to another
// instance writes nothing. Other changes of labels are of no concern.
func TestMoved(t *testing.T) {
	t.Parallel()
	const ns = "moved"
	workload(t, ns, high, nil)
	shard(t, ns, "web", "a")
	_, mgr, r := newController(t, ns)
	run(t, mgr)
	r.selector = labels.SelectorFromSet(labels.Set{"shard": "a"})
	awaitFresh(t, r, ns)
	m, a, err := r.look(t.Context(), client.ObjectKey{Namespace: ns, Name: "web"})
	require.NoError(t, err)

	shard(t, ns, "web", "b")
	err = r.save(t.Context(), a, m, anySpec)
	require.True(t, apierrors.IsConflict(err), "%v", err)
	require.Nil(t, autoscaler(t, ns, "web").Status.State)

	shard(t, ns, "web", "a")
	require.NoError(t, r.save(t.Context(), a, m, anySpec))
	require.NotNil(t, autoscaler(t, ns, "web").Status.State)
}

// TestQuiet: a sync that changes nothing but the time of the last recommendation
// writes nothing. A controller that starts after that cuts no window short.
func TestQuiet(t *testing.T) {
	t.Parallel()
	const ns, long = "quiet", 6 * time.Second
	s := workload(t, ns, high, nil)
	metrics := freeAddress(t)
	p := startController(t, ns, window(long), "--metrics-bind-address="+metrics)
	testbed.AwaitSize(t, ns, "web", 6)
	var version string
	var since int
	testbed.Await(t, func() error { // until five syncs in a row left it alone
		if v := autoscaler(t, ns, "web").ResourceVersion; v != version {
			version, since = v, syncsOf(t, metrics)
		}
		if n := syncsOf(t, metrics) - since; n < 5 {
			return fmt.Errorf("%d syncs wrote nothing", n)
		}
		return nil
	})
	require.GreaterOrEqual(t, time.Since(lastHigh(t, ns)), syncPeriod, "the state has an old time")

	p.Stop(syscall.SIGKILL)
	stopped := time.Now()
	testbed.World.Set(low, ns)
	startController(t, ns, window(long))
	testbed.AwaitSize(t, ns, "web", 1)
	require.GreaterOrEqual(t, time.Since(stopped), long-2*syncPeriod, "the window was cut short")
	s.require(t, "web", 1, 4, 6, 1)
}

// syncsOf returns how many syncs the controller has made.
func syncsOf(t *testing.T, metrics string) (n int) {
	t.Helper()
	_, rest, _ := strings.Cut(scrape(t, metrics), "\npurehpa_sync_duration_seconds_count ")
	_, err := fmt.Sscan(rest, &n)
	require.NoError(t, err)
	return n
}

// TestWatched: what the flags select, and the lease that goes with it.
func TestWatched(t *testing.T) {
	leases := map[string]string{}
	for _, flags := range []string{"", "--namespaces=a", "--namespaces=b", "--namespaces=a,b", "--watch-label-selector=shard=a", "--watch-label-selector=shard=b", "--namespaces=a --watch-label-selector=shard=a"} {
		o := parsed(t, strings.Fields(flags)...)
		selector, err := o.watched()
		require.NoError(t, err, flags)
		name := o.lease(selector)
		require.NotContains(t, leases, name, flags)
		leases[name] = flags
	}
	require.Contains(t, leases, component)
	for one, other := range map[string]string{"--namespaces=a,b": "--namespaces=b --namespaces=a", "--watch-label-selector=a=1,b=2": "--watch-label-selector=b=2,a=1"} {
		x, y := parsed(t, strings.Fields(one)...), parsed(t, strings.Fields(other)...)
		selector, err := x.watched()
		require.NoError(t, err)
		same, err := y.watched()
		require.NoError(t, err)
		require.Equal(t, x.lease(selector), y.lease(same))
	}
	o := parsed(t, "--namespaces=a", "--leader-elect-resource-name=mine")
	require.Equal(t, "mine", o.lease(labels.Everything()))
	for flag, want := range map[string]string{
		"--namespaces=a,":              `--namespaces: ""`,
		"--namespaces=A":               `--namespaces: "A"`,
		"--watch-label-selector=a==b=": "--watch-label-selector: ",
	} {
		_, err := parsed(t, flag).watched()
		require.ErrorContains(t, err, want)
	}
}
