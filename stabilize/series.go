package stabilize

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"time"
)

// MaxEntries is the most entries that any Series holds.
const MaxEntries = 4096

// Entry is a dated value of a Series.
type Entry struct {
	// Time is in UTC, without a reading of the monotonic clock.
	Time time.Time
	// Value is a number of replicas, or a change of it.
	Value int32
	// Stale tells that the next value recorded may take this one's place.
	Stale bool
}

// Series is a bounded list of dated values, in the order and with the forgetting
// of the lists that kube-controller-manager keeps for each autoscaler: a value
// that has become stale is not removed, but gives its place to the next one
// recorded. So what a window sees after it was widened is what Kubernetes would
// see, too.
//
// The zero Series is empty and ready. Copies share memory; Clone does not.
type Series struct {
	slots []slot
	// latest is not before any slot's time, to notice a clock that went back
	// without looking at them.
	latest instant
}

// slot is a place in the list, in 16 bytes. That of a stale entry has the
// complement of its nanoseconds, which is negative. A place whose entry was
// forgotten is vacant: it is only there to be taken in its turn.
type slot struct {
	sec   int64
	nsec  int32
	value int32
}

var vacant = slot{nsec: math.MinInt32}

func (s slot) isVacant() bool { return s.nsec == vacant.nsec }

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

// Places returns the number of entries and of the places that forgotten ones
// left: what a limit counts.
func (s *Series) Places() int { return len(s.slots) }

// All returns the entries in their order: not that of time, once a stale entry
// has given its place to a newer one.
func (s *Series) All() iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		for _, e := range s.slots {
			if !e.isVacant() && !yield(e.entry()) {
				return
			}
		}
	}
}

// rows yields the places in their order, vacant ones as a row: the first of
// them, and how many there are.
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

// String tells the entries in their order, for people:
//
//	[5 at 2026-07-01T12:00:00.5Z, 7 at 2026-07-01T11:40:00Z (stale), 2 vacant]
//
// Times are those of [Timestamp].
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
		text, _ = Timestamp(e.at().time()).AppendText(text)
		if e.stale() {
			text = append(text, " (stale)"...)
		}
	}
	return string(append(text, ']'))
}

// Clone returns a copy that shares no memory with s.
func (s *Series) Clone() Series {
	return Series{slots: slices.Clone(s.slots), latest: s.latest}
}

// Equal reports whether both hold the same entries in the same order, with the
// same places in between for the next ones.
func (s *Series) Equal(t *Series) bool { return slices.Equal(s.slots, t.slots) }

// Reset forgets all entries and their places, and keeps the memory.
func (s *Series) Reset() { s.slots, s.latest = s.slots[:0], instant{} }

// Rewind makes a clock that went back harmless: an entry from after now is
// taken as made now, so that it stays in force for its window from now on and
// no longer.
func (s *Series) Rewind(now time.Time) { s.rewind(instantOf(now)) }

func (s *Series) rewind(at instant) {
	if !at.before(s.latest) {
		return
	}
	for i, e := range s.slots {
		if e.isVacant() || !at.before(e.at()) {
			continue
		}
		nsec := at.nsec
		if e.stale() {
			nsec = ^nsec
		}
		s.slots[i].sec, s.slots[i].nsec = at.sec, nsec
	}
	s.latest = at
}

// MarkStale marks the entries from before now-age as stale, for good.
func (s *Series) MarkStale(now time.Time, age time.Duration) {
	cutoff := instantOf(now).sub(age)
	for i, e := range s.slots {
		if !e.stale() && e.at().before(cutoff) {
			s.slots[i].nsec = ^e.nsec
		}
	}
}

// Forget drops the entries from before now-age, for good, whatever the clock
// does next. It is for what no window can be wide enough to see. Their places
// stay, and are taken as those of stale entries are: so all other entries
// survive for as long as they would have.
func (s *Series) Forget(now time.Time, age time.Duration) { s.forget(instantOf(now).sub(age)) }

func (s *Series) forget(cutoff instant) {
	for i, e := range s.slots {
		if !e.isVacant() && e.at().before(cutoff) {
			s.slots[i] = vacant
		}
	}
}

// Record adds a value made at now. It takes the place of the last entry that is
// stale or forgotten, if there is one; otherwise it is appended.
//
// A Series that has reached limit entries loses detail instead. If there is
// still no place, it merges the two entries that are next to each other in
// time. And it takes no chances with stale entries: with MergeMax and
// MergeSumLater they keep their places until they are forgotten, since one may
// stand for several, of which only one was due; with MergeSumEarlier all of
// them are forgotten. So what any window sees is, with the former two, never
// less than what it would see in a Series without a limit, and with the latter
// never more; for MergeSumLater and MergeSumEarlier, if no value is negative
// and no sum exceeds int32.
//
// A limit below 2 is taken as 2, and one above MaxEntries as that.
func (s *Series) Record(now time.Time, value int32, limit int, merge Merge) {
	at := instantOf(now)
	limit = min(max(limit, 2), MaxEntries)
	if len(s.slots) < limit {
		for i := len(s.slots) - 1; i >= 0; i-- {
			if s.slots[i].stale() {
				s.put(i, at, value)
				return
			}
		}
	} else if merge == MergeSumEarlier {
		for i, e := range s.slots {
			if e.stale() {
				s.slots[i] = vacant
			}
		}
	}
	s.add(at, value, limit, merge)
}

// add records a value in the last vacant place or at the end.
func (s *Series) add(at instant, value int32, limit int, merge Merge) {
	for i := len(s.slots) - 1; i >= 0; i-- {
		if s.slots[i].isVacant() {
			s.put(i, at, value)
			return
		}
	}
	for len(s.slots) >= limit {
		s.merge(merge)
	}
	s.slots = append(s.slots, slot{})
	s.put(len(s.slots)-1, at, value)
}

func (s *Series) put(i int, at instant, value int32) {
	s.slots[i] = slot{at.sec, at.nsec, value}
	if s.latest.before(at) {
		s.latest = at
	}
}
