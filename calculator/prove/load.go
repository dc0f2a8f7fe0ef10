package prove

import "math"

// milli returns a load in thousandths of a replica.
func milli(load float64) int64 {
	return int64(math.Round(clamp(load) * 1000))
}

// clamp returns the load next to it that a number of replicas can have, 0 for
// NaN.
func clamp(load float64) float64 {
	if !(load > 0) {
		return 0
	}
	return min(load, math.MaxInt32)
}
