package calctest

import (
	"fmt"
	"math"
	"time"

	"pgregory.net/rapid"
)

// AnswersStep: when the load rises from one constant level to another, then,
// once the time given has passed since the first sync that sees the new level,
// the size carries it: no metric would be above its target by more than the
// tolerance of the way up if the load were shared by as many ready pods as the
// size, or the size is maxReplicas.
//
// The size before is the one that the load before takes, or minReplicas if that
// is more; nothing but load happens. It is the size that answers; pods take
// their startup more. With ThisLoad, each rise that lasts for long enough is
// held against the statement.
//
// It does not hold where scaling up is disabled, nor, if pods can use no more
// cpu than so much (Rules.Capacity), for targets so near to it that the tolerance
// reaches it.
func AnswersStep(t *rapid.T, r *Rules, within time.Duration, opts ...Option) {
	c := prepare(t, r, append(opts[:len(opts):len(opts)], Calm()))
	tl := rapid.Custom(func(t *rapid.T) *Timeline {
		tl := c.timeline(t, r)
		if c.load != nil {
			tl.Phases = c.load.phases(r)
		} else {
			low, high := c.loadsFor(r)
			from := replicas(low, high).Draw(t, "load before")
			tl.Phases = []Phase{
				{Syncs: rapid.IntRange(1, 12).Draw(t, "syncs before"), Load: from},
				{Syncs: r.syncs(within) + 1, Load: replicas(from, high).Draw(t, "load after")},
			}
		}
		tl.Size = int32(min(max(math.Ceil(tl.Phases[0].Load), float64(r.minReplicas())), float64(r.Spec.MaxReplicas)))
		tl.ScaledToZero = tl.Size == 0
		return tl
	}).Draw(t, "timeline")
	aims := newWorkload(tl).aims
	var rose time.Time
	claim := fmt.Sprintf("A step of load is answered within %s.", span(within))
	c.hold(t, tl, claim, func(s *Sync) string {
		load := tl.Phases[s.Phase].Load
		if s.Phase == 0 || load <= tl.Phases[s.Phase-1].Load {
			return ""
		}
		if s.First {
			rose = s.Now
		}
		if s.Now.Before(rose.Add(within)) || tl.carries(aims, s.After, load) {
			return ""
		}
		return fmt.Sprintf("the load has been %s since %s, %s before that, and the size is %d",
			number(load), since(rose), number(tl.Phases[s.Phase-1].Load), s.After)
	})
}

// carries reports whether so many ready pods carry the load.
func (tl *Timeline) carries(aims []aim, size int32, load float64) bool {
	if size >= tl.Rules.Spec.MaxReplicas {
		return true
	}
	up, _ := tl.Rules.tolerance()
	for i := range aims {
		total := aims[i].total(load, tl.share(i), int(size))
		if size == 0 && total > 0 || aims[i].ratio(total, int(size)) > 1+up {
			return false
		}
	}
	return true
}
