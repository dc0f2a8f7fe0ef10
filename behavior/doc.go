// Package behavior holds the scaling rules of autoscaling/v2: how fast a size
// may change, and the history of changes that they look back on (KEP-853).
//
// # Rules
//
// A [Behavior] has [Rules] for the way up and for the way down. It reads and
// writes the JSON of spec.behavior; [Behavior.SetDefaults] fills in what was
// left out, as the API server does, and [Behavior.Validate] complains as the API
// server does, about all fields at once. No behavior at all, a nil *Behavior,
// is not the same as one of default rules: see [LimitWithoutBehavior].
//
// # Limits
//
// A [Policy] allows a change within its period. It looks back at the [Events] of
// both directions:
//
//	start = current - added + removed        // within the period
//	limit = start + value                    // Pods, up
//	limit = ceil(start * (1 + value/100))    // Percent, up
//	limit = start - value                    // Pods, down
//	limit = trunc(start * (1 - value/100))   // Percent, down
//
// The select policy picks the limit of the larger change (Max), of the smaller
// one (Min), or forbids the direction (Disabled). A limit behind the current
// size means to stay. [UpLimit] and [DownLimit] answer for a direction, and say
// what each policy said; [Behavior.Limit] bounds a size by them and by the
// minimum or maximum.
//
//	b := &behavior.Behavior{}
//	b.SetDefaults()
//	l, _ := b.Limit(now, current, desired, 1, 100, &events, nil)
//	if l.Replicas != current && write(l.Replicas) == nil {
//		events.Record(now, current, l.Replicas, b)
//	}
//
// Sizes and Pods values are in replicas, Percent values in percent, periods in
// seconds. What does not fit int32 stops there. An event that is exactly as old
// as a period no longer counts. The events are the caller's, and bounded at
// [MaxEvents] of each direction.
//
// [Behavior.Lint] finds rules that are legal and likely to be regretted.
//
// [Cooldown] is what the releases before 1.12 had instead of all this, as an
// option.
package behavior
