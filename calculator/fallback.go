package calculator

import (
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

// fallBack puts the fallbacks of metrics that failed in their place, where they are due,
// and notes which metrics fail since when.
func (d *Decision) fallBack(spec *autoscaling.HorizontalPodAutoscalerSpec, st *State) {
	for i := range d.Proposals {
		p := &d.Proposals[i]
		if p.failing = p.Metric.HasFallback && p.Failed(); !p.failing {
			continue
		}
		f := spec.Metrics[i].Fallback()
		since := d.fails(p, st)
		if due := since.Add(f.After()); due.After(d.Now) {
			p.Until = due
			continue
		}
		p.Rule, p.Replicas, p.Current = Fallback, f.Propose(d.CurrentReplicas), d.CurrentReplicas
	}
}

// fails notes that the metric fails, and returns since when.
func (d *Decision) fails(p *Proposal, st *State) time.Time {
	name := d.nameOf(p)
	if noted := find(d.Failing, name); noted != nil {
		return noted.Since
	}
	now := wall(d.Now)
	m := FailingMetric{Since: now}
	if known := find(st.Failing, name); known != nil {
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

// failingSince returns when the metric of p first failed, the zero time.Time if it does
// not fail or has no fallback.
func (d *Decision) failingSince(p *Proposal) time.Time {
	if p.failing {
		if m := find(d.Failing, appendMetric(nil, &p.Metric)); m != nil {
			return m.Since
		}
	}
	return time.Time{}
}

// nameOf returns what texts call the metric, in d.text.
func (d *Decision) nameOf(p *Proposal) []byte {
	d.text = appendMetric(d.text[:0], &p.Metric)
	return d.text
}

// find returns the entry of the metric, nil if there is none.
func find(failing []FailingMetric, metric []byte) *FailingMetric {
	for i := range failing {
		if failing[i].is(metric) {
			return &failing[i]
		}
	}
	return nil
}

// is reports whether m is the metric of that name. An entry has the name as encodings
// have it.
func (m *FailingMetric) is(metric []byte) bool {
	if utf8.Valid(metric) && len(metric) <= MaxMessageLength {
		return m.Metric == string(metric)
	}
	return m.Metric == shown(string(metric))
}

// recordFallback notes which metrics fail, and sets the condition
// ExternalMetricFallbackActive. It is for a sync of which any metric has a fallback or
// had one.
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
