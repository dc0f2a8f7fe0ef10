package stage

import (
	"math"

	"github.com/purehpa/hpa/metrics"
)

// Usage is what was measured, before the correction for missing and unready
// pods.
type Usage struct {
	// Sum is what was measured in all.
	Sum metrics.Quantity `json:"sum"`
	// Requests is what the ready pods request, and Utilization is Sum in
	// percent of Requests. Both are set for a target Utilization only.
	Requests    metrics.Quantity `json:"requests,omitzero"`
	Utilization *int32           `json:"utilization,omitempty"`
	// Average is Sum per pod; not set for a target Utilization or Value.
	Average metrics.Quantity `json:"average,omitzero"`
	// StatusReplicas is status.replicas of the scale, the number of pods that
	// Average is over: all pods, for an External metric. It is nil for metrics
	// that look at pods, and for a target Value.
	StatusReplicas *int32 `json:"statusReplicas,omitempty"`
	// Calibration is the share of all pods that StatusReplicas was divided by;
	// 0 and 1 stand for all pods.
	Calibration Float `json:"calibration,omitempty"`
	// Ratio is the ratio to the target. At a size of zero it may be infinite or
	// not a number.
	Ratio Float `json:"ratio"`
}

func (u *Usage) appendTo(w *writer, resource string, pods *Pods) {
	switch {
	case u.Utilization != nil:
		w.say("the ready pods use %s of the %s %s that they request: %s%s.",
			u.Sum, u.Requests, plain(resource), percent(*u.Utilization), truncated(u.Sum, u.Requests))
	case pods != nil:
		w.say("%s over %s: %s on average.", u.Sum, pods.measured(), u.Average)
	case u.StatusReplicas == nil:
		w.say("the value is %s.", u.Sum)
	case *u.StatusReplicas == 0:
		w.say("the value is %s, and status.replicas is 0.", u.Sum)
	default:
		w.say("the value is %s, which is %s per pod (status.replicas%s is %d).", u.Sum, u.Average, u.Calibration.divides(", divided by the share of ", ","), *u.StatusReplicas)
	}
}

// truncated marks a utilization that was truncated.
func truncated(sum, requests metrics.Quantity) string {
	if requests.Sign() <= 0 || math.Mod(float64(sum.Milli())*100, float64(requests.Milli())) == 0 {
		return ""
	}
	return " (truncated)"
}
