package autoscaling

import "github.com/purehpa/hpa/metrics"

// NewSpec returns a spec of these bounds and metrics. Without metrics, it has the
// default one: 80 percent cpu utilization. It has no behavior and no
// scaleTargetRef, which only [HorizontalPodAutoscalerSpec.Validate] and texts ask
// for.
func NewSpec(minReplicas, maxReplicas int32, metrics ...MetricSpec) HorizontalPodAutoscalerSpec {
	s := HorizontalPodAutoscalerSpec{MinReplicas: &minReplicas, MaxReplicas: maxReplicas, Metrics: metrics}
	s.SetDefaults()
	return s
}

// ResourceUtilization is a metric that holds the pods' usage of a resource, such
// as "cpu", at percent of what they request.
func ResourceUtilization(resource string, percent int32) MetricSpec {
	target := MetricTarget{Type: UtilizationMetricType, AverageUtilization: &percent}
	src := ResourceMetricSource{Name: resource, Target: target}
	return MetricSpec{Type: ResourceMetricSourceType, Resource: &src}
}

// ResourceAverageValue is a metric that holds the average usage of a resource,
// such as "memory", at an amount per pod.
func ResourceAverageValue(resource string, average metrics.Quantity) MetricSpec {
	src := ResourceMetricSource{Name: resource, Target: averageValue(average)}
	return MetricSpec{Type: ResourceMetricSourceType, Resource: &src}
}

// PodsAverageValue is a metric that holds the average of a custom metric of the
// pods at an amount per pod.
func PodsAverageValue(name string, average metrics.Quantity) MetricSpec {
	src := PodsMetricSource{Metric: MetricIdentifier{Name: name}, Target: averageValue(average)}
	return MetricSpec{Type: PodsMetricSourceType, Pods: &src}
}

// ExternalAverageValue is a metric that holds something outside of the cluster,
// such as the length of a queue, at an amount per pod.
func ExternalAverageValue(name string, average metrics.Quantity) MetricSpec {
	src := ExternalMetricSource{Metric: MetricIdentifier{Name: name}, Target: averageValue(average)}
	return MetricSpec{Type: ExternalMetricSourceType, External: &src}
}

// ProposedElsewhere is a metric whose size is proposed elsewhere, under that name.
func ProposedElsewhere(name string) MetricSpec {
	src := ProposalMetricSource{Name: name}
	return MetricSpec{Type: ProposalMetricSourceType, Proposal: &src}
}

func averageValue(q metrics.Quantity) MetricTarget {
	return MetricTarget{Type: AverageValueMetricType, AverageValue: q}
}
