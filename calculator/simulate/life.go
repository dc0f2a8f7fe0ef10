package simulate

import (
	"strconv"
	"time"

	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// moveOn advances every pod whose next transition is due.
func (p *pods) moveOn() {
	gone := false
	for i := range p.pods {
		q := &p.pods[i]
		if q.leaving {
			gone = gone || q.next <= p.now
			continue
		}
		for q.next <= p.now {
			switch {
			case !q.runs:
				p.run(i)
			case !q.serving:
				p.serve(i)
			default:
				p.fall(i)
			}
		}
	}
	if gone {
		p.bury()
	}
}

// bury removes the deleted pods whose grace period is over.
func (p *pods) bury() {
	n := 0
	for i := range p.pods {
		if q := &p.pods[i]; q.leaving && q.next <= p.now {
			continue
		}
		p.pods[n], p.api[n] = p.pods[i], p.api[i]
		n++
	}
	clear(p.api[n:]) // their names
	p.pods, p.api = p.pods[:n], p.api[:n]
	p.version++
}

// create adds n Pending pods.
func (p *pods) create(n int) {
	for range max(n, 0) {
		p.created++
		q := pod{number: p.created, generation: p.generation}
		q.next = p.now.Add(p.draw(drawPending, &q, p.Pending))
		a := p.template
		a.Name = "pod-" + strconv.FormatUint(q.number, 10)
		a.Phase, a.StartTime = podgroup.PhasePending, p.now
		a.Ready, a.ReadyTransition = podgroup.ReadyFalse, p.now
		p.pods, p.api = append(p.pods, q), append(p.api, a)
		p.live++
		p.version++
	}
}

// draw returns a random duration for the pod. It depends on the seed, not on
// what was drawn before.
func (p *pods) draw(what uint64, q *pod, d Distribution) time.Duration {
	r := NewRand(p.seed, what, q.number, q.crashes)
	return draw(d, &r)
}

// run starts the containers of pod i.
func (p *pods) run(i int) {
	q, a := &p.pods[i], &p.api[i]
	q.runs, q.container = true, p.now
	q.next = p.now.Add(roundUp(p.draw(drawStartup, q, p.Startup), p.ProbePeriod))
	a.Phase = podgroup.PhaseRunning
	p.version++
}

// serve makes pod i ready.
func (p *pods) serve(i int) {
	q, a := &p.pods[i], &p.api[i]
	q.serving, q.since = true, p.now
	q.next = p.crash(i)
	a.Ready, a.ReadyTransition = podgroup.ReadyTrue, p.now
	p.serving++
	p.version++
}

// crash returns when pod i, which just became ready, crashes.
func (p *pods) crash(i int) metrics.Instant {
	if p.CrashAfter == nil {
		return never
	}
	return p.now.Add(max(p.draw(drawCrash, &p.pods[i], p.CrashAfter), time.Second))
}

// fall makes pod i crash.
func (p *pods) fall(i int) {
	q, a := &p.pods[i], &p.api[i]
	q.runs, q.serving = false, false
	q.next = p.now.Add(p.draw(drawRestart, q, p.Restart))
	q.crashes++
	a.Ready, a.ReadyTransition = podgroup.ReadyFalse, p.now
	p.serving--
	p.version++
}

// leave deletes pod i.
func (p *pods) leave(i int) {
	q, a := &p.pods[i], &p.api[i]
	if q.serving {
		p.serving--
	}
	q.leaving, q.runs, q.serving = true, false, false
	q.next = p.now.Add(p.Grace)
	a.Deleted = true
	p.live--
	if q.generation != p.generation {
		p.old--
	}
	p.version++
}

// roundUp returns the first multiple of every that is not below d, or d if
// every is not positive.
func roundUp(d, every time.Duration) time.Duration {
	if every <= 0 || d%every == 0 {
		return d
	}
	return addSat(d, every-d%every)
}
