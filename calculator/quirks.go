package calculator

import (
	"github.com/purehpa/hpa/calculator/correction"
	"github.com/purehpa/hpa/calculator/internal/words"
	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/metrics"
)

// This file finds which quirks of the release and which corrections affected a
// decision.

// findZoneQuirks notes the quirks that put the size into another zone.
func (s *sync) findZoneQuirks() {
	d := s.d
	for _, quirk := range [...]release.Quirk{release.ZeroByMinReplicas, release.NoScaleToZero} {
		if s.quirks.Has(quirk) && s.zone(s.quirks.Without(quirk)) != d.Zone {
			d.Quirks = d.Quirks.With(quirk)
		}
	}
}

// findQuirks notes the quirks that changed the proposal, the status or a text
// of the metric, and the corrections that changed the proposal. It computes the
// proposal again, by copies of the sync without them.
func (s *sync) findQuirks(p *Proposal, reading *Reading) {
	with := func(quirks release.Quirks, corrections correction.Set) Proposal {
		other := *s
		other.decideBy(quirks, corrections)
		q := Proposal{Metric: p.Metric}
		if p.Failure.Kind == InvalidSelector {
			q.Failure = p.Failure
		}
		other.proposeFor(&q, reading)
		return q
	}
	p.Quirks = mattered(p, s.quirks, func(quirks release.Quirks) Proposal { return with(quirks, s.corrections) })
	p.Corrections = mattered(p, s.corrections, func(corrections correction.Set) Proposal { return with(s.quirks, corrections) })
	for _, quirk := range [...]release.Quirk{release.NoDescribedObject, release.DecimalMemory, release.ValuesInGo, release.LabelsInCharacters, release.ObjectErrorSwapped} {
		if s.quirks.Has(quirk) && p.shows(quirk, s.quirks) {
			p.Quirks = p.Quirks.With(quirk)
		}
	}
	s.d.Quirks |= p.Quirks
	s.d.Corrections |= p.Corrections
}

// mattered returns the members of the set without which the proposal would be
// another. with computes it with a part of the set.
func mattered[S ~uint32](p *Proposal, set S, with func(S) Proposal) (named S) {
	if set == 0 {
		return 0
	}
	none := with(0)
	if p.same(&none) {
		return 0
	}
	for one := range words.Bits(set) {
		if q := with(set &^ one); !p.same(&q) {
			named |= one
		}
	}
	if named != 0 {
		return named
	}
	// Each of several would have been enough.
	for one := range words.Bits(set) {
		if q := with(one); !none.same(&q) {
			named |= one
		}
	}
	return named
}

// same reports whether an API client sees the same of both proposals of a
// metric, differences in showing aside.
func (p *Proposal) same(q *Proposal) bool {
	f, g := &p.Failure, &q.Failure
	return f.Kind == g.Kind && f.Message == g.Message && f.Request == g.Request &&
		(f.Kind != NoFailure || p.Replicas == q.Replicas && p.Usage == q.Usage && p.Utilization == q.Utilization)
}

// shows reports whether the difference changes how the proposal is shown.
func (p *Proposal) shows(quirk release.Quirk, quirks release.Quirks) bool {
	ok, m := p.Failure.Kind == NoFailure, &p.Metric
	switch quirk {
	case release.NoDescribedObject:
		return ok && sources[sourceOf(m.Source)].ofObject && m.Target.Type() == metrics.AverageValueTarget
	case release.DecimalMemory:
		return ok && m.Format() == metrics.BinarySI &&
			metrics.MilliQuantity(p.Usage, metrics.BinarySI).String() != metrics.MilliQuantity(p.Usage, metrics.DecimalSI).String()
	case release.ValuesInGo, release.LabelsInCharacters:
		return p.Failure.Kind == InvalidSelector && textOf(m.Selector.ProblemAs(quirks.Without(quirk))) != p.Failure.Message
	case release.ObjectErrorSwapped:
		return p.Failure.Kind == MetricUnavailable && sources[sourceOf(m.Source)].ofObject
	}
	return false
}
