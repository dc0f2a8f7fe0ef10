package prove_test

import (
	"iter"
	"slices"
	"testing"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/prove"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/stabilize"
)

const (
	syncPeriod = 15 * time.Second
	// plainHorizon is longer than all windows and periods of the rules that are
	// searched. What is older cannot matter.
	plainHorizon = 5 * syncPeriod
)

// plainSearch is the reference for Exhaust. It follows every course of load,
// too, but compares states by all that they remember, where Exhaust compares
// their keys.
type plainSearch struct {
	setup  *prove.Setup
	levels []float64

	nodes []plainNode
	index map[string]int // of nodes, by identity
	next  [][]int        // the node that follows a node at a level, or unvisited

	// Memory that each step uses again.
	decision   calculator.Decision
	conditions []autoscaling.HorizontalPodAutoscalerCondition
	text       []byte
}

// plainNode is an autoscaler after a sync.
type plainNode struct {
	state calculator.State // without conditions, which decide nothing here
	now   time.Time
	size  int32
	depth int // syncs since the start
}

const unvisited = -1

func newPlainSearch(setup *prove.Setup, levels []float64) *plainSearch {
	return &plainSearch{setup: setup, levels: levels, index: map[string]int{}}
}

// run visits all nodes, and reports whether there are at most so many.
func (p *plainSearch) run(t testing.TB, most int) bool {
	bounds := p.setup.Spec.Bounds()
	for size := bounds.Min; size <= bounds.Max; size++ {
		p.add(plainNode{now: prove.Start, size: size})
	}
	for i := 0; i < len(p.nodes); i++ {
		if i > most {
			return false
		}
		for level := range p.levels {
			p.after(t, i, level)
		}
	}
	return true
}

// edges returns each node with each level.
func (p *plainSearch) edges() iter.Seq2[int, int] {
	return func(yield func(node, level int) bool) {
		for i := range p.nodes {
			for level := range p.levels {
				if !yield(i, level) {
					return
				}
			}
		}
	}
}

// hold returns the nodes that follow one another if the load stays at a level.
func (p *plainSearch) hold(t testing.TB, node, level int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for yield(node) {
			node = p.after(t, node, level)
		}
	}
}

// after returns the node that follows a node at a level.
func (p *plainSearch) after(t testing.TB, node, level int) int {
	if next := p.next[node][level]; next != unvisited {
		return next
	}
	n := p.nodes[node]
	n.state = n.state.Clone()
	n.state.Conditions = p.conditions
	n.now = n.now.Add(syncPeriod)
	load := metrics.Milli(p.levels[level] * 10_000) // the target is 10
	obs := calculator.Observation{
		SpecReplicas:   n.size,
		StatusReplicas: n.size,
		Readings:       []calculator.Reading{{Values: []metrics.Milli{load}}},
	}
	d := &p.decision
	calculator.DecideInto(d, n.now, &p.setup.Settings, p.setup.Spec, &obs, &n.state)
	if d.Err() != nil {
		t.Fatalf("%#v: %v", p.setup, d.Err())
	}
	n.state.Applied(n.now, d)
	p.conditions, n.state.Conditions = n.state.Conditions, nil
	n.size = d.DesiredReplicas
	n.depth++
	next := p.add(n)
	p.next[node][level] = next
	return next
}

// add returns the index of the node, which may be there already.
func (p *plainSearch) add(n plainNode) int {
	p.text = n.appendIdentity(p.text[:0])
	if i, known := p.index[string(p.text)]; known {
		return i
	}
	i := len(p.nodes)
	p.index[string(p.text)] = i
	p.nodes = append(p.nodes, n)
	p.next = append(p.next, slices.Repeat([]int{unvisited}, len(p.levels)))
	return i
}

// appendIdentity appends the size and all that the autoscaler remembers, with
// ages in place of times.
func (n *plainNode) appendIdentity(text []byte) []byte {
	text = append(text, byte(n.size), flag(n.state.Recommendations.IsEmpty()))
	text = n.appendEntries(text, n.state.Recommendations.All())
	text = n.appendEntries(text, n.state.Events.Added())
	return n.appendEntries(text, n.state.Events.Removed())
}

func (n *plainNode) appendEntries(text []byte, entries iter.Seq[stabilize.Entry]) []byte {
	for e := range entries {
		if age := n.now.Sub(e.Time); age > plainHorizon {
			text = append(text, "old"...)
		} else {
			text = append(text, byte(age/syncPeriod), byte(e.Value), flag(e.Stale))
		}
	}
	return append(text, '/')
}

func flag(set bool) byte {
	if set {
		return 'y'
	}
	return 'n'
}
