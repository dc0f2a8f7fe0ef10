package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/examples/controller/api/v1alpha1"
)

// high asks for six pods, low for one.
var (
	high = load{cpu: 300}
	low  = load{cpu: 10}
)

// workload creates a namespace with a Deployment of one pod under the load, and
// an Autoscaler of its cpu alone.
func workload(t *testing.T, ns string, l load, edit func(*v1alpha1.AutoscalerSpec)) *sizes {
	t.Helper()
	namespace(t, ns)
	s := follow(t, ns)
	deployment(t, ns, "web", 1)
	cluster.world.set(l, ns)
	awaitSize(t, ns, "web", 1, time.Minute)
	time.Sleep(2 * settle)
	a := &v1alpha1.Autoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "web"}, Spec: v1alpha1.AutoscalerSpec{HorizontalPodAutoscalerSpec: scaling("web")}}
	a.Spec.MinReplicas, a.Spec.Metrics = nil, a.Spec.Metrics[:1]
	if edit != nil {
		edit(&a.Spec)
	}
	require.NoError(t, cluster.client.Create(t.Context(), a))
	return s
}

// window is the flag of a stabilization window.
func window(d time.Duration) string {
	return "--horizontal-pod-autoscaler-downscale-stabilization=" + d.String()
}

func condition(a *v1alpha1.Autoscaler, typ autoscalingv2.HorizontalPodAutoscalerConditionType) autoscalingv2.HorizontalPodAutoscalerCondition {
	for _, c := range a.Status.Conditions {
		if c.Type == typ {
			return c
		}
	}
	return autoscalingv2.HorizontalPodAutoscalerCondition{}
}

// remembered returns the state that the Autoscaler's status has.
func remembered(t *testing.T, ns string) calculator.State {
	t.Helper()
	a := autoscaler(t, ns, "web")
	require.NotNil(t, a.Status.State)
	var st calculator.State
	require.NoError(t, json.Unmarshal(a.Status.State.Raw, &st))
	return st
}

// fallsAfter checks that the size stays at six for the window, which began at
// the time given, and falls soon after, be the controller another by then.
func fallsAfter(t *testing.T, ns string, began time.Time, window, slack time.Duration) {
	t.Helper()
	for {
		s, now := size(t, ns, "web"), time.Now()
		if s != 6 {
			require.Equal(t, int32(1), s)
			require.GreaterOrEqual(t, now.Sub(began), window, "the window was cut short")
			t.Logf("fell %.1f s after the last high recommendation", now.Sub(began).Seconds())
			return
		}
		require.Less(t, now.Sub(began), window+slack, "the window began again")
		time.Sleep(20 * time.Millisecond)
	}
}

// lastHigh returns when six was last recommended.
func lastHigh(t *testing.T, ns string) (last time.Time) {
	t.Helper()
	st := remembered(t, ns)
	for e := range st.Recommendations.All() {
		if e.Value >= 6 && e.Time.After(last) {
			last = e.Time
		}
	}
	require.False(t, last.IsZero())
	return last
}

func TestKilledInWindow(t *testing.T) {
	t.Parallel()
	const long = 20 * time.Second
	s := workload(t, "killed", high, nil)
	p := startController(t, "killed", window(long))
	awaitSize(t, "killed", "web", 6, time.Minute)
	time.Sleep(plateau)
	cluster.world.set(low, "killed")
	time.Sleep(2 * syncPeriod)
	p.stop(syscall.SIGKILL)
	began := lastHigh(t, "killed")
	time.Sleep(10 * time.Second)
	require.Equal(t, int32(6), size(t, "killed", "web"), "nobody is there to scale")

	startController(t, "killed", window(long))
	fallsAfter(t, "killed", began, long, 8*time.Second)
	require.Equal(t, []int32{1, 4, 6, 1}, s.of("web"))
}

// holder is who has the lease.
func holder(t *testing.T, lease string) string {
	t.Helper()
	var l coordinationv1.Lease
	if err := cluster.client.Get(t.Context(), client.ObjectKey{Namespace: "purehpa", Name: lease}, &l); err != nil || l.Spec.HolderIdentity == nil {
		return ""
	}
	return *l.Spec.HolderIdentity
}

