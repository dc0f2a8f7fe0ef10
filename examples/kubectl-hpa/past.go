package main

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
)

// past is what is known of what the controller remembers, beside the status.
// The zero past is nothing.
type past struct {
	// Changes are all scale events since Since, the oldest first.
	Changes []change `json:"scaleEvents"`
	// Since is the zero time.Time if none are known.
	Since time.Time `json:"scaleEventsSince,omitzero"`
	// Problem is why they are not, or not for longer.
	Problem string `json:"problem,omitempty"`
}

// change is a scale event.
type change struct {
	Time time.Time `json:"time"`
	From int32     `json:"from"`
	To   int32     `json:"to"`
}

// known returns what is known for a decision.
func (s *snapshot) known(now time.Time) *calculator.Known {
	p := s.past
	p.dropNearPeriodEnd(now, s.Spec.Behavior)
	return p.known(s, &s.Spec)
}

// knownFor returns what is known for a decision on another spec. What the
// status says of the highest recommendation holds for the spec that it was
// written for alone, and events that are older than the periods may be
// remembered or not.
func (s *snapshot) knownFor(now time.Time, spec *autoscaling.HorizontalPodAutoscalerSpec) *calculator.Known {
	p := s.past
	p.dropExpired(now, s.Spec.Behavior.LongestPeriods())
	p.dropNearPeriodEnd(now, spec.Behavior)
	k := p.known(s, spec)
	k.Generation, k.SpecWritten = 0, time.Time{}
	return k
}

// known returns what is known for a decision on the spec.
func (p *past) known(s *snapshot, spec *autoscaling.HorizontalPodAutoscalerSpec) *calculator.Known {
	k := &calculator.Known{Status: s.Status, Generation: s.Generation, StatusWritten: s.StatusWritten, EventsSince: p.Since}
	if !s.SpecWritten.IsZero() {
		k.SpecWritten = s.SpecWritten.Add(clockSkew)
	}
	for _, r := range s.made {
		r.record(&k.Recommendations, spec.Behavior)
	}
	for _, c := range p.Changes {
		k.Events.Record(c.Time, c.From, c.To, s.Spec.Behavior)
	}
	return k
}

// past reads the scale events of the past. The controller emits an event for
// each, and they live for an hour unless the cluster's flags set another time.
// But they may not all be there, and the controller may not remember them all.
// They count from where nothing of the following stands against it:
//
//   - The last one is that of lastScaleTime, and its size is that of the scale.
//   - Each one's change is its size less that of the one before, and goes the
//     way that its reason says. That someone else scaled in between, or that an
//     event got lost, shows in that, or not at all.
//   - Several in one object of the API (count, "combined from similar events")
//     hide when they were.
//   - No more than 25 were emitted in a row. From then on, clients drop some.
//   - The controller has not restarted since: its lease tells.
//   - The spec has not changed since: an event counts only if there was a
//     behavior.
//   - No policy's period ends within the second that an event tells.
func (c *connection) past(ctx context.Context, s *snapshot) past {
	if s.Spec.Behavior == nil {
		return past{Problem: "they do not count without a behavior"}
	}
	if s.eventsError != nil {
		return past{Problem: readable(s.eventsError).Error()}
	}
	started, err := c.lease(ctx)
	if err != nil {
		return past{Problem: "whether the controller has restarted is not known: " + readable(err).Error()}
	}
	if s.SpecWritten.IsZero() {
		return past{Problem: "when the spec changed last is not known"}
	}
	p := chain(s.events, s.Status.LastScaleTime, s.obs.SpecReplicas)
	p.after(s.SpecWritten, "the spec changed about then")
	if p = p.restarted(started); p.Since.After(time.Now()) {
		p = past{Problem: p.Problem} // it was just now
	}
	return p
}

// The lease that kube-controller-manager holds while it decides.
const (
	leaseNamespace = "kube-system"
	leaseName      = "kube-controller-manager"
)

// started returns when the controller began to lead. It renews its lease every
// few seconds: an old one was left behind.
func (c *connection) started(ctx context.Context) (time.Time, error) {
	lease, err := c.client.CoordinationV1().Leases(leaseNamespace).Get(ctx, leaseName, metav1.GetOptions{})
	if err != nil {
		return time.Time{}, err
	}
	if lease.Spec.AcquireTime == nil {
		return time.Time{}, fmt.Errorf("lease %s/%s: spec.acquireTime is missing", leaseNamespace, leaseName)
	}
	if renewed := lease.Spec.RenewTime; renewed != nil && time.Since(renewed.Time) > time.Minute {
		return time.Time{}, fmt.Errorf("lease %s/%s: nobody has renewed it since %s", leaseNamespace, leaseName, stamp(renewed.Time))
	}
	return lease.Spec.AcquireTime.Time, nil
}

// clockSkew is how far off the time of an event may be. It is a whole second,
// and the status and the event are written one after the other.
const clockSkew = 2 * time.Second

// after drops the past up to at.
func (p *past) after(at time.Time, why string) {
	if p.Since.IsZero() {
		return
	}
	if at = at.Add(clockSkew); at.Before(p.Since) {
		return
	}
	p.Since, p.Problem = at, why
	for len(p.Changes) > 0 && p.Changes[0].Time.Before(at) {
		p.Changes = p.Changes[1:]
	}
}

// dropNearPeriodEnd drops the past up to an event that leaves a policy's period
// about now.
func (p *past) dropNearPeriodEnd(now time.Time, b *behavior.Behavior) {
	if b == nil {
		return
	}
	for _, rules := range []*behavior.ScalingRules{b.ScaleUp, b.ScaleDown} {
		if rules == nil {
			continue
		}
		for _, policy := range rules.Policies {
			edge := now.Add(-time.Duration(policy.PeriodSeconds) * time.Second)
			for _, c := range p.Changes {
				if c.Time.Sub(edge).Abs() <= clockSkew {
					p.after(c.Time, "it leaves a policy's period about now")
				}
			}
		}
	}
}

// dropExpired drops the past up to an event that the controller may have
// replaced, since no period of its direction reaches back to it.
func (p *past) dropExpired(now time.Time, longest behavior.Periods) {
	for _, c := range p.Changes {
		period := longest.Up
		if c.To < c.From {
			period = longest.Down
		}
		if now.Sub(c.Time)+clockSkew > period {
			p.after(c.Time, "the periods of the policies do not reach further")
		}
	}
}

// restarted returns the past of a controller that started then. It remembers
// nothing from before.
func (p past) restarted(at time.Time) past {
	if p.Since.IsZero() || p.Since.After(at) {
		return p
	}
	for _, c := range p.Changes {
		if c.Time.Sub(at).Abs() <= clockSkew {
			p.after(c.Time, "the controller started about then")
			return p
		}
	}
	changes := p.Changes
	for len(changes) > 0 && changes[0].Time.Before(at) {
		changes = changes[1:]
	}
	// Nothing from before counts, so everything is known.
	start := at.Add(-time.Duration(behavior.MaxPeriodSeconds) * time.Second)
	return past{Changes: changes, Since: start, Problem: "the controller has run since " + stamp(at)}
}
