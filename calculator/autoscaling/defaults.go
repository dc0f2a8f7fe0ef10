package autoscaling

import "slices"

// SetDefaults fills in what the spec leaves out, as the API server does when it
// reads a HorizontalPodAutoscaler (SetDefaults_HorizontalPodAutoscaler of
// k8s.io/kubernetes/pkg/apis/autoscaling/v2):
//
//   - minReplicas is 1;
//   - without metrics, there is one of 80 percent cpu utilization;
//   - a behavior gets its default rules ([behavior.Behavior.SetDefaults]);
//   - a fallback, which API servers do not have yet, waits for 180 seconds.
//
// A nil behavior stays nil, and so does a nil receiver.
//
// Nothing else in this package sets defaults. What comes from a cluster has them.
func (s *HorizontalPodAutoscalerSpec) SetDefaults() {
	if s == nil {
		return
	}
	if s.MinReplicas == nil {
		s.MinReplicas = new(int32)
		*s.MinReplicas = 1
	}
	if len(s.Metrics) == 0 {
		s.Metrics = []MetricSpec{ResourceUtilization("cpu", 80)}
	}
	s.Behavior.SetDefaults()
	for i := range s.Metrics {
		if f := s.Metrics[i].Fallback(); f != nil && f.FailureDurationSeconds == nil {
			f.FailureDurationSeconds = new(int32)
			*f.FailureDurationSeconds = leastFailureSeconds
		}
	}
}

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
	for _, t := range sourceTypes {
		if target := m.source(t, new(Metric)); target != nil {
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
