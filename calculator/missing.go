package calculator

import (
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// Assumption is the usage assumed for a pod without a usable sample. Its values
// are names for machines and do not change.
type Assumption string

const (
	// NotCounted: the pod does not take part.
	NotCounted Assumption = ""
	// AsZero: the pod uses nothing.
	AsZero Assumption = "AsZero"
	// AsTarget: the pod uses the target's average value.
	AsTarget Assumption = "AsTarget"
	// AsRequest: the pod uses what it requests, or the target's percentage of
	// it where that is more than 100.
	AsRequest Assumption = "AsRequest"
)

// missingPodPercent is the minimum usage, in percent of its request, assumed
// for a missing pod when scaling down.
const missingPodPercent = 100

// missingPercent returns the usage assumed for a missing pod when scaling down,
// in percent of its request.
func missingPercent(target int32) int32 { return max(missingPodPercent, target) }

// takePart reports whether missing or unready pods take part at a usage ratio.
func takePart(missing, unready int, ratio float64) bool {
	return missing > 0 || unready > 0 && ratio > 1
}

// assume returns the usage assumed for missing and unready pods at a usage
// ratio: nothing when scaling up, and scalingDown for missing pods when scaling
// down.
func assume(t *podgroup.Tally, ratio float64, scalingDown Assumption) (missing, unready Assumption) {
	switch {
	case t.Missing > 0 && ratio < 1:
		missing = scalingDown
	case t.Missing > 0 && ratio > 1:
		missing = AsZero
	}
	if t.Unready > 0 && ratio > 1 {
		unready = AsZero
	}
	return missing, unready
}

// addRequests adds the usage assumed, and the requests that it is a share of.
func addRequests(usage, requests *metrics.Sum, t *podgroup.Tally, missing, unready Assumption) {
	if missing == AsRequest {
		usage.AddSum(t.MissingShare)
	}
	if missing != NotCounted {
		requests.AddSum(t.MissingRequests)
	}
	if unready != NotCounted {
		requests.AddSum(t.UnreadyRequests)
	}
}

// addAverage adds the usage assumed, and the pods that it is an average over.
func addAverage(usage *metrics.Sum, pods *int, t *podgroup.Tally, target metrics.Milli, missing, unready Assumption) {
	if missing == AsTarget {
		usage.AddTimes(target, t.Missing)
	}
	if missing != NotCounted {
		*pods += t.Missing
	}
	if unready != NotCounted {
		*pods += t.Unready
	}
}
