package simulate

import (
	"slices"

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

// sum integrates the gauge over time, of the load of a pod or of the whole
// load.
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
