package describe

import (
	"strconv"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
)

// unknown stands for a value that the status does not have.
const unknown = "<unknown>"

// metrics prints a line for each metric of the spec. The status of a metric is
// the one with the same index.
func (p *page) metrics(specs []autoscaling.MetricSpec, statuses []autoscaling.MetricStatus) {
	p.printf("Metrics:\t( current / target )\n")
	for i := range specs {
		var status autoscaling.MetricStatus
		if i < len(statuses) {
			status = statuses[i]
		}
		p.metric(&specs[i], &status)
	}
}

func (p *page) metric(m *autoscaling.MetricSpec, s *autoscaling.MetricStatus) {
	now := current(m.Type, s)
	switch m.Type {
	case autoscaling.ExternalMetricSourceType:
		source := orEmpty(m.External)
		// Of an External metric alone, kubectl says that an average is not known
		// rather than not set.
		if now != nil && !now.AverageValue.IsSet() && source.Target.AverageValue.IsSet() {
			now = nil
		}
		p.printf("  %q", source.Metric.Name)
		p.amount(source.Target.AverageValue.IsSet(), now, &source.Target)
	case autoscaling.PodsMetricSourceType:
		source := orEmpty(m.Pods)
		p.printf("  %q on pods", source.Metric.Name)
		p.average(now, &source.Target)
	case autoscaling.ObjectMetricSourceType:
		source := orEmpty(m.Object)
		p.printf("  \"%s\" on %s/%s", source.Metric.Name, source.DescribedObject.Kind, source.DescribedObject.Name)
		p.amount(source.Target.Type == autoscaling.AverageValueMetricType, now, &source.Target)
	case autoscaling.ResourceMetricSourceType:
		source := orEmpty(m.Resource)
		p.printf("  resource %s on pods", source.Name)
		p.usage(now, &source.Target)
	case autoscaling.ContainerResourceMetricSourceType:
		source := orEmpty(m.ContainerResource)
		p.printf("  resource %s of container \"%s\" on pods", source.Name, source.Container)
		p.usage(now, &source.Target)
	default:
		p.printf("  <unknown metric type %q>\n", m.Type)
	}
}

// amount prints a value or an average.
func (p *page) amount(average bool, now *autoscaling.MetricValueStatus, target *autoscaling.MetricTarget) {
	if average {
		p.printf(" (target average value)")
		p.average(now, target)
		return
	}
	value := unknown
	if now != nil {
		value = quantity(now.Value)
	}
	p.printf(" (target value):\t%s / %s\n", value, quantity(target.Value))
}

func (p *page) average(now *autoscaling.MetricValueStatus, target *autoscaling.MetricTarget) {
	value := unknown
	if now != nil {
		value = quantity(now.AverageValue)
	}
	p.printf(":\t%s / %s\n", value, quantity(target.AverageValue))
}

// usage prints the average usage of a resource, or its utilization.
func (p *page) usage(now *autoscaling.MetricValueStatus, target *autoscaling.MetricTarget) {
	if target.AverageValue.IsSet() {
		p.average(now, target)
		return
	}
	value, goal := unknown, "<auto>"
	if now != nil && now.AverageUtilization != nil {
		value = percent(*now.AverageUtilization) + " (" + quantity(now.AverageValue) + ")"
	}
	if target.AverageUtilization != nil {
		goal = percent(*target.AverageUtilization)
	}
	p.printf("  (as a percentage of request):\t%s / %s\n", value, goal)
}

// current returns the value of a metric of this type, nil if the status is that
// of a metric of another type, or of one that failed.
func current(t autoscaling.MetricSourceType, s *autoscaling.MetricStatus) *autoscaling.MetricValueStatus {
	switch {
	case t == autoscaling.ExternalMetricSourceType && s.External != nil:
		return &s.External.Current
	case t == autoscaling.PodsMetricSourceType && s.Pods != nil:
		return &s.Pods.Current
	case t == autoscaling.ObjectMetricSourceType && s.Object != nil:
		return &s.Object.Current
	case t == autoscaling.ResourceMetricSourceType && s.Resource != nil:
		return &s.Resource.Current
	case t == autoscaling.ContainerResourceMetricSourceType && s.ContainerResource != nil:
		return &s.ContainerResource.Current
	}
	return nil
}

// quantity returns the canonical text. For a quantity that is not set, kubectl
// prints a nil pointer.
func quantity(q metrics.Quantity) string {
	if !q.IsSet() {
		return "<nil>"
	}
	return q.String()
}

func percent(n int32) string { return strconv.FormatInt(int64(n), 10) + "%" }

func orEmpty[T any](source *T) *T {
	if source == nil {
		return new(T)
	}
	return source
}
