package calctest

import "time"

// worst fills in the longest times.
func (g *graph) worst(x *Exhausted) {
	for i := range g.calm() {
		in := &g.inputs[i]
		need := g.needs(in.load)
		g.longest(&x.WorstUp, i, g.until(i, func(size int32) bool { return size >= need }))
		g.longest(&x.WorstTolerated, i, g.tolerated(i))
		g.longest(&x.WorstDown, i, g.until(i, func(size int32) bool { return size <= need }))
		g.longest(&x.WorstSettle, i, g.settling(i))
	}
}

// tolerated returns for each node the number of syncs at the input until the size
// carries the load.
func (g *graph) tolerated(i int) []int32 {
	tl := Timeline{Setup: g.setup}
	var carries [256]bool
	for size := range carries {
		carries[size] = tl.carries(g.aims, int32(size), g.inputs[i].load)
	}
	return g.until(i, func(size int32) bool { return carries[size] })
}

// longest takes the longest of the times at the input, if it is longer than w.
func (g *graph) longest(w *Worst, i int, syncs []int32) {
	for n, took := range syncs {
		if w.Never {
			return
		}
		span := time.Duration(took) * g.setup.period()
		if took == never || span > w.Time {
			*w = Worst{Time: span, Load: g.inputs[i].load, Size: int32(g.nodes[n].size)}
		}
		if took == never {
			w.Never, w.Time = true, 0
		}
	}
}
