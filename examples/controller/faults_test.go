package main

import (
	"context"
	"encoding/json"
	"errors"
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
	"github.com/purehpa/hpa/examples/internal/cluster/clustertest"
)

// high asks for six pods, low for one. No decision on the queue depends on
// which of the pods the controller has heard of yet.
var (
	high = clustertest.Load{Queue: 30_000}
	low  = clustertest.Load{Queue: 5_000}
)

// workload creates a namespace with a Deployment of one pod under the load, and
// an Autoscaler of its queue alone.
func workload(t *testing.T, ns string, l clustertest.Load, edit func(*v1alpha1.AutoscalerSpec)) *sizes {
	t.Helper()
	testbed.Namespace(t, ns)
	s := follow(t, ns)
	testbed.Deployment(t, ns, "web", 1)
	testbed.World.Set(l, ns)
	testbed.AwaitSettled(t, ns)
	a := &v1alpha1.Autoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "web"}, Spec: v1alpha1.AutoscalerSpec{HorizontalPodAutoscalerSpec: clustertest.Scaling("web")}}
	a.Spec.MinReplicas, a.Spec.Metrics = nil, a.Spec.Metrics[2:]
	if edit != nil {
		edit(&a.Spec)
	}
	require.NoError(t, testbed.Client.Create(t.Context(), a))
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

// fallsAfter checks that the size falls from six to one, but not before the end
// of the window, which began with the last high recommendation. A controller
// that began it again would make one later than the time given last.
func fallsAfter(t *testing.T, ns string, began time.Time, window time.Duration, by time.Time) {
	t.Helper()
	testbed.Await(t, func() error {
		s, now := testbed.Size(t, ns, "web"), time.Now()
		if last := lastHigh(t, ns); last.After(began) {
			require.False(t, last.After(by), "the window began again")
			began = last
		}
		if s == 6 {
			return fmt.Errorf("%s: still six", ns)
		}
		require.Equal(t, int32(1), s)
		require.GreaterOrEqual(t, now.Sub(began), window, "the window was cut short")
		t.Logf("fell %.1f s after the last high recommendation", now.Sub(began).Seconds())
		return nil
	})
}

// lastHigh returns when six was last recommended, the zero time if it is
// forgotten.
func lastHigh(t *testing.T, ns string) (last time.Time) {
	t.Helper()
	st := remembered(t, ns)
	for e := range st.Recommendations.All() {
		if e.Value >= 6 && e.Time.After(last) {
			last = e.Time
		}
	}
	return last
}

// awaitLow waits until one was recommended after six.
func awaitLow(t *testing.T, ns string) {
	t.Helper()
	testbed.Await(t, func() error {
		high, st := lastHigh(t, ns), remembered(t, ns)
		for e := range st.Recommendations.All() {
			if !high.IsZero() && e.Value == 1 && e.Time.After(high) {
				return nil
			}
		}
		return fmt.Errorf("%s: no low recommendation", ns)
	})
}

func TestKilledInWindow(t *testing.T) {
	t.Parallel()
	const long = 15 * time.Second
	s := workload(t, "killed", high, nil)
	p := startController(t, "killed", window(time.Hour)) // it does not live to see the end
	testbed.AwaitSize(t, "killed", "web", 6)
	testbed.World.Set(low, "killed")
	awaitLow(t, "killed")
	p.Stop(syscall.SIGKILL)
	began := lastHigh(t, "killed")
	time.Sleep(5 * time.Second)
	require.Equal(t, int32(6), testbed.Size(t, "killed", "web"), "nobody is there to scale")

	startController(t, "killed", window(long))
	fallsAfter(t, "killed", began, long, began)
	s.require(t, "web", 1, 4, 6, 1)
}

// lease returns the controllers' lease, and who has it.
func lease(t *testing.T) (l coordinationv1.Lease, holder string) {
	t.Helper()
	err := testbed.Client.Get(t.Context(), client.ObjectKey{Namespace: "purehpa", Name: component}, &l)
	require.NoError(t, client.IgnoreNotFound(err))
	if h := l.Spec.HolderIdentity; h != nil {
		holder = *h
	}
	return l, holder
}

// awaitStandby waits until the controller contends for the lease.
func awaitStandby(t *testing.T, p *clustertest.Process) {
	t.Helper()
	testbed.Await(t, func() error {
		if !strings.Contains(p.Out.String(), "Attempting to acquire leader lease") {
			return errors.New("it does not contend")
		}
		return nil
	})
}

