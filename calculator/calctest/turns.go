package calctest

import (
	"fmt"
	"time"

	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator/internal/words"
	"github.com/purehpa/hpa/calculator/prove"
)

// TurnsAtMost: under a load that varies by at most the given fraction of its
// lowest level, the size does not flap. Within any hour, the direction of its
// changes turns at most that many times, from up to down or from down to up.
//
// Nothing happens except load. With a fraction of 0.2, the load may vary
// between 10 and 12. Without stabilization windows and tolerance, each change
// of load changes the size. A load given by WithLoad may vary by more.
func TurnsAtMost(t *rapid.T, setup *prove.Setup, turns int, fraction float64, opts ...Option) {
	c := prepare(t, setup, append(opts[:len(opts):len(opts)], LoadOnly()))
	turns = max(turns, 0)
	tl := rapid.Custom(func(t *rapid.T) *prove.Timeline {
		tl := c.timeline(t, setup)
		if c.load != nil {
			tl.Segments = c.load.segments(setup)
			return tl
		}
		low, high := c.loadsFor(setup)
		base := replicas(low, high/(1+max(fraction, 0))).Draw(t, "lowest load")
		hour := setup.Syncs(time.Hour)
		tl.Segments = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) prove.Segment {
			return prove.Segment{
				Syncs: rapid.IntRange(1, max(hour/8, 1)).Draw(t, "syncs"),
				Load:  replicas(base, base*(1+max(fraction, 0))).Draw(t, "load"),
			}
		}), 1, 24).Draw(t, "segments")
		return tl
	}).Draw(t, "timeline")
	var last int32 // direction: 1 is up, -1 is down
	var turned []time.Time
	claim := fmt.Sprintf("A load that varies by %s makes the size turn at most %d times an hour.", words.Number(fraction), turns)
	c.hold(t, tl, claim, func(s *prove.Sync) string {
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
			return fmt.Sprintf("the size turns for the %s time within an hour, from %d to %d", words.Ordinal(turns+1), s.Size, s.After)
		}
		return ""
	})
}
