package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

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
				Metric: autoscalingv2.MetricIdentifier{Name: "queue", Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"queue": "orders"}}},
				Target: autoscalingv2.MetricTarget{Type: autoscalingv2.AverageValueMetricType, AverageValue: ptr(resource.MustParse("5"))},
			}},
		},
	}
}

// limited is the same with rules.
func limited(name string) autoscalingv2.HorizontalPodAutoscalerSpec {
	s := scaling(name)
	s.Behavior = &autoscalingv2.HorizontalPodAutoscalerBehavior{
		ScaleUp: &autoscalingv2.HPAScalingRules{
			StabilizationWindowSeconds: ptr[int32](0),
			SelectPolicy:               ptr(autoscalingv2.MaxChangePolicySelect),
			Policies:                   []autoscalingv2.HPAScalingPolicy{{Type: autoscalingv2.PodsScalingPolicy, Value: 3, PeriodSeconds: 2}},
		},
		ScaleDown: &autoscalingv2.HPAScalingRules{
			StabilizationWindowSeconds: ptr[int32](2),
			SelectPolicy:               ptr(autoscalingv2.MaxChangePolicySelect),
			Policies:                   []autoscalingv2.HPAScalingPolicy{{Type: autoscalingv2.PodsScalingPolicy, Value: 2, PeriodSeconds: 2}},
		},
	}
	return s
}

const (
	theirs = "upstream"
	ours   = "library"
)

// TestSideBySide scales like Deployments under the same load with upstream's
// HorizontalController and with this controller, and compares the sizes that
// they go through, and what the statuses say at each plateau.
func TestSideBySide(t *testing.T) {
	namespace(t, theirs)
	namespace(t, ours)
	specs := map[string]autoscalingv2.HorizontalPodAutoscalerSpec{"web": scaling("web"), "api": limited("api")}
	for name, spec := range specs {
		deployment(t, theirs, name, 2)
		deployment(t, ours, name, 2)
		require.NoError(t, cluster.client.Create(t.Context(), &autoscalingv2.HorizontalPodAutoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: theirs, Name: name}, Spec: spec}))
		require.NoError(t, cluster.client.Create(t.Context(), &v1alpha1.Autoscaler{
			ObjectMeta: metav1.ObjectMeta{Namespace: ours, Name: name}, Spec: v1alpha1.AutoscalerSpec{HorizontalPodAutoscalerSpec: spec},
		}))
	}
	left, right := follow(t, theirs), follow(t, ours)
	atTarget := load{cpu: 100, qps: 20_000}
	cluster.world.set(atTarget, theirs, ours)
	for name := range specs {
		awaitSize(t, theirs, name, 2, time.Minute)
		awaitSize(t, ours, name, 2, time.Minute)
	}
	startController(t, ours)

	for _, step := range []struct {
		name string
		load load
		max  int32 // a new maximum
		want int32
	}{
		{"at target", atTarget, 0, 2},
		{"rise", load{cpu: 500, qps: 100_000}, 0, 10},
		// On the way down the three count as using all that they request: 8
		// for cpu, and the target: 5 for requests.
		{"missing metrics", load{cpu: 100, qps: 20_000, silent: 3}, 0, 8},
		// The two count as using nothing: 1.12 times the target for cpu.
		{"unready pods", load{cpu: 600, qps: 20_000, unready: 2}, 0, 9},
		{"failing metric", load{cpu: 90, fails: "custom.metrics.k8s.io"}, 0, 9},
		{"drop to nothing", load{}, 0, 0},
		{"back from zero", load{queue: 15_000}, 0, 3},
		{"lower maximum", load{queue: 15_000}, 2, 2},
	} {
		time.Sleep(plateau)
		begin := time.Now()
		if step.max > 0 {
			for name := range specs {
				patch := client.RawPatch("application/merge-patch+json", []byte(`{"spec":{"maxReplicas":2}}`))
				require.NoError(t, cluster.client.Patch(t.Context(), &autoscalingv2.HorizontalPodAutoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: theirs, Name: name}}, patch))
				require.NoError(t, cluster.client.Patch(t.Context(), &v1alpha1.Autoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: ours, Name: name}}, patch))
			}
		}
		cluster.world.set(step.load, theirs, ours)
		if step.name == "failing metric" {
			time.Sleep(stabilization + 3*syncPeriod) // for nothing to happen
		}
		for name := range specs {
			awaitSize(t, theirs, name, step.want, time.Minute)
			awaitSize(t, ours, name, step.want, time.Minute)
		}
		for name := range specs {
			var want, got string
			require.Eventually(t, func() bool {
				want, got = theirStatus(t, name), ourStatus(t, name)
				return want == got && strings.Contains(want, `"ScalingActive"`)
			}, time.Minute, 100*time.Millisecond, "%s, %s:\nwant %s\ngot  %s", step.name, name, lazy{&want}, lazy{&got})
		}
		t.Logf("%-16s %5.1f s  web %v  api %v", step.name, time.Since(begin).Seconds(), right.of("web"), right.of("api"))
	}
	for name := range specs {
		t.Logf("%s: upstream %v, library %v", name, left.of(name), right.of(name))
		require.Equal(t, left.of(name), right.of(name), name)
	}
	require.Equal(t, []int32{2, 4, 8, 10, 8, 9, 0, 3, 2}, right.of("web"))
	require.Equal(t, []int32{2, 5, 8, 10, 8, 9, 7, 5, 3, 1, 0, 3, 2}, right.of("api"))
}

// lazy shows a text as it is once the message is made.
type lazy struct{ s *string }

func (l lazy) String() string { return *l.s }

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
