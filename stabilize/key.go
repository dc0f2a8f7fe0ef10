package stabilize

import (
	"time"

	"github.com/purehpa/hpa/stabilize/codec"
)

// AppendKey is for this library's own packages, outside of the promise of
// compatibility. It appends what [History.Stabilize] can still see from now on
// with these windows, relative to now: the recommendations higher than all
// later ones of the down window, and those lower than all later ones of the up
// window. Histories with the same key, as of the same or different times,
// stabilize alike from then on, as long as the clock does not go back and none
// is full.
func (h *History) AppendKey(dst []byte, now time.Time, w Windows) []byte {
	return h.list.AppendPeaksKey(dst, now, w.Down, w.Up)
}

// AppendKeyDown is for this library's own packages, outside of the promise of
// compatibility. It is [History.AppendKey] for [History.StabilizeDown].
func (h *History) AppendKeyDown(dst []byte, now time.Time, window time.Duration) []byte {
	return h.AppendKey(dst, now, Windows{Down: inclusive(window)})
}

// ReadKey is for this library's own packages, outside of the promise of
// compatibility. It replaces h by the shortest History that has the key at now.
// On an error, which r keeps, h is empty.
func (h *History) ReadKey(r *codec.Reader, now time.Time) {
	start := r.Offset()
	h.list.ReadKey(r, now)
	if problem := checkRecommendations(&h.list); problem != "" {
		r.Fail(start, "%s", problem)
		h.list.Reset()
	}
}
