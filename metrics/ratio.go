package metrics

import "math"

// UsageRatio returns usage / target. It is above 1 when usage exceeds the
// target. The ratio to a target that is not positive is 0. It is the ratio of
// GetMetricUsageRatio in upstream's podautoscaler/metrics.
func UsageRatio(usage, target Milli) float64 {
	if target <= 0 {
		return 0
	}
	return float64(usage) / float64(target)
}

// UtilizationRatio returns utilization / target, both in whole percents, as
// [Sum.Percent] returns them. The ratio to a target that is not positive is 0.
// It is the ratio of upstream's GetResourceUtilizationRatio.
func UtilizationRatio(utilization, target int32) float64 {
	if target <= 0 {
		return 0
	}
	return float64(utilization) / float64(target)
}

// UtilizationRatioExact is [UtilizationRatio] of usage in percent of requests
// with its fraction. It is 0 without requests.
func UtilizationRatioExact(usage, requests Sum, target int32) float64 {
	if target <= 0 || requests.Sign() == 0 {
		return 0
	}
	return usage.times(100) / requests.times(target)
}

// Replicas rounds f up to a number of replicas, saturated to 0 and
// math.MaxInt32. NaN gives 0. Go leaves such conversions to the processor.
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

// PerPod returns usage / pods, rounded up to a whole milli-unit and saturated.
// It is the average in the status of an Object or External metric. Without pods
// it is 0.
//
// The division is in floating point, as upstream's: beyond 2^53 milli-units the
// result is the nearest float64.
func PerPod(usage Milli, pods int32) Milli {
	if pods <= 0 {
		return 0
	}
	f := math.Ceil(float64(usage) / float64(pods))
	if f >= math.MaxInt64 {
		return math.MaxInt64
	}
	return Milli(f)
}