// awaitHolder waits until someone has the lease. From one who is gone it takes
// the lease away, as its end would.
func awaitHolder(t *testing.T, gone string) (holder string) {
	t.Helper()
	testbed.Await(t, func() error {
		var l coordinationv1.Lease
		switch l, holder = lease(t); holder {
		case "":
			return errors.New("nobody has the lease")
		case gone:
			l.Spec.HolderIdentity = nil
			return errors.Join(errors.New("the lease has not ended"), testbed.Client.Update(t.Context(), &l))
		}
		return nil
	})
	return holder
}

// TestLeaders: two contend, the leader is killed in a window, and the other
// goes on with it; that one is told to stop, and gives the lease back. A lease
// lasts for longer than the test, so that a slow leader keeps it.
func TestLeaders(t *testing.T) {
	t.Parallel()
	const long = 25 * time.Second
	elect := []string{"--leader-elect=true", "--leader-elect-resource-namespace=purehpa", "--leader-elect-resource-name=" + component,
		"--leader-elect-lease-duration=6h", "--leader-elect-renew-deadline=5h", "--leader-elect-retry-period=200ms"}
	s := workload(t, "leaders", high, nil)
	first := startController(t, "leaders", append(elect, window(time.Hour))...) // it does not live to see the end
	one := awaitHolder(t, "")
	elect = append(elect, window(long))
	second := startController(t, "leaders", elect...)
	awaitStandby(t, second)
	testbed.AwaitSize(t, "leaders", "web", 6)
	require.NotContains(t, second.Out.String(), "Starting workers", "only the leader decides")

	testbed.World.Set(low, "leaders")
	awaitLow(t, "leaders")
	first.Stop(syscall.SIGKILL)
	began := lastHigh(t, "leaders")
	two := awaitHolder(t, one)
	fallsAfter(t, "leaders", began, long, began)
	s.require(t, "web", 1, 4, 6, 1)

	third := startController(t, "leaders", elect...)
	awaitStandby(t, third)
	stopping := time.Now()
	require.Zero(t, second.Stop(syscall.SIGTERM), "a clean end")
	_, three := lease(t)
	require.NotEqual(t, two, three, "the lease was given back")
	testbed.World.Set(high, "leaders")
	testbed.AwaitSize(t, "leaders", "web", 6)
	t.Logf("a new leader scaled %.1f s after the old one was told to stop", time.Since(stopping).Seconds())
	require.False(t, third.Ended())
}

// TestTwoWithoutElection: the worst case, two that both believe to lead. What
// one has written, the other does not undo.
func TestTwoWithoutElection(t *testing.T) {
	t.Parallel()
	s := workload(t, "split", high, func(a *v1alpha1.AutoscalerSpec) { a.Behavior = clustertest.Limited("web", 2).Behavior })
	startController(t, "split")
	startController(t, "split")
	testbed.AwaitSize(t, "split", "web", 6)
	time.Sleep(2500 * time.Millisecond) // what was added would count against what is removed
	testbed.World.Set(low, "split")
	testbed.AwaitSize(t, "split", "web", 1)
	// Rules of three up and two down within two seconds held all the same.
	s.require(t, "web", 1, 4, 6, 4, 2, 1)
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
	s := workload(t, "away", low, nil)
	g := newGate(t, strings.Trim(strings.TrimPrefix(testbed.Config.Host, "https:"), "/"))
	user := *testbed.Config
	file, err := testbed.Kubeconfig("away", &user, g.listener.Addr().String())
	require.NoError(t, err)
	p := startController(t, "away", "--kubeconfig="+file, window(15*time.Second),
		"--leader-elect=true", "--leader-elect-resource-namespace=purehpa", "--leader-elect-resource-name=away",
		"--leader-elect-lease-duration=6m", "--leader-elect-renew-deadline=5m")
	require.Eventually(t, func() bool { return autoscaler(t, "away", "web").Status.State != nil }, clustertest.Guard, 50*time.Millisecond)
	testbed.World.Set(high, "away")
	testbed.AwaitSize(t, "away", "web", 6)

	g.set(true)
	testbed.World.Set(low, "away")
	began := lastHigh(t, "away")
	time.Sleep(10 * time.Second)
	require.Equal(t, int32(6), testbed.Size(t, "away", "web"))
	back := time.Now()
	g.set(false)
	// What was recommended before still holds, and the process is the same. A
	// sync may have seen the high load, and been cut off.
	fallsAfter(t, "away", began, 15*time.Second, back)
	testbed.World.Set(high, "away")
	testbed.AwaitSize(t, "away", "web", 6)
	t.Logf("at work again %.1f s after the server was back", time.Since(back).Seconds())
	require.False(t, p.Ended())
	s.require(t, "web", 1, 4, 6, 1, 4, 6)
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
				_ = testbed.Client.Patch(ctx, o, client.RawPatch("application/merge-patch+json", []byte(patch))) // the test ended
				time.Sleep(30 * time.Millisecond)
			}
		})
	}
	startController(t, "conflicts")
	testbed.AwaitSize(t, "conflicts", "web", 6)
	testbed.World.Set(low, "conflicts")
	testbed.AwaitSize(t, "conflicts", "web", 1)
	cancel()
	wg.Wait()
	s.require(t, "web", 1, 4, 6, 1)
	require.Eventually(t, func() bool {
		a := autoscaler(t, "conflicts", "web")
		return a.Status.Intent == nil && a.Status.DesiredReplicas == 1 && a.Status.CurrentReplicas == 1
	}, clustertest.Guard, 100*time.Millisecond)
}

