package autoscaling

import (
	"encoding/json"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/metrics"
)

// HorizontalPodAutoscalerSpec is spec of a HorizontalPodAutoscaler. Its JSON is
// that of autoscaling/v2, with the fields in the API server's order and
// quantities in canonical form. A zero field means what leaving it out means
// there. Decoding ignores unknown fields and, unlike the API server, the case
// of names.
//
// The comments give the valid ranges, which
// [HorizontalPodAutoscalerSpec.Validate] checks.
type HorizontalPodAutoscalerSpec struct {
	// ScaleTargetRef names the resource that is scaled. Decisions use it only
	// in texts.
	ScaleTargetRef CrossVersionObjectReference `json:"scaleTargetRef"`
	// MinReplicas is the least size, 0 or more; nil stands for 1. Zero needs an
	// Object or External metric.
	MinReplicas *int32 `json:"minReplicas,omitempty"`
	// MaxReplicas is the largest size, at least 1 and at least MinReplicas.
	MaxReplicas int32 `json:"maxReplicas"`
	// Metrics propose sizes; the largest proposal wins. None stands for 80
	// percent cpu utilization.
	Metrics []MetricSpec `json:"metrics,omitempty"`
	// Behavior holds the scaling rules; nil means none, which is not the same
	// as default rules.
	Behavior *behavior.Behavior `json:"behavior,omitempty"`
}

