package calctest

import (
	"fmt"
	"time"

	"pgregory.net/rapid"
)

// Settles: after any course of load, once the load is constant, the size changes
// no more after the time given, counted from the first sync that sees that load.
// It is watched for as long again, and a quarter of an hour at least.
//
// Nothing but load happens. Good rules settle within the stabilization window of
// the way down, the time that the policies take for the way, and twice the
// startup and lag of the pods. Rules do not settle at all, at some load, if a
// metric with a target Value lags behind the size.
func Settles(t *rapid.T, r *Rules, within time.Duration, opts ...Option) {
	c := prepare(t, r, append(opts[:len(opts):len(opts)], Calm(), PhasesUpTo(4)))
	tl := rapid.Custom(func(t *rapid.T) *Timeline {
		tl := c.timeline(t, r)
		tl.Phases = c.phases(r).Draw(t, "phases")
		low, high := c.loadsFor(r)
		last := Phase{Syncs: r.syncs(within) + r.syncs(max(within, 15*time.Minute)) + 1}
		if c.load != nil {
			last.Load = tl.Phases[len(tl.Phases)-1].Load
		} else {
			last.Load = replicas(low, high).Draw(t, "constant load")
		}
		tl.Phases = append(tl.Phases, last)
		return tl
	}).Draw(t, "timeline")
	var constant time.Time
	claim := fmt.Sprintf("Constant load settles within %s, and stays.", span(within))
	c.hold(t, tl, claim, func(s *Sync) string {
		if s.Phase < len(tl.Phases)-1 {
			return ""
		}
		if s.First {
			constant = s.Now
		}
		if s.After == s.Size || s.Now.Before(constant.Add(within)) {
			return ""
		}
		return fmt.Sprintf("the load has been %s since %s, and the size still changes, from %d to %d",
			number(tl.Phases[s.Phase].Load), since(constant), s.Size, s.After)
	})
}
