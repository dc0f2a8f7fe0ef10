package prove_test

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/prove"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// loadSearch is the reference for searches of all loads. It finds the loads at
// which decisions change, takes one of each interval, and follows every course
// of these loads with full states. It shares no code with the search: it lists
// pods and shares load on its own.
type loadSearch struct {
	setup *prove.Setup
	aims  []prove.Aim
	plain podgroup.Pod
	// grown is the number of syncs after which pods no longer change, and lag that
	// by which metrics are late.
	grown, lag int
	// cuts are the first loads of the intervals, in thousandths of a replica.
	// step is how close loads are that are tried for them.
	cuts   map[int64]bool
	step   int64
	places map[string]bool
	loads  []int64

	nodes []loadNode
	index map[string]int32
	next  [][]int32 // the node that follows a node at a load

	decision   calculator.Decision
	conditions []autoscaling.HorizontalPodAutoscalerCondition
	text       []byte
}

// loadNode is an autoscaler and its pods after a sync.
type loadNode struct {
	state calculator.State // without conditions, except where minReplicas is 0
	now   time.Time
	pods  []byte // their ages in syncs, the oldest first
	past  []loadMoment
}

// loadMoment is a sync that metrics may still show: its load, its pods, and how
// many of them are still there.
type loadMoment struct {
	load int64
	pods []byte
	left int
}

func (n *loadNode) size() int32 { return int32(len(n.pods)) }

func newLoadSearch(setup *prove.Setup, step int64) *loadSearch {
	plain, _, _ := prove.PodsOf(setup.Spec)
	p := &loadSearch{
		setup: setup, aims: prove.AimsOf(setup.Spec), plain: plain, step: step,
		grown: setup.Syncs(setup.Startup+15*time.Second) + setup.Syncs(setup.Lag) + 1, lag: setup.Syncs(setup.Lag),
		cuts: map[int64]bool{0: true}, places: map[string]bool{},
	}
	for n := range int64(p.highest()/1000) + 1 {
		p.cuts[n*1000+1] = true // needs one more pod
	}
	delete(p.cuts, p.highest()+1)
	return p
}

// highest is the highest load of a search by default.
func (p *loadSearch) highest() int64 { return 2000 * int64(p.setup.Spec.MaxReplicas) }

// run visits all nodes, and reports whether there are at most so many. It
// starts again if it finds pods for which there are more intervals.
func (p *loadSearch) run(t testing.TB, most int) bool {
	for {
		p.loads = p.loads[:0]
		for l := range p.cuts {
			p.loads = append(p.loads, l)
		}
		slices.Sort(p.loads)
		p.nodes, p.next, p.index = nil, nil, map[string]int32{}
		if !p.visit(t, most) {
			return false
		}
		if len(p.loads) == len(p.cuts) {
			return true
		}
	}
}

func (p *loadSearch) visit(t testing.TB, most int) bool {
	bounds := p.setup.Spec.Bounds()
	for size := bounds.Min; size <= bounds.Max; size++ {
		n := loadNode{now: prove.Start, pods: slices.Repeat([]byte{byte(p.grown)}, int(size))}
		n.state.Conditions = scaledToZero(size)
		p.add(n)
	}
	for i := 0; i < len(p.nodes); i++ {
		if i > most {
			return false
		}
		for l, load := range p.loads {
			next := p.after(t, i, load)
			p.next[i][l] = next
		}
	}
	return true
}

// scaledToZero returns the conditions of an autoscaler that set this size.
func scaledToZero(size int32) []autoscaling.HorizontalPodAutoscalerCondition {
	if size > 0 {
		return nil
	}
	return []autoscaling.HorizontalPodAutoscalerCondition{{Type: autoscaling.ScaledToZero, Status: autoscaling.ConditionTrue}}
}

// after returns the node that follows a node at a load.
func (p *loadSearch) after(t testing.TB, node int, load int64) int32 {
	n := &p.nodes[node]
	st := n.state.Clone()
	toZero := p.setup.Spec.Bounds().Min == 0
	if !toZero {
		st.Conditions = p.conditions
	}
	d := &p.decision
	here := loadMoment{load, n.pods, len(n.pods)}
	past := append(slices.Clone(n.past), here)
	ago := min(p.lag, len(n.past))
	shown := past[len(n.past)-ago]
	p.cutOnce(t, n.pods, shown, ago)
	obs := p.observe(n.now, n.pods, shown, ago)
	calculator.DecideInto(d, n.now, &p.setup.Settings, p.setup.Spec, &obs, &st)
	if d.Err() != nil {
		t.Fatalf("%#v: %v", p.setup, d.Err())
	}
	st.Applied(n.now, d)
	if !toZero {
		p.conditions, st.Conditions = st.Conditions, nil
	}
	for i := range past {
		past[i].left = min(past[i].left, int(d.DesiredReplicas))
	}
	past = past[max(len(past)-p.lag, 0):]
	return p.add(loadNode{state: st, now: n.now.Add(p.setup.Period()), pods: p.resized(n.pods, d.DesiredReplicas), past: past})
}

