package calculator

import (
	"bytes"
	"fmt"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/correction"
	"github.com/purehpa/hpa/calculator/internal/words"
	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/metrics"
)

// This file holds what older releases compute and say otherwise, where it is more
// than a condition, and finds out what of it mattered, and what corrections did.

// withoutContainer returns the error of a metric that a pod's container lacks.
func withoutContainer(m *autoscaling.Metric, namespace, pod string) string {
	return "failed to get container metrics: container " + m.Container + " not present in metrics for pod " + namespace + "/" + pod
}

// formatted returns the text as releases show it that format it twice.
func formatted(text []byte, as release.Differences) []byte {
	if !as.Has(release.FormatsTwice) || !bytes.Contains(text, []byte("%")) {
		return text
	}
	var none []any
	return fmt.Appendf(text[:0:0], string(text), none...)
}

// contrastZone notes which differences put the size into another zone.
func (d *Decision) contrastZone(st *State, elsewhere bool) {
	for _, differs := range [...]release.Difference{release.ZeroByMinReplicas, release.NoScaleToZero} {
		if d.as.Has(differs) && d.zone(st, elsewhere, d.as.Without(differs)) != d.Zone {
			d.Differences = d.Differences.With(differs)
		}
	}
}

// contrast notes which differences made another proposal, status or text of the
// metric, and which corrections did.
func (d *Decision) contrast(p *Proposal, reading *Reading, settings *Settings, b *behavior.Behavior, obs *Observation) {
	as, corrected := d.as, d.corrected
	with := func(as release.Differences, corrected correction.Set) Proposal {
		q := Proposal{Metric: p.Metric}
		if p.Failure.Kind == InvalidSelector {
			q.Failure = p.Failure
		}
		d.as, d.corrected, d.Tolerance = as, corrected, settings.tolerance(b, as)
		d.proposeFor(&q, reading, settings, obs)
		return q
	}
	p.Differences = mattered(p, as, func(as release.Differences) Proposal { return with(as, corrected) })
	p.Corrections = mattered(p, corrected, func(corrected correction.Set) Proposal { return with(as, corrected) })
	d.as, d.corrected, d.Tolerance = as, corrected, settings.tolerance(b, as)
	for _, differs := range [...]release.Difference{release.NoDescribedObject, release.DecimalMemory, release.ValuesInGo, release.LabelsInCharacters, release.ObjectErrorSwapped} {
		if d.as.Has(differs) && p.shows(differs, d.as) {
			p.Differences = p.Differences.With(differs)
		}
	}
	d.Differences |= p.Differences
	d.Corrections |= p.Corrections
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

// same reports whether an API client sees the same of both proposals of a metric,
// differences in showing aside.
func (p *Proposal) same(q *Proposal) bool {
	f, g := &p.Failure, &q.Failure
	return f.Kind == g.Kind && f.Message == g.Message && f.Request == g.Request &&
		(f.Kind != NoFailure || p.Replicas == q.Replicas && p.Usage == q.Usage && p.Utilization == q.Utilization)
}

// shows reports whether the difference changes how the proposal is shown.
func (p *Proposal) shows(differs release.Difference, as release.Differences) bool {
	ok, m := p.Failure.Kind == NoFailure, &p.Metric
	switch differs {
	case release.NoDescribedObject:
		return ok && m.Source == autoscaling.ObjectMetricSourceType && m.Target.Type() == metrics.AverageValueTarget
	case release.DecimalMemory:
		return ok && m.Format() == metrics.BinarySI &&
			metrics.MilliQuantity(p.Usage, metrics.BinarySI).String() != metrics.MilliQuantity(p.Usage, metrics.DecimalSI).String()
	case release.ValuesInGo, release.LabelsInCharacters:
		return p.Failure.Kind == InvalidSelector && textOf(m.Selector.ProblemAs(as.Without(differs))) != p.Failure.Message
	case release.ObjectErrorSwapped:
		return p.Failure.Kind == MetricUnavailable && m.Source == autoscaling.ObjectMetricSourceType
	}
	return false
}
