package stabilize

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"
)

// The binary form of a Series, in which all numbers are varints:
//
//	"hps:" 1                      tag and version
//	n                             places, up to MaxEntries
//	then, until there are n:
//	  delta<<3 | kind             of an entry: its value less that of the
//	                              entry before it, zigzag, modulo 2^32
//	  time                        zigzag: nanoseconds since the entry before
//	                              it, or, if the kind says so, seconds since
//	                              1970, and then nanoseconds within them
//	  count<<3 | vacantKind       of vacant places in a row
//
// There is one way to write a Series: numbers take as few bytes as they can,
// the time is absolute where it has to be, and a row of vacant places is one.
const (
	seriesTag     = "hps:"
	seriesVersion = 1

	// An entry's kind is a sum of these.
	staleKind    = 1
	absoluteKind = 2
	vacantKind   = 4

	kindBits = 3
)

// AppendBinary appends the series in its compact form: mostly 6 or 7 bytes for
// each entry, and never more than 15 within one window. The error is nil.
func (s Series) AppendBinary(dst []byte) ([]byte, error) {
	dst = append(dst, seriesTag...)
	dst = append(dst, seriesVersion)
	dst = binary.AppendUvarint(dst, uint64(len(s.slots)))
	var last slot
	first := true
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
	return dst, nil
}

// MarshalBinary returns what AppendBinary appends.
func (s Series) MarshalBinary() ([]byte, error) { return s.AppendBinary(nil) }

// UnmarshalBinary reads what AppendBinary writes, and nothing else. The error
// is a *DecodeError, and s is then as it was.
func (s *Series) UnmarshalBinary(data []byte) error {
	r := reader{data: data}
	r.tag(seriesTag, seriesVersion)
	n := r.uvarint("places", MaxEntries)
	var t Series
	// An entry takes two bytes, unlike a vacant place.
	t.slots = make([]slot, 0, min(int(n), len(r.data)/2+1))
	first, row := true, false
	var last slot
	for len(t.slots) < int(n) && r.err == nil {
		start := r.offset
		head := r.uvarint("entry", math.MaxUint32<<kindBits|(1<<kindBits-1))
		kind, v := head&(1<<kindBits-1), head>>kindBits
		switch {
		case r.err != nil:
		case kind == vacantKind:
			if v < 1 || v > n-uint64(len(t.slots)) {
				r.fail(start, "%d vacant places where %d are left", v, n-uint64(len(t.slots)))
				break
			}
			if row {
				r.fail(start, "vacant places in two rows instead of one")
				break
			}
			for range v {
				t.slots = append(t.slots, vacant)
			}
			row = true
			continue
		case kind > vacantKind:
			r.fail(start, "unknown kind of entry %d", kind)
		case first && kind&absoluteKind == 0:
			r.fail(start, "first entry without a time of its own")
		}
		row = false
		last = r.entry(kind, last.value+unzigzag(uint32(v)), last, first)
		first = false
		t.slots = append(t.slots, last)
	}
	r.end()
	if r.err != nil {
		return r.err
	}
	t.see()
	*s = t
	return nil
}

// entry reads the time of an entry.
func (r *reader) entry(kind uint64, value int32, last slot, first bool) slot {
	start := r.offset
	var at instant
	if kind&absoluteKind != 0 {
		at.sec = r.varint() + unixEpoch
		at.nsec = int32(r.uvarint("nanoseconds", uint64(time.Second)-1))
		if _, ok := at.duration(last.at()); ok && !first {
			r.fail(start, "time in full where a difference would do")
		}
	} else {
		since := time.Duration(r.varint())
		at = last.at().add(since)
		if back, ok := at.duration(last.at()); !ok || back != since {
			r.fail(start, "time out of range")
		}
	}
	e := slot{at.sec, at.nsec, value}
	if kind&staleKind != 0 {
		e.nsec = ^e.nsec
	}
	return e
}

// see finds the latest time again, in a new series.
func (s *Series) see() {
	for _, e := range s.slots {
		if !e.isVacant() && s.latest.before(e.at()) {
			s.latest = e.at()
		}
	}
}

func zigzag(v int32) uint32   { return uint32(v)<<1 ^ uint32(v>>31) }
func unzigzag(v uint32) int32 { return int32(v>>1) ^ -int32(v&1) }

// reader reads a binary encoding up to the first error.
type reader struct {
	data   []byte
	offset int
	err    error
}

// fail notes what is wrong, unless something was before: what comes after the
// first error has no meaning.
func (r *reader) fail(offset int, format string, args ...any) {
	if r.err == nil {
		r.err = &DecodeError{Type: seriesType, Offset: offset, Problem: fmt.Sprintf(format, args...)}
	}
}

func (r *reader) tag(tag string, version byte) {
	n := len(tag)
	switch {
	case len(r.data) <= n:
		r.fail(len(r.data), "cut short")
	case string(r.data[:n]) != tag:
		r.fail(0, "begins with %s instead of %q", quote(r.data[:n]), tag)
	case r.data[n] != version:
		r.fail(n, "unknown version %d", r.data[n])
	}
	r.offset = n + 1
}

// uvarint reads a number, 0 if there is none.
func (r *reader) uvarint(what string, most uint64) uint64 {
	start := r.offset
	v := r.number()
	if v > most {
		r.fail(start, "%s: %d is more than %d", what, v, most)
		return 0
	}
	return v
}

func (r *reader) varint() int64 {
	v := r.number()
	return int64(v>>1) ^ -int64(v&1)
}

func (r *reader) number() uint64 {
	if r.err != nil {
		return 0
	}
	v, n := binary.Uvarint(r.data[r.offset:])
	switch {
	case n == 0:
		r.fail(len(r.data), "cut short")
	case n < 0:
		r.fail(r.offset, "number beyond 64 bits")
	case n > 1 && r.data[r.offset+n-1] == 0:
		r.fail(r.offset, "number in more bytes than it takes")
	default:
		r.offset += n
		return v
	}
	return 0
}

// end fails if something is left.
func (r *reader) end() {
	if r.offset < len(r.data) {
		r.fail(r.offset, "%d more bytes after the end", len(r.data)-r.offset)
	}
}
