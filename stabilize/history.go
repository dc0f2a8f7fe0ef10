package stabilize

import (
	"encoding/json"
	"iter"
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
