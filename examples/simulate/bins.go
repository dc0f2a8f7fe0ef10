package main

import (
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/simulate"
	"github.com/purehpa/hpa/stabilize"
)

// binCount is the number of columns of a picture.
const binCount = 800

// bins sums up a run by the columns of a picture, so memory does not grow with
// the length of the run.
type bins struct {
	from, to time.Time
	width    time.Duration
	cells    []cell
}

// cell is one bin.
type cell struct {
	rows                           int
	load, capacity, size, proposed extremes
	// span is the time of the rows, and held that of each kind of hold.
	span time.Duration
	held [len(holds)]time.Duration
}

// extremes are the lowest, the highest and the last of some numbers.
type extremes struct{ low, high, last float64 }

func (e *extremes) add(first bool, v float64) {
	if first || v < e.low {
		e.low = v
	}
	if first || v > e.high {
		e.high = v
	}
	e.last = v
}

// holds are the strips of a picture, from the top down.
var holds = [...]struct {
	name string
	of   func(*simulate.Row) time.Duration
}{
	{"held by window", func(r *simulate.Row) time.Duration { return spanIf(r, r.Stabilization != stabilize.NotStabilized) }},
	{"held by policy", func(r *simulate.Row) time.Duration {
		return spanIf(r, r.Limit == behavior.ScaleUpLimit || r.Limit == behavior.ScaleDownLimit)
	}},
	{"held by minReplicas", func(r *simulate.Row) time.Duration { return spanIf(r, r.Limit == behavior.TooFewReplicas) }},
	{"held by maxReplicas", func(r *simulate.Row) time.Duration { return spanIf(r, r.Limit == behavior.TooManyReplicas) }},
	{"load lost", func(r *simulate.Row) time.Duration { return r.TimeUnserved }},
}

// spanIf returns the time of the row if it is held.
func spanIf(r *simulate.Row, held bool) time.Duration {
	if held {
		return r.Span
	}
	return 0
}

// newBins returns bins that each hold a whole number of syncs.
func newBins(from, to time.Time, sync time.Duration) *bins {
	all := to.Sub(from)
	syncs := (all + sync - 1) / sync
	b := &bins{from: from, to: to, width: (syncs + binCount - 1) / binCount * sync}
	b.cells = make([]cell, (all+b.width-1)/b.width)
	return b
}

func (b *bins) add(r *simulate.Row) {
	i := int(r.Time.Sub(b.from) / b.width)
	if i < 0 || i >= len(b.cells) {
		return
	}
	c := &b.cells[i]
	first := c.rows == 0
	c.rows++
	c.load.add(first, float64(r.Load)/1000)
	c.capacity.add(first, float64(r.Capacity)/1000)
	c.size.add(first, float64(r.DesiredReplicas))
	c.proposed.add(first, float64(r.Proposed))
	c.span += r.Span
	for i := range holds {
		c.held[i] += holds[i].of(r)
	}
}

// at returns the start of a bin, in seconds since 1970.
func (b *bins) at(i int) float64 {
	t := b.from.Add(time.Duration(i) * b.width)
	if t.After(b.to) {
		t = b.to
	}
	return float64(t.Unix()) + float64(t.Nanosecond())/1e9
}
