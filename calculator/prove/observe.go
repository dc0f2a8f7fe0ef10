package prove

import (
	"math"
	"slices"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/podgroup"
)

// maxKept is how many observations and pods of these a walker keeps: some 20
// megabytes. With a lag, almost every state sees another past.
const maxKept = 300_000

// observations returns what a place sees with the troubles, at each level of
// its size.
func (v *walker) observations(p place, troubles uint8) []calculator.Observation {
	sync, ago := v.shown(p.past, troubles)
	v.id = append(v.id[:0], troubles, byte(ago))
	v.id = append(append(v.id, p.pods...), sync...)
	seen, ok := v.seen[string(v.id)]
	if !ok {
		seen = v.observe(p, troubles, v.near[p.pods[0]])
		more := len(seen) * (1 + len(seen[0].Pods))
		if v.kept += more; v.kept > maxKept {
			clear(v.seen)
			v.kept = more
		}
		v.seen[string(v.id)] = seen
	}
	return seen
}

// observe returns what a place sees with the troubles at these levels.
func (v *walker) observe(p place, troubles uint8, levels []uint8) []calculator.Observation {
	in := input{troubles: troubles}
	sync, ago := v.shown(p.past, troubles)
	w := v.workload(v.resized(p.pods, in))
	all := make([]calculator.Observation, len(levels))
	var pods []podgroup.Pod
	var group podgroup.Group
	for i, level := range levels {
		in.level, w.past = level, nil
		if sync != nil {
			w.past = []moment{v.told(sync, ago)}
		}
		obs := *w.observe(Start, int32(len(w.own)), v.segment(in))
		if i == 0 { // the load does not change pods
			pods = slices.Clone(obs.Pods)
			group.Prepare(pods)
		}
		obs.Pods, obs.Group, obs.Readings = pods, &group, slices.Clone(obs.Readings)
		all[i] = obs
	}
	return all
}

// shown returns the sync of the past that metrics show, and how many syncs ago
// it was. It is nil for the one that is observed.
func (v *walker) shown(past []byte, troubles uint8) (sync []byte, ago int) {
	size := v.pastSize()
	ago = min(v.late[troubles], len(past)/size)
	if ago == 0 {
		return nil, 0
	}
	from := len(past) - ago*size
	return past[from : from+size], ago
}

// workload returns a workload of these pods.
func (v *walker) workload(pods []byte) *workload {
	w := newWorkload(&Timeline{Setup: v.setup})
	old := int32(pods[0])
	for _, n := range pods[1:] {
		old -= int32(n)
	}
	w.resize(old, Start.Add(-time.Hour))
	for age := len(pods) - 1; age > 0; age-- {
		w.resize(int32(len(w.own))+int32(pods[age]), Start.Add(-time.Duration(age)*v.setup.Period()))
	}
	return w
}

// told returns what metrics show of a sync of the past. Its first pods are
// those of now, as the newest are deleted first.
func (v *walker) told(sync []byte, ago int) moment {
	pods, in := sync[:1+v.ages], input{sync[1+v.ages], sync[2+v.ages]}
	left := int(sync[3+v.ages])
	w := v.workload(pods)
	w.observe(Start, int32(pods[0]), v.segment(in))
	m := w.past[0]
	m.at = Start.Add(-time.Duration(ago) * v.setup.Period())
	for i, number := range m.pods {
		if number >= left {
			m.pods[i] += math.MaxInt16 // deleted since then
		}
	}
	return m
}
