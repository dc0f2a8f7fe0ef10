package autoscaling

import "github.com/purehpa/hpa/metrics"

// ResourceUtilizationMetric is a Resource metric with a target Utilization: the
// usage of a resource, such as "cpu", in percent of what the pods request.
func ResourceUtilizationMetric(resource string, percent int32) MetricSpec {
	return resourceMetric(resource, utilization(percent))
}

// ResourceAverageValueMetric is a Resource metric with a target AverageValue:
// the usage of a resource, such as "memory", per pod.
func ResourceAverageValueMetric(resource string, average metrics.Quantity) MetricSpec {
	return resourceMetric(resource, averageValue(average))
}

// ContainerResourceUtilizationMetric is ResourceUtilizationMetric for one
// container of each pod.
func ContainerResourceUtilizationMetric(resource, container string, percent int32) MetricSpec {
	return containerResourceMetric(resource, container, utilization(percent))
}

// ContainerResourceAverageValueMetric is ResourceAverageValueMetric for one
// container of each pod.
func ContainerResourceAverageValueMetric(resource, container string, average metrics.Quantity) MetricSpec {
	return containerResourceMetric(resource, container, averageValue(average))
}

// PodsAverageValueMetric is a Pods metric: the average of a custom metric over
// the pods.
func PodsAverageValueMetric(name string, average metrics.Quantity) MetricSpec {
	src := PodsMetricSource{Metric: MetricIdentifier{Name: name}, Target: averageValue(average)}
	return MetricSpec{Type: PodsMetricSourceType, Pods: &src}
}

// ObjectValueMetric is an Object metric with a target Value: a custom metric of
// one object, such as the requests per second of an Ingress.
func ObjectValueMetric(object CrossVersionObjectReference, name string, value metrics.Quantity) MetricSpec {
	return objectMetric(object, name, targetValue(value))
}

// ObjectAverageValueMetric is an Object metric with a target AverageValue: a
// custom metric of one object, divided by the number of pods.
func ObjectAverageValueMetric(object CrossVersionObjectReference, name string, average metrics.Quantity) MetricSpec {
	return objectMetric(object, name, averageValue(average))
}

// ExternalValueMetric is an External metric with a target Value: a metric from
// outside of the cluster, such as the latency of a queue.
func ExternalValueMetric(name string, value metrics.Quantity) MetricSpec {
	return externalMetric(name, targetValue(value))
}

// ExternalAverageValueMetric is an External metric with a target AverageValue:
// a metric from outside of the cluster, such as the length of a queue, divided
// by the number of pods.
func ExternalAverageValueMetric(name string, average metrics.Quantity) MetricSpec {
	return externalMetric(name, averageValue(average))
}

// ProposalMetric is a metric of type Proposal: the caller proposes the size
// (calculator.Proposed), under that name.
func ProposalMetric(name string) MetricSpec {
	return MetricSpec{Type: ProposalMetricSourceType, Proposal: &ProposalMetricSource{Name: name}}
}

func resourceMetric(name string, target MetricTarget) MetricSpec {
	return MetricSpec{Type: ResourceMetricSourceType, Resource: &ResourceMetricSource{Name: name, Target: target}}
}

func containerResourceMetric(name, container string, target MetricTarget) MetricSpec {
	src := ContainerResourceMetricSource{Name: name, Container: container, Target: target}
	return MetricSpec{Type: ContainerResourceMetricSourceType, ContainerResource: &src}
}

func objectMetric(object CrossVersionObjectReference, name string, target MetricTarget) MetricSpec {
	src := ObjectMetricSource{DescribedObject: object, Metric: MetricIdentifier{Name: name}, Target: target}
	return MetricSpec{Type: ObjectMetricSourceType, Object: &src}
}

func externalMetric(name string, target MetricTarget) MetricSpec {
	src := ExternalMetricSource{Metric: MetricIdentifier{Name: name}, Target: target}
	return MetricSpec{Type: ExternalMetricSourceType, External: &src}
}

func utilization(percent int32) MetricTarget {
	return MetricTarget{Type: UtilizationMetricType, AverageUtilization: &percent}
}

func averageValue(q metrics.Quantity) MetricTarget {
	return MetricTarget{Type: AverageValueMetricType, AverageValue: q}
}

func targetValue(q metrics.Quantity) MetricTarget {
	return MetricTarget{Type: ValueMetricType, Value: q}
}
