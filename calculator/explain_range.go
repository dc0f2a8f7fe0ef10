package calculator

import (
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/internal/words"
)

// String returns the text of AppendText.
func (r Range) String() string {
	text, _ := r.AppendText(nil)
	return string(text)
}

// AppendText appends the range in the sentences of [Decision.AppendText]. Stages that
// the controller's memory takes part in are ranges, and say what is not known. The
// error is nil.
func (r Range) AppendText(dst []byte) ([]byte, error) {
	if !r.remembers {
		return r.High.AppendText(dst)
	}
	t := rangeText{text{d: &r.High, dst: dst}, &r}
	t.headline()
	t.zone()
	for i := range r.High.Proposals {
		t.metric(i)
	}
	if r.Fallback {
		t.say("Fallback: a metric fails, and for how long is not known, so its fallback may count.\n")
		t.say("Next: until when the decision stays the same is not known.\n")
		return t.dst, nil
	}
	t.choice()
	t.stabilization()
	t.limits()
	t.cooldown()
	t.next()
	t.err()
	return t.dst, nil
}

// rangeText is a range being written.
type rangeText struct {
	text
	r *Range
}

func (t *rangeText) headline() {
	if _, known := t.r.Replicas(); known {
		t.text.headline()
		return
	}
	t.at()
	t.say("the size is to be %s, as far as the status tells. It is %d now.\n",
		between(t.r.Low.DesiredReplicas, t.r.High.DesiredReplicas), t.d.CurrentReplicas)
}

// between is a range of sizes.
func between(low, high int32) string {
	switch {
	case low == high:
		return replicas(low)
	case high == math.MaxInt32:
		return "at least " + replicas(low)
	}
	return strconv.Itoa(int(low)) + " to " + replicas(high)
}

func (t *rangeText) stabilization() {
	low, high := &t.r.Low.Stabilization, &t.r.High.Stabilization
	window := t.d.Windows.Down
	if high.Desired > t.d.CurrentReplicas && t.d.hasBehavior {
		window = t.d.Windows.Up
	}
	if low.Replicas == high.Replicas {
		t.text.stabilization()
		return
	}
	known := "known"
	if !t.r.since.IsZero() {
		known = "all known"
	}
	t.say("Stabilization: %s. The recommendations of the last %s are not %s.\n",
		between(low.Replicas, high.Replicas), words.Span(window), known)
}

// limits says what policies and bounds make of that.
func (t *rangeText) limits() {
	low, high := t.r.Low.Limits, t.r.High.Limits
	if d := t.limited(); d != nil {
		policies := rangeText{text{d: d, dst: t.dst}, t.r}
		policies.policies()
		t.dst = policies.dst
	}
	t.say("Limits: %s", between(low.Replicas, high.Replicas))
	if low.Replicas == high.Replicas && low.Reason == high.Reason {
		if high.Desired != high.Replicas && low.Desired == high.Desired {
			t.say(" instead of %d", high.Desired)
		}
		t.limit()
	} else {
		t.say(".")
	}
	t.say("\n")
	if low, high := t.r.Low.RaisedToMin, t.r.High.RaisedToMin; low && high {
		t.raisedToMin()
	}
}

// limited returns a decision with policies, nil if there are none.
func (t *rangeText) limited() *Decision {
	for _, d := range []*Decision{&t.r.High, &t.r.Low} {
		if d.hasBehavior && d.Limits.Desired != d.CurrentReplicas {
			return d
		}
	}
	return nil
}

// next says when time alone changes something, if that is known.
func (t *rangeText) next() {
	d := t.limited()
	made := d != nil && slices.ContainsFunc(d.Policies, t.unknown)
	switch low, high := &t.r.Low, &t.r.High; {
	case low.Rescale && high.Rescale:
	case !made && low.Rescale == high.Rescale && low.Until.Equal(high.Until):
		t.text.next()
	default:
		t.say("Next: until when the decision stays the same is not known.\n")
	}
}

// policies says of each policy how far it lets the size go, or that events may count
// that are not known.
func (t *rangeText) policies() {
	if !slices.ContainsFunc(t.d.Policies, t.unknown) {
		t.text.policies()
		return
	}
	way := "up"
	if t.d.Limits.Desired < t.d.CurrentReplicas {
		way = "down"
	}
	t.say("Policies: the scale events up to %s, are not known.\n", t.ago(t.r.unknown()))
	for i := range t.d.Policies {
		p := &t.d.Policies[i]
		if !t.unknown(*p) {
			t.policy(i, way)
			continue
		}
		t.say("  Policy %d: %s %s in %s: some of them may still count.\n",
			i+1, policyValue(&p.Policy), way, words.Span(time.Duration(p.PeriodSeconds)*time.Second))
	}
}

// unknown reports whether events that are not known may be within the policy's
// period. The status has whole seconds.
func (t *rangeText) unknown(p behavior.PolicyLimit) bool {
	return !t.r.last.IsZero() && t.d.Now.Sub(t.r.unknown()) < time.Duration(p.PeriodSeconds+1)*time.Second
}

// unknown returns up to when scale events are not known.
func (r *Range) unknown() time.Time {
	if !r.eventsSince.IsZero() && r.eventsSince.Before(r.last) {
		return r.eventsSince
	}
	return r.last
}

func (t *rangeText) cooldown() {
	low, high := &t.r.Low.Cooldown, &t.r.High.Cooldown
	if low.Replicas == high.Replicas {
		t.text.cooldown()
		return
	}
	t.say("Cooldown: %s.\n", between(low.Replicas, high.Replicas))
}
