package calculator

import "slices"

// defaultCPUUtilization is the target of an autoscaler without metrics, in
// percent of the pods' requests.
const defaultCPUUtilization = 80

// SetDefaults fills what the spec leaves out, as the API server does when it
// reads a HorizontalPodAutoscaler (SetDefaults_HorizontalPodAutoscaler of
// k8s.io/kubernetes/pkg/apis/autoscaling/v2): minReplicas 1, one metric of 80
// percent cpu utilization if there are none, and the rules of a behavior
// ([behavior.Behavior.SetDefaults]). What is set stays, and so does a nil
// behavior. A nil receiver stays nil.
//
// Nothing else in this package sets defaults: what comes from a cluster has them
// already.
func (s *Spec) SetDefaults() {
	if s == nil {
		return
	}
	if s.MinReplicas == nil {
		s.MinReplicas = ptr32(1)
	}
	if len(s.Metrics) == 0 {
		s.Metrics = []MetricSpec{{
			Type: ResourceMetricSourceType,
			Resource: &ResourceMetricSource{
				Name: "cpu",
				Target: MetricTarget{
					Type:               UtilizationMetricType,
					AverageUtilization: ptr32(defaultCPUUtilization),
				},
			},
		}}
	}
	s.Behavior.SetDefaults()
}

// Clone returns a deep copy; nil for nil.
func (s *Spec) Clone() *Spec {
	if s == nil {
		return nil
	}
	c := *s
	c.MinReplicas = clone32(s.MinReplicas)
	c.Metrics = slices.Clone(s.Metrics)
	for i := range c.Metrics {
		c.Metrics[i] = s.Metrics[i].clone()
	}
	c.Behavior = s.Behavior.Clone()
	return &c
}

func (m MetricSpec) clone() MetricSpec {
	if m.Object != nil {
		src := *m.Object
		src.Metric.Selector = src.Metric.Selector.Clone()
		src.Target = src.Target.clone()
		m.Object = &src
	}
	if m.Pods != nil {
		src := *m.Pods
		src.Metric.Selector = src.Metric.Selector.Clone()
		src.Target = src.Target.clone()
		m.Pods = &src
	}
	if m.Resource != nil {
		src := *m.Resource
		src.Target = src.Target.clone()
		m.Resource = &src
	}
	if m.ContainerResource != nil {
		src := *m.ContainerResource
		src.Target = src.Target.clone()
		m.ContainerResource = &src
	}
	if m.External != nil {
		src := *m.External
		src.Metric.Selector = src.Metric.Selector.Clone()
		src.Target = src.Target.clone()
		m.External = &src
	}
	return m
}

func (t MetricTarget) clone() MetricTarget {
	t.AverageUtilization = clone32(t.AverageUtilization)
	return t
}

func ptr32(v int32) *int32 { return &v }

func clone32(p *int32) *int32 {
	if p == nil {
		return nil
	}
	return ptr32(*p)
}