// resized returns the pods of the next sync: new ones are a sync old, and the
// newest are deleted first.
func (p *loadSearch) resized(pods []byte, size int32) []byte {
	next := slices.Clone(pods[:min(len(pods), int(size))])
	for i := range next {
		next[i] = min(next[i]+1, byte(p.grown))
	}
	for len(next) < int(size) {
		next = append(next, 1)
	}
	return next
}

// add returns the index of the node, which may be there already.
func (p *loadSearch) add(n loadNode) int32 {
	p.text = append(append(p.text[:0], byte(len(n.pods))), n.pods...)
	for _, m := range n.past {
		p.text = fmt.Appendf(p.text, "%d %v %d ", m.load, m.pods, m.left)
	}
	p.text = n.state.AppendKey(p.text, n.now, &p.setup.Settings, p.setup.Spec)
	if i, known := p.index[string(p.text)]; known {
		return i
	}
	i := int32(len(p.nodes))
	p.index[string(p.text)] = i
	p.nodes = append(p.nodes, n)
	p.next = append(p.next, make([]int32, len(p.loads)))
	return i
}

// cutOnce finds the first loads of the intervals at which these pods get the same
// proposal if metrics show a moment of that load.
func (p *loadSearch) cutOnce(t testing.TB, pods []byte, m loadMoment, ago int) {
	m.load = 0
	place := fmt.Sprint(pods, m, ago)
	if p.places[place] {
		return
	}
	p.places[place] = true
	asks := func(load int64) int32 {
		m.load = load
		return p.asksOf(t, pods, m, ago)
	}
	last := asks(0)
	for low := int64(0); low < p.highest(); low += p.step {
		high := min(low+p.step, p.highest())
		n := asks(high)
		p.between(low, high, last, n, asks)
		last = n
	}
}

// between bisects the loads from low to high, which get different proposals.
func (p *loadSearch) between(low, high int64, atLow, atHigh int32, asks func(int64) int32) {
	switch {
	case atLow == atHigh:
		return
	case high-low == 1:
		p.cuts[high] = true
		return
	}
	middle := (low + high) / 2
	n := asks(middle)
	p.between(low, middle, atLow, n, asks)
	p.between(middle, high, n, atHigh, asks)
}

// asksOf returns the size that metrics ask for which show a moment.
func (p *loadSearch) asksOf(t testing.TB, pods []byte, m loadMoment, ago int) int32 {
	st := calculator.State{Conditions: scaledToZero(int32(len(pods)))}
	obs := p.observe(prove.Start, pods, m, ago)
	calculator.DecideInto(&p.decision, prove.Start, &p.setup.Settings, p.setup.Spec, &obs, &st)
	if err := p.decision.Err(); err != nil {
		t.Fatalf("%#v: %v", p.setup, err)
	}
	return p.decision.Choice.Replicas
}

// observe returns what a sync sees if metrics show a moment so many syncs ago.
func (p *loadSearch) observe(now time.Time, pods []byte, m loadMoment, ago int) calculator.Observation {
	obs := calculator.Observation{
		Namespace:    "default",
		SpecReplicas: int32(len(pods)), StatusReplicas: int32(len(pods)),
		Readings: make([]calculator.Reading, len(p.aims)),
	}
	for i, age := range pods {
		created := now.Add(-time.Duration(age) * p.setup.Period())
		if int(age) == p.grown {
			created = now.Add(-time.Hour)
		}
		pod := p.plain
		pod.Name = fmt.Sprint("web-", i)
		pod.StartTime = metrics.At(created)
		pod.Ready, pod.ReadyTransition = podgroup.ReadyFalse, pod.StartTime
		if at := created.Add(p.setup.Startup); !at.After(now) {
			pod.Ready, pod.ReadyTransition = podgroup.ReadyTrue, metrics.At(at)
		}
		obs.Pods = append(obs.Pods, pod)
	}
	for i := range p.aims {
		p.read(&obs.Readings[i], &p.setup.Spec.Metrics[i], int64(p.aims[i].Amount()), &obs, now.Add(-time.Duration(ago)*p.setup.Period()), m)
	}
	return obs
}

