package calculator

import (
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/correction"
	"github.com/purehpa/hpa/calculator/stage"
	"github.com/purehpa/hpa/metrics"
)

// metric explains how proposal i came about.
func (e *explanation) metric(i int) {
	p := &e.d.Proposals[i]
	s := e.add(stage.MetricName(i+1), p.Replicas)
	m := stage.NewMetric(&p.Metric, e.d.Tolerance)
	m.Number, m.Of, m.Pods = i+1, len(e.d.Proposals), p.pods()
	m.Quirks, m.Corrections = stage.ListQuirks(e.d.Release, p.Quirks), stage.ListCorrections(p.Corrections)
	s.Metric, s.Until = m, p.Until
	switch p.Rule {
	case WithinTolerance, CorrectedWithinTolerance, DirectionWouldChange, CountWouldChangeDirection, NoReadyPods, Fallback:
		s.Bound = string(p.Rule)
	}
	if p.Failed() {
		s.Low, s.High, s.Bound = 0, 0, failureReason(&p.Metric)
	}
	switch {
	case p.Failure.Kind != NoFailure:
		m.Failure = &stage.Failure{
			Kind:    string(p.Failure.Kind),
			Message: string(clip(e.d.appendFailure(nil, p))),
			Since:   e.d.failingSince(p),
			Waits:   p.failing && p.Rule != Fallback,
		}
	case p.adopted:
		m.Adopted, m.Pods = &stage.Adopted{Text: clip(p.Text)}, nil
		if p.Rule != AsProposed {
			m.Usage = e.usage(p)
		}
	default:
		m.Usage, m.Corrected = e.usage(p), p.correction()
	}
	if !p.Failed() {
		m.Proposal = e.proposal(p)
	}
}

// amount returns an amount in the notation of the metric.
func (p *Proposal) amount(v metrics.Milli) metrics.Quantity {
	return metrics.MilliQuantity(v, p.Metric.Format())
}

// pods returns the pods of each class, nil if the metric does not look at them,
// or failed before they were counted.
func (p *Proposal) pods() *stage.Pods {
	c := &p.Pods
	if !p.Metric.OfPods() || *c == (PodCounts{}) && p.Failure.Kind != NoFailure {
		return nil
	}
	return &stage.Pods{Ready: c.Ready, Unready: c.Unready, Missing: c.Missing, Ignored: c.Ignored, Strays: c.Strays, Reasons: stage.Reasons(c.Reasons)}
}

// usage returns what was measured.
func (e *explanation) usage(p *Proposal) *stage.Usage {
	u := &stage.Usage{Sum: p.amount(p.Sum), Ratio: stage.Float(p.Ratio)}
	switch target := p.Metric.Target.Type(); {
	case target == metrics.UtilizationTarget:
		utilization := p.Utilization
		u.Requests, u.Utilization = p.amount(p.Requests), &utilization
	case p.Metric.OfPods():
		u.Average = p.amount(p.Usage)
	case target == metrics.AverageValueTarget:
		current := p.Current
		u.Average, u.StatusReplicas = p.amount(p.Usage), &current
		if p.Metric.Source == autoscaling.ExternalMetricSourceType {
			u.Calibration = stage.Float(e.d.Calibration)
		}
	}
	return u
}

// correction returns what missing and unready pods make of the usage, nil if
// they do not take part.
func (p *Proposal) correction() *stage.Corrected {
	c, ofPods := &p.Pods, p.Metric.OfPods()
	if p.UnreadyAs == NotCounted && !(ofPods && (c.Missing > 0 || c.Unready > 0 && p.Ratio > 1)) {
		return nil
	}
	r := &stage.Corrected{
		Missing: c.Missing, MissingAs: string(p.MissingAs),
		Unready: c.Unready, UnreadyAs: string(p.UnreadyAs),
		Ratio: stage.Float(p.CorrectedRatio),
	}
	switch {
	case p.MissingAs == NotCounted && p.UnreadyAs == NotCounted, !ofPods:
	case p.Metric.Target.Type() == metrics.UtilizationTarget:
		utilization := p.CorrectedUtilization
		r.Sum, r.Requests, r.Utilization = p.amount(p.CorrectedSum), p.amount(p.CorrectedRequests), &utilization
	default:
		r.Sum, r.Average = p.amount(p.CorrectedSum), p.amount(p.CorrectedUsage)
	}
	return r
}

// proposal returns what made the size.
func (e *explanation) proposal(p *Proposal) *stage.Proposal {
	s := &stage.Proposal{Rule: string(p.Rule)}
	switch p.Rule {
	case WithinTolerance, DirectionWouldChange, RatioTimesPods, RatioFromZero:
		s.Ratio = stage.Float(p.Ratio)
	case CorrectedWithinTolerance, CountWouldChangeDirection, CorrectedRatioTimesPods:
		s.Ratio = stage.Float(p.CorrectedRatio)
	}
	switch p.Rule {
	case WithinTolerance, CorrectedWithinTolerance, DirectionWouldChange, NoReadyPods:
		if s.FromStatus = p.staysAsInStatus(); s.FromStatus {
			s.Calibration = stage.Float(e.d.Calibration)
		}
	case CountWouldChangeDirection:
		s.FromStatus = p.staysAsInStatus()
		s.Counted, s.Calibration = p.Counted, stage.Float(e.d.Calibration)
		s.Product = timesPods(p.CorrectedRatio, p.Counted, e.d.Calibration)
	case RatioTimesPods, CorrectedRatioTimesPods:
		s.Counted, s.Calibration = p.Counted, stage.Float(e.d.Calibration)
	case UsagePerTarget:
		s.Dividend, s.Divisor = p.amount(p.Sum), p.amount(p.Metric.Target.Milli())
		if p.Metric.Source == autoscaling.ObjectMetricSourceType {
			s.Calibration = stage.Float(e.d.Calibration)
		}
	}
	return s
}

// staysAsInStatus reports whether a size that stays is status.replicas.
func (p *Proposal) staysAsInStatus() bool {
	return !p.Metric.OfPods() && p.Metric.Target.Type() == metrics.AverageValueTarget && !p.Corrections.Has(correction.StatusSize)
}
