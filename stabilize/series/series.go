package series

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"time"

	"github.com/purehpa/hpa/stabilize/codec"
)

// MaxEntries is the most entries that any Series holds.
const MaxEntries = 4096

// Entry is a dated value of a Series.
type Entry struct {
	// Time is in UTC, without a monotonic clock.
	Time time.Time `json:"time"`
	// Value is a number of replicas, or a change of it.
	Value int32 `json:"value"`
	// Stale reports whether the next value recorded may take this one's place.
	Stale bool `json:"stale"`
}

// Series is a bounded list of dated values. The zero Series is empty and ready
// to use. Copies share memory; [Series.Clone] does not.
type Series struct {
	slots []slot
	// slots[tail:] are in the order of time, those that are stale first, and none is
	// vacant. As a rule they are the oldest, whose places are the next to be taken.
	tail int
	// latest is not before any slot's time, and earliest not after any before the tail.
	// Values are neither below lowest nor above highest. Mostly these show that there
	// is nothing to rewind, to forget or to find.
	latest, earliest instant
	lowest, highest  int32
}

// slot is a place in the list, in 16 bytes. A stale entry has the complement of
// its nanoseconds, which is negative. A vacant place has lost its entry and
// waits for the next one; it is dated before all entries.
type slot struct {
	sec   int64
	nsec  int32
	value int32
}

func vacantSlot() slot { return slot{sec: math.MinInt64, nsec: math.MinInt32} }

func (s slot) isVacant() bool { return s.nsec == math.MinInt32 }

// stale is true of a vacant slot, too.
func (s slot) stale() bool { return s.nsec < 0 }

// at returns the time of a slot that is not vacant.
func (s slot) at() instant {
	if s.nsec < 0 {
		return instant{s.sec, ^s.nsec}
	}
	return instant{s.sec, s.nsec}
}

func (s slot) entry() Entry { return Entry{Time: s.at().time(), Value: s.value, Stale: s.stale()} }

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

// Equal reports whether both have the same entries and vacant places in the same
// order.
func (s *Series) Equal(t *Series) bool { return slices.Equal(s.slots, t.slots) }

// Reset drops all entries and places, and keeps the memory.
func (s *Series) Reset() { *s = Series{slots: s.slots[:0]} }

// Advance moves the clock to now: it changes the time of entries dated after now to
// now, and drops those older than age. Their places stay vacant, so that the others are
// replaced no sooner than they would have been. Use it with an age that no window can
// see.
func (s *Series) Advance(now time.Time, age time.Duration) {
	if len(s.slots) == 0 {
		return
	}
	at := instantOf(now)
	s.rewind(at)
	s.forget(at.sub(age))
}

// rewind changes the time of entries dated after at.
func (s *Series) rewind(at instant) {
	if !at.before(s.latest) {
		return
	}
	for i, e := range s.slots {
		if !e.isVacant() && at.before(e.at()) {
			s.slots[i] = at.slot(e.value, e.stale())
		}
	}
	s.latest, s.earliest = at, s.earliest.earlier(at)
}

// MarkStale marks the entries older than age as stale, for good. An entry of
// exactly that age is not.
func (s *Series) MarkStale(now time.Time, age time.Duration) {
	cutoff := instantOf(now).sub(age)
	if s.earliest.before(cutoff) {
		markStale(s.slots[:s.tail], cutoff)
	}
	old := s.tail
	for old < len(s.slots) && s.slots[old].at().before(cutoff) {
		old++
	}
	markStale(s.slots[s.tail:old], cutoff)
}

func markStale(slots []slot, cutoff instant) {
	for i, e := range slots {
		if !e.stale() && e.at().before(cutoff) {
			slots[i].nsec = ^e.nsec
		}
	}
}

// forget drops the entries before the cutoff.
func (s *Series) forget(cutoff instant) {
	if s.earliest.before(cutoff) {
		s.earliest = endOfTime()
		for i := range s.slots[:s.tail] {
			e := &s.slots[i]
			switch {
			case e.sec > s.earliest.sec, e.isVacant():
			case e.at().before(cutoff):
				*e = vacantSlot()
			default:
				s.earliest = s.earliest.earlier(e.at())
			}
		}
	}
	for ; s.tail < len(s.slots) && s.slots[s.tail].at().before(cutoff); s.tail++ {
		s.slots[s.tail] = vacantSlot()
	}
}

// Record adds a value dated now. It takes the last place that is vacant, or whose
// entry is stale or older than age; without one it is appended.
//
// A Series that has reached limit places errs on the safe side. With [MergeMax]
// and [MergeSumLater] it replaces no entry, since that may stand for several, of
// which only some are old. With [MergeSumEarlier] it drops all stale ones. It
// then takes a vacant place, or merges the two entries closest in time. So what
// a window sees is never less than without a limit, or with MergeSumEarlier never
// more, provided that no value is negative and no sum exceeds int32.
//
// A limit below 2 counts as 2, and one above [MaxEntries] as that.
func (s *Series) Record(now time.Time, value int32, age time.Duration, limit int, merge Merge) {
	at := instantOf(now)
	limit = min(max(limit, 2), MaxEntries)
	full := len(s.slots) >= limit
	if s.tail == len(s.slots) {
		s.survey()
	}
	s.see(at, value)
	if full && merge == MergeSumEarlier {
		s.vacateStale()
	}
	if i := s.place(at.sub(age), full); i >= 0 {
		s.behead(i)
		s.tail = max(s.tail, i+1)
		s.earliest = s.earliest.earlier(at)
		s.slots[i] = at.slot(value, false)
		return
	}
	for len(s.slots) >= limit {
		s.merge(merge)
	}
	if n := len(s.slots); s.tail < n && at.before(s.slots[n-1].at()) {
		s.behead(n)
	}
	s.slots = append(s.slots, at.slot(value, false))
}

// vacateStale drops the stale entries.
func (s *Series) vacateStale() {
	s.behead(len(s.slots))
	for i, e := range s.slots {
		if e.stale() {
			s.slots[i] = vacantSlot()
		}
	}
}

// see makes latest and the bounds of the values include an entry.
func (s *Series) see(at instant, value int32) {
	if s.latest.before(at) {
		s.latest = at
	}
	s.lowest, s.highest = min(s.lowest, value), max(s.highest, value)
}
