package simulate

import (
	"slices"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/metrics"
)

// Observe sets the scale, the pods and the readings of all metrics.
func (p *pods) Observe(now time.Time, obs *calculator.Observation) {
	if p.prepared != p.version || p.version == 0 {
		p.group.Prepare(p.api)
		p.prepared = p.version
	}
	p.readings = slices.Grow(p.readings[:0], len(p.meters))[:len(p.meters)]
	for i := range p.meters {
		m := &p.meters[i]
		if r := NewRand(p.seed, drawFailure, uint64(i), uint64(p.now)); m.failing.hits(&r) {
			p.readings[i] = calculator.Reading{Err: ErrUnavailable}
			continue
		}
		m.read(p, uint64(i))
		if m.whole {
			p.readings[i] = calculator.Reading{Values: m.value[:]}
		} else {
			p.readings[i] = calculator.Reading{Samples: m.samples}
		}
	}
	*obs = calculator.Observation{
		SpecReplicas:   p.asked,
		StatusReplicas: int32(p.live),
		Pods:           p.api,
		Group:          &p.group,
		Readings:       p.readings,
	}
}

// scrapeOf returns the time of the last scrape that can be read at now, and a
// number that is unique to it.
func (m *meter) scrapeOf(now metrics.Instant) (at metrics.Instant, number uint64) {
	seen := now.Add(-m.Lag)
	if m.Period <= 0 {
		return seen, uint64(seen)
	}
	since := seen.Sub(m.first)
	n := since / m.Period
	if since%m.Period < 0 {
		n--
	}
	return m.first.Add(n * m.Period), uint64(n)
}

// read sets the samples or the value to those of the last scrape.
func (m *meter) read(p *pods, index uint64) {
	at, number := m.scrapeOf(p.now)
	window := max(m.Window, 1)
	from := at.Add(-window)
	if m.whole {
		m.value[0] = p.past.sum(&m.Gauge, true, from, at).average(window)
		return
	}
	if at == m.readAt && p.version == m.readPod && len(m.samples) == len(p.pods) {
		return
	}
	m.readAt, m.readPod = at, p.version
	steady := metrics.Sample{
		Value:   p.past.sum(&m.Gauge, false, from, at).average(window),
		Time:    at,
		Window:  m.Window,
		Present: true,
	}
	m.samples = slices.Grow(m.samples[:0], len(p.pods))[:len(p.pods)]
	for i := range p.pods {
		q := &p.pods[i]
		if q.serving && q.since <= from && m.missing == 0 {
			m.samples[i] = steady
			continue
		}
		m.samples[i] = metrics.Sample{}
		if !q.runs || q.container >= at {
			continue
		}
		if r := NewRand(p.seed, drawSample, index, number, q.number); m.missing.hits(&r) {
			continue
		}
		m.samples[i] = steady
		if !q.serving || q.since > from {
			m.young(p, q, from, at, &m.samples[i])
		}
	}
}

// young fills in the sample of a pod that has not served for the whole window.
func (m *meter) young(p *pods, q *pod, from, at metrics.Instant, s *metrics.Sample) {
	begin := max(from, q.container)
	ready := at
	if q.serving {
		ready = min(max(q.since, begin), at)
	}
	s.Window = min(m.Window, at.Sub(q.container))
	var sum integral
	sum.add(m.Starting, ready.Sub(begin))
	if ready < at {
		sum.plus(p.past.sum(&m.Gauge, false, ready, at))
	}
	s.Value = sum.average(at.Sub(begin))
}
