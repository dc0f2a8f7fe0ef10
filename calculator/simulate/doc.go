// Package simulate tries scaling rules on a recorded load before they are
// shipped, with pods that take time to start and metrics that lag.
//
// # Closed loop
//
// A [Scenario] is a load, a workload and a duration. [Scenario.Run] runs a
// [calculator.Autoscaler] on it and yields a [Row] for each sync:
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
//	rules := calculator.Autoscaler{Spec: &spec} // with Kubernetes' settings
//	for row, err := range scenario.Run(&rules) {
//		…
//	}
//
// Most callers should use [Summarize], which adds the rows up: pod-hours, load
// that was not served or was above target, rescales, reversals, recovery from
// steps. [Scenario.Compare] runs several autoscalers side by side, on the same
// load and with the same random numbers.
//
// Each sync is a decision of calculator.Decide on what the workload shows. The
// workload then takes on the desired size. Callers with workloads other than a
// [Deployment] implement [Workload] and [Plant].
//
// To decide on what was recorded, in an open loop, see package replay.
//
// # Reproducibility
//
// The same arguments give the same rows on every processor. The simulation
// computes in integers. Random numbers come from a seed and from what they are
// drawn for, not from the order in which they are drawn. Rows are yielded one
// by one and not kept, so memory does not grow with the duration.
//
// # Phases
//
// Whether a sync comes right after a step of the load or 15 seconds later is
// chance, and so is how old the last scrape is by then. The seed draws the
// phases of syncs and scrapes, so a figure of one seed is one of many that are
// as likely. Run several seeds and look at their spread:
//
//	for scenario.Seed = range uint64(9) {
//		sum, err := simulate.Summarize(scenario.Run(&rules))
//		…
//	}
//
// # Units
//
// Loads are in milli-units of whatever is served, such as requests per second.
// Metrics are in milli-units of the metric, sizes in replicas. A Summary has
// loads over time, in whole units times hours.
//
// # Limits of the model
//
// Load that a Deployment cannot serve is lost. Nothing queues, and clients do
// not retry. Overloaded pods neither slow down nor fail; crashes are random.
// There is no scheduler; Pending stands for the time it takes. All ready pods
// get the same share of the load, and all pods are scraped at once.
//
// # Errors
//
// The error of a wrong argument is a *field.Error (package behavior/field) with
// the path of the argument, such as "scenario.duration".
//
// # Sharing
//
// A run reads its Scenario and Autoscaler and changes neither, so goroutines
// may run the same ones at once, as long as their Load and Workload are safe
// for concurrent use; those of this package are. A Ledger, Rand or Plant is for
// one goroutine at a time. What a loop yields is valid until the next
// iteration: Row.Decision, Row.State and the slice of Compare. Everything else
// in a Row is a plain value.
package simulate
