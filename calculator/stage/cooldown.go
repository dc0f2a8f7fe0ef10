package stage

import (
	"github.com/purehpa/hpa/behavior"
)

// Cooldown is what the optional cooldown made of the size. Until of its stage
// is when the change is allowed.
type Cooldown struct {
	// Desired is the size before the stage.
	Desired int32 `json:"desired"`
	// Backoff is the directions that the last change of size forbids.
	Backoff behavior.Backoff `json:"backoff,omitempty"`
}

func (c *Cooldown) appendTo(w *writer) {
	w.say("%s", w.size())
	switch {
	case w.low != w.high:
		w.say(".")
	case w.low != c.Desired:
		w.say(" instead of %d, because the last change of size is too recent. This one is allowed from %s.", c.Desired, w.moment(w.until))
	case c.Backoff == behavior.BackoffUpscale:
		w.say(". The last change of size forbids scaling up only.")
	case c.Backoff == behavior.BackoffDownscale:
		w.say(". The last change of size forbids scaling down only.")
	default:
		w.say(", unchanged.")
	}
}
