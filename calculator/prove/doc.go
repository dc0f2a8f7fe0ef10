// Package prove tries scaling rules on every course of load. What it does not
// find does not exist, and what it finds is a shortest counterexample:
//
//	setup, err := prove.ParseManifest(data) // kubectl get hpa web -o json
//	...
//	result, err := prove.Search{}.Run(ctx, setup,
//		prove.CarriedWithin(2*time.Minute),
//		prove.SettledWithin(10*time.Minute),
//		prove.NeverBelow(5*time.Minute),
//		prove.RemovedAtMost(2, time.Minute))
//	for _, v := range result.Verdicts {
//		fmt.Println(&v) // proved, or broken by this course of load
//	}
//	fmt.Println(result) // ... scaled up: 45s, from 1 replica at load 10 ...
//
// In tests, use Exhaust of package calctest, which fails the test. That package
// also has random tests of rules.
//
// # Load
//
// Load is in replicas. A load of 7.5 needs 7.5 replicas to be exactly at their
// target. For example:
//
//	Resource, Utilization 60%   the ready pods use 7.5 * 60% of a pod's request in all
//	External, AverageValue 30   the value is 7.5 * 30 = 225
//	Object, Value 30            the value is 30 * 7.5 / ready pods, like a latency
//
// With several metrics, each of them sees the whole load in a search. In a
// timeline, each sees its share in [Timeline.Shares].
//
// # What is proved
//
// A property that is [Proved] holds for every course of load, however long,
// that
//
//   - starts at any size within bounds, with an empty history,
//   - has any load from Search.Low to Search.High at each sync, in thousandths
//     of a replica, or with Search.Levels one of these,
//   - has a sync each Setup.SyncPeriod, give or take Search.Jitter, of which
//     Search.Missed in a row may not happen,
//   - has pods that serve after Setup.Startup and share the load evenly,
//   - has metrics of any sources that all show the whole load, with the age of
//     Setup.Lag,
//   - and has no troubles except those of Search.Troubles.
//
// The worst times, [CarriedWithin], [ReleasedWithin] and [SettledWithin] are
// about loads that stay the same from some sync on, whatever was before.
//
// Nothing is proved about metrics that see different loads, pods that differ, a
// restart that loses the state, or a change of the rules. The invariants and
// timelines of package calctest draw what happens besides load; they find much,
// and prove nothing.
//
// # How
//
// An autoscaler forgets: what has left all windows and periods no longer
// matters, and few different states remain. Three things make them fewer still.
//
// Loads that decide alike are one. At each set of pods, the loads fall into
// pieces within which a sync recommends the same. Bisection on the decision finds
// all of them: more load never gets fewer replicas, except where a metric is
// decided by another rule, such as that of the tolerance, and a piece ends there.
//
// A recommendation in the scaleDown window is not chosen when it is made, but
// when the size depends on it. Until then a state has, for each sync of the
// window, the set of sizes that some load would have recommended.
//
// A state that can do no more than another one is left out: if each of its sets
// is within the other's.
//
// Each counterexample is run as a [Timeline], which must lead to the same sizes.
// It is a shortest one, except that a load which never settles, or never is
// carried or released, is shown until its syncs repeat.
//
// Where others set the size, and with corrections, a cooldown or a cold start
// that holds the size, recommendations are chosen when they are made. That is for
// a handful of replicas.
//
// # Late metrics
//
// Metrics that are late show a load when the pods have changed. So the load is
// chosen when they show it, not when it comes: its pieces are those of the pods
// that served it together with the pods that there are now. Metrics may show one
// sync several times, with MetricsLate or while there is no older one. What was
// chosen first is a piece of loads then, which is divided further.
//
// # Syncs that are not on the grid
//
// With a Search.Jitter, what counts in a sync is not given by the number of
// syncs since then: a recommendation may have left its window or not, an event
// its period, and a pod may be ready or not. Each combination is tried. Not all
// of them are possible, as a sync that is early makes the next one relatively
// late. So what is proved holds, and what is broken is so with the times of
// syncs in its counterexample. A property is [Undecided] if the course that
// breaks it has no such times.
//
// Without a behavior, the downscale stabilization includes its end, which only
// a sync on the exact grid meets. With the slightest jitter there is no
// difference to the same window in a behavior.
//
// # If it takes too long
//
// A search ends with Search.MaxStates, or when Search.Progress says so. What it
// has not decided is [Undecided] then. Policies with long periods, several
// troubles, and late metrics make most states: with 20 replicas, the default rules
// have 992, and 17,058 where metrics are a sync late. Fewer replicas, a longer sync
// period, named levels, and Search.Untimed, which leaves out the longest times,
// make it faster. Properties with a memory have searches of their own.
//
// # Timelines
//
// A [Timeline] is one course of load and troubles. [Timeline.Run] decides on
// each of its syncs.
//
// # Sharing
//
// Nothing here changes a Setup or Timeline, so goroutines may share them. A
// [Sync] is valid until the callback that got it returns. [Search.Run] starts
// goroutines, and returns when they have ended.
package prove
