package simulate

import (
	"math"
	"slices"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

const never = metrics.Instant(math.MaxUint64)

// The purposes of random numbers, first keys of their generators.
const (
	drawPending uint64 = iota + 1
	drawStartup
	drawCrash
	drawRestart
	drawSample
	drawFailure
	drawSync
	drawScrape
)

// pod is the part of a pod that a podgroup.Pod does not have.
type pod struct {
	// number is the pod's number in the run, crashes counts its crashes.
	number, crashes uint64
	// generation is the number of rollouts before the pod was created.
	generation int
	// runs reports whether the containers run. They started at container.
	runs      bool
	container metrics.Instant
	// serving reports whether the pod is ready. It became ready at since.
	serving bool
	since   metrics.Instant
	// leaving reports whether the pod is deleted.
	leaving bool
	// next is when its next transition is due.
	next metrics.Instant
}

// pods is a running Deployment.
type pods struct {
	Deployment
	seed     uint64
	now      metrics.Instant
	template podgroup.Pod

	// asked is spec.replicas. wanted follows it after ScaleDelay.
	asked  int32
	wanted int
	orders []order

	// pods and api describe the same pods by index, the oldest first.
	pods    []pod
	api     []podgroup.Pod
	created uint64
	// version changes whenever a pod does.
	version  uint64
	group    podgroup.Group
	prepared uint64
	// live counts the pods that are not leaving, serving the ready ones.
	live, serving int
	// generation is that of new pods, and old counts the live ones of others.
	generation, old int
	// next is when the next transition of any pod is due.
	next metrics.Instant

	meters   []meter
	readings []calculator.Reading
	past     history
	lookback time.Duration
	// targetLoad and mostLoad are the limits for this many ready pods: the load at
	// target, and the capacity.
	limitsOf             int
	targetLoad, mostLoad metrics.Milli
}

// order is a change of size that takes effect later.
type order struct {
	at       metrics.Instant
	replicas int
}

// Observe sets the scale, the pods and the readings of all metrics.
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

// Scale changes the size. Pods follow after ScaleDelay.
func (p *pods) Scale(_ time.Time, replicas int32) {
	p.asked = replicas
	p.orders = append(p.orders, order{p.now.Add(p.ScaleDelay), int(min(max(replicas, 0), MaxPods))})
	p.settle()
}

// Advance lets time pass from transition to transition.
func (p *pods) Advance(to time.Time, load Load) Performance {
	var a account
	end := metrics.At(to)
	for p.now < end {
		asked, until := load.At(p.now.Time())
		asked = max(asked, 0)
		stop := min(end, p.happens())
		if !until.IsZero() {
			// A load that changes at once is asked again at the next transition.
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
	return a.performance()
}

// happens returns when anything happens next.
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

// pass accounts for the time until stop, during which nothing changes.
func (p *pods) pass(a *account, stop metrics.Instant, load metrics.Milli) {
	d := stop.Sub(p.now)
	p.past.add(p.now, p.share(load), load)
	a.add(d, len(p.pods), load, p.targetLoad, p.mostLoad, p.Capacity > 0)
}

// share returns the load that each ready pod serves.
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

// capacity returns the largest load that n ready pods serve.
func (p *pods) capacity(n int) metrics.Milli {
	switch {
	case n == 0:
		return 0
	case p.Capacity == 0:
		return math.MaxInt64
	}
	return times(p.Capacity, n)
}

// holds returns the largest load that n ready pods serve with all metrics within
// the tolerance of their targets.
func (p *pods) holds(n int) metrics.Milli {
	most := p.capacity(n)
	for i := range p.meters {
		most = min(most, p.meters[i].holds(n))
	}
	return most
}

// settle does everything that is due.
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
