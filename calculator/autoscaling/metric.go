package autoscaling

import (
	"slices"

	"github.com/purehpa/hpa/metrics"
)

// Metric is what a [MetricSpec] means to the controller: the source that is
// read, and the one target that counts.
type Metric struct {
	// Source is where the metric comes from: the spec's Type, which may be an
	// unknown one. It is empty if the field that the Type names is not set.
	Source MetricSourceType
	// Name is the metric's name. For Resource and ContainerResource sources it is
	// the resource's, such as "cpu".
	Name string
	// Container is the container measured, for a ContainerResource source.
	Container string
	// DescribedObject is the object measured, for an Object source.
	DescribedObject CrossVersionObjectReference
	// Selector narrows the metric down, for Pods, Object and External sources.
	// It is the spec's own, not a copy.
	Selector *LabelSelector
	// Target is the target that counts. It is the zero Target if the spec sets
	// none that the source can have.
	Target metrics.Target
	// HasFallback reports whether the spec has a fallback for the metric
	// ([MetricSpec.Fallback]).
	HasFallback bool
}

// Resolve returns what the metric means to the controller. It picks the target
// as the controller does: for an Object source by the target's Type, for the
// others by which of its fields are set, whatever the Type says. Where several
// are set, AverageValue counts. It returns the zero Metric for nil.
func (s *MetricSpec) Resolve() (m Metric) {
	s.ResolveInto(&m)
	return m
}

// ResolveInto is Resolve for callers that do it often: it fills in m, which is zero.
func (s *MetricSpec) ResolveInto(m *Metric) {
	switch {
	case s == nil:
	case s.Proposal != nil && s.Type == ProposalMetricSourceType:
		m.Source, m.Name, m.HasFallback = s.Type, s.Proposal.Name, s.Proposal.Fallback != nil
	default:
		if target := s.source(s.Type, m); target != nil {
			m.Target = target.of(s.Type)
		}
	}
}

// sourceTypes are in the order in which Kubernetes validates them.
var sourceTypes = [...]MetricSourceType{
	ObjectMetricSourceType, ExternalMetricSourceType, PodsMetricSourceType,
	ResourceMetricSourceType, ContainerResourceMetricSourceType,
}

// source copies the field of a source to m, but for its target, which it returns:
// nil if the field is not set.
func (s *MetricSpec) source(t MetricSourceType, m *Metric) *MetricTarget {
	switch {
	case t == ResourceMetricSourceType && s.Resource != nil:
		m.Source, m.Name = t, s.Resource.Name
		return &s.Resource.Target
	case t == ContainerResourceMetricSourceType && s.ContainerResource != nil:
		m.Source, m.Name, m.Container = t, s.ContainerResource.Name, s.ContainerResource.Container
		return &s.ContainerResource.Target
	case t == PodsMetricSourceType && s.Pods != nil:
		m.Source, m.Name, m.Selector = t, s.Pods.Metric.Name, s.Pods.Metric.Selector
		return &s.Pods.Target
	case t == ObjectMetricSourceType && s.Object != nil:
		m.Source, m.Name, m.Selector = t, s.Object.Metric.Name, s.Object.Metric.Selector
		m.DescribedObject = s.Object.DescribedObject
		return &s.Object.Target
	case t == ExternalMetricSourceType && s.External != nil:
		m.Source, m.Name, m.Selector = t, s.External.Metric.Name, s.External.Metric.Selector
		m.HasFallback = s.External.Fallback != nil
		return &s.External.Target
	case !t.Known() && t != ProposalMetricSourceType:
		m.Source = t
	}
	return nil
}

// Known reports whether t is one of the five sources of autoscaling/v2.
func (t MetricSourceType) Known() bool { return slices.Contains(sourceTypes[:], t) }

// of returns the target that counts for a source.
func (t *MetricTarget) of(source MetricSourceType) metrics.Target {
	object := source == ObjectMetricSourceType
	switch {
	case t.AverageValue.IsSet() && (!object || t.Type == AverageValueMetricType):
		return metrics.AverageValue(t.AverageValue.Milli())
	case t.Value.IsSet() && (object && t.Type == ValueMetricType || source == ExternalMetricSourceType):
		return metrics.Value(t.Value.Milli())
	case t.AverageUtilization != nil && ofResource(source):
		return metrics.Utilization(*t.AverageUtilization)
	}
	return metrics.Target{}
}

// OfPods reports whether the metric is measured of each pod: whether it is a
// Resource, ContainerResource or Pods metric.
func (m *Metric) OfPods() bool { return ofResource(m.Source) || m.Source == PodsMetricSourceType }

func ofResource(source MetricSourceType) bool {
	return source == ResourceMetricSourceType || source == ContainerResourceMetricSourceType
}

// Resource returns the resource measured, such as "cpu". It is empty for a metric
// that is not one of a resource.
func (m *Metric) Resource() string {
	if ofResource(m.Source) {
		return m.Name
	}
	return ""
}

// Format returns the notation in which a status shows the metric: powers of
// 1024 for memory, as the metrics server writes it, powers of 1000 for the rest.
func (m *Metric) Format() metrics.Format {
	if m.Resource() == "memory" {
		return metrics.BinarySI
	}
	return metrics.DecimalSI
}
