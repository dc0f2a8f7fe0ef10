package stabilize

import (
	"encoding/json"
	"iter"
	"math"
	"time"

	"github.com/purehpa/hpa/stabilize/codec"
	"github.com/purehpa/hpa/stabilize/series"
)

// MaxRecommendations is the most recommendations that a History holds, more
// than one a second over [LongestWindow].
//
// If it is full, the two entries closest in time are merged into one, with the
// higher number of replicas at the later time. So a full History may hold a
// size longer, and never lets it fall sooner.
const MaxRecommendations = series.MaxEntries

// LongestWindow is the longest window that autoscaling/v2 allows.
const LongestWindow = time.Hour

// Entry is a recommendation of a [History].
type Entry = series.Entry

// History holds the recommendations of one autoscaler: the sizes that its
// metrics asked for, before any window or limit. The zero History is empty and
// ready to use. Copies share memory; [History.Clone] does not.
//
// It is HorizontalController.recommendations of kube-controller-manager.
type History struct {
	list series.Series
}

// Windows are the stabilization windows of both directions: how far back
// recommendations count. With zero, only the newest counts.
type Windows struct {
	Up, Down time.Duration
}

// MarshalJSON returns the windows in seconds: {"up":0,"down":300}.
func (w Windows) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]float64{"up": w.Up.Seconds(), "down": w.Down.Seconds()})
}

func (w Windows) longer() time.Duration { return max(w.Up, w.Down) }

// Reason says what stabilization did to a recommendation. Its values are the
// reasons of Kubernetes' condition AbleToScale. It is empty in the zero
// [Result].
type Reason string

const (
	// NotStabilized: the recommendation is unchanged.
	NotStabilized Reason = "ReadyForNewScale"
	// ScaleUpStabilized: a lower one was taken instead.
	ScaleUpStabilized Reason = "ScaleUpStabilized"
	// ScaleDownStabilized: a higher one was taken instead.
	ScaleDownStabilized Reason = "ScaleDownStabilized"
)

// Message returns the message of the condition AbleToScale, that of
// [NotStabilized] for unknown reasons.
func (r Reason) Message() string {
	switch r {
	case ScaleUpStabilized:
		return "recent recommendations were lower than current one, applying the lowest recent recommendation"
	case ScaleDownStabilized:
		return "recent recommendations were higher than current one, applying the highest recent recommendation"
	}
	return "recommended size matches current size"
}

// Result is the outcome of a stabilization.
type Result struct {
	// Desired is the recommendation before, Replicas after.
	Desired  int32 `json:"desired"`
	Replicas int32 `json:"replicas"`
	// Reason is NotStabilized if both are equal.
	Reason Reason `json:"reason"`
	// Bound is the recommendation that Replicas is due to, of several the
	// latest. It is the zero Entry if Reason is NotStabilized.
	Bound Entry `json:"bound,omitzero"`
	// Until is the first moment at which Bound no longer counts. It is the zero
	// time.Time if Reason is NotStabilized.
	Until time.Time `json:"until,omitzero"`
}

// Stabilize returns the size closest to current that agrees with all recent
// recommendations: current, raised to the lowest one of the up window and
// lowered to the highest one of the down window, desired included.
//
// For example, a size of 10 with recommendations of 7 and 3 in the down window
// scales down to 7 when 2 is desired.
//
// The window is exclusive: a recommendation of exactly its age no longer
// counts. Stabilize only reads. It is for a spec with a behavior, and the
// reading half of stabilizeRecommendationWithBehaviors; [History.Record] is the
// other half.
func (h *History) Stabilize(now time.Time, current, desired int32, w Windows) (r Result) {
	h.StabilizeInto(&r, now, current, desired, w)
	return r
}

// StabilizeInto is for this library's own packages, outside of the promise of
// compatibility. It is like Stabilize but stores the result in *r, which must
// be zero.
func (h *History) StabilizeInto(r *Result, now time.Time, current, desired int32, w Windows) {
	r.Desired, r.Replicas, r.Reason = desired, desired, NotStabilized
	switch {
	case desired < current:
		if e, ok := h.list.Highest(now, w.Down, desired, current); ok {
			r.hold(e, min(e.Value, current), ScaleDownStabilized, w.Down)
		}
	case desired > current:
		if e, ok := h.list.Lowest(now, w.Up, desired, current); ok {
			r.hold(e, max(e.Value, current), ScaleUpStabilized, w.Up)
		}
	}
}

// hold notes that e holds the size for as long as the window.
func (r *Result) hold(e Entry, replicas int32, why Reason, window time.Duration) {
	r.Replicas, r.Reason, r.Bound, r.Until = replicas, why, e, series.Add(e.Time, window)
}

// StabilizeDown returns the highest recommendation of the window, or desired if
// that is higher. Unlike [History.Stabilize] it can raise a scale-up further.
//
// The window is inclusive: a recommendation of exactly its age still counts.
// StabilizeDown only reads. It is for a spec without a behavior, and the
// reading half of stabilizeRecommendation; [History.Record] is the other half.
func (h *History) StabilizeDown(now time.Time, desired int32, window time.Duration) (r Result) {
	h.StabilizeDownInto(&r, now, desired, window)
	return r
}

