package prove

import (
	"time"

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
	// reached is the number of nodes that courses of load lead to. Those after
	// them are there only because a load stays.
	reached int
	// next has for each node that was gone through, in their order, the one
	// that follows at each input of its size. held has for each level those
	// that follow where the size does not have it.
	next     []int32
	held     []map[int32]int32
	depth    int
	complete bool
}

// visited is a node: where it was come to from first, and its size.
type visited struct {
	next  int   // where in graph.next, -1 if it was not gone through
	from  int32 // -1 for a start
	depth int32
	input input
	size  uint8
}

// breach is a transition that breaks a property; without one, the number of its
// node is -1.
type breach struct {
	node  int32
	input input
	how   string
}

// add gives a new node its number, and returns its bytes.
func (g *graph) add(node []byte, n visited) []byte {
	key := string(node)
	n.next, n.size = -1, node[0]
	g.ids[key] = int32(len(g.nodes))
	g.nodes = append(g.nodes, n)
	return []byte(key)
}

// after returns the node that follows at the input, -1 if that is not known.
func (g *graph) after(node int32, in input) int32 {
	n := &g.nodes[node]
	slot := int(g.slots[n.size][in.level])
	if n.next >= 0 && slot >= 0 {
		return g.next[n.next+int(in.troubles)*len(g.near[n.size])+slot]
	}
	if in.troubles == 0 && g.held != nil {
		if next, ok := g.held[in.level][node]; ok {
			return next
		}
	}
	return -1
}

// Property is what a search is to prove about all courses of load. The zero
// Property holds.
type Property struct {
	claim string
	// each returns how a decision breaks the property, "" if it does not.
	each func(v *walker, tr *Transition) string
	// window is how far back each looks at loads.
	window time.Duration
	// problem returns why the property says nothing of these levels.
	problem func(levels []float64) error
	// all returns how a complete graph breaks it: from which node, by which
	// inputs.
	all func(g *graph) *lapse
}

// lapse is a course that breaks a property, from a node that was visited.
type lapse struct {
	node   int32
	inputs []input
	how    string
}

// Transition is a decision of a search. It is valid until the function that got
// it returns.
type Transition struct {
	// Load is the load in replicas. Troubles are those of Search.Troubles that
	// happen.
	Load     float64
	Troubles []Trouble
	// Size is the size before the sync, as others left it, After the size after
	// it.
	Size, After int32
	// Observation is what the sync saw, and Decision what it decided. The
	// conditions are not those of the course of load. Times are relative to
	// Decision.Now, which is the same for all.
	Observation *calculator.Observation
	Decision    *calculator.Decision
}

// check is a property and the first transition that breaks it.
type check struct {
	*Property
	breach breach
}

func (c *check) breaks(v *walker, obs *calculator.Observation, in input) string {
	if c.each == nil || c.breach.how != "" {
		return ""
	}
	return c.each(v, &Transition{v.levels[in.level], v.troubles[in.troubles], v.size, v.after, obs, &v.d})
}
