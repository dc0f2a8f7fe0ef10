// Package prove tries scaling rules on every course of load. So it finds the
// shortest counterexample to a property, and the worst times are exact:
//
//	setup, err := prove.ParseManifest(data) // kubectl get hpa web -o json
//	...
//	result, err := prove.Search{Levels: []float64{0, 5, 10}}.Run(ctx, setup,
//		prove.CarriedWithin(time.Minute),
//		prove.SettledWithin(10*time.Minute),
//		prove.NeverBelow(5*time.Minute))
//	fmt.Println(result) // ... scaled up: 45s, from 1 replica at load 10 ...
//
// That is possible because an autoscaler forgets: what has left all windows and
// periods no longer matters, and few different states remain.
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
// If a [Result] is complete and has no counterexamples, the properties hold for
// every course of load, however long, that
//
//   - starts at any size within bounds, with an empty history,
//   - has one of the levels as its load at each sync, with Search.Around one of
//     those around the size at that sync,
//   - has a sync each Setup.SyncPeriod, to the nanosecond,
//   - has pods that serve after Setup.Startup and share the load evenly,
//   - has metrics that all show the whole load with the age of Setup.Lag,
//   - and has no troubles except those of Search.Troubles.
//
// The worst times, [CarriedWithin] and [SettledWithin] are about loads that
// stay the same. With Search.Around these, too, are levels around the size at
// first. They then stay whatever the size becomes.
//
// # What is not proved
//
// Nothing is proved about other loads. There are rules for which loads of 4 and
// 5 settle, and one of 4.4 flaps for ever: it asks for 5 replicas, and is then
// below their tolerance. So choose levels between the sizes, too, such as each
// size times the edges of tolerance, and see whether finer ones find more.
//
// Nor is anything proved about late syncs, pods that differ, a restart that
// loses the state, or a change of the rules. The invariants and timelines of
// package calctest draw what happens besides load; they find much, and prove
// nothing.
//
// Each sync of lag multiplies the states, and so does what [NeverBelow]
// remembers. Use [Search.Around] for more than about 20 replicas, and
// [Search.Troubles] for metrics that fail or are late and for rollouts.
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
