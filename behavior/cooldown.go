package behavior

import "time"

// Cooldown forbids scaling too soon after the last scale, whichever direction
// that had. It is the upscale and downscale delay of the releases before 1.12,
// which stabilization windows replaced. The zero Cooldown forbids nothing.
type Cooldown struct {
	// Up is how long scaling up is forbidden after a scale
	// (--horizontal-pod-autoscaler-upscale-delay, 3 minutes).
	Up time.Duration
	// Down is how long scaling down is forbidden after a scale
	// (--horizontal-pod-autoscaler-downscale-delay, 5 minutes).
	Down time.Duration
}

// DefaultCooldown returns the defaults of the releases before 1.12.
func DefaultCooldown() Cooldown {
	return Cooldown{Up: 3 * time.Minute, Down: 5 * time.Minute}
}

// Backoff says which directions a [Cooldown] forbids. Its values are the
// reasons of the condition AbleToScale in those releases.
type Backoff string

const (
	// NoBackoff: neither.
	NoBackoff Backoff = ""
	// BackoffUpscale: scaling up.
	BackoffUpscale Backoff = "BackoffUpscale"
	// BackoffDownscale: scaling down.
	BackoffDownscale Backoff = "BackoffDownscale"
	// BackoffBoth: both.
	BackoffBoth Backoff = "BackoffBoth"
)

// Message returns the message of that condition, that of [NoBackoff] for
// unknown values.
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

// CooldownResult is the outcome of a Cooldown.
type CooldownResult struct {
	// Desired is the size before, Replicas after. Replicas is the current size
	// if the direction is forbidden.
	Desired  int32 `json:"desired"`
	Replicas int32 `json:"replicas"`
	// Backoff says which directions are forbidden now, desired or not.
	Backoff Backoff `json:"backoff,omitempty"`
	// Until is the first moment at which the change is allowed, in UTC. It is
	// the zero time.Time if it is allowed now.
	Until time.Time `json:"until,omitzero"`
}

// Apply keeps the current size if the direction of the change is forbidden. A
// delay is inclusive: a scale of exactly that age still forbids. A zero
// lastScale means that there was none, and one after now is treated as now.
// Wall clocks are compared.
func (c Cooldown) Apply(now, lastScale time.Time, current, desired int32) CooldownResult {
	r := CooldownResult{Desired: desired, Replicas: desired}
	if lastScale.IsZero() {
		return r
	}
	// A last scale that was decoded has no monotonic clock.
	now, lastScale = now.Round(0), lastScale.Round(0).UTC()
	if lastScale.After(now) {
		lastScale = now.UTC()
	}
	// Though inclusive, a delay of zero forbids nothing.
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
