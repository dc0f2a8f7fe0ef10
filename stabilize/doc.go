// Package stabilize keeps a size from following its metrics too soon: it holds
// the history of recommendations, and the windows over it.
//
// # Contract
//
// A [History] is the caller's, one for each autoscaler. Each sync asks it what
// the windows make of the newest recommendation, and then records that one:
//
//	history.Advance(now, windows)
//	r := history.Stabilize(now, current, desired, windows)
//	history.Record(now, desired, windows)
//	size = r.Replicas
//
// The answer is the current size, raised to the lowest recommendation of the up
// window and lowered to the highest of the down window, so that the size falls
// no lower than anything asked for within the down window, and rises no higher
// than what was asked for throughout the up window (KEP-853). A recommendation
// that is exactly as old as a window no longer counts. [History.StabilizeDown]
// is the older rule, for a spec without a behavior.
//
// Recommendations are in replicas, windows are time.Duration.
//
// # Clocks
//
// The clock is an argument, and may be any time.Time. Wall clocks are compared,
// to the nanosecond, over the whole range of time.Time and not only the years
// 1678 to 2262 that fit int64 nanoseconds; readings of the monotonic clock and
// locations make no difference. A sum that leaves the range stops at its end.
//
//   - A clock that stands still keeps everything in force.
//   - One that went back would have recommendations from the future; they are
//     taken as made now ([Series.Rewind]), so they hold for a window and no more.
//   - One that jumps ahead empties the windows, as the time that it jumped over
//     would have. What became older than any window is forgotten for good
//     ([Series.Forget]), even if the clock then goes back: what was recorded in
//     between is taken as made now.
//
// # Memory
//
// A History forgets as kube-controller-manager does: a recommendation that is
// older than the windows gives its place to the next one, the last such one in
// the list first. Until then it is there, and a window that is widened sees it
// again; one whose place was taken it does not see, here as there. What is older
// than [LongestWindow], or than a longer window of the caller's, is forgotten,
// but its place in the list stays for the next one, so that nothing else has to
// give way sooner.
//
// There are never more than [MaxRecommendations], 16 bytes each. A history that
// has become that long keeps the highest recommendations, and for no less time
// than it should, so that it never lets the size fall where one without a limit
// would not ([Series.Record]).
//
// # Encodings
//
// A [Series], and so a History, has two: JSON for people, and a compact binary
// form with a version. Both keep all that an answer depends on, including the
// order, and both are the same for the same series. Decoding accepts nothing
// that encoding would not write, JSON's liberties aside, and answers everything
// else with a [DecodeError] that tells where it is wrong.
package stabilize
