package prove

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

const sampleWindow = 15 * time.Second

// workload is the pods of a simulated target.
type workload struct {
	tl *Timeline
	// plain, bare and zero are pods with requests, without requests, and with
	// requests of 0.
	plain, bare, zero podgroup.Pod
	aims              []Aim
	// own are the pods of the size, the oldest first; there is how many of them
	// are listed. numbers are those of all listed pods, by index.
	own     []ownPod
	there   int
	numbers []int
	next    int
	// past are the moments that metrics may still show, the latest last. late
	// is the number of syncs by which troubles can make metrics older.
	past []moment
	late int
	obs  calculator.Observation
	// proposer is nil if the library makes all proposals.
	proposer calculator.Proposer
}

// ownPod is a pod of the size.
type ownPod struct {
	number  int
	name    string
	created time.Time
}

// moment is what metrics may show.
type moment struct {
	at   time.Time
	load float64
	// pods are the numbers of all pods, ascending; serving reports which of
	// them carry load, and carry is their number.
	pods    []int
	serving []bool
	carry   int
}

func newWorkload(tl *Timeline) *workload {
	w := &workload{tl: tl}
	w.plain, w.bare, w.zero = PodsOf(tl.Setup.Spec)
	w.aims = aimsOf(tl.Setup.Spec, &w.plain)
	if tl.Setup.Proposer != nil {
		w.proposer = tl.Setup.Proposer.Clone()
	}
	for i := range tl.Segments {
		w.late = max(w.late, tl.Segments[i].number(MetricsLate))
	}
	// The first pods are an hour old.
	w.resize(tl.Size, Start.Add(-time.Hour))
	return w
}

// resize creates pods, or deletes the newest ones.
func (w *workload) resize(size int32, now time.Time) {
	w.own = w.own[:min(len(w.own), max(int(size), 0))]
	for len(w.own) < int(size) {
		w.own = append(w.own, ownPod{w.next, fmt.Sprintf("web-%d", w.next), now})
		w.next++
	}
}

// observe returns what a sync sees. It is valid until the next call.
func (w *workload) observe(now time.Time, size int32, p *Segment) *calculator.Observation {
	w.obs = calculator.Observation{
		Namespace:    "default",
		SpecReplicas: size,
		Pods:         w.obs.Pods[:0],
		Readings:     w.obs.Readings[:0],
	}
	if p.has(ScaleFails, 0) {
		w.obs.ScaleError = errors.New("the API server is down")
	}
	if p.has(SelectorFails, 0) {
		w.obs.SelectorError = &calculator.SelectorError{
			Reason: [...]calculator.SelectorReason{
				calculator.SelectorRequired, calculator.SelectorInvalid, calculator.SelectorAmbiguous,
			}[p.number(SelectorFails)%3],
			Selector: "app=web",
			Others:   "[default/other default/web]",
			Problem:  "unable to parse",
		}
	}
	w.list(now, p)
	w.remember(now, p)
	m := w.told(now, p)
	for i := range w.tl.Setup.Spec.Metrics {
		w.obs.Readings = append(w.obs.Readings, calculator.Reading{})
		w.read(&w.obs.Readings[i], i, m, p)
	}
	if w.proposer != nil {
		w.proposer.Propose(now, &w.obs)
	}
	return &w.obs
}

// list lists the pods.
func (w *workload) list(now time.Time, p *Segment) {
	w.numbers = w.numbers[:0]
	w.there = len(w.own) - min(p.number(PodsLacking), len(w.own))
	for i := range w.there {
		w.add(&w.own[i], now, p)
	}
	w.trouble(p)
	surplus := p.number(PodsSurplus) + surge(len(w.own), p.number(Surge))
	for i := range surplus {
		w.add(guest("surplus", i), now, p)
	}
	for i := range p.number(PodsDeleted) {
		w.add(guest("deleted", i), now, p).Deleted = true
	}
	for i := range p.number(PodsFailed) {
		pod := w.add(guest("failed", i), now, p)
		pod.Phase, pod.Ready = podgroup.PhaseFailed, podgroup.ReadyFalse
	}
	// Kubernetes' workloads do not count deleted and failed pods.
	w.obs.StatusReplicas = int32(w.there + surplus)
}

// surge returns how many pods a rollout adds to a size, as Kubernetes rounds
// maxSurge.
func surge(size, percent int) int {
	return int(min((int64(size)*int64(percent)+99)/100, math.MaxInt32))
}

// guest returns a pod that is not of the size.
func guest(why string, i int) *ownPod {
	return &ownPod{number: -1, name: fmt.Sprintf("%s-%d", why, i), created: Start.Add(-time.Hour)}
}

// add lists the pod.
func (w *workload) add(o *ownPod, now time.Time, p *Segment) *podgroup.Pod {
	pod := w.plain
	if p.has(RequestsZero, 0) {
		pod = w.zero
	}
	pod.Name = o.name
	pod.StartTime = metrics.At(o.created)
	pod.Ready, pod.ReadyTransition = podgroup.ReadyFalse, pod.StartTime
	if ready := o.created.Add(w.tl.Setup.Startup); !ready.After(now) {
		pod.Ready, pod.ReadyTransition = podgroup.ReadyTrue, metrics.At(ready)
	}
	w.obs.Pods = append(w.obs.Pods, pod)
	w.numbers = append(w.numbers, o.number)
	return &w.obs.Pods[len(w.obs.Pods)-1]
}

