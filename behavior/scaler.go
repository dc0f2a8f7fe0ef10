package behavior

import (
	"strconv"
	"time"

	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/stabilize"
)

// Scaler turns proposals into sizes, as the Horizontal Pod Autoscaler does with
// those of its metrics. It is for callers who have proposals of their own, such
// as one worker for every ten jobs of a queue.
//
// Call [Scaler.Step] at a regular interval, such as 15 seconds. Change the size
// to the one that it returns, and report the change with [Scaler.Applied]. The
// sizes are those of calculator.Decide for the same proposals.
//
// The zero Scaler has neither rules nor windows. An autoscaler of Kubernetes
// without a behavior is
//
//	behavior.Scaler{DownscaleStabilization: 5 * time.Minute}
//
// The JSON of a Scaler has what it remembers, and not its rules. To continue
// after a restart, decode it into a Scaler that has them; if that fails, start
// with a new one.
//
// A Scaler is for one goroutine at a time. Copies share memory, so that a Step
// of one changes what the other remembers. The memory of a [Scaler.Clone] is
// its own. To try a step, take it with a clone:
//
//	whatIf := scaler.Clone()
//	step := whatIf.Step(now, change, bounds)
type Scaler struct {
	// Behavior has the rules, such as [Default]. They must have their defaults;
	// see [Behavior.SetDefaults]. Nil means no rules.
	Behavior *Behavior `json:"-"`
	// DownscaleStabilization is how long a proposal keeps the size from falling
	// below it, unless the rules have a window of their own; see
	// [Behavior.Windows].
	DownscaleStabilization time.Duration `json:"-"`
	// Recommendations are the proposals so far.
	Recommendations stabilize.History `json:"recommendations"`
	// Events are the changes so far.
	Events Events `json:"events"`
	// ScaledToZero reports whether the last change was to size 0. Only then
	// does Step scale up from 0. A size of 0 that someone else has set turns
	// scaling off. Set it if the first Step is at size 0.
	ScaledToZero bool `json:"scaledToZero"`

	policies []PolicyLimit
}

// Step is what [Scaler.Step] decided, and why.
type Step struct {
	// Replicas is the size to change to. It is the current size if nothing is
	// to change, and after an error.
	Replicas int32
	// Stabilization is what the windows made of the proposal, and Limits what
	// the policies and bounds made of that. Both are zero if the current size
	// is out of bounds or scaling is off, and after an error.
	Stabilization stabilize.Result
	Limits        LimitResult
	// Policies are the limits of the direction's policies. They are valid until
	// the next call of Step.
	Policies []PolicyLimit
	// Err is a *field.Error that names the argument or rule at fault. The
	// Scaler is then unchanged.
	Err error
}

// Step returns the size for a proposal: c.Desired is proposed for c.Current. It
// computes first, and then records the proposal as a recommendation. The first
// Step also records the current size, so a new Scaler does not scale down
// before a window has passed.
//
// A current size out of bounds goes straight to the bound, past windows and
// policies. A current size of 0 stays unless ScaledToZero is set. The proposal
// is ignored in both cases, and not recorded.
//
// Sizes and bounds must not be negative, and Max at least Min and 1. The rules
// must pass [Behavior.Problem]. If not, Step returns an error and records
// nothing.
func (s *Scaler) Step(now time.Time, c Change, bounds Bounds) Step {
	if err := s.problem(c, bounds); err != nil {
		return Step{Replicas: c.Current, Err: err}
	}
	w := s.Behavior.Windows(s.DownscaleStabilization)
	step := Step{Replicas: c.Current}
	asked := false
	switch {
	case c.Current == 0 && !s.ScaledToZero:
	case c.Current > bounds.Max:
		step.Replicas = bounds.Max
	case c.Current < bounds.Min && c.Current > 0:
		step.Replicas = bounds.Min
	default:
		asked = true
		h := s.Recommendations // a copy, since nothing is recorded yet
		h.Start(now, c.Current)
		step.Stabilization = s.Behavior.Stabilize(now, c, w, &h)
		c := Change{c.Current, step.Stabilization.Replicas}
		step.Limits, s.policies = s.Behavior.Limit(now, c, bounds, &s.Events, s.policies[:0])
		step.Policies = s.policies
		step.Replicas = step.Limits.Replicas
		if c.Current == 0 {
			step.Replicas = max(step.Replicas, bounds.Min)
		}
	}
	s.Recommendations.Advance(now, w)
	s.Recommendations.Start(now, c.Current)
	s.Events.Advance(now, s.Behavior)
	if asked {
		s.Recommendations.Record(now, c.Desired, w)
	}
	return step
}

// Applied records that the size was changed at now, which the policies count.
// Call it once the change is made. It does nothing if from equals to.
func (s *Scaler) Applied(now time.Time, from, to int32) {
	if from != to {
		s.Events.Record(now, from, to, s.Behavior)
		s.ScaledToZero = to == 0
	}
}

// Clone returns a copy that shares no memory with s, rules included.
func (s *Scaler) Clone() Scaler {
	return Scaler{
		Behavior:               s.Behavior.Clone(),
		DownscaleStabilization: s.DownscaleStabilization,
		Recommendations:        s.Recommendations.Clone(),
		Events:                 s.Events.Clone(),
		ScaledToZero:           s.ScaledToZero,
	}
}

// Equal reports whether both remember the same, so that with equal rules they
// would take the same steps forever. It does not compare their rules.
func (s *Scaler) Equal(t *Scaler) bool {
	return s.Recommendations.Equal(&t.Recommendations) && s.Events.Equal(&t.Events) && s.ScaledToZero == t.ScaledToZero
}

func (s *Scaler) problem(c Change, b Bounds) *field.Error {
	for _, f := range [...]struct {
		path         string
		value, least int32
	}{
		{"bounds.max", b.Max, 1},
		{"bounds.min", b.Min, 0},
		{"change.current", c.Current, 0},
		{"change.desired", c.Desired, 0},
	} {
		if f.value < f.least {
			return field.Invalid(f.path, f.value, "must be greater than or equal to "+strconv.Itoa(int(f.least)))
		}
	}
	if b.Min > b.Max {
		return field.Invalid("bounds.max", b.Max, "must be greater than or equal to `min`")
	}
	return s.Behavior.Problem()
}
