package calctest

import (
	"fmt"
	"time"

	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator"
)

const aboveWindow = "No size falls below the highest recommendation of the down window."

// AboveWindow: a sync that lowers the size does not lower it below what the
// metrics asked for at any sync within the stabilization window of the way down,
// the sync itself included. The size at the first sync counts as asked for then.
// With a behavior, what was asked for exactly a window ago no longer counts;
// without, it does.
//
// What was asked for is what the decisions say they chose. Asking for more than
// the size is does not raise it here: policies and the maximum may have kept it
// down, and it then stays.
//
// Exceptions: a size above the maximum goes straight to the maximum. Syncs
// without a decision, and those at sizes out of bounds, ask for nothing.
func AboveWindow(t *rapid.T, r *Rules, opts ...Option) {
	c := prepare(t, r, opts)
	tl := Timelines(r, opts...).Draw(t, "timeline")
	window, inclusive := r.downWindow()
	var asked []change
	c.hold(t, tl, aboveWindow, func(s *Sync) string {
		d := s.Decision
		if d.Zone == calculator.NoZone {
			return ""
		}
		if len(asked) == 0 {
			asked = append(asked, change{s.Now, s.Size})
		}
		if len(d.Metrics) > 0 && !d.Choice.Blocked {
			asked = append(asked, change{s.Now, d.Choice.Replicas})
		}
		if d.Zone != calculator.Normal || s.After >= s.Size {
			return ""
		}
		cutoff := s.Now.Add(-window)
		for _, a := range asked {
			if s.After < min(a.to, s.Size) && (a.at.After(cutoff) || inclusive && a.at.Equal(cutoff)) {
				return fmt.Sprintf("%d becomes %d, though %d was asked for at %s, within the window of %s",
					s.Size, s.After, a.to, since(a.at), span(window))
			}
		}
		return ""
	})
}

// downWindow returns the stabilization window of the way down, and whether it
// holds what is exactly as old.
func (r *Rules) downWindow() (window time.Duration, inclusive bool) {
	window = r.Settings.DownscaleStabilization
	b := r.Spec.Behavior
	if b == nil {
		return window, true
	}
	if w := b.ScaleDown.StabilizationWindowSeconds; w != nil {
		return time.Duration(*w) * time.Second, false
	}
	return window.Truncate(time.Second), false
}
