package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/purehpa/hpa/examples/controller/api/v1alpha1"
	"github.com/purehpa/hpa/examples/internal/cluster/clustertest"
)

const (
	theirs = "upstream"
	ours   = "library"
)

var apps = clustertest.Apps()

// TestSideBySide scales like Deployments under the same load with upstream's
// HorizontalController and with this controller, turn by turn: while all syncs
// wait, the world changes and settles; then each has one sync. It compares what
// both saw, and the sizes and statuses that they wrote. No decision depends on
// how long a turn takes. What the metrics APIs answer is known, but the
// aggregator before them refuses one that it takes for unavailable: a
// difference after that tells nothing, and the test is skipped.
func TestSideBySide(t *testing.T) {
	for _, ns := range []string{theirs, ours} {
		testbed.Namespace(t, ns)
		for _, spec := range apps {
			testbed.Deployment(t, ns, spec.ScaleTargetRef.Name, 2)
		}
	}
	for _, spec := range apps {
		name := spec.ScaleTargetRef.Name
		require.NoError(t, testbed.Client.Create(t.Context(), &autoscalingv2.HorizontalPodAutoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: theirs, Name: name}, Spec: spec}))
		require.NoError(t, testbed.Client.Create(t.Context(), &v1alpha1.Autoscaler{
			ObjectMeta: metav1.ObjectMeta{Namespace: ours, Name: name}, Spec: v1alpha1.AutoscalerSpec{HorizontalPodAutoscalerSpec: spec},
		}))
	}
	apis := testbed.AwaitMetricsAPIs(t)
	startGated(t, ours)
	testbed.AwaitSyncs(t, syncs()...)

	for _, step := range clustertest.Script() {
		begin := time.Now()
		if step.Max > 0 {
			limit(t, step.Max)
		}
		testbed.World.Set(step.Load, theirs, ours)
		for i, want := range step.Want {
			turn(t, fmt.Sprintf("%s, turn %d", step.Name, i+1), want, apis)
		}
		t.Logf("%-16s %5.1f s %v", step.Name, time.Since(begin).Seconds(), step.Want)
	}
}

// TestMetricsAPIsRefused: that the aggregator refused a metrics API can be told
// once it no longer does.
func TestMetricsAPIsRefused(t *testing.T) {
	before := testbed.AwaitMetricsAPIs(t)
	require.Equal(t, before, testbed.AwaitMetricsAPIs(t))

	const group = "custom.metrics.k8s.io"
	check := func(refuse string) { // makes the aggregator look
		testbed.World.Refuse(refuse)
		s := clustertest.APIService(group)
		s.SetAnnotations(map[string]string{"refuses": refuse})
		require.NoError(t, testbed.Client.Patch(t.Context(), s, client.Merge))
	}
	check(group)
	testbed.Await(t, func() error {
		if _, err := testbed.Available(t.Context(), group); err == nil {
			return errors.New("it is still available")
		}
		return nil
	})
	check("")
	require.NotEqual(t, before, testbed.AwaitMetricsAPIs(t))
}

// syncs are the keys of all syncs.
func syncs() (keys []string) {
	for _, spec := range apps {
		keys = append(keys, theirs+"/"+spec.ScaleTargetRef.Name, ours+"/"+spec.ScaleTargetRef.Name)
	}
	return keys
}

// limit sets a new maximum.
func limit(t *testing.T, replicas int32) {
	t.Helper()
	patch := client.RawPatch("application/merge-patch+json", fmt.Appendf(nil, `{"spec":{"maxReplicas":%d}}`, replicas))
	for _, spec := range apps {
		name := spec.ScaleTargetRef.Name
		require.NoError(t, testbed.Client.Patch(t.Context(), &autoscalingv2.HorizontalPodAutoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: theirs, Name: name}}, patch))
		require.NoError(t, testbed.Client.Patch(t.Context(), &v1alpha1.Autoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: ours, Name: name}}, patch))
	}
}

// turn lets each controller have one sync of each app, and compares, unless the
// metrics APIs are no more what they were at first.
func turn(t *testing.T, what string, want []int32, apis map[string]string) {
	t.Helper()
	same := func(theirs, ours any, what string) {
		t.Helper()
		if !assert.ObjectsAreEqual(theirs, ours) && !maps.Equal(apis, testbed.AwaitMetricsAPIs(t)) {
			t.Skipf("%s: no comparison, for the aggregator has refused one of the metrics APIs: %v, %v", what, theirs, ours)
		}
		require.Equal(t, theirs, ours, what)
	}
	time.Sleep(clustertest.Lapse) // All decisions were made before.
	require.Equal(t, testbed.AwaitSettled(t, theirs), testbed.AwaitSettled(t, ours), what)
	testbed.Turnstile.Open(syncs()...)
	testbed.AwaitSyncs(t, syncs()...)
	for i, spec := range apps {
		name := spec.ScaleTargetRef.Name
		what := what + ", " + name
		// At a size above the maximum, upstream asks for no metrics. This controller
		// may ask for those of others, too.
		asked, answers := testbed.World.Answers(theirs, name), testbed.World.Answers(ours, name)
		answers = slices.DeleteFunc(answers, func(a string) bool { return !slices.Contains(asked, a) })
		same(distinct(asked), distinct(answers), what)
		same(theirStatus(t, name), ourStatus(t, name), what)
		same(want[i], testbed.Size(t, theirs, name), what)
		same(want[i], testbed.Size(t, ours, name), what)
	}
}

func distinct(texts []string) []string { return slices.Compact(slices.Sorted(slices.Values(texts))) }

func theirStatus(t *testing.T, name string) string {
	var hpa autoscalingv2.HorizontalPodAutoscaler
	require.NoError(t, testbed.Client.Get(t.Context(), client.ObjectKey{Namespace: theirs, Name: name}, &hpa))
	return comparable(t, &hpa.Status)
}

func ourStatus(t *testing.T, name string) string {
	return comparable(t, &autoscaler(t, ours, name).Status.HorizontalPodAutoscalerStatus)
}

// comparable is a status without its times and the namespace.
func comparable(t *testing.T, s *autoscalingv2.HorizontalPodAutoscalerStatus) string {
	s = s.DeepCopy()
	s.LastScaleTime = nil
	for i := range s.Conditions {
		s.Conditions[i].LastTransitionTime = metav1.Time{}
	}
	if len(s.CurrentMetrics) == 0 {
		s.CurrentMetrics = nil
	}
	s.Conditions = slices.Clone(s.Conditions)
	text, err := json.MarshalIndent(s, "", " ")
	require.NoError(t, err)
	return strings.NewReplacer(
		theirs+"/", "NAMESPACE/", ours+"/", "NAMESPACE/",
		// The one deviation: upstream divides by the number of pods, which is
		// 0.
		"-9223372036854775808m", "0",
	).Replace(string(text))
}
