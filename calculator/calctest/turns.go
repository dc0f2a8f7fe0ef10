package calctest

import (
	"fmt"
	"time"

	"pgregory.net/rapid"
)

// TurnsAtMost: under a load that wavers, but by no more than the given fraction
// of its lowest level, the direction of change turns at most that often within
// any hour: from up to down, or from down to up.
//
// Nothing but load happens. A fraction of 0.2 is a load between 10 and 12, say.
// How often that is up to the stabilization windows and the tolerance: without
// either, each change of load is one of the size, too. With ThisLoad, it is that
// load that must not make the size turn, whatever it does.
func TurnsAtMost(t *rapid.T, r *Rules, turns int, fraction float64, opts ...Option) {
	c := prepare(t, r, append(opts[:len(opts):len(opts)], Calm()))
	tl := rapid.Custom(func(t *rapid.T) *Timeline {
		tl := c.timeline(t, r)
		if c.load != nil {
			tl.Phases = c.load.phases(r)
			return tl
		}
		low, high := c.loadsFor(r)
		base := replicas(low, high/(1+max(fraction, 0))).Draw(t, "lowest load")
		hour := r.syncs(time.Hour)
		tl.Phases = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Phase {
			return Phase{
				Syncs: rapid.IntRange(1, max(hour/8, 1)).Draw(t, "syncs"),
				Load:  replicas(base, base*(1+max(fraction, 0))).Draw(t, "load"),
			}
		}), 1, 24).Draw(t, "phases")
		return tl
	}).Draw(t, "timeline")
	var last int32 // the direction
	var turned []time.Time
	claim := fmt.Sprintf("A load that wavers by %s makes the size turn at most %d times an hour.", number(fraction), turns)
	c.hold(t, tl, claim, func(s *Sync) string {
		way := int32(0)
		switch {
		case s.After > s.Size:
			way = 1
		case s.After < s.Size:
			way = -1
		}
		if way != 0 && last == -way {
			turned = append(turned, s.Now)
		}
		if way != 0 {
			last = way
		}
		if n := len(turned); n > turns && turned[n-1].Sub(turned[n-1-turns]) < time.Hour {
			return fmt.Sprintf("the size turns for the %s time within an hour, from %d to %d", ordinal(turns+1), s.Size, s.After)
		}
		return ""
	})
}

func ordinal(n int) string {
	switch {
	case n%100/10 == 1:
	case n%10 == 1:
		return fmt.Sprintf("%dst", n)
	case n%10 == 2:
		return fmt.Sprintf("%dnd", n)
	case n%10 == 3:
		return fmt.Sprintf("%drd", n)
	}
	return fmt.Sprintf("%dth", n)
}