// TestLeaders: two contend, the leader is killed in a window, and the other goes
// on with it; that one is told to stop, and gives the lease back.
func TestLeaders(t *testing.T) {
	t.Parallel()
	const long = 25 * time.Second
	lease := []string{
		"--leader-elect=true", "--leader-elect-resource-namespace=purehpa", window(long),
		"--leader-elect-lease-duration=6s", "--leader-elect-renew-deadline=4s", "--leader-elect-retry-period=500ms",
	}
	s := workload(t, "leaders", high, nil)
	first := startController(t, "leaders", lease...)
	require.Eventually(t, func() bool { return holder(t, component) != "" }, time.Minute, 50*time.Millisecond)
	one := holder(t, component)
	second := startController(t, "leaders", lease...)
	awaitSize(t, "leaders", "web", 6, time.Minute)
	time.Sleep(plateau)
	require.Equal(t, one, holder(t, component))
	require.NotContains(t, second.out.String(), "Starting workers", "only the leader decides")

	cluster.world.set(low, "leaders")
	time.Sleep(2 * syncPeriod)
	first.stop(syscall.SIGKILL)
	began := lastHigh(t, "leaders")
	require.Eventually(t, func() bool { return holder(t, component) != one }, time.Minute, 50*time.Millisecond)
	two := holder(t, component)
	fallsAfter(t, "leaders", began, long, 8*time.Second)
	require.Equal(t, []int32{1, 4, 6, 1}, s.of("web"))

	third := startController(t, "leaders", lease...)
	time.Sleep(time.Second)
	stopping := time.Now()
	require.Zero(t, second.stop(syscall.SIGTERM), "a clean end")
	require.NotEqual(t, two, holder(t, component), "the lease was given back")
	cluster.world.set(high, "leaders")
	awaitSize(t, "leaders", "web", 6, time.Minute)
	t.Logf("a new leader scaled %.1f s after the old one was told to stop", time.Since(stopping).Seconds())
	require.False(t, third.ended())
}

// TestTwoWithoutElection: the worst case, two that both believe to lead. What
// one has written, the other does not undo.
func TestTwoWithoutElection(t *testing.T) {
	t.Parallel()
	s := workload(t, "split", high, func(a *v1alpha1.AutoscalerSpec) { a.Behavior = limited("").Behavior })
	startController(t, "split")
	startController(t, "split")
	awaitSize(t, "split", "web", 6, time.Minute)
	time.Sleep(plateau)
	cluster.world.set(low, "split")
	awaitSize(t, "split", "web", 1, time.Minute)
	// Rules of three up and two down within two seconds held all the same.
	require.Equal(t, []int32{1, 4, 6, 4, 2, 1}, s.of("web"))
}

// gate passes connections on to the API server while it is open.
type gate struct {
	listener net.Listener
	to       string

	mu    sync.Mutex
	shut  bool
	conns map[net.Conn]bool
}

func newGate(t *testing.T, to string) *gate {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	g := &gate{listener: l, to: to, conns: map[net.Conn]bool{}}
	t.Cleanup(func() { l.Close(); g.set(true) })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go g.pass(c)
		}
	}()
	return g
}

func (g *gate) pass(in net.Conn) {
	defer in.Close()
	out, err := net.Dial("tcp", g.to)
	if err != nil {
		return
	}
	defer out.Close()
	g.mu.Lock()
	if g.shut {
		g.mu.Unlock()
		return
	}
	g.conns[in], g.conns[out] = true, true
	g.mu.Unlock()
	go func() {
		_, _ = io.Copy(out, in) // either end closes both
		out.Close()
	}()
	_, _ = io.Copy(in, out)
	g.mu.Lock()
	delete(g.conns, in)
	delete(g.conns, out)
	g.mu.Unlock()
}

// set shuts the gate and cuts what goes through, or opens it.
func (g *gate) set(shut bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.shut = shut
	for c := range g.conns {
		if shut {
			c.Close()
		}
	}
}

