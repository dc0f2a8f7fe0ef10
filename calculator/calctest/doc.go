// Package calctest tests scaling rules by their properties. It draws loads,
// pods, readings, failures and restarts with pgregory.net/rapid, runs the
// decision on them, and checks invariants. A counterexample is shrunk and
// printed as a table, with the decision's own explanation of the sync that
// broke the invariant.
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
// A [prove.Setup] also has the startup time of pods and the lag of metrics. Both
// matter for whether a size settles. Setups, timelines and troubles are types of
// package prove.
//
// # Load
//
// Load is in replicas. A load of 7.5 needs 7.5 replicas to be exactly at their
// target; package prove has examples. With several metrics, one of them sees the
// whole load, and each of the others a fixed share.
//
// # Invariants
//
// These hold for any rules and anything that happens, up to the exceptions that
// the functions document:
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
// Options constrain what is drawn ([LoadUpTo], [WithLoad], [LoadOnly]).
// [WithDecider] replaces the decision, to see that an invariant finds a broken
// one.
//
// # All courses of load
//
// An invariant is tested with some courses of load. [Exhaust] tries all that
// there are. So it finds the shortest counterexample, and the worst times are
// exact:
//
//	x := calctest.Exhaust(t, setup, prove.Search{},
//		prove.CarriedWithin(time.Minute),
//		prove.SettledWithin(10*time.Minute),
//		prove.NeverBelow(5*time.Minute))
//	t.Log(x) // ... scaled up: 45s, from 1 replica at load 10 ...
//
// If the test passes, the properties are proved for every course of load.
// Package prove lists the assumptions of a proof.
//
// # Generators
//
// [Specs], [Behaviors], [Setups], [Pods], [Readings], [LoadProfiles] and
// [Timelines] draw valid values only. [prove.Timeline.Run] decides on each sync
// of a timeline.
//
// # Sharing
//
// Nothing here changes a Setup or Timeline, so goroutines may share them. A Sync
// is valid until the callback that got it returns. [Find] sets rapid's flags
// while it runs, so no other property may run at the same time.
package calctest
