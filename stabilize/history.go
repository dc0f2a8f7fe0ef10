package stabilize

import (
	"strconv"
	"time"
)

// MaxRecommendations is the most recommendations that a History holds: one a
// second over LongestWindow, and some. A caller that decides more often loses
// detail, never the highest value: two neighbours in time become one, with the
// larger number of replicas and the later time, so that the answer errs on the
// side of not scaling down.
const MaxRecommendations = MaxEntries

// LongestWindow is the longest window that autoscaling/v2 allows. Older
// recommendations are of no use, unless the caller's windows are longer.
const LongestWindow = time.Hour

// History holds the recommendations of one autoscaler: the sizes that the
// metrics asked for, before any window or limit. It is upstream's
// HorizontalController.recommendations. The zero History is empty and ready.
type History struct {
	Series
}

// Windows are how far back recommendations count, in each direction. Zero
// counts nothing but the newest recommendation.
type Windows struct {
	Up, Down time.Duration
}

func (w Windows) longer() time.Duration { return max(w.Up, w.Down) }

// Reason is what stabilization did to a recommendation.
type Reason uint8

const (
	// NotStabilized left it as it is.
	NotStabilized Reason = iota
	// ScaleUpStabilized took a lower one.
	ScaleUpStabilized
	// ScaleDownStabilized took a higher one.
	ScaleDownStabilized
)

// String returns the reason of Kubernetes' condition AbleToScale:
// "ReadyForNewScale", "ScaleUpStabilized" or "ScaleDownStabilized".
func (r Reason) String() string {
	switch r {
	case NotStabilized:
		return "ReadyForNewScale"
	case ScaleUpStabilized:
		return "ScaleUpStabilized"
	case ScaleDownStabilized:
		return "ScaleDownStabilized"
	}
	return "Reason(" + strconv.Itoa(int(r)) + ")"
}

// MarshalText returns the word of String.
func (r Reason) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads what MarshalText writes. The error is a *WordError.
func (r *Reason) UnmarshalText(text []byte) error {
	return parseWord(r, "stabilize.Reason", text, Reason.String)
}

// Message returns the message of that condition.
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
	Desired, Replicas int32
	// Reason is NotStabilized where both are equal.
	Reason Reason
	// Bound is the recommendation that holds Replicas where it is: of all
	// that do, the latest. It is the zero Entry where nothing is held.
	Bound Entry
	// Until is the first moment at which Bound no longer counts, the zero
	// time.Time where nothing is held.
	Until time.Time
}

// Stabilize returns the size nearest to the current one that no recommendation
// within the windows contradicts: the current size, raised to the lowest
// recommendation of the up window, lowered to the highest of the down window.
// A recommendation that is exactly as old as a window no longer counts.
//
// It is the reading half of stabilizeRecommendationWithBehaviors (KEP-853); the
// other half is Record.
func (h *History) Stabilize(now time.Time, current, desired int32, w Windows) Result {
	r := Result{Desired: desired, Replicas: desired}
	if desired == current {
		return r
	}
	at := instantOf(now)
	if desired < current {
		cutoff := at.sub(w.Down)
		var bound slot
		for _, e := range h.slots {
			// Only up to the current size does a recommendation hold.
			v := min(e.value, current)
			if v <= desired || v < r.Replicas || e.isVacant() || !cutoff.before(e.at()) {
				continue
			}
			if v > r.Replicas || bound.at().before(e.at()) {
				r.Replicas, bound = v, e
			}
		}
		if r.Replicas != desired {
			r.hold(ScaleDownStabilized, bound, w.Down)
		}
		return r
	}
	cutoff := at.sub(w.Up)
	var bound slot
	for _, e := range h.slots {
		v := max(e.value, current)
		if v >= desired || v > r.Replicas || e.isVacant() || !cutoff.before(e.at()) {
			continue
		}
		if v < r.Replicas || bound.at().before(e.at()) {
			r.Replicas, bound = v, e
		}
	}
	if r.Replicas != desired {
		r.hold(ScaleUpStabilized, bound, w.Up)
	}
	return r
}

func (r *Result) hold(why Reason, bound slot, window time.Duration) {
	r.Reason = why
	r.Bound = bound.entry()
	r.Until = bound.at().add(window).time()
}

// HoldDown keeps the size from falling below the current one for as long as the
// window has not passed since the given time. It is for a history that began
// only then, to which too little is known to let go.
func (r *Result) HoldDown(now time.Time, current int32, since time.Time, window time.Duration) {
	until := instantOf(since).add(window)
	if r.Replicas >= current || !instantOf(now).before(until) {
		return
	}
	r.Replicas, r.Reason = current, ScaleDownStabilized
	r.Bound = Entry{Time: instantOf(since).time(), Value: current}
	r.Until = until.time()
}

// StabilizeDown returns the highest recommendation of the window, or the
// desired size if that is higher: what Kubernetes does without
// spec.behavior. A recommendation that is exactly as old as the window still
// counts, and, unlike Stabilize, it can also raise a scale-up.
//
// It is the reading half of upstream's stabilizeRecommendation.
func (h *History) StabilizeDown(now time.Time, desired int32, window time.Duration) Result {
	r := Result{Desired: desired, Replicas: desired}
	cutoff := instantOf(now).sub(window)
	var bound slot
	for _, e := range h.slots {
		if e.value <= desired || e.value < r.Replicas || e.isVacant() || e.at().before(cutoff) {
			continue
		}
		if e.value > r.Replicas || bound.at().before(e.at()) {
			r.Replicas, bound = e.value, e
		}
	}
	if r.Replicas != desired {
		r.hold(ScaleDownStabilized, bound, window)
		r.Until = bound.at().add(window).add(1).time()
	}
	return r
}

// Record adds a recommendation made at now. One that is older than both windows
// gives its place to it, the last one of them first. Record takes note of the
// clock as Advance does.
//
// Without spec.behavior, both windows are the downscale stabilization. It is
// the writing half of upstream's stabilizeRecommendation and
// stabilizeRecommendationWithBehaviors.
func (h *History) Record(now time.Time, replicas int32, w Windows) {
	at := instantOf(now)
	h.Advance(now, w)
	// A full history keeps what it has: see Series.Record.
	if len(h.slots) < MaxRecommendations {
		cutoff := at.sub(w.longer())
		for i := len(h.slots) - 1; i >= 0; i-- {
			if h.slots[i].isVacant() || h.slots[i].at().before(cutoff) {
				h.put(i, at, replicas)
				return
			}
		}
	}
	h.add(at, replicas, MaxRecommendations, MergeMax)
}

// Advance takes note of the clock, at the start of a sync: recommendations from
// after now are taken as made now (Series.Rewind), and those that are older than
// any window may be, LongestWindow or a longer one of w, are forgotten
// (Series.Forget).
func (h *History) Advance(now time.Time, w Windows) {
	h.Rewind(now)
	h.Forget(now, max(LongestWindow, w.longer()))
}

// Start records the current size as the first recommendation, if there never
// was one, and reports whether it did: so an autoscaler without a history holds
// its size for a window. It is upstream's recordInitialRecommendation.
func (h *History) Start(now time.Time, current int32) bool {
	if len(h.slots) > 0 {
		return false
	}
	h.add(instantOf(now), current, MaxRecommendations, MergeMax)
	return true
}
