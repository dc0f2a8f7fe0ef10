package autoscaling

import "github.com/purehpa/hpa/metrics"

// Metric is what a [MetricSpec] means to the controller: the source that is
// read, and the one target that counts.
type Metric struct {
	// Source is where the metric comes from: the spec's Type, which may be an
	// unknown one. It is empty if the field that the Type names is not set.
	Source MetricSourceType
	// Name is the metric's name. For Resource and ContainerResource sources it
	// is the resource's, such as "cpu".
	Name string
	// Container is the container measured, for a ContainerResource source.
	Container string
	// DescribedObject is the object measured, for an Object source.
	DescribedObject CrossVersionObjectReference
	// Selector narrows the metric down, for Pods, Object and External sources.
	// It is the spec's own, not a copy.
	Selector *LabelSelector
	// Target is the target that counts. It is the zero Target if the spec
	// sets no target that the source can have.
	Target metrics.Target
	// HasFallback reports whether the spec has a fallback for the metric
	// ([MetricSpec.Fallback]).
	HasFallback bool
}
