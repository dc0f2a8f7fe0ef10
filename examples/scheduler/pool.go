package main

import "time"

// job is a piece of work.
type job struct {
	arrived time.Time
	takes   time.Duration
}

// worker does one job at a time.
type worker struct {
	// free is when it can take the next job.
	free time.Time
	busy bool
	// leaves reports whether it stops once its job is done.
	leaves bool
}

// pool is a queue and its workers.
type pool struct {
	waiting []job
	workers []*worker
	// startup is how long a worker takes to start.
	startup time.Duration
	done    done
}

// done adds up what happened.
type done struct {
	jobs             int
	waited, longest  time.Duration
	started, stopped int
	paid             time.Duration
	most             int
}

func (p *pool) submit(j job) { p.waiting = append(p.waiting, j) }

// staying counts the workers that do not leave.
func (p *pool) staying() int32 {
	n := int32(0)
	for _, w := range p.workers {
		if !w.leaves {
			n++
		}
	}
	return n
}

// jobs counts those that wait and those being done.
func (p *pool) jobs() int {
	n := len(p.waiting)
	for _, w := range p.workers {
		if w.busy {
			n++
		}
	}
	return n
}

// resize starts workers, or lets some leave. Idle ones leave first, since they
// can go at once.
func (p *pool) resize(now time.Time, size int32) {
	for p.staying() < size {
		p.workers = append(p.workers, &worker{free: now.Add(p.startup)})
		p.done.started++
	}
	for _, busy := range []bool{false, true} {
		for i := len(p.workers) - 1; i >= 0 && p.staying() > size; i-- {
			if w := p.workers[i]; !w.leaves && w.busy == busy {
				w.leaves = true
				p.done.stopped++
			}
		}
	}
	p.leave()
}

// leave removes the idle workers that leave.
func (p *pool) leave() {
	stay := p.workers[:0]
	for _, w := range p.workers {
		if !w.leaves || w.busy {
			stay = append(stay, w)
		}
	}
	p.workers = stay
}

// work advances to now, step after the last call. Jobs end, and workers take
// the next ones.
func (p *pool) work(now time.Time, step time.Duration) {
	for _, w := range p.workers {
		if w.busy && !w.free.After(now) {
			w.busy = false
			p.done.jobs++
		}
		if w.busy || w.leaves || w.free.After(now) || len(p.waiting) == 0 {
			continue
		}
		j := p.waiting[0]
		p.waiting = p.waiting[1:]
		w.busy, w.free = true, now.Add(j.takes)
		wait := now.Sub(j.arrived)
		p.done.waited += wait
		p.done.longest = max(p.done.longest, wait)
	}
	p.leave()
	p.done.paid += time.Duration(len(p.workers)) * step
	p.done.most = max(p.done.most, len(p.workers))
}
