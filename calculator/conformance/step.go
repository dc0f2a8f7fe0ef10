package conformance

import (
	"slices"
	"time"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/podgroup"
)

// Flags are kube-controller-manager's flags that a decision depends on.
type Flags struct {
	Tolerance               float64
	DownscaleStabilization  time.Duration
	CPUInitializationPeriod time.Duration
	InitialReadinessDelay   time.Duration
	// Gates are the feature gates that differ from the release's defaults; nil
	// if none does. They are those of the process; see [SetGates].
	Gates map[string]bool
}

// Settings returns the flags as the library has them.
func (f *Flags) Settings() calculator.Settings {
	return calculator.Settings{
		ZeroFlags:              true,
		Release:                Release(),
		Tolerance:              f.Tolerance,
		DownscaleStabilization: f.DownscaleStabilization,
		ReadinessSettings: podgroup.ReadinessSettings{
			CPUInitializationPeriod: f.CPUInitializationPeriod,
			InitialReadinessDelay:   f.InitialReadinessDelay,
		},
	}
}

// Step is what one sync sees besides the autoscaler itself.
type Step struct {
	// Now is the clock throughout the sync.
	Now time.Time
	// SpecReplicas, StatusReplicas and Selector are those of the scale.
	SpecReplicas, StatusReplicas int32
	Selector                     string
	// Rival reports whether another autoscaler selects the same pods.
	Rival bool
	// ScaleError is why the scale cannot be read, UpdateError why it cannot be
	// written.
	ScaleError, UpdateError error
	// Pods are those that the selector lists, in their order.
	Pods []*corev1.Pod
	// Readings are what the metrics APIs answer, one for each metric.
	Readings []Reading
}

func (s *Step) scale() *autoscalingv1.Scale {
	return &autoscalingv1.Scale{
		ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: Namespace},
		Spec:       autoscalingv1.ScaleSpec{Replicas: s.SpecReplicas},
		Status:     autoscalingv1.ScaleStatus{Replicas: s.StatusReplicas, Selector: s.Selector},
	}
}

// Reading is the answer of a metrics API to one metric.
type Reading struct {
	Err  error
	Time time.Time
	// Samples are those of Resource, ContainerResource and Pods sources.
	Samples []Sample
	// Values are the one of an Object, or the series of an External source.
	Values []int64
}

// Sample is the value of one pod.
type Sample struct {
	Pod    string
	Value  int64
	Time   time.Time
	Window time.Duration
	// NoContainer reports whether the API lists the pod without the container
	// that the metric is about. There is no Value then.
	NoContainer bool
}

// asked appends the indices of the metrics that upstream asks an API for. The
// others fail by the spec alone. It does not use the library's Resolve, which
// it tests.
func (s *Step) asked(dst []int, hpa *autoscalingv2.HorizontalPodAutoscaler) []int {
	for i := range hpa.Spec.Metrics {
		if asks(&hpa.Spec.Metrics[i]) {
			dst = append(dst, i)
		}
	}
	return dst
}

func asks(m *autoscalingv2.MetricSpec) bool {
	usable := func(s *metav1.LabelSelector) bool {
		if s == nil {
			return true
		}
		_, err := metav1.LabelSelectorAsSelector(s)
		return err == nil
	}
	switch m.Type {
	case autoscalingv2.ObjectMetricSourceType:
		t := &m.Object.Target
		return usable(m.Object.Metric.Selector) &&
			(t.Type == autoscalingv2.ValueMetricType && t.Value != nil || t.Type == autoscalingv2.AverageValueMetricType && t.AverageValue != nil)
	case autoscalingv2.PodsMetricSourceType:
		return usable(m.Pods.Metric.Selector)
	case autoscalingv2.ExternalMetricSourceType:
		t := &m.External.Target
		return usable(m.External.Metric.Selector) && (t.Value != nil || t.AverageValue != nil)
	case autoscalingv2.ResourceMetricSourceType:
		t := &m.Resource.Target
		return t.AverageValue != nil || t.AverageUtilization != nil
	case autoscalingv2.ContainerResourceMetricSourceType:
		t := &m.ContainerResource.Target
		return hasContainers() && (t.AverageValue != nil || t.AverageUtilization != nil)
	}
	return false
}

// dropEmptyCondition removes a condition without a type, and reports whether
// there is one.
func (a *Answer) dropEmptyCondition() bool {
	n := len(a.Status.Conditions)
	a.Status.Conditions = slices.DeleteFunc(a.Status.Conditions, func(c autoscalingv2.HorizontalPodAutoscalerCondition) bool { return c.Type == "" })
	return len(a.Status.Conditions) < n
}

// Answer is all that an API client sees of one sync.
type Answer struct {
	// Size is the target's spec.replicas after the sync. Rescaled reports
	// whether the controller wrote it.
	Size     int32
	Rescaled bool
	// Error is the text of the error that the sync returned.
	Error string
	// Events are "TYPE REASON MESSAGE".
	Events []string
	// Status is the autoscaler's status after the sync.
	Status *autoscalingv2.HorizontalPodAutoscalerStatus
}
