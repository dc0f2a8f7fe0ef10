package autoscaling

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
// Nothing else in this package sets defaults. What comes from a cluster has
// them.
func (s *HorizontalPodAutoscalerSpec) SetDefaults() {
	if s == nil {
		return
	}
	if s.MinReplicas == nil {
		s.MinReplicas = new(int32)
		*s.MinReplicas = 1
	}
	if len(s.Metrics) == 0 {
		s.Metrics = []MetricSpec{ResourceUtilizationMetric("cpu", 80)}
	}
	s.Behavior.SetDefaults()
	for i := range s.Metrics {
		if f := s.Metrics[i].Fallback(); f != nil && f.FailureDurationSeconds == nil {
			f.FailureDurationSeconds = new(int32)
			*f.FailureDurationSeconds = leastFailureSeconds
		}
	}
}

// NewSpec returns a spec of these bounds and metrics. Without metrics, it has
// the default one: 80 percent cpu utilization. It has no behavior and no
// scaleTargetRef, which only [HorizontalPodAutoscalerSpec.Validate] and texts
// ask for.
func NewSpec(minReplicas, maxReplicas int32, metrics ...MetricSpec) HorizontalPodAutoscalerSpec {
	s := HorizontalPodAutoscalerSpec{MinReplicas: &minReplicas, MaxReplicas: maxReplicas, Metrics: metrics}
	s.SetDefaults()
	return s
}
