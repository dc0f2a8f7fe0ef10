package calculator

import (
	"slices"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/metrics"
)

// Status returns the status of the autoscaler after the sync that d decided,
// and, if it rescales, after State.Applied or State.Failed. It shares no memory
// with d or st.
//
// Where the scale could not be read, Kubernetes changes nothing but the
// conditions: of this status, only these are to be taken over then.
func (d *Decision) Status(st *State) autoscaling.HorizontalPodAutoscalerStatus {
	if st == nil {
		st = new(State)
	}
	s := autoscaling.HorizontalPodAutoscalerStatus{
		LastScaleTime:   st.LastScaleTime,
		CurrentReplicas: d.CurrentReplicas,
		DesiredReplicas: st.DesiredReplicas,
		Conditions:      slices.Clone(st.Conditions),
	}
	if len(d.Proposals) > 0 {
		s.CurrentMetrics = make([]autoscaling.MetricStatus, len(d.Proposals))
		for i := range d.Proposals {
			s.CurrentMetrics[i] = d.Proposals[i].status(d.as)
		}
	}
	return s
}

// status returns what the status shows of the proposal.
func (p *Proposal) status(as release.Differences) autoscaling.MetricStatus {
	if p.Failure.Kind != NoFailure {
		return autoscaling.MetricStatus{}
	}
	m, current := &p.Metric, p.current(as)
	name := autoscaling.MetricIdentifier{Name: m.Name, Selector: m.Selector.Clone()}
	s := autoscaling.MetricStatus{Type: m.Source}
	switch m.Source {
	case autoscaling.ResourceMetricSourceType:
		s.Resource = &autoscaling.ResourceMetricStatus{Name: m.Name, Current: current}
	case autoscaling.ContainerResourceMetricSourceType:
		s.ContainerResource = &autoscaling.ContainerResourceMetricStatus{Name: m.Name, Current: current, Container: m.Container}
	case autoscaling.PodsMetricSourceType:
		s.Pods = &autoscaling.PodsMetricStatus{Metric: name, Current: current}
	case autoscaling.ObjectMetricSourceType:
		s.Object = &autoscaling.ObjectMetricStatus{Metric: name, Current: current, DescribedObject: m.DescribedObject}
		if as.Has(release.NoDescribedObject) && m.Target.Type() == metrics.AverageValueTarget {
			s.Object.DescribedObject = autoscaling.CrossVersionObjectReference{}
		}
	case autoscaling.ExternalMetricSourceType:
		s.External = &autoscaling.ExternalMetricStatus{Metric: name, Current: current}
	case autoscaling.ProposalMetricSourceType:
		s.Proposal = &autoscaling.ProposalMetricStatus{Name: m.Name, Current: autoscaling.MetricValueStatus{Value: current.AverageValue}}
	}
	return s
}

// current returns the usage as the target's type has it shown.
func (p *Proposal) current(as release.Differences) autoscaling.MetricValueStatus {
	format := p.Metric.Format()
	if as.Has(release.DecimalMemory) {
		format = metrics.DecimalSI
	}
	q := metrics.MilliQuantity(p.Usage, format)
	switch p.Metric.Target.Type() {
	case metrics.ValueTarget:
		return autoscaling.MetricValueStatus{Value: q}
	case metrics.UtilizationTarget:
		utilization := p.Utilization
		return autoscaling.MetricValueStatus{AverageValue: q, AverageUtilization: &utilization}
	}
	return autoscaling.MetricValueStatus{AverageValue: q}
}