func TestServerAway(t *testing.T) {
	t.Parallel()
	s := workload(t, "away", load{cpu: 50}, nil)
	g := newGate(t, strings.Trim(strings.TrimPrefix(cluster.config.Host, "https:"), "/"))
	user := *cluster.config
	file, err := kubeconfig("away", &user, g.listener.Addr().String())
	require.NoError(t, err)
	p := startController(t, "away", "--kubeconfig="+file, window(15*time.Second),
		"--leader-elect=true", "--leader-elect-resource-namespace=purehpa", "--leader-elect-resource-name=away",
		"--leader-elect-lease-duration=40s", "--leader-elect-renew-deadline=30s")
	require.Eventually(t, func() bool { return autoscaler(t, "away", "web").Status.State != nil }, time.Minute, 50*time.Millisecond)
	cluster.world.set(high, "away")
	awaitSize(t, "away", "web", 6, time.Minute)
	time.Sleep(plateau)

	g.set(true)
	cluster.world.set(low, "away")
	began := lastHigh(t, "away")
	time.Sleep(10 * time.Second)
	require.Equal(t, int32(6), size(t, "away", "web"))
	g.set(false)
	back := time.Now()
	// What was recommended before still holds, and the process is the same.
	fallsAfter(t, "away", began, 15*time.Second, 10*time.Second)
	cluster.world.set(high, "away")
	awaitSize(t, "away", "web", 6, time.Minute)
	t.Logf("at work again %.1f s after the server was back", time.Since(back).Seconds())
	require.False(t, p.ended())
	require.Equal(t, []int32{1, 4, 6, 1, 4, 6}, s.of("web"))
}

// TestConflicts: the owner writes to the Autoscaler, and others to the target,
// all the time.
func TestConflicts(t *testing.T) {
	t.Parallel()
	s := workload(t, "conflicts", high, nil)
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for _, o := range []client.Object{
		&v1alpha1.Autoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: "conflicts", Name: "web"}},
		&appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "conflicts", Name: "web"}},
	} {
		wg.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				patch := fmt.Sprintf(`{"metadata":{"annotations":{"n":"%d"}}}`, i)
				_ = cluster.client.Patch(ctx, o, client.RawPatch("application/merge-patch+json", []byte(patch))) // the test ended
				time.Sleep(30 * time.Millisecond)
			}
		})
	}
	startController(t, "conflicts")
	awaitSize(t, "conflicts", "web", 6, 2*time.Minute)
	time.Sleep(plateau)
	cluster.world.set(low, "conflicts")
	awaitSize(t, "conflicts", "web", 1, 2*time.Minute)
	cancel()
	wg.Wait()
	require.Equal(t, []int32{1, 4, 6, 1}, s.of("web"))
	require.Eventually(t, func() bool {
		a := autoscaler(t, "conflicts", "web")
		return a.Status.Intent == nil && a.Status.DesiredReplicas == 1 && a.Status.CurrentReplicas == 1
	}, time.Minute, 100*time.Millisecond)
}

func TestMetricsHang(t *testing.T) {
	t.Parallel()
	s := workload(t, "hang", load{cpu: 50}, nil)
	p := startController(t, "hang", "--metrics-timeout=1s")
	require.Eventually(t, func() bool {
		return condition(autoscaler(t, "hang", "web"), autoscalingv2.ScalingActive).Status == corev1.ConditionTrue
	}, time.Minute, 50*time.Millisecond)

	hang := high
	hang.hangs = make(chan struct{})
	cluster.world.set(hang, "hang")
	require.Eventually(t, func() bool {
		c := condition(autoscaler(t, "hang", "web"), autoscalingv2.ScalingActive)
		return c.Status == corev1.ConditionFalse && c.Reason == "FailedGetResourceMetric"
	}, time.Minute, 50*time.Millisecond)
	time.Sleep(stabilization + 2*syncPeriod)
	require.Equal(t, []int32{1}, s.of("web"))

	cluster.world.set(high, "hang")
	close(hang.hangs)
	awaitSize(t, "hang", "web", 6, time.Minute)
	require.False(t, p.ended())
	require.Equal(t, []int32{1, 4, 6}, s.of("web"))
}

