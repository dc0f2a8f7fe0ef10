package calculator

import (
	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/stabilize"
)

// normalize takes the chosen proposal through stabilization, policies, bounds
// and cooldown.
func (s *sync) normalize() {
	d, st, b := s.d, s.st, s.spec.Behavior
	current, desired := d.CurrentReplicas, d.Choice.Replicas
	var why RescaleReason
	switch {
	case desired > current:
		why = AboveTarget
	case desired < current:
		why = BelowTarget
	}

	recommendations, started := &st.Recommendations, st.Started
	if d.Started {
		// The current size counts as the first recommendation.
		var first stabilize.History
		first.Start(d.Now, current)
		recommendations, started = &first, d.Now
	}
	b.StabilizeInto(&d.Stabilization, d.Now, behavior.Change{Current: current, Desired: desired}, d.Windows, recommendations)
	if s.settings.ColdStart == HoldScaleDown {
		d.ColdStart = holdScaleDown(&d.Stabilization, d.Now, current, started, max(d.Windows.Down, d.longestPeriods.Down))
	}

	stabilized := d.Stabilization.Replicas
	d.Policies = b.LimitInto(&d.Limits, d.Now, behavior.Change{Current: current, Desired: stabilized},
		behavior.Bounds{Min: d.MinReplicas, Max: d.MaxReplicas}, &st.Events, d.Policies)

	desired = d.Limits.Replicas
	if d.Zone.raisesToMin(desired, d.MinReplicas) {
		desired, d.RaisedToMin = d.MinReplicas, true
		if why == NoReason {
			why = BelowMinReplicas
		}
	}
	if s.settings.Cooldown != (behavior.Cooldown{}) {
		d.Cooldown = s.settings.Cooldown.Apply(d.Now, st.LastScaleTime, current, desired)
		desired = d.Cooldown.Replicas
	}
	d.rescale(desired, why)
}

// rescale asks for the size, unless it is the current one.
func (d *Decision) rescale(replicas int32, why RescaleReason) {
	d.Reason = why
	if replicas == d.CurrentReplicas {
		return
	}
	d.DesiredReplicas, d.Rescale, d.Outcome = replicas, true, OutcomePending
}
