package series

import (
	"encoding/binary"
	"math"
	"slices"
	"time"

	"github.com/purehpa/hpa/stabilize/codec"
)

// The binary form of a Series, in which all numbers are varints:
//
//	n                             places, up to MaxEntries
//	then, until there are n:
//	  delta<<3 | kind             of an entry: its value minus that of the
//	                              entry before it, zigzag, modulo 2^32
//	  time                        zigzag: nanoseconds since the entry before
//	                              it, or, if the kind says so, seconds since
//	                              1970 and then nanoseconds within the second
//	  count<<3 | vacantKind       of consecutive vacant places
//
// There is one way to write a Series: numbers take as few bytes as they can,
// the time is absolute only where it has to be, and a row of vacant places is
// one.
const (
	// An entry's kind is a sum of these.
	staleKind    = 1
	absoluteKind = 2
	vacantKind   = 4

	kindBits = 3
)

// AppendBinary appends the series in its compact form: mostly 6 or 7 bytes an
// entry, and never more than 15 for one within a window of the one before. It
// has neither tag nor version: what holds it has them.
func (s Series) AppendBinary(dst []byte) []byte { return s.appendBinary(dst, slot{}, true) }

// appendBinary appends the series as if its first entry came after last, unless
// it is the first of all.
func (s *Series) appendBinary(dst []byte, last slot, first bool) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(s.slots)))
	for e, n := range s.rows() {
		if e.isVacant() {
			dst = binary.AppendUvarint(dst, uint64(n)<<kindBits|vacantKind)
			continue
		}
		kind := uint64(0)
		if e.stale() {
			kind |= staleKind
		}
		since, ok := e.at().duration(last.at())
		if first || !ok {
			kind |= absoluteKind
		}
		dst = binary.AppendUvarint(dst, uint64(zigzag(e.value-last.value))<<kindBits|kind)
		if kind&absoluteKind != 0 {
			dst = binary.AppendVarint(dst, e.sec-unixEpoch)
			dst = binary.AppendUvarint(dst, uint64(e.at().nsec))
		} else {
			dst = binary.AppendVarint(dst, int64(since))
		}
		last, first = e, false
	}
	return dst
}

// ReadBinary reads what AppendBinary writes, and nothing else. On an error,
// which r keeps, s is unchanged.
func (s *Series) ReadBinary(r *codec.Reader) {
	var t Series
	t.readBinary(r, slot{}, true)
	if r.Err() == nil {
		*s = t
	}
}

// readBinary reads what appendBinary writes into an empty series. On an error,
// some entries may be missing.
func (s *Series) readBinary(r *codec.Reader, last slot, first bool) {
	n := int(r.Uvarint("places", MaxEntries))
	s.slots = slices.Grow(s.slots, n)
	row := false
	for len(s.slots) < n && r.Err() == nil {
		start := r.Offset()
		head := r.Uvarint("entry", math.MaxUint32<<kindBits|(1<<kindBits-1))
		kind, v := head&(1<<kindBits-1), head>>kindBits
		left := uint64(n - len(s.slots))
		switch {
		case kind == vacantKind && (v < 1 || v > left):
			r.Fail(start, "%d vacant places where %d are left", v, left)
		case kind == vacantKind && row:
			r.Fail(start, "vacant places in two rows instead of one")
		case kind == vacantKind:
			s.append(vacantSlot(), int(v))
			row = true
			continue
		case kind > vacantKind:
			r.Fail(start, "unknown kind of entry %d", kind)
		case first && kind&absoluteKind == 0:
			r.Fail(start, "first entry without a time of its own")
		}
		last = readSlot(r, kind, last.value+unzigzag(uint32(v)), last, first)
		first, row = false, false
		s.append(last, 1)
	}
}

// readSlot reads the time of an entry.
func readSlot(r *codec.Reader, kind uint64, value int32, last slot, first bool) slot {
	start := r.Offset()
	var at instant
	if kind&absoluteKind != 0 {
		at.sec = r.Varint() + unixEpoch
		at.nsec = int32(r.Uvarint("nanoseconds", uint64(time.Second)-1))
		if _, ok := at.duration(last.at()); ok && !first {
			r.Fail(start, "time in full where a difference would do")
		}
	} else {
		since := time.Duration(r.Varint())
		at = last.at().add(since)
		if back, ok := at.duration(last.at()); !ok || back != since {
			r.Fail(start, "time out of range")
		}
	}
	return at.slot(value, kind&staleKind != 0)
}

func zigzag(v int32) uint32   { return uint32(v)<<1 ^ uint32(v>>31) }
func unzigzag(v uint32) int32 { return int32(v>>1) ^ -int32(v&1) }
