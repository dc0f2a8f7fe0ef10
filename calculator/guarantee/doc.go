// Package guarantee says what the rules of a HorizontalPodAutoscaler guarantee,
// in numbers, from its spec alone.
//
//	settings, startup := calculator.DefaultSettings(), 30*time.Second
//	g, err := guarantee.Compute(&settings, &spec, calculator.SyncPeriod, startup)
//	if err != nil {
//		return err // the spec is not valid
//	}
//	fmt.Print(g)                     // for people
//	fmt.Println(g.Up.Longest.Steady) // at least 1m15s
//	text, err := json.Marshal(g)     // for machines
//
// # Numbers
//
//	Up, Down    the time from any size to any other
//	Growth      the fastest load growth that scaling keeps up with
//	Peak        how long a peak is held, and what it costs
//	Bands       the load at which no sync asks for another size
//	Wave        the smallest wave of load that makes the size move at each sync
//	Unreached   the sizes that no load leads to
//
// Load is in replicas: a load of 7.5 needs 7.5 replicas to be exactly at their
// target.
//
// A time starts when the load changes, at the worst moment: right after a sync.
// So it is the number of syncs until the change was made, in sync periods. What
// comes after the decision, such as pods that start, and before it, such as
// metrics that are late, comes on top. The worst times of package prove
// start at the same moment.
//
// # Exact, or a bound
//
// Each number has a [Bound]. It is exact for one metric under these
// assumptions:
//
//   - Syncs are a sync period apart, exactly, and each reads its metrics as
//     they are then.
//   - Pods are alike: they share the load, and count by the sync after the one
//     that created them. That is a startup of zero.
//   - Nobody else changes the size or the rules.
//
// In a cluster, syncs are a little late. Only one number depends on that:
// without a behavior, the downscale stabilization includes its end, which syncs
// on the grid meet. With Kubernetes' default of 5 minutes, a scale-down then
// takes 5m15s on the grid, which is the number given, and 5m in a cluster. See
// Guarantees.LessIfLate.
//
// If pods take time to start, metrics of pods count young ones as idle, or not
// at all. So a scale-up takes at least the time given, growth that is followed
// is at most as fast, and no history of a scale-down is known to be the worst.
// There is then no upper bound: the time depends on how many pods are young at
// each sync, and on how much of the load those carry that do not count yet. Of
// several metrics, the one that asks for most decides: times are at least those
// given.
//
// If a number takes too long to compute, it is a bound, too: the best found so
// far.
//
// Bands, Wave and Unreached are of all pods ready and with samples, always.
//
// A load that needs a size need not lead there: it may be within tolerance
// before. So times are of syncs that all ask for the size, or for more in that
// direction, and Bands say from where no sync does.
//
// # Work
//
// The work is bounded, whatever the spec, and so is the memory, whatever
// maxReplicas. A spec that autoscaling/v2 refuses is an error. So are sync
// periods out of range, a downscale stabilization too long to be kept, a
// [behavior.Cooldown], corrections, another ColdStart, and a ChooseBy other
// than ChooseMax.
package guarantee
