// Package series is for this library's own packages, outside of the promise of
// compatibility. It holds the bounded list of dated values behind
// stabilize.History and behavior.Events, which callers should use.
//
// A [Series] keeps the order, and forgets as kube-controller-manager's own
// lists do: an old entry is not removed, but the next value recorded takes its
// place. So a window that is widened sees the same entries as in Kubernetes.
// Unlike those lists a Series is bounded, and merges entries once it is full
// ([Merge]).
//
// # Times
//
// Wall clocks are compared, to the nanosecond, over the whole range of
// time.Time and not only the years 1678 to 2262 of int64 nanoseconds. Location
// and monotonic clock are dropped. Sums stop at the ends of the range.
//
// The reading methods take an entry dated after now as dated now.
// [Series.Advance] does so for good.
//
// # Goroutines
//
// A Series is for one goroutine at a time. Methods that only read, such as
// [Series.Within] and [Series.Equal], may run at the same time.
package series
