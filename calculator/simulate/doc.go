// Package simulate rehearses scaling rules before they are shipped: on a load
// that was measured, with pods that take time to start, and metrics that lag.
//
// # Closed loop
//
// A [Scenario] is a load, a workload and a span of time. [Scenario.Run] tries an
// [Autoscaler] on it, and yields a [Row] for each sync:
//
//	pods := simulate.DefaultDeployment()
//	pods.Capacity = 15_000 // 15 requests per second, in milli-units
//	pods.Startup = simulate.Uniform{Min: 20 * time.Second, Max: time.Minute}
//	pods.Containers = …    // with their requests
//	pods.Gauges = …        // how the metrics follow the load
//
//	scenario := simulate.Scenario{
//		Start: start, Duration: 14 * 24 * time.Hour,
//		Load: series, Workload: pods, Seed: 1,
//	}
//	rules := simulate.Autoscaler{Spec: &spec, Settings: calculator.DefaultSettings()}
//	for row, err := range scenario.Run(&rules) {
//		…
//	}
//
// [Summarize] adds the rows up to a [Summary]: pod-hours, time and load above
// target, load that could not be served, rescales, reversals, recovery from
// steps, extremes of the size. [Scenario.Compare] runs several autoscalers
// beside each other, on the same load and with the same random numbers.
//
// Each sync is a decision of calculator.DecideInto, on what the workload shows;
// the size that it decides on is the workload's from then on. A [Workload] that
// is not like a [Deployment] is a [Plant] of the caller's.
//
// # Open loop
//
// [Replay] asks autoscalers what they would have said to each sync of a
// recording, and [Differences] adds up where they differ.
//
// # Repeatable
//
// The same arguments give the same rows, to the last bit, on every processor:
// the simulation computes in integers, random numbers come from a seed and
// belong to what they are drawn for, rather than to the order in which they are
// drawn. Rows come one by one and none is kept, so that memory does not grow
// with the length of a series.
//
// # Units
//
// Loads are in milli-units of whatever is worked off, metrics in milli-units of
// the metric, sizes in replicas. Load over time, in a Summary, is in whole units
// times hours.
//
// # What it is not
//
// What a Deployment cannot serve is lost: nothing queues, nobody tries again,
// and pods that are overloaded do not become slower or fall over, but for
// crashes at random. There is no scheduler and no cluster that could be full;
// Pending stands for that. All ready pods get the same share of the load.
package simulate
