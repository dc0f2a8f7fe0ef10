package simulate

import (
	"slices"
	"time"

	"github.com/purehpa/hpa/metrics"
)

// history is the recent load, as far back as gauges can see.
type history struct {
	stretches []stretch
}

// stretch is a time of constant load. It ends with the next one.
type stretch struct {
	from metrics.Instant
	// share is the load that each pod served, load the whole.
	share, load metrics.Milli
}

// add begins a stretch if the load differs from the last one.
func (h *history) add(from metrics.Instant, share, load metrics.Milli) {
	if n := len(h.stretches); n > 0 {
		last := &h.stretches[n-1]
		if last.share == share && last.load == load {
			return
		}
	}
	h.stretches = append(h.stretches, stretch{from, share, load})
}

// forget drops the stretches that ended before.
func (h *history) forget(before metrics.Instant) {
	n := 0
	for n+1 < len(h.stretches) && h.stretches[n+1].from <= before {
		n++
	}
	// Moving the rest at each call would cost more than it saves.
	if n >= 16 {
		h.stretches = slices.Delete(h.stretches, 0, n)
	}
}

// sum integrates the gauge over time, of the load of a pod or of the whole load.
func (h *history) sum(g *Gauge, whole bool, from, to metrics.Instant) integral {
	var sum integral
	for i := len(h.stretches) - 1; i >= 0 && to > from; i-- {
		s := &h.stretches[i]
		begin := max(s.from, from)
		if begin >= to {
			continue
		}
		load := s.share
		if whole {
			load = s.load
		}
		sum.add(g.shows(load), to.Sub(begin))
		to = begin
	}
	return sum
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

// roundUp returns the first multiple of every that is not below d, or d if every
// is not positive.
func roundUp(d, every time.Duration) time.Duration {
	if every <= 0 || d%every == 0 {
		return d
	}
	return addSat(d, every-d%every)
}
