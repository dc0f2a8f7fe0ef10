package prove

import "time"

// worst fills in the longest times.
func (g *graph) worst(x *Result) {
	for _, w := range each(g, g.worstAt) {
		for i, longest := range x.worst() {
			if !longest.Never && (w[i].Never || w[i].Time > longest.Time) {
				*longest = w[i]
			}
		}
	}
}

func (x *Result) worst() [4]*Worst {
	return [4]*Worst{&x.WorstUp, &x.WorstTolerated, &x.WorstDown, &x.WorstSettle}
}

// worstAt returns the longest times at the level.
func (g *graph) worstAt(level int) [4]Worst {
	need := g.needs(g.levels[level])
	size := func(n int32) int32 { return int32(g.nodes[n].size) }
	return [4]Worst{
		g.longest(level, g.until(level, func(n int32) bool { return size(n) >= need })),
		g.longest(level, g.tolerated(level)),
		g.longest(level, g.until(level, func(n int32) bool { return size(n) <= need })),
		g.longest(level, g.settling(level)),
	}
}

// tolerated returns for each node that has the level the number of syncs at it
// until the size carries the load.
func (g *graph) tolerated(level int) []int32 {
	tl := Timeline{Setup: g.setup}
	var carries [256]bool
	for size := range carries {
		carries[size] = tl.carries(g.aims, int32(size), g.levels[level])
	}
	return g.until(level, func(n int32) bool { return carries[g.nodes[n].size] })
}

// longest returns the longest of the times at the level.
func (g *graph) longest(level int, syncs []int32) (w Worst) {
	most := int32(0)
	for n, took := range syncs[:g.reached] {
		if took <= most || g.slots[g.nodes[n].size][level] < 0 {
			continue
		}
		most = took
		w = Worst{Time: time.Duration(took) * g.setup.Period(), Load: g.levels[level], Size: int32(g.nodes[n].size)}
	}
	if most == never {
		w.Never, w.Time = true, 0
	}
	return w
}
