// Package guarantee says what the rules of a HorizontalPodAutoscaler guarantee,
// in numbers, from its spec alone.
//
//	settings := calculator.DefaultSettings()
//	g, err := guarantee.Compute(&settings, &spec, calculator.SyncPeriod)
//	if err != nil {
//		return err // the spec is not valid
//	}
//	fmt.Print(g)                     // for people
//	fmt.Println(g.Up.Longest.Steady) // 1m15s
//	text, err := json.Marshal(g)     // for machines
//
// # Numbers
//
//	Up, Down    the time from any size to any other
//	Growth the fastest load growth that scaling keeps up with
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
// metrics that are late, comes on top.
//
// # Exact, or a bound
//
// Each number has a [Bound]. It is exact for one metric under these
// assumptions:
//
//   - Syncs are a sync period apart, and each reads its metrics as they are
//     then.
//   - Pods are alike: they share the load, and are ready by the sync after the
//     one that created them.
//   - Nobody else changes the size or the rules.
//
// Without these assumptions it is a bound, and says so. Metrics of pods count
// young pods as idle, and a spec does not say how long pods take to start: so a
// scale-up takes at least the time given, and growth that is followed is at
// most as fast. Of several metrics, the one that asks for most decides: a
// scale-down takes at least the time given. If a number takes too long to
// compute, it is a bound, too: the best found so far.
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
