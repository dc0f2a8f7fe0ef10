// Package stabilize keeps a size from following its metrics too soon. A
// [History] holds the recommendations of one autoscaler, and stabilization
// windows look back on them (KEP-853).
//
// Each sync asks the History what the windows make of the newest
// recommendation, and then records it:
//
//	r := history.Stabilize(now, current, desired, windows)
//	history.Record(now, desired, windows)
//	size = r.Replicas
//
// So with a window of 5 minutes for scaling down, the size falls no lower than
// any recommendation of the last 5 minutes; with one for scaling up, it rises
// no higher than all of them. [History.StabilizeDown] is the older rule, for a
// spec without a behavior.
//
// Most callers should use behavior.Scaler or calculator.Decide, which add the
// limits. Recommendations are in replicas, windows are time.Duration.
//
// # Clocks
//
// The clock is an argument, and may be any time.Time. Wall clocks are compared,
// to the nanosecond; location and monotonic clock make no difference.
//
//   - A clock that stands still keeps everything in force.
//   - One that goes back leaves recommendations dated after now. They are
//     treated as dated now, so they count for one window and no more.
//   - One that jumps ahead empties the windows, as the time that it jumped over
//     would have.
//
// # Memory
//
// A History forgets as kube-controller-manager does. A recommendation older
// than the windows stays until a later one takes its place, and a window that
// is widened meanwhile sees it again. One older than [LongestWindow] is
// dropped, unless the caller's windows are longer.
//
// A History never holds more than [MaxRecommendations], 16 bytes each. A full
// one may hold a size longer, and never lets it fall sooner.
//
// # Goroutines
//
// A History is for one goroutine at a time. Methods that only read, such as
// [History.Stabilize] and [History.Equal], may run at the same time as long as
// nobody writes. Results share no memory with the History. Once a History has
// its usual length, its methods do not allocate, except for encoding, Clone,
// and reading while the clock is back.
//
// # Encodings
//
// A History encodes to JSON by itself, and to a compact binary form as part of
// calculator.State. Both keep all that an answer depends on. What cannot be
// decoded is a codec.Error that says where it is wrong.
package stabilize
