package prove

import (
	"context"
	"runtime"
	"slices"
	"sync"
)

// part is what a goroutine found out about consecutive nodes of a frontier.
type part struct {
	nodes [][]byte
	// next are the numbers of the nodes that follow, and ^i that of the i-th
	// new one.
	next []int32
	// fresh are the bytes of nodes that were new, ends where each ends.
	fresh []byte
	ends  []int
	// broken is the first transition that breaks each property.
	broken []breach
	err    error
}

// search visits all nodes, or as many as are allowed.
func (g *graph) search(ctx context.Context) error {
	g.ids = map[string]int32{}
	var frontier [][]byte
	for _, node := range g.starts() {
		frontier = append(frontier, g.add(node, visited{from: -1}))
	}
	walkers := make([]*walker, runtime.GOMAXPROCS(0))
	for i := range walkers {
		walkers[i] = newWalker(g.world)
	}
	first := int32(0)
	for len(frontier) > 0 {
		if len(g.nodes) > g.max {
			g.reached = len(g.nodes)
			return nil
		}
		parts := g.explore(ctx, walkers, frontier, first)
		g.depth++
		var next [][]byte
		for _, p := range parts {
			if p.err != nil {
				return p.err
			}
			next = g.merge(next, p, first)
			first += int32(len(p.nodes))
		}
		frontier = next
	}
	g.depth-- // the last sync found nothing new
	g.reached = len(g.nodes)
	return g.hold(ctx, walkers[0])
}

// explore goes through the frontier, whose first node has that number.
func (g *graph) explore(ctx context.Context, walkers []*walker, frontier [][]byte, first int32) []*part {
	size := max((len(frontier)+len(walkers)-1)/len(walkers), 1)
	var parts []*part
	var all sync.WaitGroup
	for chunk := range slices.Chunk(frontier, size) {
		p := &part{nodes: chunk, broken: make([]breach, len(g.checks))}
		v, from := walkers[len(parts)], first
		parts = append(parts, p)
		first += int32(len(chunk))
		all.Add(1)
		go func() {
			defer all.Done()
			p.err = g.walk(ctx, v, p, from)
		}()
	}
	all.Wait()
	return parts
}

// walk goes through the nodes of the part, of which the first has that number.
func (g *graph) walk(ctx context.Context, v *walker, p *part, first int32) error {
	for i := range p.broken {
		p.broken[i].node = -1
	}
	var next []byte
	for n, node := range p.nodes {
		if err := ctx.Err(); err != nil {
			return cannotGoOn(err)
		}
		at := g.place(node)
		for troubles := range g.troubles {
			obs := v.observations(at, uint8(troubles))
			for i, level := range g.near[node[0]] {
				var err error
				in := input{level, uint8(troubles)}
				if next, err = v.step(next[:0], at, &obs[i], in); err != nil {
					return cannotGoOn(err)
				}
				for c := range g.checks {
					if how := g.checks[c].breaks(v, &obs[i], in); how != "" && p.broken[c].node < 0 {
						p.broken[c] = breach{first + int32(n), in, how}
					}
				}
				id, known := g.ids[string(next)]
				if !known {
					id = ^int32(len(p.ends))
					p.fresh = append(p.fresh, next...)
					p.ends = append(p.ends, len(p.fresh))
				}
				p.next = append(p.next, id)
			}
		}
	}
	return nil
}

// merge adds what is new to the graph and to the next frontier.
func (g *graph) merge(frontier [][]byte, p *part, first int32) [][]byte {
	next := p.next
	for n := first; n < first+int32(len(p.nodes)); n++ {
		size := g.nodes[n].size
		g.nodes[n].next = len(g.next)
		for i, id := range next[:g.inputs(size)] {
			if id < 0 {
				node := p.node(^id)
				known := false
				if id, known = g.ids[string(node)]; !known {
					id = int32(len(g.nodes))
					frontier = append(frontier, g.add(node, visited{from: n, input: g.input(size, i), depth: int32(g.depth)}))
				}
			}
			g.next = append(g.next, id)
		}
		next = next[g.inputs(size):]
	}
	for c, b := range p.broken {
		if known := &g.checks[c].breach; b.node >= 0 && known.how == "" {
			*known = b
		}
	}
	return frontier
}

// node returns the bytes of the i-th new node.
func (p *part) node(i int32) []byte {
	start := 0
	if i > 0 {
		start = p.ends[i-1]
	}
	return p.fresh[start:p.ends[i]]
}
