package prove

import (
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
)

// Decider makes a decision as calculator.DecideInto does.
type Decider func(d *calculator.Decision, now time.Time, settings *calculator.Settings, spec *autoscaling.HorizontalPodAutoscalerSpec, obs *calculator.Observation, st *calculator.State)

// Runner runs timelines. The zero Runner runs them as Timeline.Run does.
type Runner struct {
	// Decide is the decision. Nil means calculator.DecideInto.
	Decide Decider
	// Restart is what the trouble Restarted does to the state. Nil means the
	// function Restart. If it fails, the state is lost.
	Restart func(*calculator.State) error
	// KeepBefore keeps the state before each decision, in Sync.Before.
	KeepBefore bool
}

// Restart encodes the state to its binary form and decodes it again, as a
// controller does that restarts.
func Restart(st *calculator.State) error {
	data, err := st.MarshalBinary()
	if err != nil {
		return err
	}
	var after calculator.State
	if err := after.UnmarshalBinary(data); err != nil {
		return err
	}
	*st = after
	return nil
}
