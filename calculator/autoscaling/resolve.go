package autoscaling

import "github.com/purehpa/hpa/metrics"

// Resolve returns what the metric means to the controller. It picks the target
// as the controller does: for an Object source by the target's Type, for the
// others by which of its fields are set, whatever the Type says. Where several
// are set, AverageValue counts. It returns the zero Metric for nil.
func (s *MetricSpec) Resolve() (m Metric) {
	s.ResolveInto(&m)
	return m
}

// ResolveInto is for this library's own packages, outside of the promise of
// compatibility. It is like Resolve but stores the result in *m, which must be
// zero.
func (s *MetricSpec) ResolveInto(m *Metric) {
	if s == nil {
		return
	}
	if target := s.source(s.Type, m); target != nil {
		m.Target = target.of(s.Type)
	}
}

// Resource returns the resource measured, such as "cpu". It is empty for any
// other metric.
func (m *Metric) Resource() string {
	if ofResource(m.Source) {
		return m.Name
	}
	return ""
}

// Format returns the notation in which a status shows the metric: powers of
// 1024 for memory, as the metrics server writes it, powers of 1000 for the
// rest.
func (m *Metric) Format() metrics.Format {
	if m.Resource() == "memory" {
		return metrics.BinarySI
	}
	return metrics.DecimalSI
}

// HasFallback reports whether any metric has one. It is false for nil.
func (s *HorizontalPodAutoscalerSpec) HasFallback() bool {
	if s != nil {
		for i := range s.Metrics {
			if s.Metrics[i].Fallback() != nil {
				return true
			}
		}
	}
	return false
}
