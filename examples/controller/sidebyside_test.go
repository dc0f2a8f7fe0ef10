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
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/purehpa/hpa/examples/controller/api/v1alpha1"
)

func ptr[T any](v T) *T { return &v }

// scaling is a spec with a metric of each API: pods of half a request, 10
// requests a second, and 5 messages.
func scaling(name string) autoscalingv2.HorizontalPodAutoscalerSpec {
	return autoscalingv2.HorizontalPodAutoscalerSpec{
		ScaleTargetRef: autoscalingv2.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: name},
		MinReplicas:    ptr[int32](0),
		MaxReplicas:    10,
		Metrics: []autoscalingv2.MetricSpec{
			{Type: autoscalingv2.ResourceMetricSourceType, Resource: &autoscalingv2.ResourceMetricSource{
				Name: "cpu", Target: autoscalingv2.MetricTarget{Type: autoscalingv2.UtilizationMetricType, AverageUtilization: ptr[int32](50)},
			}},
			{Type: autoscalingv2.PodsMetricSourceType, Pods: &autoscalingv2.PodsMetricSource{
				Metric: autoscalingv2.MetricIdentifier{Name: "qps"},
				Target: autoscalingv2.MetricTarget{Type: autoscalingv2.AverageValueMetricType, AverageValue: ptr(resource.MustParse("10"))},
			}},
			{Type: autoscalingv2.ExternalMetricSourceType, External: &autoscalingv2.ExternalMetricSource{
				Metric: autoscalingv2.MetricIdentifier{Name: "queue", Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"queue": name}}},
				Target: autoscalingv2.MetricTarget{Type: autoscalingv2.AverageValueMetricType, AverageValue: ptr(resource.MustParse("5"))},
			}},
		},
	}
}

// limited is the same with rules over so many seconds.
func limited(name string, seconds int32) autoscalingv2.HorizontalPodAutoscalerSpec {
	s := scaling(name)
	s.Behavior = &autoscalingv2.HorizontalPodAutoscalerBehavior{
		ScaleUp: &autoscalingv2.HPAScalingRules{
			StabilizationWindowSeconds: ptr[int32](0),
			SelectPolicy:               ptr(autoscalingv2.MaxChangePolicySelect),
			Policies:                   []autoscalingv2.HPAScalingPolicy{{Type: autoscalingv2.PodsScalingPolicy, Value: 3, PeriodSeconds: seconds}},
		},
		ScaleDown: &autoscalingv2.HPAScalingRules{
			StabilizationWindowSeconds: &seconds,
			SelectPolicy:               ptr(autoscalingv2.MaxChangePolicySelect),
			Policies:                   []autoscalingv2.HPAScalingPolicy{{Type: autoscalingv2.PodsScalingPolicy, Value: 2, PeriodSeconds: seconds}},
		},
	}
	return s
}

const (
	theirs = "upstream"
	ours   = "library"
)

// The apps of TestSideBySide, in the order of its sizes. A window or period has
// ended by the next turn for all but the last, and never ends for that one.
var apps = []autoscalingv2.HorizontalPodAutoscalerSpec{scaling("web"), limited("api", 1), limited("slow", 1800)}

// lapse is the time after which the short windows and periods have ended.
const lapse = gatedStabilization + 100*time.Millisecond

