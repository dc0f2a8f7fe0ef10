package calctest

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/podgroup"
)

// world is what a search goes through. A node of it is, in bytes:
//
//	size
//	young         of each age in syncs from 1, the number of pods, as long as a pod
//	              of that age may still count otherwise than an old one
//	n, past       the last syncs that metrics may still show, the oldest first: size,
//	              young, level, troubles, and how many of the pods are still there
//	n, loads      the loads that were higher than all later ones, within the syncs
//	              to remember: their level and age
//	key           of the state
type world struct {
	setup *Setup
	aims  []aim
	// levels are the loads, the lowest first. near are the indices of those that each
	// size has, and slots the indices in near of all, or -1.
	// It is partial if a size lacks one.
	levels  []float64
	near    [][]uint8
	slots   [][]int16
	partial bool
	// troubles are the sets of what can happen in a sync, the first one empty. late is
	// the number of syncs by which metrics are late with each of them.
	troubles [][]Trouble
	late     []int
	// stages are the inputs as stages, by troubles and level.
	stages [][]Stage
	// ages is the number of ages that are young.
	ages int
	// lag is the longest of late.
	lag int
	// remember is the number of syncs whose loads are remembered.
	remember int
}

// input is what happens in a sync, by index.
type input struct{ level, troubles uint8 }

// place is a node that was taken apart. Its pods are the size and the young ones.
type place struct{ pods, past, loads, key []byte }

func (s Search) world(setup *Setup) (*world, error) {
	if err := s.problem(setup); err != nil {
		return nil, err
	}
	w := &world{setup: setup, aims: newWorkload(&Timeline{Setup: setup}).aims, troubles: together(s.Troubles)}
	if n := len(w.troubles); n > math.MaxUint8 {
		return nil, fmt.Errorf("calctest: Search.Troubles: %d are too many for a search", len(s.Troubles))
	}
	most := setup.Spec.Bounds().Max
	for _, x := range s.Troubles {
		if x.Kind == Resized {
			most = max(most, x.N)
		}
	}
	if err := w.setLevels(s, most); err != nil {
		return nil, err
	}
	for _, set := range w.troubles {
		stages := make([]Stage, len(w.levels))
		for i, l := range w.levels {
			stages[i] = Stage{Syncs: 1, Load: l, Troubles: set}
		}
		w.stages = append(w.stages, stages)
		w.late = append(w.late, setup.syncs(setup.Lag)+stages[0].number(MetricsLate))
	}
	w.lag = slices.Max(w.late)
	if w.lag > maxLag {
		return nil, fmt.Errorf("calctest: Search.Troubles: metrics late by %d syncs are too late for a search", w.lag)
	}
	w.ages = max(setup.syncs(s.settled(setup))-1+w.lag, 0)
	return w, nil
}

// maxLag is the largest number of syncs that metrics may be late.
const maxLag = 100

// problem returns why there can be no search.
func (s Search) problem(setup *Setup) error {
	if err := setup.problem(); err != nil {
		return err
	}
	switch most := setup.Spec.Bounds().Max; {
	case setup.syncs(setup.Lag) > maxLag:
		return fmt.Errorf("calctest: Setup.Lag: %v is too long for a search", setup.Lag)
	case setup.Startup > time.Hour/2:
		return fmt.Errorf("calctest: Setup.Startup: %v is too long for a search", setup.Startup)
	case most > math.MaxUint8:
		return fmt.Errorf("calctest: spec.maxReplicas: %d is too many for a search", most)
	case s.Around < 0:
		return fmt.Errorf("calctest: Search.Around: %d is negative", s.Around)
	case s.MaxStates < 0 || s.MaxStates > math.MaxInt32:
		return fmt.Errorf("calctest: Search.MaxStates: %d is not a number of states", s.MaxStates)
	}
	for i, x := range s.Troubles {
		path := fmt.Sprintf("Search.Troubles[%d]", i)
		switch counts := x.Kind.ofPods() || x.Kind == MetricsLate || x.Kind == Surge; {
		case x.N < 0 || x.N > math.MaxUint8:
			return fmt.Errorf("calctest: %s: %d is not from 0 to %d", path, x.N, math.MaxUint8)
		case x.Kind > lastTrouble:
			return invalid(path+".Kind", x.Kind.String(), "must be known")
		case x.Kind.ofMetric() && int(x.N) >= len(setup.Spec.Metrics):
			return invalid(path+".N", x.N, "must be the index of a metric")
		case counts && x.N == 0:
			return invalid(path+".N", x.N, "must be above 0")
		}
	}
	return nil
}

// settled returns the age from which pods count as all older ones.
func (s Search) settled(setup *Setup) time.Duration {
	age := setup.Startup
	for i := range setup.Spec.Metrics {
		if m := setup.Spec.Metrics[i].Resolve(); m.Resource() != podgroup.CPU {
			continue
		}
		age = max(age, setup.Startup+sampleWindow) // the first samples are too early
		if slices.ContainsFunc(s.Troubles, func(x Trouble) bool { return x.Kind == PodsUnready }) {
			age = max(age, setup.Settings.CPUInitializationPeriod)
		}
	}
	return min(age, time.Hour)
}

// together returns the sets of troubles that can happen together, smaller ones first.
// Two of a kind cannot, unless they are of different metrics.
func together(all []Trouble) [][]Trouble {
	sets := [][]Trouble{nil}
	for _, x := range all {
		for _, set := range sets {
			excludes := func(y Trouble) bool {
				return x.Kind == y.Kind && !(x.Kind.ofMetric() && x.N != y.N)
			}
			if !slices.ContainsFunc(set, excludes) {
				sets = append(sets, append(slices.Clip(set), x))
			}
		}
		if len(sets) > math.MaxUint8 {
			break // too many
		}
	}
	slices.SortStableFunc(sets, func(a, b []Trouble) int { return cmp.Compare(len(a), len(b)) })
	return sets
}

func (w *world) stage(in input) *Stage { return &w.stages[in.troubles][in.level] }

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
