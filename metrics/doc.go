// Package metrics holds the units of autoscaling: amounts in milli-units,
// Kubernetes' notation for them, samples of pods, targets, tolerance, and the
// way from a usage ratio to a number of replicas.
//
// # Units
//
// Every amount is a [Milli]: an integer of thousandths of a core, a byte, a
// request per second or whatever the metric counts. Kubernetes computes with
// the same integers, so that answers can be equal to the last replica. A
// [Quantity] is an amount as it stands in a manifest, such as "250m" or "1Gi";
// what is finer than a milli-unit is rounded up. A moment is an [Instant].
// Tolerances and ratios are fractions: 0.1 is 10%. Utilizations are whole
// percents.
//
// # Formula
//
// The size that a metric asks for is
//
//	replicas = ceil(usage / target * pods)
//
// where usage is an average that is truncated first: to a whole milli-unit
// ([Sum.Average]) or to a whole percent of the requests ([Sum.Percent]). Their
// quotient is the usage ratio ([UsageRatio], [UtilizationRatio]); a ratio within
// the [Tolerance] of 1 changes nothing; [Replicas] does the rounding up.
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
// # Soundness
//
// Sums are exact, in 128 bits. Conversions stop at the ends of their type and
// never depend on the processor. Nothing panics, and only parsing can fail.
package metrics
