package calculator

import (
	"slices"
	"time"
	"unicode/utf8"

	"github.com/purehpa/hpa/calculator/autoscaling"
)

// FailingMetric is a metric with a fallback that fails, and since when.
type FailingMetric struct {
	// Metric is what texts call it, such as "external metric queue(nil)".
	Metric string
	// Since is the time of the first failure since the metric last succeeded.
	Since time.Time
}

// MaxFailing is the most failing metrics that a state remembers. The fallback of one
// more does not count.
const MaxFailing = 64

// fallBack puts the fallbacks of metrics that failed in their place, where they are due.
func (d *Decision) fallBack(spec *autoscaling.HorizontalPodAutoscalerSpec, st *State) {
	for i := range d.Proposals {
		f := spec.Metrics[i].Fallback()
		if f == nil {
			continue
		}
		d.hasFallback = true
		p := &d.Proposals[i]
		if p.failing = p.Failed(); !p.failing {
			continue
		}
		p.FailingSince = wall(d.Now)
		if known := st.failing(d.nameOf(p)); known != nil && known.Since.Before(p.FailingSince) {
			p.FailingSince = known.Since
		}
		if due := p.FailingSince.Add(f.After()); due.After(d.Now) {
			p.Until = due
			continue
		}
		p.Rule, p.Replicas, p.Current = Fallback, f.Propose(d.CurrentReplicas), d.CurrentReplicas
	}
}

// nameOf returns what texts call the metric, in d.text.
func (d *Decision) nameOf(p *Proposal) []byte {
	d.text = appendMetric(d.text[:0], &p.Metric)
	return d.text
}

// failing returns the entry of the metric, nil if there is none.
func (s *State) failing(metric []byte) *FailingMetric {
	i := slices.IndexFunc(s.Failing, func(m FailingMetric) bool { return m.is(metric) })
	if i < 0 {
		return nil
	}
	return &s.Failing[i]
}

// is reports whether m is the metric of that name. An entry has the name as encodings
// have it.
func (m *FailingMetric) is(metric []byte) bool {
	if utf8.Valid(metric) && len(metric) <= MaxMessageLength {
		return m.Metric == string(metric)
	}
	return m.Metric == shown(string(metric))
}

// recordFailing notes which metrics fail since when, and forgets the others.
func (s *State) recordFailing(d *Decision) {
	s.Failing = slices.DeleteFunc(s.Failing, func(m FailingMetric) bool { return !d.failing(m) })
	for i := range d.Proposals {
		p := &d.Proposals[i]
		if !p.failing || s.failing(d.nameOf(p)) != nil || len(s.Failing) == MaxFailing {
			continue
		}
		s.Failing = append(s.Failing, FailingMetric{Metric: shown(string(d.text)), Since: p.FailingSince})
	}
}

// failing reports whether the metric is one with a fallback that failed.
func (d *Decision) failing(m FailingMetric) bool {
	for i := range d.Proposals {
		if p := &d.Proposals[i]; p.failing && m.is(d.nameOf(p)) {
			return true
		}
	}
	return false
}

// sayFallback sets the condition ExternalMetricFallbackActive, if any metric has a
// fallback or had one.
func (s *State) sayFallback(d *Decision) {
	if !d.hasFallback && s.Condition(autoscaling.ExternalMetricFallbackActive) == nil {
		return
	}
	for i := range d.Proposals {
		if p := &d.Proposals[i]; p.Rule == Fallback {
			d.text = append(d.nameOf(p), " keeps failing, and its fallback counts"...)
			s.sayText(d.Now, autoscaling.ExternalMetricFallbackActive, autoscaling.ConditionTrue, "FallbackActive", d.text)
			return
		}
	}
	s.say(d.Now, autoscaling.ExternalMetricFallbackActive, autoscaling.ConditionFalse, "NoFallbackActive", "no metric uses its fallback")
}
