package calctest

import (
	"fmt"
	"time"

	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/internal/words"
	"github.com/purehpa/hpa/calculator/prove"
)

const aboveWindow = "No size falls below the highest recommendation in the scaleDown window."

// AboveWindow: no sync scales down below a recommendation within the scaleDown
// stabilization window, its own included. The size at the first sync counts as
// a recommendation. Without a behavior the window is inclusive; with one, a
// recommendation that is exactly as old no longer counts.
//
// Recommendations are those that the decisions chose. One above the size only
// keeps the size from falling.
//
// The exception is a size above the maximum, which goes straight to the
// maximum. Syncs without a decision and those at sizes out of bounds recommend
// nothing.
func AboveWindow(t *rapid.T, setup *prove.Setup, opts ...Option) {
	c := prepare(t, setup, opts)
	tl := Timelines(setup, opts...).Draw(t, "timeline")
	window, inclusive := downWindow(setup)
	var asked []change
	c.hold(t, tl, aboveWindow, func(s *prove.Sync) string {
		d := s.Decision
		if d.Zone == calculator.NoZone {
			return ""
		}
		if len(asked) == 0 {
			asked = append(asked, change{s.Now, s.Size})
		}
		if len(d.Proposals) > 0 && !d.Choice.Blocked {
			asked = append(asked, change{s.Now, d.Choice.Replicas})
		}
		if d.Zone != calculator.ZoneNormal || s.After >= s.Size {
			return ""
		}
		cutoff := s.Now.Add(-window)
		for _, a := range asked {
			if s.After < min(a.to, s.Size) && (a.at.After(cutoff) || inclusive && a.at.Equal(cutoff)) {
				return fmt.Sprintf("%d becomes %d, though %d was asked for at %s, within the window of %s",
					s.Size, s.After, a.to, since(a.at), words.Span(window))
			}
		}
		return ""
	})
}

// downWindow returns the scaleDown stabilization window, and whether it is
// inclusive. It is independent of behavior.Windows, which decisions use.
func downWindow(s *prove.Setup) (window time.Duration, inclusive bool) {
	window = s.Settings.DownscaleStabilization
	b := s.Spec.Behavior
	if b == nil {
		return window, true
	}
	if w := b.ScaleDown.StabilizationWindowSeconds; w != nil {
		return time.Duration(*w) * time.Second, false
	}
	return window.Truncate(time.Second), false
}
