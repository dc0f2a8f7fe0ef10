// Package calculator decides what size a workload should have, exactly as the
// Horizontal Pod Autoscaler of Kubernetes does, in any release from 1.29 to 1.37:
// from pods, metrics, a spec and a history to a number of replicas, with the
// conditions, statuses, events and texts of kube-controller-manager, and with the
// reasons.
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
// The spec is that of package autoscaling, with its defaults and valid. One sync
// has one clock: now is the same in all its calls. Who decides often uses
// [DecideInto], which allocates nothing once warm. Package recording keeps what syncs
// saw, to decide on it again.
//
// # Stages
//
// A size outside of the bounds goes straight to the bound. A size of zero stays
// there, unless the autoscaler itself scaled to zero. Otherwise:
//
//	propose     each metric makes a Proposal
//	choose      Choose takes the largest, or blocks if a metric that failed
//	            might have asked for more
//	stabilize   package stabilize holds it against recent recommendations
//	limit       package behavior limits how fast the size changes, and then
//	            the bounds do
//
// Each stage can be used alone. The functions for one metric need no spec:
//
//	Resource, ContainerResource   ResourceUtilization, ResourceAverageValue
//	Pods                          PodsAverageValue
//	Object                        ObjectValue, ObjectAverageValue
//	External                      ExternalValue, ExternalAverageValue
//
// A [Decision] has the size after each stage, and what bound it there.
// [Decision.String] says it in sentences, [Decision.MarshalJSON] for machines.
//
// The stages only compute. Then one step records: the recommendation, the
// conditions, the clock. Where the input cannot be decided on, nothing is
// recorded, the size stays, and [Decision.Err] names the field.
//
// # Releases
//
// Decisions are those of Kubernetes 1.37.1 unless Settings.Release names another
// release, with feature gates of its own:
//
//	settings.Release, err = release.Parse("v1.32.13")
//	settings.Release, err = release.Parse("1.36,HPAScaleToZero=true")
//
// A controller gets the version from its cluster's discovery API. What a release does
// otherwise is listed in package release. Decision.Differences says what of it
// mattered, and the text of a decision says what the newest release does instead.
//
// # Units
//
// Sizes are replicas, amounts milli-units ([metrics.Milli]), utilizations whole
// percents, tolerances and ratios fractions.
//
// # Values
//
// A [State] and a [Decision] own what they say. Nothing that happens to the
// spec, the observation or an error afterwards changes them, and none of their
// methods panics. State.Clone forks a state, State.Equal compares two, and
// State.AppendKey tells states apart only where a later decision can. Both its
// encodings, JSON and a compact binary form, keep all that a later decision or
// status depends on, so a restart or another leader goes on where the last one
// stopped. Where the state was lost all the same, [ColdStart] says how careful
// to be. It is bounded by stabilize.MaxRecommendations, behavior.MaxEvents,
// [MaxConditions] and [MaxMessageLength].
//
// Settings, specs and observations are only read, and may be shared between
// goroutines. A State or a Decision is for one goroutine at a time. Copies of a
// Decision share its slices, which the next DecideInto uses again.
//
// # Without a state
//
// No API shows what kube-controller-manager remembers: recommendations and scale
// events. Who has only the autoscaler's object, as kubectl prints it, uses [Known].
// Its decision is a [Range]: the smallest and the largest size that the controller
// can decide on, and what would decide between them.
//
//	known := calculator.Known{Status: status, Generation: generation}
//	r := known.Decide(now, &settings, &spec, &obs)
//	fmt.Print(r) // ... the size is to be 5 to 6 replicas, as far as the status tells ...
//
// # Clocks
//
// A clock may be any time.Time: only its moment counts, not its location, nor a
// reading of the monotonic clock. Times in states and statuses are in UTC. If the
// clock stands still, goes back or jumps ahead, decisions go on, and nothing
// holds a size for longer than its window after the last jump. Recommendations
// and events dated after now are treated as dated now; so are the start of the
// state and, with a [behavior.Cooldown], the last scale. What the caller observes
// is believed: a pod that starts in the future is young until then. Moments of
// pods and samples outside of the years 1678 to 2262 are taken as the nearest one
// within ([metrics.Instant]).
//
// # Deviations
//
// Where Kubernetes' answer is undefined or nonsense, there is one here, the same
// on every processor and for every release. Everything else is equal, known complaints included.
//
//  1. A size beyond int32 is the largest int32. There it is what the processor
//     makes of it.
//  2. Sums of samples and requests are exact, in 128 bits, and an amount beyond
//     int64 milli-units is the largest of these. There they wrap around: 1,000
//     pods of 100 GiB compute -143%.
//  3. A negative sum of an External metric with AverageValue proposes 0. There it
//     is taken for an overflow: -5 becomes 2147483647 replicas.
//  4. The average over zero pods is 0. There it is -9223372036854775808m.
//  5. Where metrics decide, a target that is not positive, no metrics, a source
//     whose field is not set and a Pods metric without a target are an error that
//     names the field; so are, always, impossible bounds, an empty list of
//     policies, policies of an unknown type and missing defaults. There they are a
//     panic, -1 or nonsense.
//  6. Proposals are never below 0. There they may be, and the largest of them
//     depends on their order.
//  7. The limit of a policy stops at the ends of int32. There it overflows.
//  8. Requests that are all zero are an error that says so ([ZeroRequests]).
//     There it is "no metrics returned matched known pods".
//  9. Entries dated after now are treated as dated now. There a clock that went
//     back keeps them in force until it has caught up.
//  10. Histories are bounded: 4,096 recommendations, 2,048 events of each
//     direction. There they never shrink.
//  11. Where 1.29 fails ContainerResource metrics, as their gate is off, no condition
//     changes. There, one without type, status and reason is set.
//  12. Reasons and messages of conditions are cut at 32,768 bytes. There an error
//     of any length goes into the status.
package calculator