// TestSideBySide scales like Deployments under the same load with upstream's
// HorizontalController and with this controller, turn by turn: while all syncs
// wait, the world changes and settles; then each has one sync. It compares what
// both saw, and the sizes and statuses that they wrote. No decision depends on
// how long a turn takes. What the metrics APIs answer is known, but the aggregator
// before them refuses one that it takes for unavailable: a difference after that
// tells nothing, and the test is skipped.
func TestSideBySide(t *testing.T) {
	for _, ns := range []string{theirs, ours} {
		namespace(t, ns)
		for _, spec := range apps {
			deployment(t, ns, spec.ScaleTargetRef.Name, 2)
		}
	}
	for _, spec := range apps {
		name := spec.ScaleTargetRef.Name
		require.NoError(t, cluster.client.Create(t.Context(), &autoscalingv2.HorizontalPodAutoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: theirs, Name: name}, Spec: spec}))
		require.NoError(t, cluster.client.Create(t.Context(), &v1alpha1.Autoscaler{
			ObjectMeta: metav1.ObjectMeta{Namespace: ours, Name: name}, Spec: v1alpha1.AutoscalerSpec{HorizontalPodAutoscalerSpec: spec},
		}))
	}
	apis := awaitMetricsAPIs(t)
	startGated(t, ours)
	cluster.turnstile.await(t, syncs()...)

	for _, step := range []struct {
		name  string
		load  load
		max   int32     // a new maximum
		sizes [][]int32 // after each turn, of web, api, and slow
	}{
		// 1.08 times the target.
		{"within tolerance", load{cpu: 108, qps: 21_500}, 0, [][]int32{{2, 2, 2}}},
		{"rise", load{cpu: 500, qps: 100_000}, 0, [][]int32{{4, 5, 5}, {8, 8, 5}, {10, 10, 5}, {10, 10, 5}}},
		// On the way down the three count as using all that they request: of
		// 10, 8 for cpu, and the target: 5 for requests.
		{"missing metrics", load{cpu: 100, qps: 20_000, silent: 3}, 0, [][]int32{{8, 8, 5}, {8, 8, 5}}},
		// The two count as using nothing: of 8, 1.12 times the target for cpu.
		{"unready pods", load{cpu: 600, qps: 20_000, unready: 2}, 0, [][]int32{{9, 9, 5}, {9, 9, 5}}},
		{"failing metric", load{cpu: 90, fails: "custom.metrics.k8s.io"}, 0, [][]int32{{9, 9, 5}, {9, 9, 5}}},
		{"drop to nothing", load{}, 0, [][]int32{{0, 7, 5}, {0, 5, 5}, {0, 3, 5}, {0, 1, 5}, {0, 0, 5}, {0, 0, 5}}},
		{"back from zero", load{queue: 15_000}, 0, [][]int32{{3, 3, 5}, {3, 3, 5}}},
		{"lower maximum", load{queue: 15_000}, 2, [][]int32{{2, 2, 2}, {2, 2, 2}}},
	} {
		begin := time.Now()
		if step.max > 0 {
			limit(t, step.max)
		}
		cluster.world.set(step.load, theirs, ours)
		for i, want := range step.sizes {
			turn(t, fmt.Sprintf("%s, turn %d", step.name, i+1), want, apis)
		}
		t.Logf("%-16s %5.1f s %v", step.name, time.Since(begin).Seconds(), step.sizes)
	}
}

// TestMetricsAPIsRefused: that the aggregator refused a metrics API can be told
// once it no longer does.
func TestMetricsAPIsRefused(t *testing.T) {
	before := awaitMetricsAPIs(t)
	require.Equal(t, before, awaitMetricsAPIs(t))

	const group = "custom.metrics.k8s.io"
	check := func(refuse string) { // makes the aggregator look
		cluster.world.refuse(refuse)
		s := apiService(group)
		s.SetAnnotations(map[string]string{"refuses": refuse})
		require.NoError(t, cluster.client.Patch(t.Context(), s, client.Merge))
	}
	check(group)
	await(t, func() error {
		if _, err := available(t.Context(), group); err == nil {
			return errors.New("it is still available")
		}
		return nil
	})
	check("")
	require.NotEqual(t, before, awaitMetricsAPIs(t))
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
		require.NoError(t, cluster.client.Patch(t.Context(), &autoscalingv2.HorizontalPodAutoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: theirs, Name: name}}, patch))
		require.NoError(t, cluster.client.Patch(t.Context(), &v1alpha1.Autoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: ours, Name: name}}, patch))
	}
}

// turn lets each controller have one sync of each app, and compares, unless the
// metrics APIs are no more what they were at first.
func turn(t *testing.T, what string, want []int32, apis map[string]string) {
	t.Helper()
	same := func(theirs, ours any, what string) {
		t.Helper()
		if !assert.ObjectsAreEqual(theirs, ours) && !maps.Equal(apis, awaitMetricsAPIs(t)) {
			t.Skipf("%s: no comparison, for the aggregator has refused one of the metrics APIs: %v, %v", what, theirs, ours)
		}
		require.Equal(t, theirs, ours, what)
	}
	time.Sleep(lapse) // All decisions were made before.
	require.Equal(t, awaitSettled(t, theirs), awaitSettled(t, ours), what)
	cluster.turnstile.open(syncs()...)
	cluster.turnstile.await(t, syncs()...)
	for i, spec := range apps {
		name := spec.ScaleTargetRef.Name
		what := what + ", " + name
		// At a size above the maximum, upstream asks for no metrics.
		if asked, answers := cluster.world.answers(theirs, name), cluster.world.answers(ours, name); len(asked) > 0 {
			same(asked, answers, what)
		}
		same(theirStatus(t, name), ourStatus(t, name), what)
		same(want[i], size(t, theirs, name), what)
		same(want[i], size(t, ours, name), what)
	}
}

func theirStatus(t *testing.T, name string) string {
	var hpa autoscalingv2.HorizontalPodAutoscaler
	require.NoError(t, cluster.client.Get(t.Context(), client.ObjectKey{Namespace: theirs, Name: name}, &hpa))
	return comparable(t, &hpa.Status)
}

func ourStatus(t *testing.T, name string) string {
	return comparable(t, &autoscaler(t, ours, name).Status.HorizontalPodAutoscalerStatus)
}

// comparable is a status but for its times, and the namespace.
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
		// The one deviation: upstream divides by the number of pods, which is 0.
		"-9223372036854775808m", "0",
	).Replace(string(text))
}
