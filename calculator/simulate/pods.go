package simulate

import (
	"math"
	"slices"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// never is later than any moment.
const never = metrics.Instant(math.MaxUint64)

// What random numbers are drawn for: the first key of their generators.
const (
	drawPending uint64 = iota + 1
	drawStartup
	drawCrash
	drawRestart
	drawSample
	drawFailure
)

// pod is what a podgroup.Pod does not tell.
type pod struct {
	// number counts the pods of the run, and crashes those of the pod.
	number, crashes uint64
	// generation is the rollout that the pod is of.
	generation int
	// runs tells that the containers run, since container.
	runs      bool
	container metrics.Instant
	// serving tells that the pod is ready, since then.
	serving bool
	since   metrics.Instant
	// leaving tells that the pod has to go.
	leaving bool
	// next is when the next thing happens to it.
	next metrics.Instant
}

// pods is a Deployment that runs.
type pods struct {
	Deployment
	seed       uint64
	start, now metrics.Instant
	template   podgroup.Pod

	// asked is spec.replicas, wanted what the pods are to become by now.
	asked  int32
	wanted int
	orders []order

	// pods and api describe the same pods, in the order of their creation.
	pods    []pod
	api     []podgroup.Pod
	created uint64
	// version changes with the pods.
	version  uint64
	group    podgroup.Group
	prepared uint64
	// live counts the pods that are not leaving, serving those that serve.
	live, serving int
	// generation is that of new pods, and old counts the live ones of others.
	generation, old int
	// next is when the next thing happens to any pod.
	next metrics.Instant

	meters   []meter
	readings []calculator.Reading
	past     history
	lookback time.Duration
	// limitsOf is how many serving pods the limits are of: the load at target,
	// and the most load.
	limitsOf             int
	targetLoad, mostLoad metrics.Milli
}

// order is a change of size that the pods follow later.
type order struct {
	at       metrics.Instant
	replicas int
}

// Observe fills in the scale, the pods and the readings of all metrics.
func (p *pods) Observe(now time.Time, obs *calculator.Observation) {
	if p.prepared != p.version || p.version == 0 {
		p.group.Prepare(p.api)
		p.prepared = p.version
	}
	p.readings = slices.Grow(p.readings[:0], len(p.meters))[:len(p.meters)]
	for i := range p.meters {
		m := &p.meters[i]
		if r := NewRand(p.seed, drawFailure, uint64(i), uint64(p.now)); m.failing.hits(&r) {
			p.readings[i] = calculator.Reading{Err: ErrUnavailable}
			continue
		}
		m.read(p, uint64(i))
		if m.whole {
			p.readings[i] = calculator.Reading{Values: m.value[:]}
		} else {
			p.readings[i] = calculator.Reading{Samples: m.samples}
		}
	}
	*obs = calculator.Observation{
		SpecReplicas:   p.asked,
		StatusReplicas: int32(p.live),
		Pods:           p.api,
		Group:          &p.group,
		Readings:       p.readings,
	}
}

// Scale asks for another size, which the pods follow after the delay.
func (p *pods) Scale(_ time.Time, replicas int32) {
	p.asked = replicas
	p.orders = append(p.orders, order{p.now.Add(p.ScaleDelay), int(min(max(replicas, 0), MaxPods))})
	p.settle()
}

// Advance lets time pass, from one thing that happens to the next.
func (p *pods) Advance(to time.Time, load Load) Service {
	var a account
	end := metrics.At(to)
	for p.now < end {
		asked, until := load.At(p.now.Time())
		asked = max(asked, 0)
		stop := min(end, p.happens())
		if !until.IsZero() {
			// A load that says nothing of the future is asked again at the end.
			if u := metrics.At(until); u > p.now {
				stop = min(stop, u)
			}
		}
		p.pass(&a, stop, asked)
		p.now = stop
		if p.happens() <= p.now {
			p.settle()
		}
	}
	p.past.forget(p.now.Add(-p.lookback))
	return a.service()
}

// happens returns when the next thing happens.
func (p *pods) happens() metrics.Instant {
	at := p.next
	if len(p.orders) > 0 {
		at = min(at, p.orders[0].at)
	}
	if len(p.Rollouts) > 0 {
		at = min(at, metrics.At(p.Rollouts[0]))
	}
	return at
}

// pass accounts for the time until stop, in which nothing changes.
func (p *pods) pass(a *account, stop metrics.Instant, load metrics.Milli) {
	d := stop.Sub(p.now)
	p.past.add(p.now, p.share(load), load)
	a.pass(d, len(p.pods), load, p.targetLoad, p.mostLoad, p.Capacity > 0)
}

// share returns what each ready pod serves of the load.
func (p *pods) share(load metrics.Milli) metrics.Milli {
	if p.limitsOf != p.serving {
		p.limitsOf = p.serving
		p.mostLoad, p.targetLoad = p.capacity(p.serving), p.holds(p.serving)
	}
	if p.serving == 0 {
		return 0
	}
	return min(load, p.mostLoad) / metrics.Milli(p.serving)
}

// capacity returns the load that n ready pods serve at most.
func (p *pods) capacity(n int) metrics.Milli {
	switch {
	case n == 0:
		return 0
	case p.Capacity == 0:
		return math.MaxInt64
	}
	return times(p.Capacity, n)
}

// holds returns the load that n ready pods serve with no metric above its target
// by more than is tolerated.
func (p *pods) holds(n int) metrics.Milli {
	most := metrics.Milli(math.MaxInt64)
	if n == 0 {
		most = 0
	}
	for i := range p.meters {
		most = min(most, p.meters[i].holds(n))
	}
	return most
}

// settle makes happen what is due.
func (p *pods) settle() {
	for {
		for len(p.orders) > 0 && p.orders[0].at <= p.now {
			p.wanted = p.orders[0].replicas
			p.orders = slices.Delete(p.orders, 0, 1)
		}
		for len(p.Rollouts) > 0 && metrics.At(p.Rollouts[0]) <= p.now {
			p.Rollouts = p.Rollouts[1:]
			p.generation++
			p.old = p.live
		}
		if p.next <= p.now {
			p.moveOn()
		}
		p.reconcile()
		p.next = never
		for i := range p.pods {
			p.next = min(p.next, p.pods[i].next)
		}
		if p.next > p.now {
			return
		}
	}
}
