package calctest

import (
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
//	              young, level, and how many of the pods are still there
//	n, loads      the loads that were higher than all later ones, within the syncs
//	              to remember: their level and age
//	key           of the state
type world struct {
	setup  *Setup
	inputs []input
	// ages is the number of ages that are young.
	ages int
	// lag is the number of syncs by which metrics are late.
	lag int
	// remember is the number of syncs whose loads are remembered.
	remember int
	aims     []aim
}

// input is what happens in a sync.
type input struct {
	load float64
	// level is the index of the load among all, the lowest first.
	level int
	stage Stage
	fails bool
}

func (s Search) world(setup *Setup) (*world, error) {
	if err := setup.problem(); err != nil {
		return nil, err
	}
	settled := setup.Startup
	for i := range setup.Spec.Metrics {
		if m := setup.Spec.Metrics[i].Resolve(); m.Resource() == podgroup.CPU {
			settled = setup.Startup + sampleWindow // the first samples are too early
		}
	}
	bounds := setup.Spec.Bounds()
	switch {
	case setup.syncs(setup.Lag) > 100:
		return nil, fmt.Errorf("calctest: Setup.Lag: %v is too long for a search", setup.Lag)
	case settled > time.Hour/2:
		return nil, fmt.Errorf("calctest: Setup.Startup: %v is too long for a search", setup.Startup)
	case bounds.Max > math.MaxUint8:
		return nil, fmt.Errorf("calctest: spec.maxReplicas: %d is too many for a search", bounds.Max)
	case s.MaxStates < 0 || s.MaxStates > math.MaxInt32:
		return nil, fmt.Errorf("calctest: Search.MaxStates: %d is not a number of states", s.MaxStates)
	}
	levels, err := s.levels(setup)
	if err != nil {
		return nil, err
	}
	lag := setup.syncs(setup.Lag)
	if len(levels) > 1+math.MaxUint8 {
		return nil, fmt.Errorf("calctest: Search.Levels: %d are too many for a search", len(levels))
	}
	w := &world{setup: setup, lag: lag, ages: max(setup.syncs(settled)-1+lag, 0), aims: newWorkload(&Timeline{Setup: setup}).aims}
	levels = slices.Clone(levels)
	slices.Sort(levels)
	levels = slices.Compact(levels)
	for i, l := range levels {
		w.inputs = append(w.inputs, input{load: l, level: i, stage: Stage{Syncs: 1, Load: l}})
	}
	if !s.MetricsFail {
		return w, nil
	}
	for _, in := range w.inputs[:len(levels):len(levels)] {
		in.fails = true
		for i := range setup.Spec.Metrics {
			in.stage.Troubles = append(in.stage.Troubles, Trouble{Kind: MetricFails, N: int32(i)})
		}
		w.inputs = append(w.inputs, in)
	}
	return w, nil
}

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

// walker goes from node to node. It is for one goroutine.
type walker struct {
	*world
	st calculator.State
	d  calculator.Decision
	// seen are the observations of each input, by size and young pods.
	seen map[string][]calculator.Observation

	size, after int32
	highest     int // level of the remembered loads, with the one of this sync
}

// step decides on the node and appends the one that follows. It leaves the decision
// and the sizes in the walker.
func (v *walker) step(dst, node []byte, obs []calculator.Observation, i int) ([]byte, error) {
	in, young := &v.inputs[i], node[1:1+v.ages]
	past, rest := v.cut(node[1+v.ages:], v.ages+3)
	loads, key := v.cut(rest, 2)
	if err := v.st.SetKey(key, Start); err != nil {
		return dst, err
	}
	d := &v.d
	calculator.DecideInto(d, Start, &v.setup.Settings, v.setup.Spec, &obs[i], &v.st)
	if d.Zone == calculator.NoZone {
		return dst, d.Err()
	}
	v.size, v.after = int32(node[0]), d.DesiredReplicas
	if d.Rescale {
		v.st.Applied(Start, d)
	}
	dst = append(dst, byte(v.after))
	dst = v.appendYoung(dst, young)
	dst = v.appendPast(dst, node[:1+v.ages], past, in.level)
	dst = v.appendLoads(dst, loads, in.level)
	return v.st.AppendKey(dst, Start.Add(v.setup.period()), &v.setup.Settings, v.setup.Spec), nil
}

// cut cuts off a list of entries of a size, which starts with their number.
func (v *walker) cut(b []byte, size int) (list, rest []byte) {
	n := 1 + int(b[0])*size
	return b[1:n], b[n:]
}

// appendPast appends the syncs that metrics show later, the one of the place among
// them.
func (v *walker) appendPast(dst, place, past []byte, level int) []byte {
	if v.lag == 0 {
		return append(dst, 0)
	}
	size := v.ages + 3
	if len(past) == v.lag*size {
		past = past[size:]
	}
	dst = append(dst, byte(len(past)/size+1))
	left := func(n byte) byte { return byte(min(int32(n), v.after)) }
	for sync := range slices.Chunk(past, size) {
		dst = append(append(dst, sync[:size-1]...), left(sync[size-1]))
	}
	return append(append(dst, place...), byte(level), left(place[0]))
}

// appendYoung appends the young pods as of the next sync. The newest ones are deleted
// first, as by workload.
func (v *walker) appendYoung(dst, young []byte) []byte {
	if v.ages == 0 {
		return dst
	}
	gone := max(v.size-v.after, 0)
	dst = append(dst, byte(max(v.after-v.size, 0)))
	for i, n := range young {
		less := min(int32(n), gone)
		gone -= less
		if i < v.ages-1 {
			dst = append(dst, n-byte(less))
		}
	}
	return dst
}

// appendLoads appends the loads to remember as of the next sync.
func (v *walker) appendLoads(dst, loads []byte, level int) []byte {
	at, n := len(dst), byte(0)
	dst = append(dst, 0)
	v.highest = level
	if v.remember == 0 {
		return dst
	}
	for ; len(loads) > 0; loads = loads[2:] {
		l, age := loads[0], loads[1]+1
		v.highest = max(v.highest, int(l))
		if int(l) > level && int(age)+1 < v.remember {
			dst = append(dst, l, age)
			n++
		}
	}
	if v.remember > 1 && level > 0 {
		dst = append(dst, byte(level), 0)
		n++
	}
	dst[at] = n
	return dst
}

// observations returns what a node sees at each input.
func (v *walker) observations(node []byte) []calculator.Observation {
	past, _ := v.cut(node[1+v.ages:], v.ages+3)
	// Of the past, metrics show the oldest sync; the number says when it was.
	place := node[:1+v.ages+1+min(len(past), v.ages+3)]
	if seen, ok := v.seen[string(place)]; ok {
		return seen
	}
	w := newWorkload(&Timeline{Setup: v.setup})
	all := make([]calculator.Observation, len(v.inputs))
	for i := range v.inputs {
		w.own, w.next, w.past = w.own[:0], 0, nil
		v.populate(w, node)
		if len(past) > 0 {
			w.past = []moment{v.told(past)}
		}
		obs := *w.observe(Start, int32(node[0]), &v.inputs[i].stage)
		obs.Pods, obs.Readings = slices.Clone(obs.Pods), slices.Clone(obs.Readings)
		all[i] = obs
	}
	v.seen[string(place)] = all
	return all
}

// populate creates the pods of a node, the oldest first.
func (v *walker) populate(w *workload, node []byte) {
	old := int32(node[0])
	for _, n := range node[1 : 1+v.ages] {
		old -= int32(n)
	}
	w.resize(old, Start.Add(-time.Hour))
	for age := v.ages; age > 0; age-- {
		w.resize(int32(len(w.own))+int32(node[age]), Start.Add(-time.Duration(age)*v.setup.period()))
	}
}

// told returns the oldest sync of the past. Its first pods are those of now, as the
// newest are deleted first.
func (v *walker) told(past []byte) moment {
	w := newWorkload(&Timeline{Setup: v.setup})
	w.own, w.next = w.own[:0], 0
	v.populate(w, past)
	syncs := len(past) / (v.ages + 3)
	level, left := past[1+v.ages], int(past[2+v.ages])
	w.observe(Start, int32(past[0]), &v.inputs[level].stage)
	m := w.past[0]
	m.at = Start.Add(-time.Duration(syncs) * v.setup.period())
	for i := range m.pods {
		if i >= left {
			m.pods[i] += math.MaxInt16 // deleted since then
		}
	}
	return m
}
