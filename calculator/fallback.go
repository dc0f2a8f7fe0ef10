package calculator

import (
	"time"

	"github.com/purehpa/hpa/calculator/autoscaling"
)

// fallBack replaces failed metrics by their fallbacks once these are due, and
// notes since when each metric has failed.
func (s *sync) fallBack() {
	d := s.d
	for i := range d.Proposals {
		p := &d.Proposals[i]
		if p.failing = p.Metric.HasFallback && p.Failed(); !p.failing {
			continue
		}
		f := s.spec.Metrics[i].Fallback()
		since := s.fails(p)
		if due := since.Add(f.After()); due.After(d.Now) {
			p.Until = due
			continue
		}
		p.Rule, p.Replicas, p.Current = Fallback, f.Propose(d.CurrentReplicas), d.CurrentReplicas
	}
}

// fails notes that the metric fails, and returns since when.
func (s *sync) fails(p *Proposal) time.Time {
	d := s.d
	name := d.nameOf(p)
	if noted := find(d.Failing, name); noted != nil {
		return noted.Since
	}
	now := wall(d.Now)
	m := FailingMetric{Since: now}
	if known := find(s.st.Failing, name); known != nil {
		if m.Metric = known.Metric; known.Since.Before(now) {
			m.Since = known.Since
		}
	} else {
		m.Metric = shown(string(name))
	}
	if len(d.Failing) == MaxFailing {
		return now
	}
	d.Failing = append(d.Failing, m)
	return m.Since
}

// failingSince returns when the metric of p first failed, the zero time.Time if
// it does not fail or has no fallback.
func (d *Decision) failingSince(p *Proposal) time.Time {
	if p.failing {
		if m := find(d.Failing, appendMetric(nil, &p.Metric)); m != nil {
			return m.Since
		}
	}
	return time.Time{}
}

// nameOf returns what texts call the metric, in the memory for texts.
func (d *Decision) nameOf(p *Proposal) []byte {
	d.text = appendMetric(d.text[:0], &p.Metric)
	return d.text
}

// recordFallback notes which metrics fail, and sets the condition
// ExternalMetricFallbackActive. It is for a sync of which any metric has a
// fallback or had one.
func (s *State) recordFallback(d *Decision) {
	s.Failing = append(s.Failing[:0], d.Failing...)
	for i := range d.Proposals {
		if p := &d.Proposals[i]; p.Rule == Fallback {
			d.text = append(d.nameOf(p), " keeps failing, and its fallback counts"...)
			s.sayText(&d.Now, autoscaling.ExternalMetricFallbackActive, autoscaling.ConditionTrue, "FallbackActive", d.text)
			return
		}
	}
	s.say(&d.Now, autoscaling.ExternalMetricFallbackActive, autoscaling.ConditionFalse, "NoFallbackActive", "no metric uses its fallback")
}
