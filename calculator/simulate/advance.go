package simulate

import (
	"slices"
	"time"

	"github.com/purehpa/hpa/metrics"
)

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
			// A load that says it changes at once is asked again at the next
			// transition.
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
	performance := a.performance()
	performance.TargetUnknown = !slices.ContainsFunc(p.meters, func(m meter) bool { return m.aimed })
	return performance
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