// String returns the JSON of the spec, so that tests and logs print no
// pointers.
func (s HorizontalPodAutoscalerSpec) String() string {
	text, err := json.Marshal(s)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// GoString returns the same, for the counterexamples of property tests.
func (s HorizontalPodAutoscalerSpec) GoString() string { return s.String() }

// CrossVersionObjectReference names an object of the same namespace.
type CrossVersionObjectReference struct {
	// Kind is the object's kind, such as "Deployment".
	Kind string `json:"kind"`
	// Name is the object's name.
	Name string `json:"name"`
	// APIVersion is the object's group and version, such as "apps/v1".
	APIVersion string `json:"apiVersion,omitempty"`
}

// MetricSourceType says where a metric comes from, and which field of a
// [MetricSpec] describes it. The places to add one are listed with the sources
// of package calculator, in source.go.
type MetricSourceType string

// The metric sources of autoscaling/v2.
const (
	// ObjectMetricSourceType is a metric that describes one Kubernetes object.
	ObjectMetricSourceType MetricSourceType = "Object"
	// PodsMetricSourceType is a custom metric of each pod.
	PodsMetricSourceType MetricSourceType = "Pods"
	// ResourceMetricSourceType is a resource, such as cpu, of each pod.
	ResourceMetricSourceType MetricSourceType = "Resource"
	// ContainerResourceMetricSourceType is a resource of one container in each
	// pod.
	ContainerResourceMetricSourceType MetricSourceType = "ContainerResource"
	// ExternalMetricSourceType is a metric of something outside of the cluster.
	ExternalMetricSourceType MetricSourceType = "External"
)

// ProposalMetricSourceType is a size that the caller proposes, by an algorithm
// that autoscaling/v2 has no metric for. API servers refuse it, and so does
// [HorizontalPodAutoscalerSpec.Validate]; decisions accept it.
const ProposalMetricSourceType MetricSourceType = "Proposal"

// MetricSpec asks for one metric. The field that Type names is set, such as
// Object for [ObjectMetricSourceType]. Decisions read no other one.
type MetricSpec struct {
	Type              MetricSourceType               `json:"type"`
	Object            *ObjectMetricSource            `json:"object,omitempty"`
	Pods              *PodsMetricSource              `json:"pods,omitempty"`
	Resource          *ResourceMetricSource          `json:"resource,omitempty"`
	ContainerResource *ContainerResourceMetricSource `json:"containerResource,omitempty"`
	External          *ExternalMetricSource          `json:"external,omitempty"`
	Proposal          *ProposalMetricSource          `json:"proposal,omitempty"`
}

// ObjectMetricSource asks for a metric of one Kubernetes object, with a target
// Value or AverageValue.
type ObjectMetricSource struct {
	// DescribedObject is the object that the metric describes.
	DescribedObject CrossVersionObjectReference `json:"describedObject"`
	// Target is what the metric is held against.
	Target MetricTarget `json:"target"`
	// Metric names the metric.
	Metric MetricIdentifier `json:"metric"`
}

// PodsMetricSource asks for a custom metric of each pod, with a target
// AverageValue.
type PodsMetricSource struct {
	// Metric names the metric.
	Metric MetricIdentifier `json:"metric"`
	// Target is what the average over the pods is held against.
	Target MetricTarget `json:"target"`
}

// ResourceMetricSource asks for a resource of each pod, with a target
// Utilization or AverageValue.
type ResourceMetricSource struct {
	// Name is the resource, such as "cpu" or "memory".
	Name string `json:"name"`
	// Target is what the pods' usage is held against.
	Target MetricTarget `json:"target"`
}

// ContainerResourceMetricSource asks for a resource of one container in each
// pod, with a target Utilization or AverageValue.
type ContainerResourceMetricSource struct {
	// Name is the resource, such as "cpu" or "memory".
	Name string `json:"name"`
	// Target is what the containers' usage is held against.
	Target MetricTarget `json:"target"`
	// Container is the container's name.
	Container string `json:"container"`
}

// ExternalMetricSource asks for a metric from outside of the cluster, with a
// target Value or AverageValue.
type ExternalMetricSource struct {
	// Metric names the metric.
	Metric MetricIdentifier `json:"metric"`
	// Target is what the sum of the metric's series is held against.
	Target MetricTarget `json:"target"`
	// Fallback is what the metric proposes once it has failed for a while; nil
	// means nothing. API servers up to 1.37 drop it.
	Fallback *ExternalMetricFallback `json:"fallback,omitempty"`
}

// ProposalMetricSource asks for a size that the caller proposes.
type ProposalMetricSource struct {
	// Name names the proposal, in texts and from one sync to the next.
	Name string `json:"name"`
	// Fallback is what counts once the proposal has failed for a while; nil
	// means nothing.
	Fallback *ExternalMetricFallback `json:"fallback,omitempty"`
}

// MetricIdentifier names a metric.
type MetricIdentifier struct {
	// Name is the metric's name.
	Name string `json:"name"`
	// Selector narrows the metric down to series with these labels; nil selects
	// by name alone.
	Selector *LabelSelector `json:"selector,omitempty"`
}

// MetricTargetType says which field of a [MetricTarget] holds.
type MetricTargetType = metrics.TargetType

// The target types of autoscaling/v2.
const (
	// UtilizationMetricType is a percentage of the pods' requests.
	UtilizationMetricType = metrics.UtilizationTarget
	// ValueMetricType is a value of the metric itself.
	ValueMetricType = metrics.ValueTarget
	// AverageValueMetricType is a value per pod.
	AverageValueMetricType = metrics.AverageValueTarget
)

// MetricTarget is what a metric is held against.
type MetricTarget struct {
	// Type says which kind of target this is.
	Type MetricTargetType `json:"type"`
	// Value is the target of the metric itself; positive when it is set.
	Value metrics.Quantity `json:"value,omitzero"`
	// AverageValue is the target per pod; positive when it is set.
	AverageValue metrics.Quantity `json:"averageValue,omitzero"`
	// AverageUtilization is the target in percent of the pods' requests, at
	// least 1; nil means not set.
	AverageUtilization *int32 `json:"averageUtilization,omitempty"`
}

// Bounds returns minReplicas, 1 if it is not set, and maxReplicas. It returns
// zeros for nil.
func (s *HorizontalPodAutoscalerSpec) Bounds() behavior.Bounds {
	if s == nil {
		return behavior.Bounds{}
	}
	b := behavior.Bounds{Min: 1, Max: s.MaxReplicas}
	if s.MinReplicas != nil {
		b.Min = *s.MinReplicas
	}
	return b
}
