package simulate

// reconcile creates and deletes pods until there are as many as wanted, or,
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

// replace continues a rollout like the rolling update of Kubernetes' Deployment
// controller: it creates new pods up to the surge, and deletes old ones as long
// as enough pods stay ready.
func (p *pods) replace() {
	surge := p.MaxSurge.of(p.wanted, 99)
	unavailable := p.MaxUnavailable.of(p.wanted, 0)
	if surge == 0 && unavailable == 0 {
		unavailable = 1
	}
	// Scaling down deletes idle pods first, then old ones.
	p.remove(p.live-p.wanted-surge, choice{old: true, fresh: true, idle: true})
	p.remove(p.live-p.wanted-surge, choice{old: true})
	p.remove(p.live-p.old-p.wanted, choice{fresh: true})
	p.create(min(p.wanted-(p.live-p.old), p.wanted+surge-p.live))

	// Delete old idle pods, as far as new pods that are still starting leave
	// room for it.
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

// choice selects the pods that may be removed.
type choice struct {
	// old or fresh pods; idle excludes those that serve.
	old, fresh, idle bool
}

// rank orders pods for removal, lowest first.
func (q *pod) rank() int {
	switch {
	case !q.runs && q.crashes == 0:
		return 0
	case !q.serving:
		return 1
	}
	return 2
}

// remove deletes up to n pods of the choice: Pending ones first, then unready
// ones, then ready ones, and of each the newest first.
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
