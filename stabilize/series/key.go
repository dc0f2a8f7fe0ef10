package series

import (
	"encoding/binary"
	"math"
	"time"

	"github.com/purehpa/hpa/stabilize/codec"
)

// A key is what a later reader can still see of a Series, relative to now: series
// that were recorded at other times have the same key if they answer alike from
// then on. It is a list of entries that ends with a zero byte. An entry is its
// value, its age in seconds and nanoseconds, and whether it is stale.
const (
	endOfKey = iota
	vacantInKey
	freshInKey
	staleInKey

	keyKindBits = 2
)

// AppendHighestKey appends the key for [Series.Highest] from now on: the entries
// younger than period that are higher than all later ones. Entries of 0 or less are
// left out.
func (s *Series) AppendHighestKey(dst []byte, now time.Time, period time.Duration) []byte {
	return s.appendPeaks(dst, now, period, 1, 0)
}

// AppendLowestKey is AppendHighestKey for [Series.Lowest]: entries lower than all
// later ones.
func (s *Series) AppendLowestKey(dst []byte, now time.Time, period time.Duration) []byte {
	return s.appendPeaks(dst, now, period, -1, math.MaxInt32)
}

// appendPeaks appends the highest entry, the highest one after that, and so on.
// For a sign of -1 the lowest.
func (s *Series) appendPeaks(dst []byte, now time.Time, period time.Duration, sign, floor int64) []byte {
	at := instantOf(now)
	after := at.sub(period)
	for {
		best, highest := -1, sign*floor
		for i := range s.slots {
			e := &s.slots[i]
			v := sign * int64(e.value)
			if v < highest || e.isVacant() || !after.before(e.at()) {
				continue
			}
			if v > highest || best >= 0 && s.slots[best].at().before(e.at()) {
				best, highest = i, v
			}
		}
		if best < 0 {
			return append(dst, endOfKey)
		}
		e := s.slots[best]
		dst = appendKeyEntry(dst, freshInKey, e, at)
		after = e.at()
	}
}

// AppendWithinKey appends the key for [Series.Within] from now on, for periods up to
// longest, of a Series to which [Series.MarkStale] and [Series.Record] apply age.
//
// Where an entry that a period still sees can lose its place, the key has all places
// in their order, since that decides which one does. Otherwise it has the entries of
// the period by age.
func (s *Series) AppendWithinKey(dst []byte, now time.Time, longest, age time.Duration) []byte {
	at := instantOf(now)
	seen, kept := at.sub(longest), at.sub(age)
	if age >= longest && !s.seesStale(seen) {
		return s.appendByAge(dst, at, seen)
	}
	for _, e := range s.slots {
		switch stale := e.stale() || e.at().before(kept); {
		case !e.isVacant() && seen.before(e.at()):
			dst = appendKeyEntry(dst, kindInKey(stale), e, at)
		case stale:
			dst = append(dst, vacantInKey)
		default:
			dst = appendKeyEntry(dst, freshInKey, e, at)
		}
	}
	return append(dst, endOfKey)
}

func kindInKey(stale bool) uint64 {
	if stale {
		return staleInKey
	}
	return freshInKey
}

// seesStale reports whether an entry after the cutoff is stale.
func (s *Series) seesStale(cutoff instant) bool {
	for _, e := range s.slots {
		if e.stale() && !e.isVacant() && cutoff.before(e.at()) {
			return true
		}
	}
	return false
}

// appendByAge appends the entries after the cutoff, the oldest first, of several at
// one time the lowest.
func (s *Series) appendByAge(dst []byte, now, cutoff instant) []byte {
	last := slot{sec: cutoff.sec, nsec: cutoff.nsec, value: math.MaxInt32}
	for {
		next, n := slot{}, 0
		for _, e := range s.slots {
			if e.isVacant() || !last.less(e) {
				continue
			}
			switch {
			case n == 0 || e.less(next):
				next, n = e, 1
			case e == next:
				n++
			}
		}
		if n == 0 {
			return append(dst, endOfKey)
		}
		for range n {
			dst = appendKeyEntry(dst, freshInKey, next, now)
		}
		last = next
	}
}

// less orders slots that are not stale by time, then by value.
func (s slot) less(t slot) bool {
	return s.at().before(t.at()) || s.at() == t.at() && s.value < t.value
}

func appendKeyEntry(dst []byte, kind uint64, e slot, now instant) []byte {
	dst = binary.AppendUvarint(dst, uint64(zigzag(e.value))<<keyKindBits|kind)
	// Where this wraps around, reading does so, too.
	sec, nsec := now.sec-e.at().sec, now.nsec-e.at().nsec
	if nsec < 0 {
		sec, nsec = sec-1, nsec+int32(time.Second)
	}
	return binary.AppendUvarint(binary.AppendVarint(dst, sec), uint64(nsec))
}

// ReadKey adds the entries and vacant places of a key as of now. On an error, which
// r keeps, some may be missing.
func (s *Series) ReadKey(r *codec.Reader, now time.Time) {
	at := instantOf(now)
	for {
		start := r.Offset()
		head := r.Uvarint("entry of a key", math.MaxUint32<<keyKindBits|staleInKey)
		if r.Err() != nil || head == endOfKey {
			return
		}
		if len(s.slots) == MaxEntries {
			r.Fail(start, "more than %d entries", MaxEntries)
			return
		}
		if head == vacantInKey {
			s.append(vacantSlot(), 1)
			continue
		}
		if kind := head & (1<<keyKindBits - 1); kind != freshInKey && kind != staleInKey {
			r.Fail(start, "unknown entry of a key")
			return
		}
		sec := at.sec - r.Varint()
		nsec := at.nsec - int32(r.Uvarint("nanoseconds", uint64(time.Second)-1))
		if nsec < 0 {
			sec, nsec = sec-1, nsec+int32(time.Second)
		}
		if r.Err() != nil {
			return
		}
		e := instant{sec, nsec}
		s.append(e.slot(unzigzag(uint32(head>>keyKindBits)), head&(1<<keyKindBits-1) == staleInKey), 1)
	}
}

// Vacate makes s a single vacant place: it has no entries, but is not empty.
func (s *Series) Vacate() {
	s.Reset()
	s.append(vacantSlot(), 1)
}
