package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/examples/internal/cluster/clustertest"
)

// TestWhatifBesideUpstream asks what a change would do, applies it, and holds
// the answer against what upstream's controller then does.
func TestWhatifBesideUpstream(t *testing.T) {
	const ns = "whatif"
	testbed.Namespace(t, ns)
	create(t, ns, clustertest.Limited("web", 1))
	testbed.AwaitMetricsAPIs(t)
	for _, c := range []struct {
		name  string
		load  clustertest.Load
		sets  []string
		patch string
		want  int32
	}{
		// 2 pods use 500m of their 200m: 5 times the target.
		{"a policy", clustertest.Load{CPU: 500}, []string{"spec.behavior.scaleUp.policies[0].value=1"},
			`{"spec":{"behavior":{"scaleUp":{"policies":[{"type":"Pods","value":1,"periodSeconds":1}]}}}}`, 3},
		{"the maximum", clustertest.Load{CPU: 500}, []string{"spec.behavior.scaleUp.policies[0].value=8", "spec.maxReplicas=7"},
			`{"spec":{"maxReplicas":7,"behavior":{"scaleUp":{"policies":[{"type":"Pods","value":8,"periodSeconds":1}]}}}}`, 7},
		// 7 pods use 500m of 700m: 71%.
		{"a target", clustertest.Load{CPU: 500}, []string{"spec.metrics[0].resource.target.averageUtilization=75"}, metricsPatch(75), 7},
		{"a disabled direction", clustertest.Load{CPU: 50}, []string{"spec.behavior.scaleDown.selectPolicy=Disabled"},
			`{"spec":{"behavior":{"scaleDown":{"selectPolicy":"Disabled"}}}}`, 7},
		{"no behavior", clustertest.Load{CPU: 50}, []string{"spec.behavior=null"}, `{"spec":{"behavior":null}}`, 1},
		// 60 requests a second are work for 6, but from 1 it goes to 4 at most.
		{"one metric less", clustertest.Load{CPU: 50, QPS: 60_000}, []string{"spec.metrics[0]=null"}, otherMetrics(), 4},
		{"the minimum", clustertest.Load{CPU: 50}, []string{"spec.minReplicas=5"}, `{"spec":{"minReplicas":5}}`, 5},
	} {
		testbed.World.Set(c.load, ns)
		settle(t, ns)
		args := append([]string{"whatif", "web", "-n", ns, "-o", "json"}, gated...)
		for _, s := range c.sets {
			args = append(args, "--set", s)
		}
		r := hpa(t, args...)
		require.Equal(t, statusOK, r.status, "%s: %s", c.name, r.err)
		var w struct{ Before, After answer }
		require.NoError(t, json.Unmarshal([]byte(r.out), &w))
		low, high := w.After.Range.Low.DesiredReplicas, w.After.Range.High.DesiredReplicas
		t.Logf("%s: %d to %d before, %d to %d after", c.name, w.Before.Range.Low.DesiredReplicas, w.Before.Range.High.DesiredReplicas, low, high)

		testbed.AwaitSyncs(t, ns+"/web")
		require.NoError(t, testbed.Client.Patch(t.Context(), object(t, ns, "web"), client.RawPatch("application/merge-patch+json", []byte(c.patch))))
		turn(t, ns, "web")
		size := testbed.Size(t, ns, "web")
		require.Equal(t, c.want, size, c.name)
		require.True(t, low <= size && size <= high, "%s: %d to %d, not %d", c.name, low, high, size)
	}
}

// metricsPatch sets the target of the first metric.
func metricsPatch(percent int32) string {
	spec := clustertest.Limited("web", 1)
	spec.Metrics[0].Resource.Target.AverageUtilization = &percent
	return patchOf(spec.Metrics)
}

// otherMetrics takes the first one away.
func otherMetrics() string {
	spec := clustertest.Limited("web", 1)
	return patchOf(spec.Metrics[1:])
}

func patchOf(metrics []autoscalingv2.MetricSpec) string {
	text, err := json.Marshal(map[string]any{"spec": map[string]any{"metrics": metrics}})
	if err != nil {
		panic(err)
	}
	return string(text)
}

