package calculator

import (
	"cmp"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/stage"
	"github.com/purehpa/hpa/stabilize"
)

// choice explains which proposal decides.
func (e *explanation) choice() {
	d := e.d
	if len(d.Proposals) == 0 {
		return
	}
	c := &stage.Choice{
		By:       cmp.Or(string(d.ChooseBy), "Max"),
		Metric:   d.Choice.Metric + 1,
		Blocked:  d.Choice.Blocked,
		Replicas: d.Choice.Replicas,
	}
	var answered []Proposal
	for i := range d.Proposals {
		p := &d.Proposals[i]
		if p.Failed() {
			c.Candidates = append(c.Candidates, stage.Candidate{Failed: true})
			continue
		}
		c.Candidates = append(c.Candidates, stage.Candidate{Replicas: p.Replicas})
		answered = append(answered, *p)
	}
	s := e.add(stage.NameChoice, d.Choice.Replicas)
	s.Choice = c
	if c.Blocked {
		s.Low, s.High, s.Bound = d.CurrentReplicas, d.CurrentReplicas, computeFailed
		c.Replicas = d.ChooseBy.Choose(d.CurrentReplicas, answered).Replicas
	}
}

// computeFailed is the reason of the event if no size could be computed.
const computeFailed = "FailedComputeMetricsReplicas"

// stabilization explains what the windows made of the choice.
func (e *explanation) stabilization() {
	d, r := e.d, &e.d.Stabilization
	s := e.add(stage.NameStabilization, r.Replicas)
	t := &stage.Stabilization{Desired: r.Desired}
	s.Stabilization = t
	if r.Replicas == r.Desired {
		t.Direction, t.Window = e.window()
		return
	}
	s.Bound, s.Until = string(r.Reason), r.Until
	t.Direction, t.Window = stage.Down, stage.Seconds(d.Windows.Down)
	if r.Reason == stabilize.ScaleUpStabilized {
		t.Direction, t.Window = stage.Up, stage.Seconds(d.Windows.Up)
	}
	t.Recommended, t.Made = r.Bound.Value, r.Bound.Time
	t.Started, t.ColdStart = d.Started, d.ColdStart
}

// window returns the window that could have held the size. Without a behavior,
// it is the one for scaling down, whatever the change.
func (e *explanation) window() (stage.Direction, stage.Seconds) {
	d := e.d
	switch desired := d.Stabilization.Desired; {
	case d.hasBehavior && desired == d.CurrentReplicas:
		return "", 0
	case d.hasBehavior && desired > d.CurrentReplicas:
		return stage.Up, stage.Seconds(d.Windows.Up)
	}
	return stage.Down, stage.Seconds(d.Windows.Down)
}

// limited reports whether there are policies that limit the size.
func (e *explanation) limited() bool {
	return e.d.hasBehavior && e.d.Limits.Desired != e.d.CurrentReplicas
}

// policies explains how far each policy lets the size go. A policy may allow
// more pods to be removed than there are: a stage has sizes, which end at 0.
func (e *explanation) policies() {
	if !e.limited() {
		return
	}
	d, rate := e.d, &e.d.Limits.Rate
	p := &stage.Policies{Direction: stage.Up, Select: rate.Select, Selected: rate.Selected + 1}
	if d.Limits.Desired < d.CurrentReplicas {
		p.Direction = stage.Down
	}
	for i := range d.Policies {
		l := d.Policies[i]
		l.Start, l.Limit = max(l.Start, 0), max(l.Limit, 0)
		p.List = append(p.List, stage.Policy{PolicyLimit: l})
	}
	s := e.add(stage.NamePolicies, d.rate())
	s.Policies = p
	if rate.Disabled {
		p.Select, p.List = behavior.SelectDisabled, nil
		s.Low, s.High, s.Bound = d.CurrentReplicas, d.CurrentReplicas, string(behavior.SelectDisabled)
	}
}

// limits explains what policies and bounds made of the size.
func (e *explanation) limits() {
	d, l := e.d, &e.d.Limits
	s := e.add(stage.NameLimits, l.Replicas)
	s.Limits = &stage.Limits{DesiredLow: l.Desired, DesiredHigh: l.Desired, WithoutBehavior: !d.hasBehavior, Disabled: l.Rate.Disabled}
	if l.Reason != behavior.DesiredWithinRange {
		s.Bound = string(l.Reason)
	}
	// Where policies do not hold the size, it moves before they let it move
	// further.
	if l.Reason == behavior.ScaleUpLimit || l.Reason == behavior.ScaleDownLimit || !d.Rescale {
		s.Until = l.Until
	}
}

// minimum explains a raised minReplicas.
func (e *explanation) minimum() {
	if e.d.RaisedToMin {
		e.add(stage.NameMinimum, e.d.MinReplicas).Minimum = &stage.Minimum{Desired: e.d.Limits.Replicas}
	}
}

// cooldown explains what the optional cooldown made of the size.
func (e *explanation) cooldown() {
	c := &e.d.Cooldown
	if c.Replicas == c.Desired && c.Backoff == behavior.NoBackoff {
		return
	}
	s := e.add(stage.NameCooldown, c.Replicas)
	s.Cooldown = &stage.Cooldown{Desired: c.Desired, Backoff: c.Backoff}
	if c.Replicas != c.Desired {
		s.Bound, s.Until = string(c.Backoff), c.Until
	}
}

// rate returns how far the policies let the size go, 0 at the least, and the
// current size if it does not change.
func (d *Decision) rate() int32 {
	if d.Limits.Desired == d.CurrentReplicas {
		return d.CurrentReplicas
	}
	return max(d.Limits.Rate.Replicas, 0)
}
