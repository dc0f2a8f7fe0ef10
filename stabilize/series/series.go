package series

import (
	"fmt"
	"iter"
	"slices"

	"github.com/purehpa/hpa/stabilize/codec"
)

// MaxEntries is the most entries that any Series holds.
const MaxEntries = 4096

// Series is a bounded list of dated values. The zero Series is empty and ready
// to use. Copies share memory; [Series.Clone] does not.
type Series struct {
	slots []slot
	// slots[tail:] are in the order of time, those that are stale first, and
	// none is vacant. As a rule they are the oldest, whose places are the next
	// to be taken.
	tail int
	// latest is not before any slot's time, and earliest not after any before
	// the tail. Values are neither below lowest nor above highest. Mostly these
	// show that there is nothing to rewind, to forget or to find.
	latest, earliest instant
	lowest, highest  int32
}

// Len returns the number of entries, stale ones included.
func (s *Series) Len() int {
	n := 0
	for _, e := range s.slots {
		if !e.isVacant() {
			n++
		}
	}
	return n
}

// Places returns the number of entries and vacant places, which is what a limit
// counts.
func (s *Series) Places() int { return len(s.slots) }

// All returns the entries, oldest place first. That is the order of time only
// until an entry takes the place of an older one.
func (s *Series) All() iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		for _, e := range s.slots {
			if !e.isVacant() && !yield(e.entry()) {
				return
			}
		}
	}
}

// rows yields the slots, and consecutive vacant ones as one with their number.
func (s *Series) rows() iter.Seq2[slot, int] {
	return func(yield func(slot, int) bool) {
		for i := 0; i < len(s.slots); {
			n := 1
			for s.slots[i].isVacant() && i+n < len(s.slots) && s.slots[i+n].isVacant() {
				n++
			}
			if !yield(s.slots[i], n) {
				return
			}
			i += n
		}
	}
}

// String returns the list in the order of [Series.All]:
//
//	[5 at 2026-07-01T12:00:00.5Z, 7 at 2026-07-01T11:40:00Z (stale), 2 vacant]
//
// Times are as [codec.Timestamp] writes them.
func (s Series) String() string {
	text, separator := []byte{'['}, ""
	for e, n := range s.rows() {
		text = append(text, separator...)
		separator = ", "
		if e.isVacant() {
			text = fmt.Appendf(text, "%d vacant", n)
			continue
		}
		text = fmt.Appendf(text, "%d at ", e.value)
		text, _ = codec.Timestamp(e.at().time()).AppendText(text)
		if e.stale() {
			text = append(text, " (stale)"...)
		}
	}
	return string(append(text, ']'))
}

// Clone returns a copy that shares no memory with s.
func (s *Series) Clone() Series {
	c := *s
	c.slots = slices.Clone(s.slots)
	return c
}

// Equal reports whether both have the same entries and vacant places in the
// same order.
func (s *Series) Equal(t *Series) bool { return slices.Equal(s.slots, t.slots) }

// Reset drops all entries and places, and keeps the memory.
func (s *Series) Reset() { *s = Series{slots: s.slots[:0]} }

// see makes latest and the bounds of the values include an entry.
func (s *Series) see(at instant, value int32) {
	if s.latest.before(at) {
		s.latest = at
	}
	s.lowest, s.highest = min(s.lowest, value), max(s.highest, value)
}