// StabilizeDownInto is for this library's own packages, outside of the promise
// of compatibility. It is like StabilizeDown but stores the result in *r, which
// must be zero.
func (h *History) StabilizeDownInto(r *Result, now time.Time, desired int32, window time.Duration) {
	r.Desired, r.Replicas, r.Reason = desired, desired, NotStabilized
	exclusive := inclusive(window)
	if e, ok := h.list.Highest(now, exclusive, desired, math.MaxInt32); ok {
		r.hold(e, e.Value, ScaleDownStabilized, exclusive)
	}
}

// HoldDown keeps the size from falling below current until the window has
// passed since the given time. It is for a history that began only then and so
// may lack a recommendation that would have held the size. Bound then has that
// time and the current size.
func (r *Result) HoldDown(now time.Time, current int32, since time.Time, window time.Duration) {
	until := series.Add(since, window)
	if r.Replicas >= current || !now.Before(until) {
		return
	}
	r.Replicas, r.Reason = current, ScaleDownStabilized
	r.Bound, r.Until = Entry{Time: series.Add(since, 0), Value: current}, until
}

// Start records the current size as the first recommendation of an empty
// History, and reports whether it did. So a new autoscaler holds its size for a
// window. A History whose recommendations were all forgotten is not empty.
//
// It is upstream's recordInitialRecommendation.
func (h *History) Start(now time.Time, current int32) bool {
	if h.list.Places() > 0 {
		return false
	}
	h.list.Record(now, current, 0, MaxRecommendations, series.MergeMax)
	return true
}

// Record adds a recommendation made at now. It takes the place of the last one
// in the list that is older than both windows, if there is one. Record advances
// the clock first, as [History.Advance] does.
//
// Without a behavior, both windows are the downscale stabilization. It is the
// writing half of upstream's stabilizeRecommendation and
// stabilizeRecommendationWithBehaviors.
func (h *History) Record(now time.Time, replicas int32, w Windows) {
	h.Advance(now, w)
	h.list.Record(now, replicas, w.longer(), MaxRecommendations, series.MergeMax)
}

// Advance forgets recommendations older than [LongestWindow], or than a longer
// window of w, and changes the time of those dated after now to now. Record
// does so, too: call Advance in a sync that records nothing.
func (h *History) Advance(now time.Time, w Windows) {
	h.list.Advance(now, max(LongestWindow, w.longer()))
}

// IsEmpty reports whether nothing was ever recorded, so that [History.Start]
// would.
func (h *History) IsEmpty() bool { return h.list.Places() == 0 }

// Len returns the number of recommendations.
func (h *History) Len() int { return h.list.Len() }

// All returns the recommendations, oldest place first. That is the order of
// time only until one takes the place of an older one.
func (h *History) All() iter.Seq[Entry] { return h.list.All() }

// Clone returns a copy that shares no memory with h.
func (h *History) Clone() History { return History{h.list.Clone()} }

// Equal reports whether both would give the same answers forever.
func (h *History) Equal(other *History) bool { return h.list.Equal(&other.list) }

// Reset makes h empty, and keeps its memory.
func (h *History) Reset() { h.list.Reset() }

// String returns the recommendations in the order of [History.All], and vacant
// places, whose recommendations were forgotten:
//
//	[5 at 2026-07-01T12:00:00Z, 1 vacant, 7 at 2026-07-01T12:00:15Z]
func (h History) String() string { return h.list.String() }

// MarshalJSON returns a list in the order of [History.All]:
//
//	[{"time": "2026-07-01T12:00:00Z", "replicas": 5}, {"vacant": 1}]
//
// Times are RFC 3339 to the nanosecond. Vacant places are those of forgotten
// recommendations. The same History always gives the same bytes. The error is
// nil.
func (h History) MarshalJSON() ([]byte, error) { return h.list.MarshalJSON() }

// UnmarshalJSON reads what MarshalJSON writes, and times in any location.
// Unknown fields are refused, and stale recommendations; see
// [codec.UnmarshalStrict] for what is accepted. The error is a *[codec.Error],
// or a *json.SyntaxError if data is not JSON. On an error h is unchanged.
func (h *History) UnmarshalJSON(data []byte) error {
	const typ = "stabilize.History"
	var list series.Series
	if err := list.UnmarshalJSON(data); err != nil {
		return codec.Within(typ, "", err)
	}
	if problem := checkRecommendations(&list); problem != "" {
		return codec.JSONError(typ, "", "%s", problem)
	}
	h.list = list
	return nil
}

// checkRecommendations returns what is wrong with a series that Record did not
// make. The windows say which recommendation is old: none is marked as stale.
func checkRecommendations(s *series.Series) (problem string) {
	for e := range s.All() {
		if e.Stale {
			return "a recommendation cannot be stale"
		}
	}
	return ""
}

// AppendBinary is for this library's own packages, outside of the promise of
// compatibility. It appends the History in a compact form, for an encoding that
// contains it: it has neither tag nor version.
func (h History) AppendBinary(dst []byte) []byte { return h.list.AppendBinary(dst) }

// ReadBinary is for this library's own packages, outside of the promise of
// compatibility. It reads what AppendBinary writes, and nothing else. On an
// error, which r keeps, h is unchanged.
func (h *History) ReadBinary(r *codec.Reader) {
	var list series.Series
	start := r.Offset()
	list.ReadBinary(r)
	if problem := checkRecommendations(&list); problem != "" {
		r.Fail(start, "%s", problem)
	}
	if r.Err() == nil {
		h.list = list
	}
}

// inclusive returns the exclusive window that sees what the inclusive one does.
// In whole nanoseconds, that is longer by one.
func inclusive(window time.Duration) time.Duration { return min(window, math.MaxInt64-1) + 1 }
