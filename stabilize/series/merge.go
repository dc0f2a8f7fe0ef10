package series

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// Merge is how a full Series makes one entry of two.
type Merge uint8

const (
	// MergeMax keeps the higher value at the later time.
	MergeMax Merge = iota
	// MergeSumLater adds the values at the later time.
	MergeSumLater
	// MergeSumEarlier adds the values at the earlier time.
	MergeSumEarlier
)

// merge makes one entry of the two that are closest in time, of several such
// pairs the earliest, so that little is lost at any rate of calls. Pairs whose
// sum exceeds int32 are the last resort. It sorts the entries by time. There
// must be two, and no vacant place.
func (s *Series) merge(how Merge) {
	s.behead(len(s.slots))
	slices.SortStableFunc(s.slots, func(a, b slot) int {
		if c := cmp.Compare(a.sec, b.sec); c != 0 {
			return c
		}
		return int(a.at().nsec - b.at().nsec)
	})
	best, gap := 0, instant{math.MaxInt64, int32(time.Second)}
	for i := 1; i < len(s.slots); i++ {
		a, b := s.slots[i-1], s.slots[i]
		if d := b.at().since(a.at()); d.before(gap) && how.fits(a.value, b.value) {
			best, gap = i-1, d
		}
	}
	one := how.one(s.slots[best], s.slots[best+1])
	s.see(one.at(), one.value)
	s.slots[best] = one
	s.slots = slices.Delete(s.slots, best+1, best+2)
	s.tail = len(s.slots)
}

// fits reports whether the values can be merged without a loss.
func (m Merge) fits(a, b int32) bool {
	sum := int64(a) + int64(b)
	return m == MergeMax || sum == int64(Clamp(sum))
}

// one merges a and the later b. The result is stale if both are.
func (m Merge) one(a, b slot) slot {
	if a.stale() != b.stale() {
		a.nsec, b.nsec = a.at().nsec, b.at().nsec
	}
	sum := Clamp(int64(a.value) + int64(b.value))
	switch m {
	case MergeSumEarlier:
		a.value = sum
		return a
	case MergeSumLater:
		b.value = sum
	default:
		b.value = max(a.value, b.value)
	}
	return b
}

// Clamp returns v, or the end of int32's range that it exceeds.
func Clamp(v int64) int32 { return int32(min(max(v, math.MinInt32), math.MaxInt32)) }
