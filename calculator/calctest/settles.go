package calctest

import (
	"fmt"
	"time"

	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator/internal/words"
	"github.com/purehpa/hpa/calculator/prove"
)

// Settles: once the load is constant, the size stops changing within the given
// time of the first sync that sees that load. The timeline goes on for the same
// time again, at least 15 minutes.
//
// Nothing happens except load. Good rules settle within the sum of the
// scaleDown stabilization window, the time that policies take to get there, and
// twice the startup and lag of the pods. If a metric with a target Value lags,
// there are loads at which no rules settle.
func Settles(t *rapid.T, setup *prove.Setup, within time.Duration, opts ...Option) {
	c := prepare(t, setup, append(opts[:len(opts):len(opts)], LoadOnly(), SegmentsUpTo(4)))
	tl := rapid.Custom(func(t *rapid.T) *prove.Timeline {
		tl := c.timeline(t, setup)
		tl.Segments = c.segments(setup).Draw(t, "segments")
		low, high := c.loadsFor(setup)
		last := prove.Segment{Syncs: setup.Syncs(within) + setup.Syncs(max(within, 15*time.Minute)) + 1}
		if c.load != nil {
			last.Load = tl.Segments[len(tl.Segments)-1].Load
		} else {
			last.Load = replicas(low, high).Draw(t, "constant load")
		}
		tl.Segments = append(tl.Segments, last)
		return tl
	}).Draw(t, "timeline")
	var constant time.Time
	claim := fmt.Sprintf("Constant load settles within %s, and stays.", words.Span(within))
	c.hold(t, tl, claim, func(s *prove.Sync) string {
		if s.Segment < len(tl.Segments)-1 {
			return ""
		}
		if s.First {
			constant = s.Now
		}
		if s.After == s.Size || s.Now.Before(constant.Add(within)) {
			return ""
		}
		return fmt.Sprintf("the load has been %s since %s, and the size still changes, from %d to %d",
			words.Number(tl.Segments[s.Segment].Load), since(constant), s.Size, s.After)
	})
}