func TestMetricsHang(t *testing.T) {
	t.Parallel()
	s := workload(t, "hang", low, nil)
	p := startController(t, "hang", "--metrics-timeout=1s")
	require.Eventually(t, func() bool {
		return condition(autoscaler(t, "hang", "web"), autoscalingv2.ScalingActive).Status == corev1.ConditionTrue
	}, clustertest.Guard, 50*time.Millisecond)

	hang := high
	hang.Hangs = make(chan struct{})
	testbed.World.Set(hang, "hang")
	require.Eventually(t, func() bool {
		c := condition(autoscaler(t, "hang", "web"), autoscalingv2.ScalingActive)
		return c.Status == corev1.ConditionFalse && c.Reason == "FailedGetExternalMetric"
	}, clustertest.Guard, 50*time.Millisecond)
	time.Sleep(stabilization + 2*syncPeriod)
	s.require(t, "web", 1)

	testbed.World.Set(high, "hang")
	close(hang.Hangs)
	testbed.AwaitSize(t, "hang", "web", 6)
	require.False(t, p.Ended())
	s.require(t, "web", 1, 4, 6)
}

func TestDryRun(t *testing.T) {
	t.Parallel()
	s := workload(t, "dry", high, func(a *v1alpha1.AutoscalerSpec) { a.DryRun = true })
	var before appsv1.Deployment
	require.NoError(t, testbed.Client.Get(t.Context(), client.ObjectKey{Namespace: "dry", Name: "web"}, &before))
	address := freeAddress(t)
	startController(t, "dry", "--metrics-bind-address="+address)
	require.Eventually(t, func() bool {
		a := autoscaler(t, "dry", "web")
		c := condition(a, v1alpha1.DryRun)
		return c.Reason == "WouldRescale" && c.Message == fmt.Sprintf("would scale from 1 to 4; reason: external metric queue(%v) above target", a.Spec.Metrics[0].External.Metric.Selector)
	}, clustertest.Guard, 50*time.Millisecond)
	time.Sleep(4 * syncPeriod)
	a := autoscaler(t, "dry", "web")
	require.Equal(t, int32(4), a.Status.DesiredReplicas)
	require.Nil(t, a.Status.LastScaleTime)
	require.Nil(t, a.Status.Intent)
	var after appsv1.Deployment
	require.NoError(t, testbed.Client.Get(t.Context(), client.ObjectKey{Namespace: "dry", Name: "web"}, &after))
	require.Equal(t, before.Generation, after.Generation, "the target was touched")
	require.Contains(t, scrape(t, address), `purehpa_decisions_total{action="dry_run",name="web",namespace="dry"}`)
	awaitEvent(t, "dry", "web", "DryRun")

	patch := client.RawPatch("application/merge-patch+json", []byte(`{"spec":{"dryRun":false}}`))
	require.NoError(t, testbed.Client.Patch(t.Context(), a, patch))
	testbed.AwaitSize(t, "dry", "web", 6)
	s.require(t, "web", 1, 4, 6)
	require.Eventually(t, func() bool { return condition(autoscaler(t, "dry", "web"), v1alpha1.DryRun).Type == "" }, clustertest.Guard, 50*time.Millisecond)
}

