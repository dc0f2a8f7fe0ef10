package clustertest

import (
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const (
	// GatedPeriod and GatedStabilization are flags for a controller behind the
	// turnstile: syncs come as soon as the test asks for them.
	GatedPeriod        = 100 * time.Millisecond
	GatedStabilization = time.Second
	// Lapse is the time after which the short windows and periods have ended.
	Lapse = GatedStabilization + 100*time.Millisecond
)

// SyncFlags are flags that upstream's controllers and ours have.
func SyncFlags(period, stabilization time.Duration) []string {
	return []string{
		"--horizontal-pod-autoscaler-sync-period=" + period.String(),
		"--horizontal-pod-autoscaler-downscale-stabilization=" + stabilization.String(),
	}
}

// Scaling is a spec with a metric of each API: pods of half a request, 10
// requests a second, and 5 messages.
func Scaling(name string) autoscalingv2.HorizontalPodAutoscalerSpec {
	return autoscalingv2.HorizontalPodAutoscalerSpec{
		ScaleTargetRef: autoscalingv2.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: name},
		MinReplicas:    new(int32),
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

// Limited is the same with rules over so many seconds.
func Limited(name string, seconds int32) autoscalingv2.HorizontalPodAutoscalerSpec {
	s := Scaling(name)
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

func ptr[T any](v T) *T { return &v }

// Apps are the autoscalers of the script, in the order of its sizes. A window
// or period has ended by the next turn, [Lapse] after the last, for all but the
// last app, and never ends for that one. Each has a Deployment of its name, of
// 2 pods.
func Apps() []autoscalingv2.HorizontalPodAutoscalerSpec {
	return []autoscalingv2.HorizontalPodAutoscalerSpec{Scaling("web"), Limited("api", 1), Limited("slow", 1800)}
}

// Step is a part of the script.
type Step struct {
	Name string
	Load Load
	Max  int32     // a new maximum, if not 0
	Want [][]int32 // the sizes after each turn, of the apps
}

// Script is a course of load that meets most of what a controller does.
func Script() []Step {
	return []Step{
		// 1.08 times the target.
		{"within tolerance", Load{CPU: 108, QPS: 21_500}, 0, [][]int32{{2, 2, 2}}},
		{"rise", Load{CPU: 500, QPS: 100_000}, 0, [][]int32{{4, 5, 5}, {8, 8, 5}, {10, 10, 5}, {10, 10, 5}}},
		// On the way down the three count as using all that they request: of
		// 10, 8 for cpu, and the target: 5 for requests.
		{"missing metrics", Load{CPU: 100, QPS: 20_000, Silent: 3}, 0, [][]int32{{8, 8, 5}, {8, 8, 5}}},
		// The two count as using nothing: of 8, 1.12 times the target for cpu.
		{"unready pods", Load{CPU: 600, QPS: 20_000, Unready: 2}, 0, [][]int32{{9, 9, 5}, {9, 9, 5}}},
		{"failing metric", Load{CPU: 90, Fails: "custom.metrics.k8s.io"}, 0, [][]int32{{9, 9, 5}, {9, 9, 5}}},
		{"drop to nothing", Load{}, 0, [][]int32{{0, 7, 5}, {0, 5, 5}, {0, 3, 5}, {0, 1, 5}, {0, 0, 5}, {0, 0, 5}}},
		{"back from zero", Load{Queue: 15_000}, 0, [][]int32{{3, 3, 5}, {3, 3, 5}}},
		{"lower maximum", Load{Queue: 15_000}, 2, [][]int32{{2, 2, 2}, {2, 2, 2}}},
	}
}