// What differs stands side by side.
func TestWhatifText(t *testing.T) {
	const ns = "whatif-text"
	testbed.Namespace(t, ns)
	create(t, ns, clustertest.Limited("web", 1))
	testbed.World.Set(clustertest.Load{CPU: 500}, ns)
	testbed.AwaitMetricsAPIs(t)
	settle(t, ns)
	r := hpa(t, append(gated, "whatif", "web", "-n", ns, "--set", "spec.maxReplicas=4")...)
	require.Equal(t, statusOK, r.status, r.err)
	require.Contains(t, r.out, "Stage   before")
	require.Contains(t, r.out, "2 to 5 replicas")
	require.Contains(t, r.out, "2 to 4 replicas")
	require.NotContains(t, r.out, "Choice")
	r = hpa(t, append(gated, "whatif", "web", "-n", ns, "--set", "spec.maxReplicas=10")...)
	require.Contains(t, r.out, "The decision is the same, stage by stage")

	// Another target, and a metric that was not asked for, are looked at.
	testbed.Deployment(t, ns, "api", 3)
	testbed.AwaitSettled(t, ns)
	r = hpa(t, append(gated, "whatif", "web", "-n", ns, "--set", "spec.scaleTargetRef.name=api")...)
	require.Equal(t, statusOK, r.status, r.err)
	require.Regexp(t, `Size +2 replicas, .* 3 replicas, `, r.out)
	more := `spec.metrics[3]={"type":"External","external":{"metric":{"name":"queue","selector":{"matchLabels":{"queue":"other"}}},"target":{"type":"Value","value":"1"}}}`
	r = hpa(t, append(gated, "whatif", "web", "-n", ns, "--set", more)...)
	require.Equal(t, statusOK, r.status, r.err)
	require.Contains(t, r.out, "Metric 4 of 4")
	require.Contains(t, r.out, "queue=other")

	// From a file, which other documents stand beside.
	spec := clustertest.Limited("web", 1)
	spec.MaxReplicas = 3
	text, err := json.Marshal(autoscalingv2.HorizontalPodAutoscaler{Spec: spec})
	require.NoError(t, err)
	file := strings.Replace(string(text), `{"metadata":{}`, `{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","metadata":{"name":"web"}`, 1)
	r = with(t, "kind: Service\napiVersion: v1\n---\n"+file, testbed.Admin, append(gated, "whatif", "web", "-n", ns, "-f", "-")...)
	require.Equal(t, statusOK, r.status, r.err)
	require.Contains(t, r.out, "2 to 3 replicas", fmt.Sprint(file))
}

// With another target, the history is that which decides: what the controller
// remembers.
func TestWhatifHistory(t *testing.T) {
	at := metav1.NewTime(time.Now().Add(-time.Hour).Truncate(time.Second))
	began := metav1.NewMicroTime(at.Add(-time.Hour))
	lease := &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Namespace: leaseNamespace, Name: leaseName}, Spec: coordinationv1.LeaseSpec{AcquireTime: &began}}
	event := scaledTo("New size: 2; reason: All metrics below target", 0, 1)
	event.ObjectMeta, event.LastTimestamp = metav1.ObjectMeta{Namespace: "shop", Name: "web.1"}, at
	c := faked(func(name string) (*autoscalingv1.Scale, error) {
		scale := &autoscalingv1.Scale{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name}}
		scale.Spec.Replicas = map[string]int32{"web": 2, "api": 3}[name]
		return scale, nil
	}, lease, event)
	v := rowOf(t, 2)
	a := v.snapshot.autoscaler
	a.Spec.Behavior, a.Status.LastScaleTime = behavior.Default(), at.Time
	a.SpecWritten = began.Time
	w, err := newTool(genericiooptions.NewTestIOStreamsDiscard()).compare(t.Context(), c, a, &edit{sets: []string{"spec.scaleTargetRef.name=api"}})
	require.NoError(t, err)
	require.EqualValues(t, 3, w.After.r.High.CurrentReplicas)
	require.Equal(t, "there is no older event", w.Before.snapshot.past.Problem)
	require.Equal(t, w.Before.snapshot.past, w.After.snapshot.past)
}
