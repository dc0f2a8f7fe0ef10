package lint

import (
	"fmt"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/internal/pace"
	"github.com/purehpa/hpa/calculator/internal/words"
)

const (
	// maxLimits is how many limits of policies are computed to find out how
	// long a direction takes.
	maxLimits = 20_000
	// maxPace is how many moments a case shows.
	maxPace = 3
)

// stuckAtZero finds policies that allow no pod from size 0, and reports whether
// the direction starts there and they do not.
func (l *linter) stuckAtZero(d *direction) bool {
	if d.from > 0 || l.allowed(0, d.to) > 0 {
		return false
	}
	if !l.down.disabled { // else nobody but a person sets that size
		l.find(StuckAtZero, d.path+".policies", "the policies allow no pod from size 0: the size never rises again once it is 0",
			numbers{"minReplicas": 0}, steady(0), proposal(l.apart, 0, d.to, 0))
	}
	return true
}

// pace finds policies that take long from one bound to the other.
func (l *linter) pace(d *direction) {
	kind, name, allowed := SlowScaleDown, "down", l.facts.Fall
	if d.up {
		kind, name, allowed = SlowScaleUp, "up", l.facts.Rise
	}
	if d.rules == nil || l.stuckAtZero(d) || allowed <= 0 || l.facts.SyncPeriod <= 0 || l.cooldown != (behavior.Cooldown{}) {
		return
	}
	took, size, c := l.scale(d)
	if took <= allowed {
		return
	}
	takes, seconds := "takes", "seconds"
	if size != d.to {
		takes, seconds = "takes at least", "leastSeconds"
	}
	l.find(kind, d.path+".policies",
		fmt.Sprintf("scaling %s from %d to %d %s %s, longer than %s", name, d.from, d.to, takes, words.Span(took), words.Span(allowed)),
		numbers{"from": float64(d.from), "to": float64(d.to), seconds: took.Seconds(), "allowedSeconds": allowed.Seconds()}, c...)
}

// scale makes the syncs that change the size, from one bound towards the other,
// until it is there or enough limits have been computed. It returns the size
// then, how long it took, and the first syncs.
func (l *linter) scale(d *direction) (took time.Duration, size int32, c []Moment) {
	period := l.facts.SyncPeriod
	w := pace.New(l.behavior, d.up, period).Steady(d.from, d.to)
	c = []Moment{steady(d.from)}
	for size = d.from; w.Next(maxLimits); size = w.Size {
		if took = time.Duration(w.Sync) * period; len(c) <= maxPace {
			c = append(c, proposal(l.apart+took, size, d.to, w.Size))
		}
	}
	if size != d.to { // it is not there at the next sync that would change it
		took = time.Duration(w.Sync) * period
	}
	return took, size, c
}
