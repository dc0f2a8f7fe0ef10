package autoscaling

import (
	"encoding/json"
	"time"

	"github.com/purehpa/hpa/metrics"
)

// HorizontalPodAutoscalerStatus is the status of a HorizontalPodAutoscaler. Its
// JSON is that of autoscaling/v2, where times are whole seconds.
type HorizontalPodAutoscalerStatus struct {
	// ObservedGeneration is the generation of the object that was decided on.
	ObservedGeneration *int64 `json:"observedGeneration,omitempty"`
	// LastScaleTime is when the size was last changed; the zero time.Time if
	// it never was.
	LastScaleTime time.Time `json:"lastScaleTime,omitzero"`
	// CurrentReplicas is the size before the sync.
	CurrentReplicas int32 `json:"currentReplicas,omitempty"`
	// DesiredReplicas is the size that was last asked for.
	DesiredReplicas int32 `json:"desiredReplicas"`
	// CurrentMetrics are in the order of the spec; one that failed is empty.
	CurrentMetrics []MetricStatus `json:"currentMetrics"`
	// Conditions are in the order in which they were first set.
	Conditions []HorizontalPodAutoscalerCondition `json:"conditions,omitempty"`
}

// MarshalJSON returns the status as autoscaling/v2 has it.
func (s HorizontalPodAutoscalerStatus) MarshalJSON() ([]byte, error) {
	type fields HorizontalPodAutoscalerStatus // without this method
	s.LastScaleTime = apiTime(s.LastScaleTime)
	return json.Marshal(fields(s))
}

// MetricStatus is the status of one metric. It is zero for a metric that
// failed.
type MetricStatus struct {
	Type              MetricSourceType               `json:"type"`
	Object            *ObjectMetricStatus            `json:"object,omitempty"`
	Pods              *PodsMetricStatus              `json:"pods,omitempty"`
	Resource          *ResourceMetricStatus          `json:"resource,omitempty"`
	ContainerResource *ContainerResourceMetricStatus `json:"containerResource,omitempty"`
	External          *ExternalMetricStatus          `json:"external,omitempty"`
	Proposal          *ProposalMetricStatus          `json:"proposal,omitempty"`
}

// ObjectMetricStatus is the status of an Object metric.
type ObjectMetricStatus struct {
	Metric          MetricIdentifier            `json:"metric"`
	Current         MetricValueStatus           `json:"current"`
	DescribedObject CrossVersionObjectReference `json:"describedObject"`
}

// PodsMetricStatus is the status of a Pods metric.
type PodsMetricStatus struct {
	Metric  MetricIdentifier  `json:"metric"`
	Current MetricValueStatus `json:"current"`
}

// ResourceMetricStatus is the status of a Resource metric.
type ResourceMetricStatus struct {
	Name    string            `json:"name"`
	Current MetricValueStatus `json:"current"`
}

// ContainerResourceMetricStatus is the status of a ContainerResource metric.
type ContainerResourceMetricStatus struct {
	Name      string            `json:"name"`
	Current   MetricValueStatus `json:"current"`
	Container string            `json:"container"`
}

// ExternalMetricStatus is the status of an External metric.
type ExternalMetricStatus struct {
	Metric  MetricIdentifier  `json:"metric"`
	Current MetricValueStatus `json:"current"`
}

// ProposalMetricStatus is the status of a Proposal metric.
type ProposalMetricStatus struct {
	Name    string            `json:"name"`
	Current MetricValueStatus `json:"current"`
}

// MetricValueStatus is the value of a metric, by the type of its target.
type MetricValueStatus struct {
	// Value is the metric itself, for a target Value.
	Value metrics.Quantity `json:"value,omitzero"`
	// AverageValue is the average over the pods, for a target AverageValue or
	// Utilization.
	AverageValue metrics.Quantity `json:"averageValue,omitzero"`
	// AverageUtilization is the average in percent of the requests, for a
	// target Utilization.
	AverageUtilization *int32 `json:"averageUtilization,omitempty"`
}
