package prove

import (
	"fmt"
	"time"

	"github.com/purehpa/hpa/calculator/internal/words"
)

// until is what a constant load goes on until.
type until struct {
	kind   untilKind
	factor float64 // of released
}

type untilKind uint8

const (
	scaledUp   untilKind = iota + 1 // the size is at least what the load needs
	carried                         // the load is within tolerance
	scaledDown                      // the size is at most what the load needs
	released                        // the size is at most a factor of that
	settled                         // the size changes no more
)

// String returns what it goes on until, as the end of a sentence.
func (u until) String() string {
	switch u.kind {
	case scaledUp:
		return "the size is at least what the load needs"
	case carried:
		return "the load is within the scaleUp tolerance, or the size is maxReplicas"
	case scaledDown:
		return "the size is at most what the load needs"
	case released:
		return fmt.Sprintf("the size is at most %s times what the load needs", words.Number(u.factor))
	}
	return "the size no longer changes"
}

// open returns the loads that a size leaves open.
func (w *world) open(u until, size int32) span {
	switch u.kind {
	case scaledUp:
		if size >= w.bounds.Max {
			return noLoads
		}
		return span{int64(size)*1000 + 1, w.all.high}.and(w.all)
	case carried:
		return w.uncarried(size)
	case scaledDown:
		return w.need(size - 1)
	case released:
		n := size
		for n >= 0 && u.factor*float64(n) >= float64(size) {
			n--
		}
		return w.need(n)
	}
	return w.all
}

// need returns the loads that need no more than so many pods.
func (w *world) need(pods int32) span {
	switch {
	case pods < w.bounds.Min:
		return noLoads
	case pods >= w.bounds.Max:
		return w.all
	}
	return span{w.all.low, int64(pods) * 1000}.and(w.all)
}

// uncarried returns the loads that a size does not carry: those above one.
func (w *world) uncarried(size int32) span {
	tl := Timeline{Setup: w.setup}
	low, high := w.all.low, w.all.high+1
	for low < high {
		middle := low + (high-low)/2
		if tl.carries(w.aims, size, float64(middle)/1000) {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return span{low, w.all.high}
}

// time returns what so many syncs take at most.
func (w *world) time(syncs int) time.Duration {
	return time.Duration(syncs) * (w.setup.Period() + w.timings[0].jitter)
}
