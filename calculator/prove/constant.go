package prove

import (
	"math"
	"time"
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

// open returns the loads that a size leaves open.
func (w *world) open(u until, size int32) span {
	nothing := span{1, 0}
	switch u.kind {
	case scaledUp:
		if size >= w.bounds.Max {
			return nothing
		}
		return span{int64(size)*1000 + 1, w.all.high}.and(w.all)
	case carried:
		return w.uncarried(size)
	case scaledDown:
		return w.tooFew(float64(size))
	case released:
		return w.tooFew(float64(size) / u.factor)
	}
	return w.all
}

// tooFew returns the loads that need less than so many pods.
func (w *world) tooFew(size float64) span {
	if float64(w.bounds.Min) >= size {
		return span{1, 0}
	}
	return span{w.all.low, (int64(math.Ceil(size)) - 1) * 1000}.and(w.all)
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