func TestDryRun(t *testing.T) {
	t.Parallel()
	s := workload(t, "dry", high, func(a *v1alpha1.AutoscalerSpec) { a.DryRun = true })
	var before appsv1.Deployment
	require.NoError(t, cluster.client.Get(t.Context(), client.ObjectKey{Namespace: "dry", Name: "web"}, &before))
	address := freeAddress(t)
	startController(t, "dry", "--metrics-bind-address="+address)
	require.Eventually(t, func() bool {
		c := condition(autoscaler(t, "dry", "web"), v1alpha1.DryRun)
		return c.Reason == "WouldRescale" && c.Message == "would scale from 1 to 4; reason: cpu resource utilization (percentage of request) above target"
	}, time.Minute, 50*time.Millisecond)
	time.Sleep(4 * syncPeriod)
	a := autoscaler(t, "dry", "web")
	require.Equal(t, int32(4), a.Status.DesiredReplicas)
	require.Nil(t, a.Status.LastScaleTime)
	require.Nil(t, a.Status.Intent)
	var after appsv1.Deployment
	require.NoError(t, cluster.client.Get(t.Context(), client.ObjectKey{Namespace: "dry", Name: "web"}, &after))
	require.Equal(t, before.Generation, after.Generation)
	require.Equal(t, before.ResourceVersion, after.ResourceVersion, "the target was touched")
	require.Contains(t, scrape(t, address), `purehpa_decisions_total{action="dry_run",name="web",namespace="dry"}`)
	require.Eventually(t, func() bool { return strings.Contains(reasons(t, "dry"), "DryRun") }, time.Minute, 100*time.Millisecond)

	patch := client.RawPatch("application/merge-patch+json", []byte(`{"spec":{"dryRun":false}}`))
	require.NoError(t, cluster.client.Patch(t.Context(), a, patch))
	awaitSize(t, "dry", "web", 6, time.Minute)
	require.Equal(t, []int32{1, 4, 6}, s.of("web"))
	require.Eventually(t, func() bool { return condition(autoscaler(t, "dry", "web"), v1alpha1.DryRun).Type == "" }, time.Minute, 50*time.Millisecond)
}

// TestIntent: a controller that died after it wrote the scale, and before it
// could tell, is believed; one that died before is not.
func TestIntent(t *testing.T) {
	t.Parallel()
	workload(t, "intent", load{cpu: 200}, nil) // asks for four
	p := startController(t, "intent")
	awaitSize(t, "intent", "web", 4, time.Minute)
	require.Eventually(t, func() bool { return autoscaler(t, "intent", "web").Status.Intent == nil }, time.Minute, 50*time.Millisecond)
	p.stop(syscall.SIGKILL)

	marked := func(at time.Time) []byte {
		st := remembered(t, "intent")
		st.LastScaleTime = at
		raw, err := json.Marshal(&st)
		require.NoError(t, err)
		return raw
	}
	done, never := metav1.NewTime(time.Now().Add(-time.Hour).UTC().Truncate(time.Second)), metav1.NewTime(time.Now().Add(-2*time.Hour).UTC().Truncate(time.Second))
	intend := func(replicas int32, state []byte) {
		a := autoscaler(t, "intent", "web")
		a.Status.Intent = &v1alpha1.Intent{Replicas: replicas, State: runtime.RawExtension{Raw: state}}
		require.NoError(t, cluster.client.Status().Update(t.Context(), a))
	}
	intend(4, marked(done.Time))
	p = startController(t, "intent")
	require.Eventually(t, func() bool {
		a := autoscaler(t, "intent", "web")
		return a.Status.Intent == nil && a.Status.LastScaleTime.Equal(&done)
	}, time.Minute, 50*time.Millisecond, "the scale was written")
	p.stop(syscall.SIGKILL)

	intend(9, marked(never.Time))
	p = startController(t, "intent")
	require.Eventually(t, func() bool { return autoscaler(t, "intent", "web").Status.Intent == nil }, time.Minute, 50*time.Millisecond)
	require.True(t, autoscaler(t, "intent", "web").Status.LastScaleTime.Equal(&done), "the scale was not written")
	p.stop(syscall.SIGKILL)

	// A state that nobody can read is said to be lost, and the work goes on.
	a := autoscaler(t, "intent", "web")
	a.Status.State = &runtime.RawExtension{Raw: []byte(`{"version":99}`)}
	require.NoError(t, cluster.client.Status().Update(t.Context(), a))
	startController(t, "intent")
	require.Eventually(t, func() bool { return strings.Contains(reasons(t, "intent"), "StateLost") }, time.Minute, 50*time.Millisecond)
	cluster.world.set(high, "intent")
	awaitSize(t, "intent", "web", 6, time.Minute)
}

