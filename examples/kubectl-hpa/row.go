package main

import (
	"fmt"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/stage"
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
func (v *result) row(now time.Time) row {
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
	r.until = v.until(now)
	return r
}

// until is when time alone changes the decision: then, or then at the latest.
func (v *result) until(now time.Time) string {
	most, at := "", find(v.stages, stage.NameNext).Until
	if s := find(v.stages, stage.NameStabilization).Stabilization; s != nil && !s.Latest.IsZero() && find(v.stages, stage.NameLimits).Bound == "" && !v.r.Events && !(v.r.Low.Rescale && v.r.High.Rescale) {
		most, at = "at most ", s.Latest
	}
	if at.IsZero() {
		return ""
	}
	return fmt.Sprintf("%s%s (%s)", most, at.UTC().Format("15:04:05Z"), at.Sub(now).Round(time.Second))
}

// held returns what holds the size, and the rank.
func (v *result) held() (string, rank) {
	d := &v.r.High
	_, known := v.r.Replicas()
	stabilized, limited := find(v.stages, stage.NameStabilization).Bound, find(v.stages, stage.NameLimits).Bound
	switch {
	case d.Zone == calculator.ZoneDisabled:
		return v.reason(autoscaling.ScalingActive), off
	case d.Choice.Blocked || d.Err() != nil:
		return v.reason(autoscaling.ScalingActive), fails
	case !known && v.r.Fallback:
		return "failing since not known", held
	case !known && v.r.Recommendations:
		return v.heldUnlessOver(), held
	case !known:
		return "scale events not known", held
	case limited == string(behavior.TooManyReplicas):
		return limited, capped
	case stabilized != "":
		return stabilized, held
	case limited != "":
		return limited, held
	case d.Rescale:
		return "", moves
	}
	return "", rests
}

// heldUnlessOver is what holds the size if the recommendations do that are not
// known. The controller's own condition says whether they did at its last sync.
func (v *result) heldUnlessOver() string {
	last := v.snapshot.condition(autoscaling.AbleToScale).Reason
	if last == string(stabilize.ScaleDownStabilized) || last == string(stabilize.ScaleUpStabilized) {
		return "recommendations not known, " + last + " before"
	}
	return "recommendations not known"
}

// reason returns that of a condition after the decision.
func (v *result) reason(t autoscaling.HorizontalPodAutoscalerConditionType) string {
	for i := range v.high.Conditions {
		if c := &v.high.Conditions[i]; c.Type == t {
			return c.Reason
		}
	}
	return ""
}
