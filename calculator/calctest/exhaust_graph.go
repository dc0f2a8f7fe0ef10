package calctest

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/purehpa/hpa/calculator"
)

// graph is the part of the world that was visited, breadth first.
type graph struct {
	*world
	max    int
	checks []*check

	// ids are the numbers of the nodes by their bytes.
	ids   map[string]int32
	nodes []visited
	// next has for each node that was gone through, in their order, the one that
	// follows at each input.
	next     []int32
	depth    int
	complete bool
}

// visited is a node: where it was come to from first, and its size.
type visited struct {
	from  int32 // -1 for a start
	input uint16
	size  uint8
	depth int32
}

// part is what a goroutine found out about consecutive nodes of a frontier.
type part struct {
	// next are the numbers of the nodes that follow, and ^i that of the i-th new one.
	next []int32
	// fresh are the bytes of nodes that were new, ends where each ends.
	fresh []byte
	ends  []int
	// broken is the first transition that breaks each property.
	broken []breach
	err    error
}

// breach is a transition that breaks a property, the index of its node -1 if there is
// none.
type breach struct {
	node  int32
	input uint16
	how   string
}

// search visits all nodes, or as many as are allowed.
func (g *graph) search() error {
	g.ids = map[string]int32{}
	var frontier [][]byte
	for _, node := range g.starts() {
		frontier = append(frontier, g.add(node, -1, 0, 0))
	}
	walkers := make([]*walker, runtime.GOMAXPROCS(0))
	for i := range walkers {
		walkers[i] = &walker{world: g.world, seen: map[string][]calculator.Observation{}}
	}
	first := 0
	for len(frontier) > 0 {
		if len(g.nodes) > g.max {
			return nil
		}
		parts := g.explore(walkers, frontier, first)
		g.depth++
		first += len(frontier)
		var next [][]byte
		from := int32(first - len(frontier))
		for _, p := range parts {
			if p.err != nil {
				return p.err
			}
			next = g.merge(next, p, from)
			from += int32(len(p.next) / len(g.inputs))
		}
		frontier = next
	}
	g.depth-- // the last sync found nothing new
	g.complete = true
	return nil
}

// add gives a new node its number, and returns its bytes.
func (g *graph) add(node []byte, from int32, i uint16, depth int32) []byte {
	key := string(node)
	g.ids[key] = int32(len(g.nodes))
	g.nodes = append(g.nodes, visited{from, i, node[0], depth})
	return []byte(key)
}

// explore goes through the frontier, whose first node has that number.
func (g *graph) explore(walkers []*walker, frontier [][]byte, first int) []*part {
	size := max((len(frontier)+len(walkers)-1)/len(walkers), 1)
	var parts []*part
	var all sync.WaitGroup
	for chunk := range slices.Chunk(frontier, size) {
		p := &part{broken: make([]breach, len(g.checks))}
		v, from := walkers[len(parts)], first
		parts = append(parts, p)
		first += len(chunk)
		all.Add(1)
		go func() {
			defer all.Done()
			p.err = g.walk(v, p, chunk, int32(from))
		}()
	}
	all.Wait()
	return parts
}

// walk goes through the nodes, of which the first has that number.
func (g *graph) walk(v *walker, p *part, nodes [][]byte, first int32) error {
	for i := range p.broken {
		p.broken[i].node = -1
	}
	var next []byte
	for n, node := range nodes {
		obs := v.observations(node)
		for i := range g.inputs {
			var err error
			if next, err = v.step(next[:0], node, obs, i); err != nil {
				return fmt.Errorf("calctest: the search cannot go on: %w", err)
			}
			for c := range g.checks {
				if how := g.checks[c].breaks(v, &obs[i], i); how != "" && p.broken[c].node < 0 {
					p.broken[c] = breach{first + int32(n), uint16(i), how}
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
	return nil
}

// merge adds what is new to the graph and to the next frontier.
func (g *graph) merge(frontier [][]byte, p *part, first int32) [][]byte {
	for i, id := range p.next {
		if id < 0 {
			start := 0
			if ^id > 0 {
				start = p.ends[^id-1]
			}
			node := p.fresh[start:p.ends[^id]]
			known := false
			if id, known = g.ids[string(node)]; !known {
				id = int32(len(g.nodes))
				frontier = append(frontier, g.add(node, first+int32(i/len(g.inputs)), uint16(i%len(g.inputs)), int32(g.depth)))
			}
		}
		g.next = append(g.next, id)
	}
	for c, b := range p.broken {
		if known := &g.checks[c].breach; b.node >= 0 && known.how == "" {
			*known = b
		}
	}
	return frontier
}

// calm returns the number of inputs at which nothing fails, which are the first ones.
func (g *graph) calm() int {
	for i := range g.inputs {
		if g.inputs[i].fails {
			return i
		}
	}
	return len(g.inputs)
}

// after returns the node that follows at the input.
func (g *graph) after(node int32, i int) int32 { return g.next[int(node)*len(g.inputs)+i] }

// never is a number of syncs that do not suffice.
const never = math.MaxInt32

// until returns for each node the number of syncs at the input, again and again,
// until done: of the sizes before and after the first sync that counts. A node at
// which nothing is to be done takes none.
func (g *graph) until(i int, done func(size int32) bool) []int32 {
	const unknown, open = -1, -2
	syncs := make([]int32, len(g.nodes))
	for n := range syncs {
		syncs[n] = unknown
		if done(int32(g.nodes[n].size)) {
			syncs[n] = 0
		}
	}
	var path []int32
	for n := range syncs {
		at := int32(n)
		for path = path[:0]; syncs[at] == unknown; at = g.after(at, i) {
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
	return syncs
}

// settling returns for each node the number of syncs at the input until the size
// changes no more.
func (g *graph) settling(i int) []int32 {
	// A node is on a circle if it is come to again. All of a circle that changes the
	// size never settle.
	const unknown, open = -1, -2
	syncs := make([]int32, len(g.nodes))
	for n := range syncs {
		syncs[n] = unknown
	}
	var path []int32
	for n := range syncs {
		at := int32(n)
		for path = path[:0]; syncs[at] == unknown; at = g.after(at, i) {
			syncs[at] = open
			path = append(path, at)
		}
		took := syncs[at]
		if took == open {
			took = 0
			circle := path[slices.Index(path, at):]
			for _, c := range circle {
				if g.nodes[c].size != g.nodes[at].size {
					took = never
				}
			}
			for _, c := range circle {
				syncs[c] = took
			}
			path = path[:len(path)-len(circle)]
		}
		for _, p := range slices.Backward(path) {
			next := g.after(p, i)
			switch {
			case took == never:
			case took > 0 || g.nodes[p].size != g.nodes[next].size:
				took++
			}
			syncs[p] = took
		}
	}
	return syncs
}
