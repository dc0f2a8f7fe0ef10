package calculator

import (
	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/metrics"
)

// Spec is what a HorizontalPodAutoscaler asks for, spec of autoscaling/v2. It
// reads and writes its JSON: encoding gives the fields in the API server's order
// and the quantities in canonical form. A zero field means what leaving it out
// means there. Decoding ignores unknown fields; unlike the API server's, it does
// not mind the case of their names.
//
// The doc comments give the valid ranges, which [Spec.Validate] checks.
type Spec struct {
	// ScaleTargetRef names the resource whose size changes. It takes part in
	// texts alone.
	ScaleTargetRef CrossVersionObjectReference `json:"scaleTargetRef"`
	// MinReplicas is the least size, 0 or more; nil stands for 1. Zero needs an
	// Object or External metric.
	MinReplicas *int32 `json:"minReplicas,omitempty"`
	// MaxReplicas is the largest size, at least 1 and at least MinReplicas.
	MaxReplicas int32 `json:"maxReplicas"`
	// Metrics are what sizes are proposed from; the largest proposal wins. None
	// stands for 80 percent cpu utilization.
	Metrics []MetricSpec `json:"metrics,omitempty"`
	// Behavior holds the scaling rules; nil means none, which is not the same as
	// default rules.
	Behavior *behavior.Behavior `json:"behavior,omitempty"`
}

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
// [MetricSpec] describes it.
type MetricSourceType string

// The metric sources of autoscaling/v2.
const (
	// ObjectMetricSourceType is a metric that describes one Kubernetes object.
	ObjectMetricSourceType MetricSourceType = "Object"
	// PodsMetricSourceType is a custom metric of each pod.
	PodsMetricSourceType MetricSourceType = "Pods"
	// ResourceMetricSourceType is a resource, such as cpu, of each pod.
	ResourceMetricSourceType MetricSourceType = "Resource"
	// ContainerResourceMetricSourceType is a resource of one container in each pod.
	ContainerResourceMetricSourceType MetricSourceType = "ContainerResource"
	// ExternalMetricSourceType is a metric of something outside of the cluster.
	ExternalMetricSourceType MetricSourceType = "External"
)

// MetricSpec asks for one metric. Only the field that Type names is read.
type MetricSpec struct {
	// Type says which of the other fields holds.
	Type MetricSourceType `json:"type"`
	// Object is set for [ObjectMetricSourceType].
	Object *ObjectMetricSource `json:"object,omitempty"`
	// Pods is set for [PodsMetricSourceType].
	Pods *PodsMetricSource `json:"pods,omitempty"`
	// Resource is set for [ResourceMetricSourceType].
	Resource *ResourceMetricSource `json:"resource,omitempty"`
	// ContainerResource is set for [ContainerResourceMetricSourceType].
	ContainerResource *ContainerResourceMetricSource `json:"containerResource,omitempty"`
	// External is set for [ExternalMetricSourceType].
	External *ExternalMetricSource `json:"external,omitempty"`
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
type MetricTargetType string

// The target types of autoscaling/v2.
const (
	// UtilizationMetricType is a percentage of the pods' requests.
	UtilizationMetricType MetricTargetType = "Utilization"
	// ValueMetricType is a value of the metric itself.
	ValueMetricType MetricTargetType = "Value"
	// AverageValueMetricType is a value per pod.
	AverageValueMetricType MetricTargetType = "AverageValue"
)

// MetricTarget is what a metric is held against.
type MetricTarget struct {
	// Type says which kind of target this is.
	Type MetricTargetType `json:"type"`
	// Value is the target of the metric itself; positive when it is set.
	Value metrics.Quantity `json:"value,omitzero"`
	// AverageValue is the target per pod; positive when it is set.
	AverageValue metrics.Quantity `json:"averageValue,omitzero"`
	// AverageUtilization is the target in percent of the pods' requests, at least
	// 1; nil means not set.
	AverageUtilization *int32 `json:"averageUtilization,omitempty"`
}
