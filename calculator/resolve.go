package calculator

import (
	"slices"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/metrics"
)

// resolve notes what the decision needs of the spec. sameRelease reports that
// the decision before was by the same release.
func (s *sync) resolve(sameRelease bool) {
	d, spec := s.d, s.spec
	d.ScaleTargetRef = spec.ScaleTargetRef
	bounds := spec.Bounds()
	d.MinReplicas, d.MaxReplicas = bounds.Min, bounds.Max
	n := len(spec.Metrics)
	if n > cap(d.Proposals) {
		d.Proposals = slices.Grow(d.Proposals, n)
	}
	d.Proposals = d.Proposals[:n]
	for i := range d.Proposals {
		p := &d.Proposals[i]
		p.reset(&spec.Metrics[i], s.quirks, sameRelease)
		s.hasFallback = s.hasFallback || p.Metric.HasFallback
	}
}

// reset makes p the empty proposal of the metric. The selector becomes p's own;
// one that reads as that of the proposal before is neither copied nor checked
// again by the same release.
func (p *Proposal) reset(spec *autoscaling.MetricSpec, quirks release.Quirks, sameRelease bool) {
	selector := p.Metric.Selector
	var invalid *Failure
	if p.Failure.Kind == InvalidSelector {
		failure := p.Failure
		invalid = &failure
	}
	*p = Proposal{}
	spec.ResolveInto(&p.Metric)
	s := p.Metric.Selector
	switch {
	case s == nil:
	case p.Metric.Target.Type() == metrics.NoTarget && sources[sourceOf(p.Metric.Source)].targetFirst:
		// Without a target, Kubernetes does not reach the selector.
		p.Metric.Selector = nil
	case selector != nil && sameRelease && s.Equal(selector):
		p.Metric.Selector = selector
		if invalid != nil {
			p.Failure = *invalid
		}
	default:
		p.Metric.Selector = s.Clone()
		if err := s.ProblemAs(quirks); err != nil {
			p.Failure = failed(InvalidSelector, err)
		}
	}
}
