package calctest

import (
	"fmt"
	"math"
	"time"

	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator/internal/words"
	"github.com/purehpa/hpa/calculator/prove"
)

// AnswersStep: after a step of load, the size suffices within the given time of
// the first sync that sees the new level. It suffices if all metrics are within
// the scaleUp tolerance of their targets with the load shared by that many
// ready pods, or if it is maxReplicas.
//
// The size before is the one that the first level needs, at least minReplicas.
// Nothing happens except load. The startup of the new pods does not count. With
// WithLoad, each rise that lasts long enough is such a step.
//
// The claim does not hold if scaling up is disabled. With a Setup.Capacity, it
// does not hold for a target so close to it that the capacity is within
// tolerance.
func AnswersStep(t *rapid.T, setup *prove.Setup, within time.Duration, opts ...Option) {
	c := prepare(t, setup, append(opts[:len(opts):len(opts)], LoadOnly()))
	tl := rapid.Custom(func(t *rapid.T) *prove.Timeline {
		tl := c.timeline(t, setup)
		if c.load != nil {
			tl.Segments = c.load.segments(setup)
		} else {
			low, high := c.loadsFor(setup)
			from := replicas(low, high).Draw(t, "load before")
			tl.Segments = []prove.Segment{
				{Syncs: rapid.IntRange(1, 12).Draw(t, "syncs before"), Load: from},
				{Syncs: setup.Syncs(within) + 1, Load: replicas(from, high).Draw(t, "load after")},
			}
		}
		tl.Size = int32(min(max(math.Ceil(tl.Segments[0].Load), float64(setup.Spec.Bounds().Min)), float64(setup.Spec.MaxReplicas)))
		tl.ScaledToZero = tl.Size == 0
		return tl
	}).Draw(t, "timeline")
	var rose time.Time
	claim := fmt.Sprintf("A step of load is answered within %s.", words.Span(within))
	c.hold(t, tl, claim, func(s *prove.Sync) string {
		load := tl.Segments[s.Segment].Load
		if s.Segment == 0 || load <= tl.Segments[s.Segment-1].Load {
			return ""
		}
		if s.First {
			rose = s.Now
		}
		if s.Now.Before(rose.Add(within)) || tl.Carries(s.After, load) {
			return ""
		}
		return fmt.Sprintf("the load has been %s since %s, %s before that, and the size is %d",
			words.Number(load), since(rose), words.Number(tl.Segments[s.Segment-1].Load), s.After)
	})
}
