// Package behavior holds the scaling rules of autoscaling/v2, which say how
// fast a size may change, and the scale events that they look back on
// (KEP-853).
//
// Most callers should use a [Scaler], which holds rules, events and
// recommendations in one, or calculator.Decide, which also computes proposals
// from metrics.
//
// # Rules
//
// A [Behavior] has [ScalingRules] for scaling up and for scaling down. It reads
// and writes the JSON of spec.behavior. [Behavior.SetDefaults] fills in what
// was left out, and [Behavior.Validate] reports what is wrong, both as the API
// server does. A nil *Behavior is not one of default rules: see
// [LimitWithoutBehavior].
//
// # Limits
//
// A [Policy] allows a change within its period. It looks back at the [Events]
// of both directions:
//
//	start = current - added + removed        // within the period
//	limit = start + value                    // scaling up, Pods
//	limit = ceil(start * (1 + value/100))    // scaling up, Percent
//	limit = start - value                    // scaling down, Pods
//	limit = trunc(start * (1 - value/100))   // scaling down, Percent
//
// For example, "4 Pods in 60 seconds" lets a size of 10 that was 7 a minute ago
// grow to 11. The select policy takes the limit of the largest change (Max) or
// of the smallest one (Min), or forbids the direction (Disabled).
//
// [Behavior.Limit] bounds a size by the policies and by minimum and maximum,
// and only reads. The event is recorded once the change was written:
//
//	l, _ := b.Limit(now, behavior.Change{Current: 10, Desired: 50}, bounds, &events, nil)
//	if l.Replicas != 10 && write(l.Replicas) == nil {
//		events.Record(now, 10, l.Replicas, b)
//	}
//
// Sizes are in replicas, Percent values in percent, periods in seconds. Periods
// are exclusive: an event of exactly that age no longer counts. Events dated
// after now are treated as dated now. Numbers beyond int32 stop at its ends.
//
// # Goroutines
//
// Events and Scalers are for one goroutine at a time. Functions and methods
// that only read, such as [Behavior.Limit] and [Behavior.Validate], may run at
// the same time as long as nobody writes: so autoscalers may share a Behavior.
// Results own what they hold, except for the slices appended to a caller's dst,
// which are good until the caller reuses it. With room in dst, limiting and
// recording allocate nothing.
package behavior
