package calculator

import (
	"strings"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/internal/words"
	"github.com/purehpa/hpa/stabilize"
)

// stabilization says what the windows made of the choice.
func (t *text) stabilization() {
	d, s := t.d, &t.d.Stabilization
	t.say("Stabilization: %s", replicas(s.Replicas))
	if s.Replicas == s.Desired {
		switch {
		case d.hasBehavior && s.Desired == d.CurrentReplicas:
			t.say(", unchanged.\n")
		case d.hasBehavior && s.Desired > d.CurrentReplicas:
			t.say(". There is no %s.\n", nothing("lower", "up", d.Windows.Up))
		default:
			t.say(". There is no %s.\n", nothing("higher", "down", d.Windows.Down))
		}
		return
	}
	if d.ColdStart {
		t.say(" instead of %d, because the history began only %s. It counts as complete from %s.\n",
			s.Desired, t.ago(s.Bound.Time), t.until(s.Until))
		return
	}
	most, window := "highest", d.Windows.Down
	if s.Reason == stabilize.ScaleUpStabilized {
		most, window = "lowest", d.Windows.Up
	}
	t.say(" instead of %d, ", s.Desired)
	switch {
	case d.Started:
		t.say("because there are no recommendations yet: the current size counts as one.")
	case s.Bound.Value == s.Replicas:
		t.say("the %s recommendation in the last %s, made %s.", most, words.Span(window), t.ago(s.Bound.Time))
	default:
		t.say("because of a recommendation of %d, made %s.", s.Bound.Value, t.ago(s.Bound.Time))
	}
	t.say(" It counts until %s.\n", t.until(s.Until))
}

// nothing says that a window holds nothing against the size.
func nothing(what, way string, window time.Duration) string {
	if window <= 0 {
		return "stabilization window for scaling " + way
	}
	return what + " recommendation in the last " + words.Span(window)
}

// limits says what policies and bounds made of that.
func (t *text) limits() {
	d, l := t.d, &t.d.Limits
	if d.hasBehavior && l.Desired != d.CurrentReplicas {
		t.policies()
	}
	t.say("Limits: %s", replicas(l.Replicas))
	if l.Replicas != l.Desired {
		t.say(" instead of %d", l.Desired)
	}
	t.limit()
	switch held := l.Reason == behavior.ScaleUpLimit || l.Reason == behavior.ScaleDownLimit; {
	case l.Until.IsZero():
	case held:
		t.say(" That changes at %s.", t.until(l.Until))
	case !d.Rescale:
		t.say(" That may change at %s.", t.until(l.Until))
	}
	t.say("\n")
}

// limit says what limits the size.
func (t *text) limit() {
	d, l := t.d, &t.d.Limits
	switch l.Reason {
	case behavior.TooFewReplicas:
		t.say(", the minimum.")
	case behavior.TooManyReplicas:
		t.say(", the maximum.")
	case behavior.ScaleUpLimit:
		if !d.hasBehavior {
			t.say(": without spec.behavior, one sync scales up to twice the size at most, or to 4.")
			break
		}
		t.say(", %s.", t.rate("up"))
	case behavior.ScaleDownLimit:
		t.say(", %s.", t.rate("down"))
	case behavior.DesiredWithinRange:
		if l.Desired == d.CurrentReplicas {
			t.say(", unchanged.")
		} else {
			t.say(", within bounds and policies.")
		}
	default:
		t.say(", %s.", l.Reason)
	}
}

// rate is what allows no more.
func (t *text) rate(direction string) string {
	if t.d.Limits.Rate.Disabled {
		return "because scaling " + direction + " is disabled"
	}
	return "the most that the policies allow"
}

// policies says how far each policy lets the size go.
func (t *text) policies() {
	d, r := t.d, &t.d.Limits.Rate
	way, far := "up", "most"
	if d.Limits.Desired < d.CurrentReplicas {
		way = "down"
	}
	if r.Disabled {
		t.say("Policies: %s, because selectPolicy Disabled forbids scaling %s.\n", replicas(d.CurrentReplicas), way)
		return
	}
	if r.Select == behavior.SelectMin {
		far = "least"
	}
	t.say("Policies: %s to %s", way, replicas(r.Replicas))
	if r.Replicas == d.CurrentReplicas {
		t.say(", unchanged")
	}
	if len(d.Policies) > 1 && r.Selected >= 0 {
		t.say(", by policy %d, which allows the %s (selectPolicy %s).\n", r.Selected+1, far, plain(string(r.Select)))
	} else {
		t.say(", by the only policy.\n")
	}
	for i := range d.Policies {
		t.policy(i, way)
	}
}

func (t *text) policy(i int, way string) {
	p := &t.d.Policies[i]
	period := time.Duration(p.Policy.PeriodSeconds) * time.Second
	t.say("  Policy %d: %s %s in %s: from %d at the start of the period to %d.", i+1, policyValue(&p.Policy), way, words.Span(period), max(p.Start, 0), max(p.Limit, 0))
	if p.Added != 0 || p.Removed != 0 {
		t.say(" Since then: %s.", events(p))
	}
	if !p.Until.IsZero() {
		t.say(" The first of these events counts until %s.", t.until(p.Until))
	}
	t.say("\n")
}

// policyValue is how much the policy allows.
func policyValue(p *behavior.Policy) string {
	if p.Type == behavior.PercentPolicy {
		return percent(p.Value)
	}
	return words.Count(p.Value, "pod")
}

// events says what was added and removed.
func events(p *behavior.PolicyLimit) string {
	var parts []string
	if p.Added != 0 {
		parts = append(parts, words.Count(int(p.Added), "pod")+" added")
	}
	if p.Removed != 0 {
		parts = append(parts, words.Count(int(p.Removed), "pod")+" removed")
	}
	return strings.Join(parts, " and ")
}

func (t *text) raisedToMin() {
	d := t.d
	if d.RaisedToMin {
		t.say("Minimum: %s instead of %d, because minReplicas was raised while the size was 0.\n", replicas(d.MinReplicas), d.Limits.Replicas)
	}
}

// cooldown says what the optional cooldown made of that.
func (t *text) cooldown() {
	c := &t.d.Cooldown
	switch {
	case c.Replicas != c.Desired:
		t.say("Cooldown: %s instead of %d, because the last change of size is too recent. This one is allowed from %s.\n",
			replicas(c.Replicas), c.Desired, t.until(c.Until))
	case c.Backoff == behavior.BackoffUpscale:
		t.say("Cooldown: %s. The last change of size forbids scaling up only.\n", replicas(c.Replicas))
	case c.Backoff == behavior.BackoffDownscale:
		t.say("Cooldown: %s. The last change of size forbids scaling down only.\n", replicas(c.Replicas))
	case c.Backoff != behavior.NoBackoff:
		t.say("Cooldown: %s, unchanged.\n", replicas(c.Replicas))
	}
}
