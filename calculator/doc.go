// Package calculator decides what size a workload should have, exactly as the
// Horizontal Pod Autoscaler of Kubernetes does, in any release from 1.29 to
// 1.37: from pods, metrics, a spec and a history to a number of replicas, with
// the conditions, statuses, events and texts of kube-controller-manager, and
// with the reasons.
//
// # Use
//
// Most callers should use [Decide], once for each sync and autoscaler:
//
//	settings := calculator.DefaultSettings() // the controller's flags
//	var state calculator.State               // one for each autoscaler
//	for each sync {
//		obs := calculator.Observation{ … }   // scale, pods, readings
//		d := calculator.Decide(now, &settings, &spec, &obs, &state)
//		if d.Rescale {
//			if err := write(d.DesiredReplicas); err != nil {
//				state.Failed(now, &d, err)
//			} else {
//				state.Applied(now, &d)
//			}
//		}
//	}
//
// An [Autoscaler] holds these arguments together, as a value that can be cloned
// and handed to packages replay and simulate.
//
// The spec is that of package autoscaling, with its defaults and valid. One
// sync has one clock: now is the same in all its calls. [NeedsReadings] tells
// whether pods and readings matter before they are read. Callers that decide
// often should use [DecideInto], which allocates nothing once warm. Package
// recording keeps what syncs saw, and package replay decides on it again.
//
// # Stages
//
// A size outside of the bounds goes straight to the bound. A size of zero stays
// there, unless the autoscaler itself scaled to zero. Otherwise:
//
//	propose     each metric makes a Proposal
//	choose      Choose takes the largest, or blocks if a metric that failed
//	            might have asked for more; see ChooseBy for other ways
//	stabilize   package stabilize holds it against recent recommendations
//	limit       package behavior limits how fast the size changes, and then
//	            the bounds do
//
// Each stage can be used alone. The functions for one metric need no spec:
//
//	Resource, ContainerResource   ProposeResourceUtilization, ProposeResourceAverageValue
//	Pods                          ProposePodsAverageValue
//	Object                        ProposeObjectValue, ProposeObjectAverageValue
//	External                      ProposeExternalValue, ProposeExternalAverageValue
//
// A [Decision] has the size after each stage, and what bound it there.
// [Decision.String] says it in sentences, which are made of the data that
// [Decision.Stages] returns. [Decision.MarshalJSON] is for machines.
//
// The stages only compute. A last step records the recommendation, the
// conditions and the clock. If the input is invalid, nothing is recorded, the
// size stays, and [Decision.Err] names the field.
//
// # Releases
//
// Decisions are those of Kubernetes 1.37.1 unless Settings.Release names
// another release, with feature gates of its own:
//
//	settings.Release, err = release.Parse("v1.32.13")
//	settings.Release, err = release.Parse("1.36,HPAScaleToZero=true")
//
// A controller reads the version from its cluster's discovery API. Package
// release lists what each release does differently. Decision.Quirks lists the
// quirks that affected the decision, and the text of a decision says what the
// newest release does instead.
//
// # Other algorithms
//
// Replace a single step and keep the others. Kubernetes has no such options,
// and all are off by default.
//
//   - A [Proposed] size or ratio replaces the library's calculation for one
//     metric. A metric of type Proposal (autoscaling.ProposalMetric) stands for
//     a proposal that no metric of the API describes. A [Proposer] makes such
//     proposals for an Autoscaler.
//   - [ChooseBy] selects the smallest proposal, or the first, instead of the
//     largest.
//   - Observation.Calibration scales the result where the pods listed are only
//     a share of all, as in a federation of clusters.
//   - Package correction changes behavior that surprises users, one point at a
//     time.
//   - A fallback (autoscaling.ExternalMetricFallback, KEP-5679) is the size
//     that a metric proposes once it has failed for a while.
//
// # Units
//
// Sizes are replicas, amounts milli-units ([metrics.Milli]), utilizations whole
// percents, tolerances and ratios fractions.
//
// # Values
//
// A [State] and a [Decision] own their data. Later changes of the spec, the
// observation or an error do not affect them, and their methods do not panic.
// State.Clone forks a state, State.Equal compares two, and State.AppendKey
// gives two states the same key if no later decision can distinguish them. Both
// its encodings, JSON and a compact binary form, keep all that a later decision
// or status depends on, so a restart or another leader continues where the last
// one stopped. If the state was lost, [ColdStart] says how careful to be. It is
// bounded by stabilize.MaxRecommendations, behavior.MaxEvents, [MaxConditions]
// and [MaxMessageLength].
//
// Settings, specs and observations are only read, and may be shared between
// goroutines. A State or a Decision is for one goroutine at a time. Copies of a
// Decision share its slices, which the next DecideInto uses again.
//
// # Without a state
//
// No API shows what kube-controller-manager remembers: recommendations and
// scale events. If all you have is the HPA object, use [Known]. Its decision is
// a [Range]: the smallest and the largest size that the controller can decide
// on, and what distinguishes them.
//
//	known := calculator.Known{Status: status, Generation: generation}
//	r := known.Decide(now, &settings, &spec, &obs)
//	fmt.Print(r) // ... the size will be between 5 and 6 replicas; ...
//
// # Clocks
//
// A clock may be any time.Time: only its moment counts, not its location, nor a
// reading of the monotonic clock. Times in states and statuses are in UTC. If
// the clock stands still, goes back or jumps ahead, decisions go on, and
// nothing holds a size for longer than its window after the last jump.
// Recommendations and events dated after now are treated as dated now; so are
// the start of the state and, with a [behavior.Cooldown], the last scale.
// Observations are taken at face value: a pod whose start time is in the future
// counts as young until then. Moments of pods and samples outside of the years
// 1678 to 2262 are taken as the nearest one within ([metrics.Instant]).
//
// # Deviations
//
// Where Kubernetes' answer is undefined or nonsense, the library defines one,
// the same on every processor and for every release. Everything else is
// reproduced exactly, including known complaints.
//
//  1. A size beyond int32 is the largest int32. In Kubernetes the result
//     depends on the processor.
//  2. Sums of samples and requests are exact, in 128 bits, and an amount beyond
//     int64 milli-units is the largest of these. In Kubernetes they wrap
//     around: 1,000 pods of 100 GiB compute -143%.
//  3. A negative sum of an External metric with AverageValue proposes 0.
//     Kubernetes treats it as an overflow: -5 becomes 2147483647 replicas.
//  4. The average over zero pods is 0. In Kubernetes it is
//     -9223372036854775808m.
//  5. Where metrics decide, a target that is not positive, no metrics, a source
//     whose field is not set and a Pods metric without a target are an error
//     that names the field; so are, always, impossible bounds, an empty list of
//     policies, policies of an unknown type and missing defaults. In Kubernetes
//     they are a panic, -1 or nonsense.
//  6. Proposals are never below 0. In Kubernetes they may be, and the largest
//     then depends on their order.
//  7. The limit of a policy stops at the ends of int32. In Kubernetes it
//     overflows.
//  8. Requests that are all zero are an error that says so ([ZeroRequests]). In
//     Kubernetes it is "no metrics returned matched known pods".
//  9. Entries dated after now are treated as dated now. In Kubernetes they stay
//     in force until a clock that went back has caught up.
//  10. Histories are bounded: 4,096 recommendations, 2,048 events of each
//     direction. In Kubernetes they never shrink.
//  11. Where 1.29 fails ContainerResource metrics, as their gate is off, no
//     condition changes. Kubernetes sets one without type, status and reason.
//  12. Reasons and messages of conditions are cut at 32,768 bytes. In
//     Kubernetes an error of any length goes into the status.
package calculator
