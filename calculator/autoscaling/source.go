package autoscaling

import (
	"slices"
	"strings"

	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/metrics"
)

// source is what distinguishes one source of metrics from the others, except
// the field of a MetricSpec that it reads. How to add one says source.go of
// package calculator.
type source struct {
	kind MetricSourceType
	// inAPI reports that autoscaling/v2 has the source.
	inAPI bool
	// withoutPods reports that the metric can be read while there are no pods.
	withoutPods bool
	// named reports that the metric has a name of its own, not that of a
	// resource.
	named bool
	// value and utilization report that the metric can have such a target,
	// instead of one per pod, which all have.
	value, utilization bool
	// missing is the complaint about no target, both the one about two.
	missing, both complaint
	// unavailable is appended to the complaint about a field that is not set,
	// by releases that have disabledBy.
	disabledBy  release.Quirk
	unavailable string
}

// complaint is a field of a target and what is wrong with it.
type complaint struct{ field, detail string }

// sources are the sources of metrics, those of autoscaling/v2 in the order in
// which Kubernetes validates them.
var sources = [...]source{
	{
		kind: ObjectMetricSourceType, inAPI: true, withoutPods: true, named: true, value: true,
		missing: complaint{".averageValue", "must set either a target value or averageValue"},
	},
	{
		kind: ExternalMetricSourceType, inAPI: true, withoutPods: true, named: true, value: true,
		missing: complaint{".averageValue", "must set either a target value for metric or a per-pod target"},
		both:    complaint{".value", "may not set both a target value for metric and a per-pod target"},
	},
	{
		kind: PodsMetricSourceType, inAPI: true, named: true,
		missing: complaint{".averageValue", "must specify a positive target averageValue"},
	},
	{
		kind: ResourceMetricSourceType, inAPI: true, utilization: true,
		missing: complaint{".averageUtilization", "must set either a target raw value or a target utilization"},
		both:    complaint{".averageValue", "may not set both a target raw value and a target utilization"},
	},
	{
		kind: ContainerResourceMetricSourceType, inAPI: true, utilization: true,
		missing:     complaint{".averageUtilization", "must set either a target raw value or a target utilization"},
		both:        complaint{".averageValue", "may not set both a target raw value and a target utilization"},
		disabledBy:  release.NoContainerMetrics,
		unavailable: " (only allowed when HPAContainerMetrics feature is enabled)",
	},
	{kind: ProposalMetricSourceType, withoutPods: true, named: true},
}

// sourceOf returns the index of the row of a source, -1 for an unknown one.
func sourceOf(kind MetricSourceType) int {
	for i := range sources {
		if sources[i].kind == kind {
			return i
		}
	}
	return -1
}

// Known reports whether t is one of the five sources of autoscaling/v2.
func (t MetricSourceType) Known() bool {
	i := sourceOf(t)
	return i >= 0 && sources[i].inAPI
}

// source copies the field of a source to m, but for its target, which it
// returns: nil if the field is not set, or has no target.
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
	case t == ProposalMetricSourceType && s.Proposal != nil:
		m.Source, m.Name = t, s.Proposal.Name
		m.HasFallback = s.Proposal.Fallback != nil
	case sourceOf(t) < 0:
		m.Source = t
	}
	return nil
}

// of returns the target that counts for a source. It names sources because a
// search in the table would take longer than all the rest.
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

// field returns the path of the source's field in a metric, such as ".object".
func (t MetricSourceType) field() string { return "." + strings.ToLower(string(t[:1])) + string(t[1:]) }

// Fallback returns the fallback of the metric, nil if it has none. Only
// External and Proposal metrics have one.
func (s *MetricSpec) Fallback() *ExternalMetricFallback {
	switch {
	case s == nil:
	case s.External != nil && s.Type == ExternalMetricSourceType:
		return s.External.Fallback
	case s.Proposal != nil && s.Type == ProposalMetricSourceType:
		return s.Proposal.Fallback
	}
	return nil
}

// ScalesFromZero reports whether there is a metric by which a size of zero can
// be left: an Object, External or Proposal metric. It is false for nil.
func (s *HorizontalPodAutoscalerSpec) ScalesFromZero() bool {
	if s != nil {
		for i := range s.Metrics {
			if s.Metrics[i].Type.withoutPods() {
				return true
			}
		}
	}
	return false
}

// HasObjectOrExternalMetric reports whether there is a metric that can be read
// while there are no pods, which scaling to zero needs (KEP-2021). It is false
// for nil.
func (s *HorizontalPodAutoscalerSpec) HasObjectOrExternalMetric() bool {
	return s != nil && slices.ContainsFunc(s.Metrics, func(m MetricSpec) bool {
		return m.Type.Known() && m.Type.withoutPods()
	})
}

func (t MetricSourceType) withoutPods() bool {
	i := sourceOf(t)
	return i >= 0 && sources[i].withoutPods
}