// serves reports whether a pod of that age is ready.
func (p *loadSearch) serves(age byte) bool {
	return int(age) == p.grown || time.Duration(age)*p.setup.Period() >= p.setup.Startup
}

// read fills in the reading of a metric at a moment whose ready pods shared the
// load.
func (p *loadSearch) read(r *calculator.Reading, spec *autoscaling.MetricSpec, target int64, obs *calculator.Observation, at time.Time, m loadMoment) {
	load, ready := m.load, 0
	for _, age := range m.pods {
		if p.serves(age) {
			ready++
		}
	}
	total := target * load / 1000
	switch {
	case spec.External != nil && spec.External.Target.Value.IsSet(), spec.Object != nil && spec.Object.Target.Value.IsSet():
		r.Values = []metrics.Milli{metrics.Milli(target * load / 1000 / int64(max(ready, 1)))}
		return
	case spec.External != nil, spec.Object != nil:
		r.Values = []metrics.Milli{metrics.Milli(total)}
		return
	}
	each, rest := int64(0), int64(0)
	if ready > 0 {
		each, rest = total/int64(ready), total%int64(ready)
	}
	for i := range obs.Pods {
		if i >= m.left {
			r.Samples = append(r.Samples, metrics.Sample{}) // the pod was not there yet
			continue
		}
		s := metrics.Sample{Time: metrics.At(at), Window: 15 * time.Second, Present: true}
		if p.serves(m.pods[i]) {
			if s.Value = metrics.Milli(each); rest > 0 {
				s.Value, rest = s.Value+1, rest-1
			}
		}
		r.Samples = append(r.Samples, s)
	}
}

// needs returns the size that a load needs.
func (p *loadSearch) needs(load int64) int32 {
	b := p.setup.Spec.Bounds()
	return min(max(int32(math.Ceil(float64(load)/1000)), b.Min), b.Max)
}

// carries reports whether so many pods are at least enough for the metrics.
func (p *loadSearch) carries(t testing.TB, size int32, load int64) bool {
	pods := slices.Repeat([]byte{byte(p.grown)}, int(size))
	return size >= p.setup.Spec.MaxReplicas || p.asksOf(t, pods, loadMoment{load, pods, len(pods)}, 0) <= size
}

// longestUntil returns the longest time, at any constant load, until the size
// is as wanted.
func (p *loadSearch) longestUntil(wanted func(size int32, load int64) bool) worstTime {
	return p.longest(func(l int, node, next int32) (done, counts bool) {
		return wanted(p.nodes[node].size(), p.loads[l]), true
	})
}

// longestChange returns the longest time, at any constant load, until the last
// change of size.
func (p *loadSearch) longestChange() worstTime {
	return p.longest(func(l int, node, next int32) (done, counts bool) {
		return node == next, p.nodes[node].size() != p.nodes[next].size()
	})
}

// longest returns the longest time until the last sync that counts, of the syncs
// before one after which it is done.
func (p *loadSearch) longest(at func(load int, node, next int32) (done, counts bool)) worstTime {
	const new, open = -1, -2
	longest := 0
	for l := range p.loads {
		syncs := slices.Repeat([]int{new}, len(p.nodes))
		for start := range p.nodes {
			path := []int32{int32(start)}
			for syncs[path[len(path)-1]] == new {
				node := path[len(path)-1]
				next := p.next[node][l]
				if done, _ := at(l, node, next); done {
					syncs[node] = 0
					break
				}
				syncs[node] = open
				path = append(path, next)
			}
			last := path[len(path)-1]
			if syncs[last] == open && p.everCounts(l, last, at) {
				return worstTime{never: true}
			}
			n := max(syncs[last], 0)
			for _, node := range slices.Backward(path[:len(path)-1]) {
				if _, counts := at(l, node, p.next[node][l]); counts || n > 0 {
					n++
				}
				syncs[node] = n
			}
			longest = max(longest, slices.Max(syncs))
		}
	}
	return worstTime{time: time.Duration(longest) * p.setup.Period()}
}

// everCounts reports whether a sync of the cycle with the node counts.
func (p *loadSearch) everCounts(l int, node int32, at func(load int, node, next int32) (done, counts bool)) bool {
	for n := node; ; {
		next := p.next[n][l]
		if _, counts := at(l, n, next); counts {
			return true
		}
		if n = next; n == node {
			return false
		}
	}
}
