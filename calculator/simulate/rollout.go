package simulate

// reconcile creates and removes pods until there are as many as are wanted, or,
// during a rollout, as many as may be replaced at once.
func (p *pods) reconcile() {
	for p.old > 0 {
		before := p.version
		p.replace()
		if p.version == before {
			return
		}
	}
	p.create(p.wanted - p.live)
	p.remove(p.live-p.wanted, choice{old: true, fresh: true})
}

// replace goes on with a rollout, as the rolling update of Kubernetes'
// Deployment controller does: new pods come as far as the surge allows, and old
// ones go as far as enough pods stay ready.
func (p *pods) replace() {
	surge := p.MaxSurge.of(p.wanted, 99)
	unavailable := p.MaxUnavailable.of(p.wanted, 0)
	if surge == 0 && unavailable == 0 {
		unavailable = 1
	}
	// A size that shrinks takes pods that do not serve first, then old ones.
	p.remove(p.live-p.wanted-surge, choice{old: true, fresh: true, idle: true})
	p.remove(p.live-p.wanted-surge, choice{old: true})
	p.remove(p.live-p.old-p.wanted, choice{fresh: true})
	p.create(min(p.wanted-(p.live-p.old), p.wanted+surge-p.live))

	// Old pods that do not serve make way, unless new ones that do not serve
	// yet have taken the room for that.
	starting := 0
	for i := range p.pods {
		if q := &p.pods[i]; !q.leaving && !q.serving && q.generation == p.generation {
			starting++
		}
	}
	least := p.wanted - unavailable
	p.remove(p.live-least-starting, choice{old: true, idle: true})
	if p.serving > least {
		p.remove(p.old, choice{old: true, idle: true})
		p.remove(p.serving-least, choice{old: true})
	}
}

// choice is which pods may be removed.
type choice struct {
	// old or fresh pods, and none that serve.
	old, fresh, idle bool
}

// rank tells which pods go first.
func (q *pod) rank() int {
	switch {
	case !q.runs && q.crashes == 0:
		return 0
	case !q.serving:
		return 1
	}
	return 2
}

// remove makes n pods of the choice go, or all there are: the Pending ones
// first, then those that are not ready, then the others, the newest of each
// first.
func (p *pods) remove(n int, which choice) {
	if n <= 0 {
		return
	}
	for rank := 0; rank <= 2; rank++ {
		for i := len(p.pods) - 1; i >= 0 && n > 0; i-- {
			q := &p.pods[i]
			old := q.generation != p.generation
			if q.leaving || q.rank() != rank || old && !which.old || !old && !which.fresh || q.serving && which.idle {
				continue
			}
			p.leave(i)
			n--
		}
	}
	if p.Grace == 0 {
		p.bury()
	}
}
