package calculator

import (
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// countsTwice reports whether several metrics count the pods, so that preparing
// them pays.
func (s *sync) countsTwice() bool {
	n := 0
	for i := range s.d.Proposals {
		if s.d.Proposals[i].Metric.OfPods() {
			n++
		}
	}
	return n > 1
}

// prepare prepares pods, in memory of the decision.
func (s *sync) prepare(pods []podgroup.Pod) {
	d := s.d
	if d.group == nil {
		d.group = new(podgroup.Group)
	}
	d.group.Prepare(pods)
}

// proposeFor computes the proposal of one metric from its reading, unless it
// has failed already. By source, it is a switch, because a call through sources
// would move the caller's arguments to the heap.
func (s *sync) proposeFor(p *Proposal, reading *Reading) {
	switch {
	case s.quirks != 0 && s.quirks.Has(sources[sourceOf(p.Metric.Source)].disabledBy):
		p.Failure = Failure{Kind: SourceDisabled}
		return
	case p.Failed():
		return
	case p.Metric.Target.Type() == metrics.NoTarget && !sources[sourceOf(p.Metric.Source)].untargeted:
		p.Failure = noTarget(p.Metric.Source)
		return
	case reading.Err != nil:
		p.Failure = unavailable(reading.Err)
		return
	case reading.Proposed != nil:
		p.adopt(reading.Proposed, s.tolerance, sizing{s.d.CurrentReplicas, s.obs.Calibration, s.corrections})
		return
	case s.quirks.Has(release.ContainerRequired) && reading.WithoutContainer != "" && p.Metric.Target.Type() != metrics.NoTarget:
		p.Failure = Failure{Kind: MetricUnavailable, Message: withoutContainer(&p.Metric, s.d.Namespace, reading.WithoutContainer)}
		return
	}
	switch p.Metric.Source {
	case autoscaling.ResourceMetricSourceType, autoscaling.ContainerResourceMetricSourceType, autoscaling.PodsMetricSourceType:
		s.ofPods(p, reading)
	case autoscaling.ObjectMetricSourceType:
		s.ofObject(p, reading)
	case autoscaling.ExternalMetricSourceType:
		s.ofExternal(p, reading)
	case autoscaling.ProposalMetricSourceType:
		p.Failure.Kind = NotProposed
	}
}

// withoutContainer returns the error of a metric that a pod's container lacks.
func withoutContainer(m *autoscaling.Metric, namespace, pod string) string {
	return "failed to get container metrics: container " + m.Container + " not present in metrics for pod " + namespace + "/" + pod
}

// ofPods computes the proposal of a metric that each pod has.
func (s *sync) ofPods(p *Proposal, reading *Reading) {
	d, obs := s.d, s.obs
	var m PodMetric // not a literal, which would be built on the side and copied
	m.Resource, m.Container = p.Metric.Resource(), p.Metric.Container
	m.CurrentReplicas, m.Calibration = d.CurrentReplicas, obs.Calibration
	m.Pods, m.Group = obs.Pods, obs.Group
	if m.Group == nil {
		m.Group = d.group
	}
	m.Samples, m.Strays = reading.Samples, reading.Strays
	m.Tolerance, m.ReadinessSettings = s.tolerance, s.settings.ReadinessSettings
	m.Quirks, m.Corrections = s.quirks, s.corrections
	if target := p.Metric.Target; target.Type() == metrics.UtilizationTarget {
		m.utilization(d.Now, target.Percent(), p)
	} else {
		m.averageValue(d.Now, target.Milli(), p)
	}
}

// ofObject computes the proposal of a metric of one object.
func (s *sync) ofObject(p *Proposal, reading *Reading) {
	var m ValueMetric
	s.observe(&m, reading)
	if target := p.Metric.Target; target.Type() == metrics.ValueTarget {
		m.value(target.Milli(), p)
	} else {
		m.averageValue(target.Milli(), p)
		p.Usage = metrics.PerPod(p.Usage, m.StatusReplicas)
	}
}

// ofExternal computes the proposal of a sum of series.
func (s *sync) ofExternal(p *Proposal, reading *Reading) {
	var m ValueMetric
	s.observe(&m, reading)
	if target := p.Metric.Target; target.Type() == metrics.ValueTarget {
		m.value(target.Milli(), p)
	} else {
		m.externalAverageValue(target.Milli(), p)
	}
}

// observe fills in a metric of something other than the pods.
func (s *sync) observe(m *ValueMetric, reading *Reading) {
	m.Values = reading.Values
	m.CurrentReplicas, m.StatusReplicas = s.d.CurrentReplicas, s.obs.StatusReplicas
	m.Pods, m.Calibration = s.obs.Pods, s.obs.Calibration
	m.Tolerance, m.Quirks, m.Corrections = s.tolerance, s.quirks, s.corrections
}
