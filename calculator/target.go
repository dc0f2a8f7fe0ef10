package calculator

import "github.com/purehpa/hpa/metrics"

// source returns where the metric comes from; noSource if the field that Type
// names is not there.
func (s *MetricSpec) source() sourceKind {
	switch {
	case s.Type == ResourceMetricSourceType && s.Resource != nil:
		return resourceSource
	case s.Type == ContainerResourceMetricSourceType && s.ContainerResource != nil:
		return containerResourceSource
	case s.Type == PodsMetricSourceType && s.Pods != nil:
		return podsSource
	case s.Type == ObjectMetricSourceType && s.Object != nil:
		return objectSource
	case s.Type == ExternalMetricSourceType && s.External != nil:
		return externalSource
	}
	return noSource
}

// target returns what the metric is held against, as Kubernetes' controller
// picks it: by the target's type for an Object source, and by which of its
// fields are set, whatever its type, for the others. It is false if the source
// has no such target.
func (s *MetricSpec) target() (metrics.Target, bool) {
	switch s.source() {
	case resourceSource:
		return s.Resource.Target.ofPods()
	case containerResourceSource:
		return s.ContainerResource.Target.ofPods()
	case podsSource:
		if t := &s.Pods.Target; t.AverageValue.IsSet() {
			return metrics.AverageValue(t.AverageValue.Milli()), true
		}
	case objectSource:
		switch t := &s.Object.Target; {
		case t.Type == ValueMetricType && t.Value.IsSet():
			return metrics.Value(t.Value.Milli()), true
		case t.Type == AverageValueMetricType && t.AverageValue.IsSet():
			return metrics.AverageValue(t.AverageValue.Milli()), true
		}
	case externalSource:
		switch t := &s.External.Target; {
		case t.AverageValue.IsSet():
			return metrics.AverageValue(t.AverageValue.Milli()), true
		case t.Value.IsSet():
			return metrics.Value(t.Value.Milli()), true
		}
	}
	return metrics.Target{}, false
}

// ofPods picks the target of a Resource or ContainerResource source.
func (t *MetricTarget) ofPods() (metrics.Target, bool) {
	switch {
	case t.AverageValue.IsSet():
		return metrics.AverageValue(t.AverageValue.Milli()), true
	case t.AverageUtilization != nil:
		return metrics.Utilization(*t.AverageUtilization), true
	}
	return metrics.Target{}, false
}

// selector returns the metric's selector, nil for sources that have none.
func (s *MetricSpec) selector() *LabelSelector {
	switch s.source() {
	case podsSource:
		return s.Pods.Metric.Selector
	case objectSource:
		return s.Object.Metric.Selector
	case externalSource:
		return s.External.Metric.Selector
	}
	return nil
}
