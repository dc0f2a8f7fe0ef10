package calculator

import (
	"slices"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/metrics"
)

// Status returns the status of the autoscaler after the sync that d decided
// and, if d rescales, after State.Applied or State.Failed. It shares no memory
// with d or st.
//
// If the scale could not be read, Kubernetes changes nothing but the
// conditions: the caller then takes over only these.
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
			s.CurrentMetrics[i] = d.Proposals[i].status(d.quirks)
		}
	}
	return s
}

// status returns what the status shows of the proposal.
func (p *Proposal) status(quirks release.Quirks) autoscaling.MetricStatus {
	if p.Failure.Kind != NoFailure {
		return autoscaling.MetricStatus{}
	}
	m := &p.Metric
	s := autoscaling.MetricStatus{Type: m.Source}
	sources[sourceOf(m.Source)].show(&s, reported{
		Metric:  m,
		id:      autoscaling.MetricIdentifier{Name: m.Name, Selector: m.Selector.Clone()},
		current: p.current(quirks),
	})
	if s.Object != nil && quirks.Has(release.NoDescribedObject) && m.Target.Type() == metrics.AverageValueTarget {
		s.Object.DescribedObject = autoscaling.CrossVersionObjectReference{}
	}
	return s
}

// current returns the usage in the field that belongs to the target's type.
func (p *Proposal) current(quirks release.Quirks) autoscaling.MetricValueStatus {
	format := p.Metric.Format()
	if quirks.Has(release.DecimalMemory) {
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
