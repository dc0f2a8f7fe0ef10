package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/stabilize"
)

// row is a verdict in one line.
type row struct {
	size, wanted, next string
	// held is what keeps the size from what is wanted, in Kubernetes' words.
	held string
	// until is when time alone changes that; "" if that is not known.
	until string
	// rank is how much it deserves a look, the most first.
	rank rank
}

type rank int

const (
	fails  rank = iota // there is no size
	capped             // the metrics ask for more than the maximum
	off                // scaling is disabled
	held               // something else holds the size
	moves              // the size changes
	rests
)

// row returns the line.
func (v *verdict) row(now time.Time) row {
	d := &v.r.High
	r := row{size: fmt.Sprint(d.CurrentReplicas), wanted: "-", rank: rests}
	if !v.decided() {
		return row{size: "?", wanted: "-", next: "-", held: v.reason(autoscaling.AbleToScale), rank: fails}
	}
	if len(d.Proposals) > 0 && !d.Choice.Blocked {
		r.wanted = fmt.Sprint(d.Choice.Replicas)
	}
	r.next = sizes(v.r.Low.DesiredReplicas, d.DesiredReplicas)
	r.held, r.rank = v.held()
	if v.lasts() {
		r.until = fmt.Sprintf("%s (%s)", stamp(d.Until), d.Until.Sub(now).Round(time.Second))
	}
	return r
}

// lasts reports whether the explanation says until when the decision stays the same.
func (v *verdict) lasts() bool {
	return slices.ContainsFunc(stages(v.text), func(s stage) bool {
		return s.Name == "Next" && strings.HasPrefix(s.Text, "the decision stays the same until ") && !v.r.High.Until.IsZero()
	})
}

// held returns what holds the size, and the rank.
func (v *verdict) held() (string, rank) {
	d := &v.r.High
	_, known := v.r.Replicas()
	switch {
	case d.Zone == calculator.ZoneDisabled:
		return v.reason(autoscaling.ScalingActive), off
	case d.Choice.Blocked || d.Err() != nil:
		return v.reason(autoscaling.ScalingActive), fails
	case !known && v.r.Recommendations:
		return "recommendations not known", held
	case !known:
		return "scale events not known", held
	case d.Limits.Reason == behavior.TooManyReplicas:
		return string(d.Limits.Reason), capped
	case cmp.Or(d.Stabilization.Reason, stabilize.NotStabilized) != stabilize.NotStabilized:
		return string(d.Stabilization.Reason), held
	case cmp.Or(d.Limits.Reason, behavior.DesiredWithinRange) != behavior.DesiredWithinRange:
		return string(d.Limits.Reason), held
	case d.Rescale:
		return "", moves
	}
	return "", rests
}

// reason returns that of a condition after the decision.
func (v *verdict) reason(t autoscaling.HorizontalPodAutoscalerConditionType) string {
	for i := range v.high.Conditions {
		if c := &v.high.Conditions[i]; c.Type == t {
			return c.Reason
		}
	}
	return ""
}