// trouble makes the troubles of the segment happen to the listed pods.
func (w *workload) trouble(p *Segment) {
	for _, x := range p.Troubles {
		if !x.Kind.OfPods() {
			continue
		}
		for i := w.there - min(max(int(x.N), 0), w.there); i < w.there; i++ {
			switch pod := &w.obs.Pods[i]; x.Kind {
			case PodsPending:
				pod.Phase, pod.Ready = podgroup.PhasePending, podgroup.NoReadiness
				pod.StartTime, pod.ReadyTransition = 0, 0
			case PodsUnready:
				pod.Ready, pod.ReadyTransition = podgroup.ReadyFalse, pod.StartTime
			case PodsUnreported:
				pod.Ready, pod.ReadyTransition = podgroup.NoReadiness, 0
			case PodsUnseen:
				pod.StartTime = 0
			case PodsWithoutRequest:
				pod.CPU, pod.Memory, pod.Containers = w.bare.CPU, w.bare.Memory, w.bare.Containers
			}
		}
	}
}

// remember records the moment and drops those that metrics no longer show.
func (w *workload) remember(now time.Time, p *Segment) {
	var m moment
	for w.late < len(w.past)-1 && !w.past[w.late+1].at.After(now.Add(-w.tl.Setup.Lag)) {
		m = w.past[0] // for its memory
		w.past = slices.Delete(w.past, 0, 1)
	}
	m = moment{at: now, load: p.Load, pods: m.pods[:0], serving: m.serving[:0]}
	for i := range w.obs.Pods {
		pod := &w.obs.Pods[i]
		serves := pod.Phase == podgroup.PhaseRunning && pod.Ready == podgroup.ReadyTrue && !pod.Deleted
		m.pods = append(m.pods, w.numbers[i])
		m.serving = append(m.serving, serves)
		if serves {
			m.carry++
		}
	}
	w.past = append(w.past, m)
}

// told returns the moment that metrics show at now.
func (w *workload) told(now time.Time, p *Segment) *moment {
	told := 0
	for i := range w.past {
		if !w.past[i].at.After(now.Add(-w.tl.Setup.Lag)) {
			told = i
		}
	}
	return &w.past[max(told-p.number(MetricsLate), 0)]
}

// read makes r the answer of the API for metric i, in the memory of r.
func (w *workload) read(r *calculator.Reading, i int, m *moment, p *Segment) {
	a, empty := &w.aims[i], p.has(MetricEmpty, i)
	samples := r.Samples[:0]
	*r = calculator.Reading{}
	if p.has(MetricFails, i) || empty && a.metric.Source == autoscaling.ObjectMetricSourceType {
		r.Err = ErrMetric
		return
	}
	total := a.total(m.load, w.tl.share(i), m.carry)
	if !a.metric.OfPods() {
		r.Values = w.series(a.metric.Source, total, empty)
		return
	}
	capacity := metrics.Milli(0)
	if a.metric.Resource() == podgroup.CPU {
		capacity = share(a.request, int64(w.tl.Setup.Capacity))
	}
	w.samples(r, samples, m, p, total, capacity, empty)
}

// series splits a value among the series of an External metric.
func (w *workload) series(source autoscaling.MetricSourceType, value metrics.Milli, empty bool) []metrics.Milli {
	switch {
	case source == autoscaling.ProposalMetricSourceType && empty:
		return []metrics.Milli{0}
	case source == autoscaling.ObjectMetricSourceType, source == autoscaling.ProposalMetricSourceType:
		return []metrics.Milli{value}
	case empty:
		return []metrics.Milli{}
	}
	n := metrics.Milli(max(w.tl.Series, 1))
	values := make([]metrics.Milli, n)
	for i := range values {
		values[i] = value / n
	}
	values[0] += value % n
	return values
}

// samples shares the total among the pods that carried load at the moment.
func (w *workload) samples(r *calculator.Reading, samples []metrics.Sample, m *moment, p *Segment, total, capacity metrics.Milli, empty bool) {
	at := metrics.At(m.at)
	each, rest := total, metrics.Milli(0)
	if m.carry > 0 {
		each, rest = total/metrics.Milli(m.carry), total%metrics.Milli(m.carry)
	}
	if capacity > 0 && each >= capacity {
		each, rest = capacity, 0
	}
	for range p.number(PodsGone) {
		r.Strays = append(r.Strays, metrics.Sample{Value: each, Time: at, Window: sampleWindow, Present: true})
	}
	if empty || len(w.obs.Pods) == 0 {
		return
	}
	r.Samples = slices.Grow(samples, len(w.obs.Pods))[:len(w.obs.Pods)]
	clear(r.Samples)
	mute := w.there - p.number(PodsMute)
	next := 0 // of m
	for i := range r.Samples {
		j := next
		for j < len(m.pods) && m.pods[j] != w.numbers[i] {
			j++
		}
		if j == len(m.pods) {
			continue // the pod was not there yet
		}
		next = j + 1
		s := metrics.Sample{Time: at, Window: sampleWindow, Present: i < mute || i >= w.there}
		if m.serving[j] {
			s.Value = each
			if rest > 0 {
				s.Value++
				rest--
			}
		}
		r.Samples[i] = s
	}
}
