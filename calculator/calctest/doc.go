// Package calctest tests scaling rules by their properties: it draws loads,
// pods, readings, failures and restarts with pgregory.net/rapid, runs the
// decision on them, and holds what comes out against an invariant. A failure
// is shrunk to a small case and printed as a table, with the decision's own
// explanation of the step that broke it. It is for tests; no package of the
// library imports it.
//
// # A property of one's own rules
//
//	func TestRules(t *testing.T) {
//		rules := calctest.Manifest(t, "hpa.json") // kubectl get hpa web -o json
//		rapid.Check(t, func(t *rapid.T) {
//			calctest.AnswersStep(t, rules, 2*time.Minute, calctest.LoadUpTo(20))
//		})
//	}
//
// [Rules] say how the pods behave, too: how long they take to start, and how
// old metrics are. Both decide whether a size settles.
//
// # Load
//
// Load is counted in replicas: a load of 7.5 is what takes 7.5 replicas to carry
// if each is just at its target, whatever that is. So the same load makes sense
// for all rules. A Resource metric of 60% at a load of 7.5 reads as 7.5 * 60% of
// one pod's request in all, shared by the pods that are ready; an External
// metric with the AverageValue 30 reads as 225. A metric with a target Value
// reads as target * load / ready pods, as a latency or a share does: it is at
// its target if load and size are the same. Where there are several metrics,
// the load is that of the one that asks for most, and each of the others sees a
// fixed share of it.
//
// # Invariants
//
// With any rules, whatever happens, up to the exceptions that each one's
// documentation gives:
//
//	WithinBounds             the size stays within bounds
//	WithinPolicies           no period adds or removes more than the policies allow
//	AboveWindow              no size below the highest recommendation of the down window
//	StaysWithinTolerance     load within tolerance moves nothing
//	MoreLoadNeverFewer       more load never gives fewer replicas
//	MissingNeverDown         missing metrics never scale down
//	RestartChangesNothing    a restart with the state changes nothing
//	OrderChangesNothing      the decision does not depend on the order of pods
//
// With good rules only:
//
//	Settles                  constant load settles within a time, and stays
//	AnswersStep              a step of load is answered within a time
//	TurnsAtMost              a wavering load does not make the size flap
//
// [Invariants] lists the former. All take options: what the load may be
// ([LoadUpTo], [ThisLoad]), what else may happen ([Calm]), and which decision is
// put to the test ([Deciding]), so that an invariant itself can be tested with
// one that is broken.
//
// # Generators
//
// [Specs], [Behaviors], [AnyRules], [Pods], [Readings], [Loads] and [Timelines]
// draw what is valid, and nothing else. [Timeline.Run] runs the decision over a
// timeline.
package calctest
