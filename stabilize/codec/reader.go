package codec

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"
)

// Reader reads a binary encoding. Its error is sticky: after the first one,
// every method returns zero and changes nothing, so that callers check
// [Reader.Err] once, at the end.
//
// There is one way to write each value. A Reader refuses all others, such as a
// number in more bytes than it needs.
type Reader struct {
	typ    string
	data   []byte
	offset int
	err    error
}

// NewReader returns a Reader of data. Its errors name the Go type typ.
func NewReader(typ string, data []byte) *Reader { return &Reader{typ: typ, data: data} }

// Err returns the first error, an *Error with the offset of what is wrong.
func (r *Reader) Err() error { return r.err }

// Offset returns the number of bytes read.
func (r *Reader) Offset() int { return r.offset }

// Fail records an error at the offset, unless there was one before.
func (r *Reader) Fail(offset int, format string, args ...any) {
	if r.err == nil {
		r.err = &Error{Type: r.typ, Offset: offset, Problem: fmt.Sprintf(format, args...)}
	}
}

// End fails if anything is left.
func (r *Reader) End() {
	if left := len(r.data) - r.offset; left > 0 {
		r.Fail(r.offset, "%d more bytes after the end", left)
	}
}

// next returns the next n bytes, nil if there are fewer.
func (r *Reader) next(n uint64) []byte {
	if r.err != nil {
		return nil
	}
	if n > uint64(len(r.data)-r.offset) {
		r.Fail(len(r.data), "cut short")
		return nil
	}
	b := r.data[r.offset:][:n]
	r.offset += int(n)
	return b
}

// Tag reads the tag and the version that an encoding begins with, which is one
// of these, and returns the version.
func (r *Reader) Tag(tag string, versions ...byte) byte {
	if b := r.next(uint64(len(tag))); string(b) != tag {
		r.Fail(0, "begins with %q instead of %q", b, tag)
	}
	v := r.Byte("version", math.MaxUint8)
	if !slices.Contains(versions, v) {
		r.Fail(r.offset-1, "unknown version %d", v)
	}
	return v
}

// Byte reads a byte from 0 to most. Errors call it what.
func (r *Reader) Byte(what string, most byte) byte {
	b := r.next(1)
	if len(b) == 0 {
		return 0
	}
	if b[0] > most {
		r.Fail(r.offset-1, "%s: %d is more than %d", what, b[0], most)
		return 0
	}
	return b[0]
}

// Uvarint reads a number from 0 to most, as [binary.AppendUvarint] writes it.
// Errors call it what.
func (r *Reader) Uvarint(what string, most uint64) uint64 {
	start := r.offset
	v := r.uvarint()
	if v > most {
		r.Fail(start, "%s: %d is more than %d", what, v, most)
		return 0
	}
	return v
}

// Varint reads a number as [binary.AppendVarint] writes it.
func (r *Reader) Varint() int64 {
	v := r.uvarint()
	return int64(v>>1) ^ -int64(v&1)
}

func (r *Reader) uvarint() uint64 {
	if r.err != nil {
		return 0
	}
	v, n := binary.Uvarint(r.data[r.offset:])
	switch {
	case n == 0:
		r.Fail(len(r.data), "cut short")
	case n < 0:
		r.Fail(r.offset, "number beyond 64 bits")
	case n > 1 && r.data[r.offset+n-1] == 0:
		r.Fail(r.offset, "number in more bytes than it takes")
	default:
		r.offset += n
		return v
	}
	return 0
}

// String reads UTF-8 of up to most bytes, as [AppendString] writes it. Errors
// call it what.
func (r *Reader) String(what string, most int) string {
	start := r.offset
	b := r.next(r.Uvarint(what, uint64(most)))
	if !utf8.Valid(b) {
		r.Fail(start, "%s: not UTF-8", what)
		return ""
	}
	return string(b)
}

// AppendString appends s, which must be UTF-8, after its length in bytes.
func AppendString(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}