// TestIntent: a controller that died after it wrote the scale, and before it
// could tell, is believed; one that died before is not.
func TestIntent(t *testing.T) {
	t.Parallel()
	workload(t, "intent", clustertest.Load{Queue: 20_000}, nil) // asks for four
	p := startController(t, "intent")
	testbed.AwaitSize(t, "intent", "web", 4)
	require.Eventually(t, func() bool { return autoscaler(t, "intent", "web").Status.Intent == nil }, clustertest.Guard, 50*time.Millisecond)
	p.Stop(syscall.SIGKILL)

	marked := func(at time.Time) []byte {
		st := remembered(t, "intent")
		st.LastScaleTime = at
		raw, err := json.Marshal(&st)
		require.NoError(t, err)
		return raw
	}
	done, never := metav1.NewTime(time.Now().Add(-time.Hour).UTC().Truncate(time.Second)), metav1.NewTime(time.Now().Add(-2*time.Hour).UTC().Truncate(time.Second))
	// The last write of a controller that was killed may still be under way.
	update := func(edit func(*v1alpha1.AutoscalerStatus)) {
		testbed.Await(t, func() error {
			a := autoscaler(t, "intent", "web")
			edit(&a.Status)
			return testbed.Client.Status().Update(t.Context(), a)
		})
	}
	intend := func(replicas int32, state []byte) {
		update(func(s *v1alpha1.AutoscalerStatus) {
			s.Intent = &v1alpha1.Intent{Replicas: replicas, State: runtime.RawExtension{Raw: state}}
		})
	}
	intend(4, marked(done.Time))
	p = startController(t, "intent")
	require.Eventually(t, func() bool {
		a := autoscaler(t, "intent", "web")
		return a.Status.Intent == nil && a.Status.LastScaleTime.Equal(&done)
	}, clustertest.Guard, 50*time.Millisecond, "the scale was written")
	p.Stop(syscall.SIGKILL)

	intend(9, marked(never.Time))
	p = startController(t, "intent")
	require.Eventually(t, func() bool { return autoscaler(t, "intent", "web").Status.Intent == nil }, clustertest.Guard, 50*time.Millisecond)
	require.True(t, autoscaler(t, "intent", "web").Status.LastScaleTime.Equal(&done), "the scale was not written")
	p.Stop(syscall.SIGKILL)

	// A state that nobody can read is said to be lost, and the work goes on.
	update(func(s *v1alpha1.AutoscalerStatus) { s.State = &runtime.RawExtension{Raw: []byte(`{"version":99}`)} })
	startController(t, "intent")
	awaitEvent(t, "intent", "web", "StateLost")
	testbed.World.Set(high, "intent")
	testbed.AwaitSize(t, "intent", "web", 6)
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
		}, clustertest.Guard, 50*time.Millisecond, path)
	}
	testbed.AwaitSize(t, "serves", "web", 6)
	require.Eventually(t, func() bool {
		text := scrape(t, metrics)
		return strings.Contains(text, `purehpa_current_replicas{name="web",namespace="serves"} 6`) &&
			strings.Contains(text, `purehpa_desired_replicas{name="web",namespace="serves"} 6`) &&
			strings.Contains(text, `purehpa_decisions_total{action="scale_up",name="web",namespace="serves"} 2`) &&
			strings.Contains(text, "purehpa_sync_duration_seconds_count")
	}, clustertest.Guard, 100*time.Millisecond)
	awaitEvent(t, "serves", "web", "SuccessfulRescale")

	patch := client.RawPatch("application/merge-patch+json", []byte(`{"spec":{"minReplicas":20}}`))
	require.NoError(t, testbed.Client.Patch(t.Context(), autoscaler(t, "serves", "web"), patch))
	require.Eventually(t, func() bool {
		c := condition(autoscaler(t, "serves", "web"), autoscalingv2.ScalingActive)
		return c.Reason == "InvalidSpec" && strings.Contains(c.Message, "spec.maxReplicas")
	}, clustertest.Guard, 50*time.Millisecond)
	require.Equal(t, int32(6), testbed.Size(t, "serves", "web"))

	require.NoError(t, testbed.Client.Delete(t.Context(), autoscaler(t, "serves", "web")))
	require.Eventually(t, func() bool { return !strings.Contains(scrape(t, metrics), `namespace="serves"`) }, clustertest.Guard, 100*time.Millisecond)
	require.NotContains(t, p.Out.String(), "forbidden", "the rights of the manifest do")
	require.Zero(t, p.Stop(syscall.SIGTERM))
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

// awaitEvent waits for an event about the Autoscaler.
func awaitEvent(t *testing.T, ns, name, reason string) {
	t.Helper()
	testbed.Await(t, func() error {
		var list eventsv1.EventList
		require.NoError(t, testbed.Client.List(t.Context(), &list, client.InNamespace(ns)))
		for _, e := range list.Items {
			if e.Regarding.Kind == "Autoscaler" && e.Regarding.Name == name && e.Reason == reason {
				return nil
			}
		}
		return fmt.Errorf("no event %s about %s/%s", reason, ns, name)
	})
}
