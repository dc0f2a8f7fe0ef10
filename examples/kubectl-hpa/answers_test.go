package main

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/examples/internal/cluster/clustertest"
)

// What a cluster may have in store gets an answer.
func TestAnswers(t *testing.T) {
	const ns = "answers"
	testbed.Namespace(t, ns)
	create(t, ns, clustertest.Scaling("web"))
	testbed.World.Set(clustertest.Load{CPU: 100, QPS: 20_000, Queue: 5_000}, ns)
	testbed.AwaitMetricsAPIs(t)
	settle(t, ns)
	turn(t, ns, "web")
	says := func(status int, want ...string) {
		t.Helper()
		r := hpa(t, append(gated, "why", "web", "-n", ns)...)
		require.Equal(t, status, r.status, r.out+r.err)
		for _, w := range want {
			require.Contains(t, r.out+r.err, w)
		}
		require.NotContains(t, r.out+r.err, "goroutine")
	}
	patch := func(o client.Object, text string) {
		t.Helper()
		require.NoError(t, testbed.Client.Patch(t.Context(), o, client.RawPatch(types.MergePatchType, []byte(text))))
	}
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "web"}}

	says(statusOK, "answers/web of Deployment web", "the size stays at 2 replicas.", "recommendations  2 at ", "the controller's own agrees")

	patch(deployment, `{"spec":{"paused":true}}`)
	says(statusOK, "The rollout of Deployment web is paused")
	patch(deployment, `{"spec":{"paused":false}}`)

	patch(object(t, ns, "web"), `{"metadata":{"ownerReferences":[{"apiVersion":"keda.sh/v1alpha1","kind":"ScaledObject","name":"orders","uid":"1"}]}}`)
	says(statusOK, "KEDA makes this autoscaler from ScaledObject orders")
	patch(object(t, ns, "web"), `{"metadata":{"ownerReferences":null}}`)

	// A metric that fails, and a status that disagrees.
	testbed.World.Set(clustertest.Load{CPU: 100, QPS: 20_000, Queue: 5_000, Fails: "custom.metrics.k8s.io"}, ns)
	says(statusOK, "Metric 2 of 3", "the metrics are lost", "keeps the size from falling",
		"currentMetrics[1]: the controller's own has 10 on average; here it is nothing")

	// Targets that are not there.
	ref := func(text string) {
		t.Helper()
		patch(object(t, ns, "web"), `{"spec":{"scaleTargetRef":`+text+`}}`)
	}
	ref(`{"apiVersion":"apps/v1","kind":"Deployment","name":"gone"}`)
	says(statusOK, "there is no decision: the scale could not be read", `"gone" not found`)
	ref(`{"apiVersion":"example.com/v1","kind":"Machine","name":"web"}`)
	says(statusOK, "there is no decision: the scale could not be read", `no matches for kind "Machine"`)
	ref(`{"apiVersion":"apps/v1","kind":"DaemonSet","name":"web"}`)
	says(statusOK, "there is no decision: the scale could not be read")
	r := hpa(t, append(gated, "whatif", "web", "-n", ns, "--set", "spec.maxReplicas=3")...)
	require.Equal(t, statusOK, r.status, r.err)
	require.Contains(t, r.out, "the scale could not be read")

	// A target that is no Deployment.
	app := map[string]string{"app": "db"}
	require.NoError(t, testbed.Client.Create(t.Context(), &appsv1.StatefulSet{
		ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "db"},
		Spec: appsv1.StatefulSetSpec{
			Selector: &metav1.LabelSelector{MatchLabels: app},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: app}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "db", Image: "db"}}}},
		},
	}))
	ref(`{"apiVersion":"apps/v1","kind":"StatefulSet","name":"db"}`)
	says(statusOK, "answers/web of StatefulSet db", "Size: 1 replica")

	r = hpa(t, "why", "absent", "-n", ns)
	require.Equal(t, statusCluster, r.status)
	require.Equal(t, "kubectl hpa: there is no HorizontalPodAutoscaler answers/absent\n", r.err)
	require.Equal(t, statusCluster, as(t, "/nowhere/kubeconfig", "why", "web").status)
	for _, args := range [][]string{{"why", "a", "b"}, {"why", "a", "-A"}, {"why", "a", "-o", "xml"}, {"watch"}, {"whatif", "web"}, {"lint"}, {"record", "web"}, {"replay"}, {"perhaps"}, {"why", "--so"}} {
		r := hpa(t, args...)
		require.Equal(t, statusInput, r.status, "%v %s", args, r.err)
		require.Equal(t, 1, strings.Count(r.err, "\n"), r.err)
	}
}

