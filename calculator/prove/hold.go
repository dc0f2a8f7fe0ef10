package prove

import (
	"context"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// hold goes on from each node at each level that its size has for as long as
// the load may stay so, also at sizes that do not have the level.
func (g *graph) hold(ctx context.Context, v *walker) error {
	g.complete = !g.partial
	if g.complete {
		return nil
	}
	keys := make([]string, len(g.nodes))
	for key, id := range g.ids {
		keys[id] = key
	}
	g.held = make([]map[int32]int32, len(g.levels))
	for level := range g.levels {
		held, in := map[int32]int32{}, input{level: uint8(level)}
		g.held[level] = held
		for n := range int32(g.reached) {
			if err := ctx.Err(); err != nil {
				return cannotGoOn(err)
			}
			if g.slots[g.nodes[n].size][level] < 0 {
				continue
			}
			for at := g.after(n, in); g.after(at, in) < 0; at = held[at] {
				p := g.place([]byte(keys[at]))
				next, err := v.step(nil, p, &v.observe(p, 0, []uint8{in.level})[0], in)
				if err != nil {
					return cannotGoOn(err)
				}
				id, known := g.ids[string(next)]
				if !known {
					id = int32(len(g.nodes))
					keys = append(keys, string(g.add(next, visited{from: at, input: in, depth: g.nodes[at].depth + 1})))
				}
				held[at] = id
			}
			if len(g.nodes) > g.max {
				return nil
			}
		}
	}
	g.complete = true
	return nil
}

// never is a number of syncs that do not suffice.
const never = math.MaxInt32

// until returns for each node that has the level the number of syncs at it,
// again and again, until it is done. A node at which it is done takes none.
func (g *graph) until(level int, done func(node int32) bool) []int32 {
	const unknown, open = -1, -2
	syncs := slices.Repeat([]int32{unknown}, len(g.nodes))
	in := input{level: uint8(level)}
	var path []int32
	follow := func(at int32) {
		for path = path[:0]; syncs[at] == unknown; at = g.after(at, in) {
			if done(at) {
				syncs[at] = 0
				break
			}
			syncs[at] = open
			path = append(path, at)
		}
		took := syncs[at]
		if took == open {
			took = never // a circle
		}
		for _, at := range slices.Backward(path) {
			if took != never {
				took++
			}
			syncs[at] = took
		}
	}
	for n := range int32(g.reached) {
		if g.slots[g.nodes[n].size][level] >= 0 {
			follow(n)
		}
	}
	if g.partial {
		for n := range g.held[level] {
			follow(n)
		}
	}
	return syncs
}

// settling returns for each node that has the level the number of syncs at it
// until the size changes no more.
func (g *graph) settling(level int) []int32 {
	in := input{level: uint8(level)}
	change := g.until(level, func(n int32) bool { return g.nodes[n].size != g.nodes[g.after(n, in)].size })
	return g.until(level, func(n int32) bool { return change[n] == never })
}

// each calls f for each level, on all processors, and returns the results.
func each[T any](g *graph, f func(level int) T) []T {
	results := make([]T, len(g.levels))
	var next atomic.Int32
	var all sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for {
				level := int(next.Add(1)) - 1
				if level >= len(results) {
					return
				}
				results[level] = f(level)
			}
		})
	}
	all.Wait()
	return results
}
