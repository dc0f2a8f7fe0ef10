package metrics

import "math"

// UsageRatio returns usage as a multiple of target, which is above 1 when there
// is too little of everything. A target that is not positive has no ratio:
// the answer is 0.
func UsageRatio(usage, target Milli) float64 {
	if target <= 0 {
		return 0
	}
	return float64(usage) / float64(target)
}

// UtilizationRatio returns a utilization as a multiple of the target, both in
// percent. Kubernetes truncates the utilization to a whole percent first, and
// so does Sum.Percent.
func UtilizationRatio(utilization, target int32) float64 {
	if target <= 0 {
		return 0
	}
	return float64(utilization) / float64(target)
}

// Replicas returns the number of pods that f comes to, rounded up: the one way
// from fractions to sizes. It is never negative and never beyond int32, and 0
// for NaN, where Go leaves the conversion to the processor (amd64 and arm64
// disagree).
func Replicas(f float64) int32 {
	f = math.Ceil(f)
	switch {
	case !(f > 0):
		return 0
	case f >= math.MaxInt32:
		return math.MaxInt32
	}
	return int32(f)
}

// PerPod returns the average of usage over pods, rounded up to a whole
// milli-unit as upstream shows it for Object and External metrics, where it is
// found in floating point: beyond 2^53 milli-units it is the nearest of what
// float64 has. The average over no pods is 0.
func PerPod(usage Milli, pods int32) Milli {
	if pods <= 0 {
		return 0
	}
	f := math.Ceil(float64(usage) / float64(pods))
	switch {
	case f >= math.MaxInt64:
		return math.MaxInt64
	case f <= math.MinInt64:
		return math.MinInt64
	}
	return Milli(f)
}
