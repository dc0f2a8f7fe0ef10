package calctest

import (
	"fmt"

	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator"
)

const restartChangesNothing = "A restart with the state changes nothing."

// RestartChangesNothing: with the state encoded and decoded again before each
// sync, all decisions are the same as without, and so are the states that
// follow: sizes, reasons, conditions, and until when they hold.
//
// A state that is lost is no such restart. Then policies forget the changes of
// their periods, which lets the size change further; the windows hold the size
// at that moment; and a target that was scaled to zero does not come back.
// Restarting says what a restart does.
func RestartChangesNothing(t *rapid.T, r *Rules, opts ...Option) {
	c := prepare(t, r, opts)
	c.remember = true
	tl := Timelines(r, opts...).Draw(t, "timeline")
	var d calculator.Decision
	c.hold(t, tl, restartChangesNothing, func(s *Sync) string {
		st := s.before.Clone()
		if err := c.restart(&st); err != nil {
			return fmt.Sprintf("the state does not survive a restart: %v", err)
		}
		c.decide(&d, s.Now, &r.Settings, r.Spec, s.Observation, &st)
		if d.Rescale && s.Decision.Outcome == calculator.NotWritten {
			st.Failed(s.Now, &d, errWrite)
		} else {
			st.Applied(s.Now, &d)
		}
		if what := differ(&d, s.Decision); what != "" {
			return "after a restart, " + what
		}
		if !st.Equal(s.state) {
			return "after a restart, the state would be another one"
		}
		return ""
	})
}