// Two autoscalers that select the same pods do not scale, as upstream's.
func TestSharedPods(t *testing.T) {
	const ns = "shared"
	testbed.Namespace(t, ns)
	create(t, ns, clustertest.Scaling("web"))
	testbed.AwaitMetricsAPIs(t)
	autoscale(t, ns, "second", clustertest.Scaling("web"))
	settle(t, ns)
	turn(t, ns, "web", "second")
	turn(t, ns, "web", "second")
	a := why(t, ns, "web")
	require.Empty(t, a.Status.Mismatches)
	require.Equal(t, "AmbiguousSelector", object(t, ns, "web").Status.Conditions[1].Reason)
}

// A metrics API that is not there is one that the controller does not find
// either.
func TestNoMetricsAPI(t *testing.T) {
	const ns = "no-metrics"
	testbed.Namespace(t, ns)
	create(t, ns, clustertest.Scaling("web"))
	testbed.AwaitMetricsAPIs(t)
	settle(t, ns)
	for _, group := range []string{"metrics.k8s.io", "external.metrics.k8s.io"} {
		service := clustertest.APIService(group)
		require.NoError(t, testbed.Client.Get(t.Context(), client.ObjectKeyFromObject(service), service))
		back := service.DeepCopy()
		back.SetResourceVersion("")
		t.Cleanup(func() { _ = testbed.Client.Create(context.Background(), back) }) // if it is not back yet
		require.NoError(t, testbed.Client.Delete(t.Context(), service))
		testbed.Await(t, func() error {
			r := hpa(t, append(gated, "why", "web", "-n", ns)...)
			require.Equal(t, statusOK, r.status, r.err)
			if !strings.Contains(r.out, "the server could not find the requested resource") && !strings.Contains(r.out, "not found") {
				return fmt.Errorf("%s is still there: %s", group, r.out)
			}
			require.Contains(t, r.out, "the size must not fall")
			return nil
		})
		require.NoError(t, testbed.Client.Create(t.Context(), back.DeepCopy()))
		testbed.AwaitMetricsAPIs(t)
	}
}

// Pods by the thousand are listed page by page. A list that has changed too
// much is begun anew.
func TestPages(t *testing.T) {
	const n = 1700
	for _, expires := range []bool{false, true} {
		calls, c := 0, fake.NewClientset()
		c.PrependReactor("list", "pods", func(action clienttesting.Action) (bool, runtime.Object, error) {
			options := action.(clienttesting.ListActionImpl).GetListOptions()
			calls++
			from := 0
			if options.Continue != "" {
				if expires && calls == 3 {
					return true, nil, apierrors.NewResourceExpired("too old")
				}
				fmt.Sscan(options.Continue, &from)
			}
			to := n
			if options.Limit > 0 {
				to = min(n, from+int(options.Limit))
			}
			list := new(corev1.PodList)
			for i := from; i < to; i++ {
				list.Items = append(list.Items, corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: fmt.Sprintf("web-%d", i)}})
			}
			if to < n {
				list.Continue = fmt.Sprint(to)
			}
			return true, list, nil
		})
		pods, err := pages[corev1.Pod](t.Context(), metav1.ListOptions{}, c.CoreV1().Pods("shop").List)
		require.NoError(t, err)
		require.Len(t, pods, n)
		require.Equal(t, "web-1699", pods[n-1].Name)
		require.Equal(t, 4, calls)
	}
}

// Where nothing can be decided, what was seen is left, and the controller's own
// words.
func TestSoFar(t *testing.T) {
	s := rowOf(t, 5).snapshot
	s.Status.CurrentReplicas, s.Status.DesiredReplicas = 5, 7
	s.Status.Conditions = []autoscaling.HorizontalPodAutoscalerCondition{
		{Type: autoscaling.AbleToScale, Status: autoscaling.ConditionTrue, Reason: "SucceededRescale", Message: "the size was updated to 7", LastTransitionTime: seconds(200)},
	}
	require.Equal(t, `shop/web of Deployment web

There is no decision, since not all can be read that the controller reads.

What is known so far
  currentReplicas  5
  desiredReplicas  7

Conditions
  AbleToScale  True for 3m20s  SucceededRescale: the size was updated to 7

Events
  none
`, s.soFar(noon, 80))
	s.selector = labels.Everything()
	require.Contains(t, s.soFar(noon, 80), "\n  size             5\n  pods             0\n")
}
