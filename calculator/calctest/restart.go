package calctest

import (
	"fmt"

	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/prove"
)

const restartChangesNothing = "A restart with the state changes nothing."

// RestartChangesNothing: encoding and decoding the state before a sync changes
// neither the decision nor the state after it.
//
// A lost state is another matter. Policies then forget the changes within their
// periods, windows hold the size at that time, and a target scaled to zero does
// not come back. See WithRestart for other restarts.
func RestartChangesNothing(t *rapid.T, setup *prove.Setup, opts ...Option) {
	c := prepare(t, setup, opts)
	c.KeepBefore = true
	tl := Timelines(setup, opts...).Draw(t, "timeline")
	var d calculator.Decision
	c.hold(t, tl, restartChangesNothing, func(s *prove.Sync) string {
		st := s.Before.Clone()
		if err := c.Restart(&st); err != nil {
			return fmt.Sprintf("the state does not survive a restart: %v", err)
		}
		c.again(&d, s, setup, s.Observation, &st)
		if what := differ(&d, s.Decision); what != "" {
			return "after a restart, " + what
		}
		if !st.Equal(s.State) {
			return "after a restart, the state would be another one"
		}
		return ""
	})
}

// again decides like s, on another observation or state, and records the same
// outcome of the write.
func (c *config) again(d *calculator.Decision, s *prove.Sync, setup *prove.Setup, obs *calculator.Observation, st *calculator.State) {
	c.Decide(d, s.Now, &setup.Settings, setup.Spec, obs, st)
	if d.Rescale && s.Decision.Outcome == calculator.OutcomeNotWritten {
		st.Failed(s.Now, d, prove.ErrWrite)
	} else {
		st.Applied(s.Now, d)
	}
}
