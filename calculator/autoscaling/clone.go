package autoscaling

import "slices"

// Clone returns a deep copy; nil for nil.
func (s *HorizontalPodAutoscalerSpec) Clone() *HorizontalPodAutoscalerSpec {
	c := clone(s)
	if c == nil {
		return nil
	}
	c.MinReplicas = clone(s.MinReplicas)
	c.Metrics = slices.Clone(s.Metrics)
	for i := range c.Metrics {
		c.Metrics[i].unshare()
	}
	c.Behavior = s.Behavior.Clone()
	return c
}

// unshare replaces what m points to by copies.
func (m *MetricSpec) unshare() {
	m.Object, m.Pods, m.External = clone(m.Object), clone(m.Pods), clone(m.External)
	m.Resource, m.ContainerResource = clone(m.Resource), clone(m.ContainerResource)
	for i := range sources {
		if target := m.source(sources[i].kind, new(Metric)); target != nil {
			target.AverageUtilization = clone(target.AverageUtilization)
		}
	}
	if m.Object != nil {
		m.Object.Metric.Selector = m.Object.Metric.Selector.Clone()
	}
	if m.Pods != nil {
		m.Pods.Metric.Selector = m.Pods.Metric.Selector.Clone()
	}
	if m.Proposal = clone(m.Proposal); m.Proposal != nil {
		m.Proposal.Fallback = m.Proposal.Fallback.clone()
	}
	if m.External != nil {
		m.External.Fallback = m.External.Fallback.clone()
		m.External.Metric.Selector = m.External.Metric.Selector.Clone()
	}
}

// clone returns a shallow copy; nil for nil.
func clone[T any](p *T) *T {
	if p == nil {
		return nil
	}
	c := *p
	return &c
}

func (f *ExternalMetricFallback) clone() *ExternalMetricFallback {
	c := clone(f)
	if c != nil {
		c.FailureDurationSeconds = clone(f.FailureDurationSeconds)
	}
	return c
}
