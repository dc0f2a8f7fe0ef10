package series

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/purehpa/hpa/stabilize/codec"
)

// A key is what a later reader can still see of a Series, relative to now:
// series that were recorded at other times have the same key if they answer
// alike from then on. It is the binary form of the shortest such Series, whose
// first entry is dated from now.

// keyRoom is how many entries a key has room for before it allocates.
const keyRoom = 64

// AppendPeaksKey appends the key for [Series.Highest] over high and
// [Series.Lowest] over low from now on: the entries within high that are higher
// than all later ones, and then those within low that are lower than all later
// ones. Entries of 0 or less are no highest ones. If there are none of either,
// a vacant place tells the Series from an empty one.
func (s *Series) AppendPeaksKey(dst []byte, now time.Time, high, low time.Duration) []byte {
	var room [keyRoom]slot
	at := instantOf(now)
	t := Series{slots: s.appendPeaks(room[:0], at.sub(high), 0, 0)}
	t.slots = s.appendPeaks(t.slots, at.sub(low), -1, math.MaxInt32)
	if len(t.slots) == 0 && len(s.slots) > 0 {
		t.slots = append(t.slots, vacantSlot())
	}
	return t.appendBinary(dst, at.slot(0, false), false)
}

// appendPeaks appends the highest entry above the floor after a moment, the
// highest one after that, and so on. For a mask of -1 they are the lowest ones
// below it, which have the highest complements.
func (s *Series) appendPeaks(dst []slot, after instant, mask, floor int32) []slot {
	for {
		var best *slot
		for i := range s.slots {
			e := &s.slots[i]
			if e.isVacant() || !after.before(e.at()) || e.value^mask <= floor^mask {
				continue
			}
			if best == nil || e.value^mask > best.value^mask || e.value == best.value && best.at().before(e.at()) {
				best = e
			}
		}
		if best == nil {
			return dst
		}
		dst, after = append(dst, *best), best.at()
	}
}

// AppendWithinKey appends the key for [Series.Within] from now on, for periods
// up to longest, of a Series to which [Series.MarkStale] and [Series.Record]
// apply age.
//
// Where an entry that a period still sees can lose its place, the key has all
// places in their order, since that decides which one does. Otherwise it has
// the entries of the period by age.
func (s *Series) AppendWithinKey(dst []byte, now time.Time, longest, age time.Duration) []byte {
	var room [keyRoom]slot
	at := instantOf(now)
	seen, kept := at.sub(longest), at.sub(age)
	t := Series{slots: room[:0]}
	isSeen := func(e slot) bool { return !e.isVacant() && seen.before(e.at()) }
	inPlace := age < longest || slices.ContainsFunc(s.slots, func(e slot) bool { return e.stale() && isSeen(e) })
	for _, e := range s.slots {
		switch stale := e.stale() || e.at().before(kept); {
		case isSeen(e):
			t.slots = append(t.slots, e.at().slot(e.value, stale))
		case inPlace && stale:
			t.slots = append(t.slots, vacantSlot())
		case inPlace:
			t.slots = append(t.slots, e)
		}
	}
	if !inPlace {
		slices.SortFunc(t.slots, func(a, b slot) int {
			return cmp.Or(cmp.Compare(a.sec, b.sec), cmp.Compare(a.nsec, b.nsec), cmp.Compare(a.value, b.value))
		})
	}
	return t.appendBinary(dst, at.slot(0, false), false)
}

// ReadKey replaces s by the Series of a key as of now. On an error, which r
// keeps, s is empty.
func (s *Series) ReadKey(r *codec.Reader, now time.Time) {
	s.Reset()
	s.readBinary(r, instantOf(now).slot(0, false), false)
	if r.Err() != nil {
		s.Reset()
	}
}
