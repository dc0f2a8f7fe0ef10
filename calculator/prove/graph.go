package prove

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// graph is what was visited, breadth first. A node that can do no more than
// one that was visited before is left out.
type graph struct {
	*world
	known  *pieceTable
	checks []*check
	limit  span
	max    int

	nodes []node
	// heads are the last nodes of each spot, and links name the one before.
	heads       map[string]int32
	links       []link
	transitions int
	depth       int
	idle        int
	complete    bool
	// breaches are the first transitions that break each check, and the watched
	// property.
	breaches []breach
	progress func(states, depth int) bool
}

// node is a state of the world, and where it was come to from first.
type node struct {
	spot  string
	sets  []sizes
	from  int32 // -1 for a start
	edge  int32
	depth int32
	// idle reports that a node of the same depth can do all that this one can.
	idle bool
}

// link is the mark of a node's sets, and the node of the same spot before, -1 for
// none. Few nodes cover another one, and most that do not differ in the mark.
type link struct {
	mark   uint64
	before int32
}

func (n *node) size() int32 { return int32(n.spot[0]) }

// check is a property of each decision, and its index.
type check struct {
	property int
	each     func(*Transition) string
}

// breach is an edge that breaks a property. Without one, its node is -1.
type breach struct {
	node, edge int32
	how        string
}

func newGraph(w *world, known *pieceTable, checks []*check, max int) *graph {
	g := &graph{world: w, known: known, checks: checks, limit: w.all, max: max, heads: map[string]int32{}}
	for range w.watched(len(checks)) {
		g.breaches = append(g.breaches, breach{node: -1})
	}
	return g
}

// watched returns the number of properties that edges may break.
func (w *world) watched(checks int) int {
	if w.watch != nil {
		return 1
	}
	return checks
}

// chunk is how many nodes are expanded at most before what they lead to is added,
// and inFlight how many edges they are to have then.
const (
	chunk    = 256
	inFlight = 20_000
)

// search visits all nodes, or as many as are allowed.
func (g *graph) search(ctx context.Context) error {
	for _, spot := range g.starts() {
		g.add(nil, string(spot), nil, -1, 0, 0)
	}
	walkers := make([]*walker, runtime.GOMAXPROCS(0))
	for i := range walkers {
		walkers[i] = newWalker(g.world, g.known, g.checks)
	}
	for at := 0; at < len(g.nodes); {
		if g.answered() {
			return nil
		}
		n := min(len(g.nodes)-at, chunk, max(inFlight*(at+1)/(g.transitions+1), 8))
		for n > 1 && g.nodes[at+n-1].depth > g.nodes[at].depth {
			n--
		}
		if len(g.nodes) > g.max || g.progress != nil && !g.progress(g.states(), g.depth) {
			g.depth = int(g.nodes[at].depth) // those of the next syncs are not all
			return nil
		}
		if err := g.visit(ctx, walkers, at, n); err != nil {
			return err
		}
		at += n
	}
	g.complete = true
	return nil
}

// answered reports whether the watched property is broken, which a longer course
// does not change.
func (g *graph) answered() bool { return g.watch != nil && g.breaches[0].node >= 0 }

// visit adds what so many nodes lead to.
func (g *graph) visit(ctx context.Context, walkers []*walker, first, n int) error {
	found := make([][]*edge, n)
	fresh := make([][]int32, n)
	errs := make([]error, len(walkers))
	var next atomic.Int32
	var all sync.WaitGroup
	for i, v := range walkers {
		all.Go(func() {
			for {
				at := int(next.Add(1)) - 1
				if at >= n || errs[i] != nil {
					return
				}
				if errs[i] = ctx.Err(); errs[i] != nil {
					return
				}
				node := &g.nodes[first+at]
				if node.idle {
					continue
				}
				var edges []*edge
				if edges, errs[i] = v.expand(node.spot, node.sets, g.limit); errs[i] != nil {
					return
				}
				found[at] = edges
				list := g.sets.list()
				for k, e := range edges {
					if e.broken >= 0 || !g.covered(list, e.spot, e.sets) {
						fresh[at] = append(fresh[at], int32(k))
					}
				}
			}
		})
	}
	all.Wait()
	if err := errorOf(errs...); err != nil {
		return err
	}
	list := g.sets.list()
	for at, edges := range found {
		id := int32(first + at)
		g.transitions += len(edges)
		for _, k := range fresh[at] {
			e := edges[k]
			if e.broken >= 0 {
				if b := &g.breaches[e.broken]; b.node < 0 {
					*b = breach{id, k, e.how}
				}
				continue
			}
			if !g.covered(list, e.spot, e.sets) {
				g.add(list, e.spot, e.sets, id, k, g.nodes[id].depth+1)
			}
		}
	}
	return nil
}

// add adds a node. Nodes as deep that it covers have not been expanded, and need
// not be.
func (g *graph) add(list []*entry, spot string, sets []sizes, from, edge, depth int32) {
	head, ok := g.heads[spot]
	if !ok {
		head = -1
	}
	mark := g.sets.mark(list, sets)
	for at := head; at >= 0 && g.nodes[at].depth == depth; at = g.links[at].before {
		if n := &g.nodes[at]; g.links[at].mark&^mark == 0 && !n.idle && g.covers(list, sets, n.sets) {
			n.idle = true
			g.idle++
		}
	}
	g.heads[spot] = int32(len(g.nodes))
	g.nodes = append(g.nodes, node{spot: spot, sets: sets, from: from, edge: edge, depth: depth})
	g.links = append(g.links, link{mark, head})
	g.depth = max(g.depth, int(depth))
}

// states returns the number of nodes that were visited.
func (g *graph) states() int { return len(g.nodes) - g.idle }

// covered reports whether a node that was visited can do all that one could.
func (g *graph) covered(list []*entry, spot string, sets []sizes) bool {
	at, ok := g.heads[spot]
	if !ok {
		return false
	}
	mark := g.sets.mark(list, sets)
	for ; at >= 0; at = g.links[at].before {
		if l := &g.links[at]; mark&^l.mark == 0 && g.covers(list, g.nodes[at].sets, sets) {
			return true
		}
	}
	return false
}

// covers reports whether the sets a allow all that b allow: each sync of b may
// have recommended it in a, too, or does not matter there.
func (w *world) covers(list []*entry, a, b []sizes) bool {
	held := w.floor()
	for i := range max(len(a), len(b)) {
		var x, y sizes
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		switch {
		case x == y:
		case y == 0:
			if list[x].low > held {
				return false
			}
		case x == 0 || !list[y].members.within(&list[x].members):
			return false
		}
		if y != 0 {
			held = max(held, list[y].low)
		}
	}
	return true
}
