// Package metrics holds the units of autoscaling: amounts in milli-units,
// Kubernetes quantities, samples of pods, targets, tolerance, and the step from
// a usage ratio to a number of replicas.
//
// # Units
//
// Every amount is a [Milli], an integer of thousandths. Kubernetes computes
// with the same integers, so results can be equal to the last replica. A
// [Quantity] is an amount as manifests write it, such as "250m" or "1Gi". A
// moment is an [Instant]. Tolerances and ratios are fractions: 0.1 is 10%.
// Utilizations are whole percents.
//
// # Formula
//
// The size that a metric asks for is
//
//	replicas = ceil(usage / target * pods)
//
// Usage is an average, truncated first: to a whole milli-unit ([Sum.Average])
// or to a whole percent of the requests ([Sum.Percent]). Usage over target is
// the usage ratio ([UsageRatio], [UtilizationRatio]). A ratio within the
// [Tolerance] of 1 changes nothing. [Replicas] rounds up.
//
//	var usage, requests metrics.Sum
//	usage.Add(450)                            // 450 milli-cores used …
//	requests.Add(500)                         // … of 500 requested
//	utilization := usage.Percent(requests)    // 90
//	ratio := metrics.UtilizationRatio(utilization, 60)
//	if !metrics.Symmetric(0.1).Within(ratio) {
//		size = metrics.Replicas(ratio * 4)    // ceil(1.5 * 4) = 6
//	}
//
// # Guarantees
//
// Sums are exact, in 128 bits. Conversions saturate and give the same result on
// every processor. Only parsing can fail, and only [MustParseMilli] and
// [MustParseQuantity] panic.
//
// Values may be shared between goroutines as long as none of them writes, which
// only the methods of *[Sum] and the Unmarshal methods of *[Quantity] do.
// Results own their memory and stay valid.
package metrics
