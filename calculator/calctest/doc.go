// Package calctest tests scaling rules by their properties. It draws loads, pods,
// readings, failures and restarts with pgregory.net/rapid, runs the decision on
// them, and checks invariants. A counterexample is shrunk and printed as a table,
// with the decision's own explanation of the sync that broke the invariant.
//
// The package is for tests. No other package of the library imports it.
//
// # Testing your rules
//
//	func TestRules(t *testing.T) {
//		setup := calctest.Manifest(t, "hpa.json") // kubectl get hpa web -o json
//		rapid.Check(t, func(t *rapid.T) {
//			calctest.AnswersStep(t, setup, 2*time.Minute, calctest.LoadUpTo(20))
//		})
//	}
//
// A [Setup] also has the startup time of pods and the lag of metrics. Both matter
// for whether a size settles.
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
// With several metrics, the load is that of the one that asks for most. Each of the
// others sees a fixed share of it.
//
// # Invariants
//
// These hold for any rules and anything that happens, up to the exceptions that the
// functions document:
//
//	WithinBounds             the size stays within bounds
//	WithinPolicies           no period adds or removes more than the policies allow
//	AboveWindow              no size below the highest recommendation in the scaleDown window
//	StaysWithinTolerance     load within tolerance does not change the size
//	MoreLoadNeverFewer       more load never gives fewer replicas
//	MissingNeverDown         missing metrics never scale down
//	RestartChangesNothing    a restart with the state changes nothing
//	OrderChangesNothing      the decision does not depend on the order of pods
//
// [Invariants] returns them. These hold for good rules only:
//
//	Settles                  the size settles within a time of the load becoming constant
//	AnswersStep              a step of load is answered within a time
//	TurnsAtMost              a varying load does not make the size flap
//
// Options constrain what is drawn ([LoadUpTo], [WithLoad], [Calm]). [Deciding]
// replaces the decision, to see that an invariant finds a broken one.
//
// # All courses of load
//
// [Exhaust] draws nothing: it tries every course of load over some levels, from every
// size, and so proves properties and tells exact worst times. Rules are small, and of
// a state only what still matters counts, so there are few enough:
//
//	x := calctest.Exhaust(t, setup, calctest.Search{Levels: []float64{0, 5, 10}},
//		calctest.CarriedWithin(time.Minute),
//		calctest.SettledWithin(10*time.Minute),
//		calctest.NeverBelow(5*time.Minute))
//	t.Log(x) // ... scaled up: 45s, from 1 replica at load 10 ...
//
// What it proves holds for these levels on the grid of syncs, and nothing else. Use it
// for the shape of rules, and the invariants for all that happens besides load.
//
// # Generators
//
// [Specs], [Behaviors], [Setups], [Pods], [Readings], [LoadProfiles] and [Timelines]
// draw valid values only. [Timeline.Run] decides on each sync of a timeline.
//
// # Sharing
//
// Nothing here changes a Setup or Timeline, so goroutines may share them. A [Sync] is
// valid until the callback that got it returns. [Find] sets rapid's flags while it
// runs, so no other property may run at the same time.
package calctest
