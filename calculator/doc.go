// Package calculator decides what size a workload should have, exactly as the
// Horizontal Pod Autoscaler of Kubernetes 1.37.1 does: from pods, metrics, a
// spec and a history to a number of replicas, with the conditions, statuses,
// events and texts that kube-controller-manager would show, and with the reasons.
//
// # Contract
//
// [Decide] is a pure function but for the [State], which is the caller's: it
// reads no clock, does no I/O, and keeps nothing that it is handed.
//
//	settings := calculator.DefaultSettings()    // the controller's flags
//	var spec calculator.Spec                    // spec of autoscaling/v2
//	if err := json.Unmarshal(manifest, &spec); err != nil { … }
//	spec.SetDefaults()
//	if err := spec.Validate().Err(); err != nil { … }
//
//	var state calculator.State                  // one for each autoscaler
//	for each sync {
//		obs := calculator.Observation{ … }      // scale, pods, readings
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
// One sync has one clock: now is the same in all its calls.
//
// # Pipeline
//
// A size outside of the bounds goes straight to the bound; a size of zero stays
// there, unless the autoscaler itself took it there. Otherwise each metric of
// the spec makes a [Proposal]:
//
//	Resource, ContainerResource   ResourceUtilization, ResourceAverageValue
//	Pods                          PodsAverageValue
//	Object                        ObjectValue, ObjectAverageValue
//	External                      ExternalValue, ExternalAverageValue
//
// [Choose] takes the largest one, or blocks if a metric that failed might have
// asked for more. Stabilization holds that against recent recommendations
// (package stabilize), policies limit the speed (package behavior), the bounds
// come last. Each of these pieces can be used alone. The [Decision] tells the
// size at each stage, and what bound it there.
//
// # Units
//
// Sizes are replicas, amounts milli-units ([metrics.Milli]), utilizations whole
// percents, tolerances and ratios fractions.
//
// # State
//
// A [State] is a value: State.Clone forks it, State.Equal compares two, and both
// its encodings, JSON and a compact binary form, keep all that a later decision
// or status depends on. So it can be kept in a status, a ConfigMap or a file, and
// a restart or another leader goes on where the last one stopped. Where it was
// lost all the same, [ColdStart] says how careful to be. It is bounded: see
// stabilize.MaxRecommendations, behavior.MaxEvents and [MaxConditions].
//
// # Clocks
//
// A sync has one clock, and it may be any time.Time: only its moment counts, not
// its location, nor a reading of the monotonic clock. Times that the state or the
// status get are in UTC. If the clock stands still, goes back or jumps ahead, by
// however much, decisions go on, and nothing holds a size for longer than its
// window after the last jump: package stabilize tells how. Scale events, the
// start of the state, and with a [behavior.Cooldown] the last scale, are taken as
// of now if they lie in the future, too. What the caller observes is believed: a
// pod that starts in the future, say, is young until then, which is for no longer
// than the clock went back. Moments of pods and samples outside of the years 1678
// to 2262 are taken as the nearest one within ([metrics.Instant]).
//
// # Deviations
//
// Where Kubernetes has no sound answer, this package has one, on every
// processor the same:
//
//   - A size beyond int32 is the largest int32, and a proposal is never negative.
//   - Sums of samples and requests are exact, however large. An amount in a
//     manifest that does not fit int64 milli-units is the largest that does.
//   - A negative sum of an External metric is not taken for an overflow.
//   - The average over zero pods is 0.
//   - All requests being zero is an error that says so ([ZeroRequests]).
//   - An input that Kubernetes panics on, or answers with nonsense, is an error
//     that names the field; see [Decision.Err].
//   - Clocks may go back, jump ahead, or be out of any range.
//   - Histories are bounded.
//
// Everything else is equal, complaints that people have about it included.
package calculator
