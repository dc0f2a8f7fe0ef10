package stabilize

import (
	"math"
	"slices"
	"time"
)

// Merge says what becomes of two values when a full Series makes one of them.
type Merge uint8

const (
	// MergeMax keeps the larger value at the later time.
	MergeMax Merge = iota
	// MergeSumLater adds them at the later time, stopping at the ends of int32.
	MergeSumLater
	// MergeSumEarlier adds them at the earlier time, stopping there, too.
	MergeSumEarlier
)

// merge makes one entry of two that are next to each other in time: of all such
// pairs the one that lies closest together, and among equals the earliest one,
// so that little is lost at any rate of calls. Pairs whose sum exceeds int32 are
// the last resort. It leaves the entries in the order of time. There must be two
// of them, and no vacant place.
func (s *Series) merge(how Merge) {
	slices.SortStableFunc(s.slots, func(a, b slot) int {
		switch {
		case a.at().before(b.at()):
			return -1
		case b.at().before(a.at()):
			return 1
		}
		return 0
	})
	best, gap := 0, instant{math.MaxInt64, int32(time.Second)}
	for i := 1; i < len(s.slots); i++ {
		a, b := s.slots[i-1], s.slots[i]
		if d := b.at().since(a.at()); d.before(gap) && how.fits(a.value, b.value) {
			best, gap = i-1, d
		}
	}
	s.slots[best] = how.one(s.slots[best], s.slots[best+1])
	s.slots = slices.Delete(s.slots, best+1, best+2)
}

// fits reports whether nothing is cut off when a and b become one.
func (m Merge) fits(a, b int32) bool {
	sum := int64(a) + int64(b)
	return m == MergeMax || sum == int64(clamp(sum))
}

// one returns the slot that stands for a and b, the later one; stale if both are.
func (m Merge) one(a, b slot) slot {
	if a.stale() != b.stale() {
		a.nsec, b.nsec = a.at().nsec, b.at().nsec
	}
	switch m {
	case MergeSumEarlier:
		a.value = clamp(int64(a.value) + int64(b.value))
		return a
	case MergeSumLater:
		b.value = clamp(int64(a.value) + int64(b.value))
	default:
		b.value = max(a.value, b.value)
	}
	return b
}

func clamp(v int64) int32 { return int32(min(max(v, math.MinInt32), math.MaxInt32)) }
