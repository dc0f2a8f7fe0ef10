package behavior

import (
	"fmt"
	"time"
)

// Cooldown forbids to scale again so soon after the last scale, in whichever
// direction that one went: the upscale and downscale delays of the releases
// before 1.12, which stabilization windows replaced. It is an option, and the
// zero Cooldown forbids nothing.
type Cooldown struct {
	// Up is the time after a scale in which the size may not rise
	// (--horizontal-pod-autoscaler-upscale-delay, 3 minutes).
	Up time.Duration
	// Down is the time after a scale in which the size may not fall
	// (--horizontal-pod-autoscaler-downscale-delay, 5 minutes).
	Down time.Duration
}

// DefaultCooldown returns the defaults of the releases before 1.12.
func DefaultCooldown() Cooldown {
	return Cooldown{Up: 3 * time.Minute, Down: 5 * time.Minute}
}

// Backoff is which directions a Cooldown forbids at a moment.
type Backoff uint8

const (
	// NoBackoff: none.
	NoBackoff Backoff = iota
	// BackoffUpscale: only the way up.
	BackoffUpscale
	// BackoffDownscale: only the way down.
	BackoffDownscale
	// BackoffBoth: both.
	BackoffBoth
)

// String returns the reason of the condition AbleToScale in those releases:
// "BackoffUpscale", "BackoffDownscale" or "BackoffBoth", and "ReadyForNewScale".
func (b Backoff) String() string {
	switch b {
	case NoBackoff:
		return "ReadyForNewScale"
	case BackoffUpscale:
		return "BackoffUpscale"
	case BackoffDownscale:
		return "BackoffDownscale"
	case BackoffBoth:
		return "BackoffBoth"
	}
	return fmt.Sprintf("Backoff(%d)", uint8(b))
}

// MarshalText returns the word of String.
func (b Backoff) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// UnmarshalText reads what MarshalText writes. The error is a *metrics.WordError.
func (b *Backoff) UnmarshalText(text []byte) error {
	return parseWord(b, "behavior.Backoff", text, Backoff.String)
}

// Message returns the message of that condition.
func (b Backoff) Message() string {
	switch b {
	case BackoffUpscale:
		return "the time since the previous scale is still within the upscale forbidden window"
	case BackoffDownscale:
		return "the time since the previous scale is still within the downscale forbidden window"
	case BackoffBoth:
		return "the time since the previous scale is still within both the downscale and upscale forbidden windows"
	}
	return "the last scale time was sufficiently old as to warrant a new scale"
}

// Cooled is the outcome of a Cooldown.
type Cooled struct {
	// Desired is the size before, Replicas after: the current size, if the
	// direction is forbidden.
	Desired, Replicas int32
	// Backoff is which directions are forbidden now, asked for or not.
	Backoff Backoff
	// Until is the first moment at which the change asked for is allowed, in
	// UTC; the zero time.Time if it is allowed now.
	Until time.Time
}

// Apply keeps the current size if the direction of the change is forbidden at
// now. A scale that is exactly as long ago as the delay still forbids. A last
// scale of the zero time.Time means that there was none; one from after now is
// taken as having happened now. Wall clocks are compared, monotonic readings
// ignored.
func (c Cooldown) Apply(now, lastScale time.Time, current, desired int32) Cooled {
	r := Cooled{Desired: desired, Replicas: desired}
	if lastScale.IsZero() {
		return r
	}
	// A last scale that was read back has no monotonic clock, and must mean the
	// same.
	now, lastScale = now.Round(0), lastScale.Round(0).UTC()
	if lastScale.After(now) {
		lastScale = now.UTC()
	}
	// A delay of zero forbids nothing, not even at the moment of the scale.
	noUp := c.Up > 0 && !lastScale.Add(c.Up).Before(now)
	noDown := c.Down > 0 && !lastScale.Add(c.Down).Before(now)
	switch {
	case noUp && noDown:
		r.Backoff = BackoffBoth
	case noUp:
		r.Backoff = BackoffUpscale
	case noDown:
		r.Backoff = BackoffDownscale
	}
	switch {
	case desired > current && noUp:
		r.Replicas, r.Until = current, lastScale.Add(c.Up).Add(1)
	case desired < current && noDown:
		r.Replicas, r.Until = current, lastScale.Add(c.Down).Add(1)
	}
	return r
}
