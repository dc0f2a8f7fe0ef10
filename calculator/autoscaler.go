package calculator

import (
	"time"

	"github.com/purehpa/hpa/calculator/autoscaling"
)

// Autoscaler is an autoscaler as a value: its rules, and what it remembers. Its
// methods are [Decide], State.Applied and State.Failed with these arguments.
//
//	web := calculator.Autoscaler{Spec: &spec}
//	for each sync {
//		d := web.Decide(now, &obs)
//		if d.Rescale {
//			if err := write(d.DesiredReplicas); err != nil {
//				web.Failed(now, &d, err)
//			} else {
//				web.Applied(now, &d)
//			}
//		}
//	}
//
// Copies share memory; Clone does not. An Autoscaler is for one goroutine at a
// time.
type Autoscaler struct {
	// Settings are the controller's flags; nil means Kubernetes' defaults. They
	// are only read, so many autoscalers may share them.
	Settings *Settings
	// Spec must be valid and have its defaults. It is only read.
	Spec *autoscaling.HorizontalPodAutoscalerSpec
	// State is what the autoscaler remembers. The zero State is that of one
	// that has never run.
	State State
	// Proposer proposes sizes in place of the library; nil means none. A
	// decision calls it at each sync with an observation, even if no metric
	// decides.
	Proposer Proposer

	// proposed is what the proposer sees. It is empty between syncs, and keeps
	// its memory.
	proposed Observation
}

// Decide makes the decision of one sync at now, and records it in the state. It
// does not change the observation.
func (a *Autoscaler) Decide(now time.Time, obs *Observation) Decision {
	var d Decision
	a.DecideInto(&d, now, obs)
	return d
}

// DecideInto is like Decide but uses the slices of d again.
func (a *Autoscaler) DecideInto(d *Decision, now time.Time, obs *Observation) {
	if a == nil {
		a = new(Autoscaler)
	}
	if a.Proposer == nil || obs == nil {
		DecideInto(d, now, a.Settings, a.Spec, obs, &a.State)
		return
	}
	readings := append(a.proposed.Readings[:0], obs.Readings...)
	a.proposed = *obs
	a.proposed.Readings = readings
	a.Proposer.Propose(now, &a.proposed)
	DecideInto(d, now, a.Settings, a.Spec, &a.proposed, &a.State)
	clear(readings)
	a.proposed = Observation{Readings: readings[:0]}
}

// NeedsReadings reports whether a decision on the observation computes metrics.
// See the function [NeedsReadings].
func (a *Autoscaler) NeedsReadings(obs *Observation) bool {
	return a != nil && NeedsReadings(a.Settings, a.Spec, obs, &a.State)
}

// Applied records that the size which d decided on was written at now. See
// State.Applied.
func (a *Autoscaler) Applied(now time.Time, d *Decision) {
	if a != nil {
		a.State.Applied(now, d)
	}
}

// Failed records that the size which d decided on could not be written, and
// why. See State.Failed.
func (a *Autoscaler) Failed(now time.Time, d *Decision, err error) {
	if a != nil {
		a.State.Failed(now, d, err)
	}
}

// Clone returns a copy that shares no memory with a: what happens to one, such
// as a what-if step, does not change what the other decides.
func (a *Autoscaler) Clone() Autoscaler {
	if a == nil {
		return Autoscaler{}
	}
	c := Autoscaler{Spec: a.Spec.Clone(), State: a.State.Clone()}
	if a.Settings != nil {
		c.Settings = new(Settings)
		*c.Settings = *a.Settings
	}
	if a.Proposer != nil {
		c.Proposer = a.Proposer.Clone()
	}
	return c
}