// TestServes: probes, metrics and a spec that nobody can decide on, with the
// rights of the manifest.
func TestServes(t *testing.T) {
	t.Parallel()
	workload(t, "serves", high, nil)
	health, metrics := freeAddress(t), freeAddress(t)
	p := startController(t, "serves", "--health-probe-bind-address="+health, "--metrics-bind-address="+metrics)
	for _, path := range []string{"/healthz", "/readyz"} {
		require.Eventually(t, func() bool {
			resp, err := http.Get("http://" + health + path)
			if err != nil {
				return false
			}
			resp.Body.Close()
			return resp.StatusCode == http.StatusOK
		}, time.Minute, 50*time.Millisecond, path)
	}
	awaitSize(t, "serves", "web", 6, time.Minute)
	require.Eventually(t, func() bool {
		text := scrape(t, metrics)
		return strings.Contains(text, `purehpa_current_replicas{name="web",namespace="serves"} 6`) &&
			strings.Contains(text, `purehpa_desired_replicas{name="web",namespace="serves"} 6`) &&
			strings.Contains(text, `purehpa_decisions_total{action="scale_up",name="web",namespace="serves"} 2`) &&
			strings.Contains(text, "purehpa_sync_duration_seconds_count")
	}, time.Minute, 100*time.Millisecond)
	require.Eventually(t, func() bool { return strings.Contains(reasons(t, "serves"), "SuccessfulRescale") }, time.Minute, 100*time.Millisecond)

	patch := client.RawPatch("application/merge-patch+json", []byte(`{"spec":{"minReplicas":20}}`))
	require.NoError(t, cluster.client.Patch(t.Context(), autoscaler(t, "serves", "web"), patch))
	require.Eventually(t, func() bool {
		c := condition(autoscaler(t, "serves", "web"), autoscalingv2.ScalingActive)
		return c.Reason == "InvalidSpec" && strings.Contains(c.Message, "spec.maxReplicas")
	}, time.Minute, 50*time.Millisecond)
	require.Equal(t, int32(6), size(t, "serves", "web"))

	require.NoError(t, cluster.client.Delete(t.Context(), autoscaler(t, "serves", "web")))
	require.Eventually(t, func() bool { return !strings.Contains(scrape(t, metrics), `namespace="serves"`) }, time.Minute, 100*time.Millisecond)
	require.NotContains(t, p.out.String(), "forbidden", "the rights of the manifest do")
	require.Zero(t, p.stop(syscall.SIGTERM))
}

func scrape(t *testing.T, address string) string {
	t.Helper()
	resp, err := http.Get("http://" + address + "/metrics")
	require.NoError(t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return string(text)
}

// reasons are those of the events about Autoscalers of the namespace.
func reasons(t *testing.T, ns string) string {
	t.Helper()
	var list eventsv1.EventList
	require.NoError(t, cluster.client.List(t.Context(), &list, client.InNamespace(ns)))
	var all []string
	for _, e := range list.Items {
		if e.Regarding.Kind == "Autoscaler" {
			all = append(all, e.Reason)
		}
	}
	return strings.Join(all, " ")
}
