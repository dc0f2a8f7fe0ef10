package stabilize

import (
	"math"
	"time"

	"github.com/purehpa/hpa/stabilize/codec"
)

// AppendKey appends what [History.Stabilize] can still see from now on with these
// windows, and reports it relative to now: the recommendations higher than all later
// ones of the down window, and those lower than all later ones of the up window.
// Histories with the same key, as of the same or different times, stabilize alike
// from then on, as long as the clock does not go back and none is full.
func (h *History) AppendKey(dst []byte, now time.Time, w Windows) []byte {
	empty := byte(1)
	if h.list.Places() > 0 {
		empty = 0
	}
	dst = append(dst, empty)
	dst = h.list.AppendHighestKey(dst, now, w.Down)
	return h.list.AppendLowestKey(dst, now, w.Up)
}

// AppendKeyDown is [History.AppendKey] for [History.StabilizeDown].
func (h *History) AppendKeyDown(dst []byte, now time.Time, window time.Duration) []byte {
	return h.AppendKey(dst, now, Windows{Down: inclusive(window)})
}

// inclusive returns the exclusive window that sees what the inclusive one does. In
// whole nanoseconds, that is longer by one.
func inclusive(window time.Duration) time.Duration { return min(window, math.MaxInt64-1) + 1 }

// ReadKey replaces h by the shortest History that has the key at now. On an error,
// which r keeps, h is empty.
func (h *History) ReadKey(r *codec.Reader, now time.Time) {
	h.list.Reset()
	empty := r.Byte("empty history", 1) == 1
	start := r.Offset()
	h.list.ReadKey(r, now) // down
	h.list.ReadKey(r, now) // up
	if problem := checkRecommendations(&h.list); problem != "" {
		r.Fail(start, "%s", problem)
	}
	switch places := h.list.Places(); {
	case r.Err() != nil:
		h.list.Reset()
	case empty && places > 0:
		r.Fail(start, "recommendations of an empty history")
		h.list.Reset()
	case !empty && places == 0:
		h.list.Vacate()
	}
}
