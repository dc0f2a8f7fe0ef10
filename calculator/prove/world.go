package prove

import (
	"math"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
)

// world is what a search goes through. Its nodes are, in bytes:
//
//	size
//	young         of each age in syncs from 1, the number of pods, as long as a pod
//	              of that age may still count differently from an old one
//	n, past       the last syncs that metrics may still show, the oldest first: size,
//	              young, level, troubles, and how many of the pods are still there
//	n, loads      the loads that were higher than all later ones, within the syncs
//	              to remember: their level and age
//	key           of the state
type world struct {
	setup *Setup
	aims  []Aim
	// levels are the loads, the lowest first. near are the indices of those
	// that each size has, and slots the indices in near of all, or -1. It is
	// partial if a size lacks one.
	levels  []float64
	near    [][]uint8
	slots   [][]int16
	partial bool
	// troubles are the sets of what can happen in a sync, the first one empty.
	// late is the number of syncs by which metrics are late with each of them.
	troubles [][]Trouble
	late     []int
	// segments are the inputs as segments, by troubles and level.
	segments [][]Segment
	// ages is the number of ages that are young.
	ages int
	// lag is the longest of late.
	lag int
	// remember is the number of syncs whose loads are remembered.
	remember int
}

// input is what happens in a sync, by index.
type input struct{ level, troubles uint8 }

// place is a node that was taken apart. Its pods are the size and the young
// ones.
type place struct{ pods, past, loads, key []byte }

func (w *world) segment(in input) *Segment { return &w.segments[in.troubles][in.level] }

// input returns an input of a size by its index.
func (w *world) input(size uint8, i int) input {
	near := w.near[size]
	return input{near[i%len(near)], uint8(i / len(near))}
}

// inputs returns the number of inputs of a size.
func (w *world) inputs(size uint8) int { return len(w.near[size]) * len(w.troubles) }

// needs returns the size that the load needs.
func (w *world) needs(load float64) int32 {
	b := w.setup.Spec.Bounds()
	return int32(min(max(math.Ceil(load), float64(b.Min)), float64(b.Max)))
}

// starts returns the nodes of every size with an empty history.
func (w *world) starts() [][]byte {
	var nodes [][]byte
	b := w.setup.Spec.Bounds()
	for size := b.Min; size <= b.Max; size++ {
		var st calculator.State
		if size == 0 {
			st.Conditions = []autoscaling.HorizontalPodAutoscalerCondition{{Type: autoscaling.ScaledToZero, Status: autoscaling.ConditionTrue}}
		}
		node := append([]byte{byte(size)}, make([]byte, w.ages+2)...) // no young pods, no past, no loads
		nodes = append(nodes, st.AppendKey(node, Start, &w.setup.Settings, w.setup.Spec))
	}
	return nodes
}

// place takes a node apart.
func (w *world) place(node []byte) (p place) {
	p.pods, node = node[:1+w.ages], node[1+w.ages:]
	p.past, node = cut(node, w.pastSize())
	p.loads, p.key = cut(node, 2)
	return p
}

// cut cuts off a list of entries of a size, which starts with their number.
func cut(b []byte, size int) (list, rest []byte) {
	n := 1 + int(b[0])*size
	return b[1:n], b[n:]
}

// pastSize is the size of an entry of the past.
func (w *world) pastSize() int { return 1 + w.ages + 3 }
