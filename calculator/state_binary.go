package calculator

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"time"
)

// The binary form of a State. Numbers are varints, texts follow their length,
// and a time that is not set is a 0, another one a 1 before its seconds since
// 1970 and the nanoseconds within them.
//
//	"hpa:" 1             tag and version
//	desired replicas
//	last scale time
//	start
//	n                    conditions:
//	  type, status       the status as its index in conditionStatuses
//	  reason, message
//	  transition time
//	  generation         0, or 1 and the number
//	recommendations      after their length in 4 bytes, the lowest first
//	events               likewise
//	checksum             CRC-32 of all that, likewise
const (
	stateTag           = "hpa:"
	stateBinaryVersion = 1
	checksumSize       = 4
)

var conditionStatuses = [...]ConditionStatus{ConditionFalse, ConditionTrue, ConditionUnknown}

// AppendBinary appends the state in its compact form: its parts as
// Series.AppendBinary and Events.AppendBinary write them, the conditions' texts,
// and a checksum. The same state always gives the same bytes. The error is an
// *InputError or a *behavior.EventsError, of a state that no decision makes.
func (s State) AppendBinary(dst []byte) ([]byte, error) {
	if field, problem := s.check(); problem != "" {
		return dst, &InputError{Field: "state." + field, Problem: problem}
	}
	start := len(dst)
	b := append(dst, stateTag...)
	b = append(b, stateBinaryVersion)
	b = binary.AppendUvarint(b, uint64(s.DesiredReplicas))
	b = appendTime(b, s.LastScaleTime)
	b = appendTime(b, s.Started)
	b = binary.AppendUvarint(b, uint64(len(s.Conditions)))
	for i := range s.Conditions {
		b = s.Conditions[i].appendBinary(b)
	}
	b = append(b, 0, 0, 0, 0)
	part := len(b)
	b, _ = s.Recommendations.AppendBinary(b)
	binary.LittleEndian.PutUint32(b[part-4:], uint32(len(b)-part))
	b = append(b, 0, 0, 0, 0)
	part = len(b)
	b, err := s.Events.AppendBinary(b)
	if err != nil {
		return dst, err
	}
	binary.LittleEndian.PutUint32(b[part-4:], uint32(len(b)-part))
	return binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b[start:])), nil
}

// MarshalBinary returns what AppendBinary appends.
func (s State) MarshalBinary() ([]byte, error) { return s.AppendBinary(nil) }

func (c *Condition) appendBinary(b []byte) []byte {
	b = appendString(b, string(c.Type))
	for i, status := range conditionStatuses {
		if c.Status == status {
			b = append(b, byte(i))
		}
	}
	b = appendString(b, c.Reason)
	b = appendString(b, c.Message.String())
	b = appendTime(b, c.LastTransitionTime)
	if c.ObservedGeneration == nil {
		return append(b, 0)
	}
	return binary.AppendVarint(append(b, 1), *c.ObservedGeneration)
}

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func appendTime(b []byte, t time.Time) []byte {
	if t.IsZero() {
		return append(b, 0)
	}
	b = binary.AppendVarint(append(b, 1), t.Unix())
	return binary.AppendUvarint(b, uint64(t.Nanosecond()))
}

// UnmarshalBinary reads what AppendBinary writes, and nothing else. The error
// is a *DecodeError that tells the offset, and s is then as it was.
func (s *State) UnmarshalBinary(data []byte) error {
	body := data[:max(0, len(data)-checksumSize)]
	r := stateReader{data: body}
	r.tag()
	var t State
	t.DesiredReplicas = int32(r.uvarint(math.MaxInt32))
	t.LastScaleTime = r.time()
	t.Started = r.time()
	r.conditions(&t)
	r.part(&t.Recommendations)
	r.part(&t.Events)
	if r.offset < len(body) {
		r.fail(r.offset, "%d more bytes after the end", len(body)-r.offset)
	}
	if r.err == nil && binary.LittleEndian.Uint32(data[len(body):]) != crc32.ChecksumIEEE(body) {
		r.fail(len(body), "wrong checksum")
	}
	if r.err != nil {
		return r.err
	}
	*s = t
	return nil
}

// stateReader reads a binary encoding up to the first error.
type stateReader struct {
	data   []byte
	offset int
	err    error
}

// fail notes what is wrong, unless something was before: what comes after the
// first error has no meaning.
func (r *stateReader) fail(offset int, format string, args ...any) {
	if r.err == nil {
		r.err = &DecodeError{Type: stateType, Offset: offset, Problem: fmt.Sprintf(format, args...)}
	}
}

// next returns the next n bytes, nil if there are not so many.
func (r *stateReader) next(n uint64) []byte {
	if r.err != nil {
		return nil
	}
	if n > uint64(len(r.data)-r.offset) {
		r.fail(len(r.data), "cut short")
		return nil
	}
	b := r.data[r.offset:][:n]
	r.offset += int(n)
	return b
}

func (r *stateReader) tag() {
	if b := r.next(uint64(len(stateTag))); string(b) != stateTag {
		r.fail(0, "begins with %q instead of %q", b, stateTag)
	}
	if v := r.byte(math.MaxUint8); v != stateBinaryVersion {
		r.fail(r.offset-1, "unknown version %d", v)
	}
}

// byte reads a byte up to most, 0 if there is none.
func (r *stateReader) byte(most byte) byte {
	b := r.next(1)
	if r.err != nil {
		return 0
	}
	if b[0] > most {
		r.fail(r.offset-1, "%d is more than %d", b[0], most)
		return 0
	}
	return b[0]
}

// uvarint reads a number up to most, 0 if there is none.
func (r *stateReader) uvarint(most uint64) uint64 {
	start := r.offset
	v := r.number()
	if v > most {
		r.fail(start, "%d is more than %d", v, most)
		return 0
	}
	return v
}

func (r *stateReader) varint() int64 {
	v := r.number()
	return int64(v>>1) ^ -int64(v&1)
}

func (r *stateReader) number() uint64 {
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

func (r *stateReader) string() string { return string(r.next(r.number())) }

func (r *stateReader) time() time.Time {
	start := r.offset
	if r.byte(1) == 0 {
		return time.Time{}
	}
	sec := r.varint()
	nsec := r.uvarint(uint64(time.Second) - 1)
	t := time.Unix(sec, int64(nsec)).UTC()
	if t.IsZero() {
		r.fail(start, "zero time in full")
	}
	return t
}

func (r *stateReader) conditions(s *State) {
	for range r.uvarint(MaxConditions) {
		start := r.offset
		c := Condition{Type: ConditionType(r.string())}
		c.Status = conditionStatuses[r.byte(byte(len(conditionStatuses)-1))]
		c.Reason = r.string()
		c.Message = Text(r.string())
		c.LastTransitionTime = r.time()
		if r.byte(1) == 1 {
			generation := r.varint()
			c.ObservedGeneration = &generation
		}
		if r.err != nil {
			return
		}
		s.Conditions = append(s.Conditions, c)
		if field, problem := checkCondition(s.Conditions); problem != "" {
			r.fail(start, "%s: %s", field, problem)
		}
	}
}

// part reads a part of the state that has a form of its own.
func (r *stateReader) part(into interface{ UnmarshalBinary([]byte) error }) {
	size := r.next(4)
	if r.err != nil {
		return
	}
	start := r.offset
	data := r.next(uint64(binary.LittleEndian.Uint32(size)))
	if r.err != nil {
		return
	}
	if err := into.UnmarshalBinary(data); err != nil {
		part := new(DecodeError)
		errors.As(err, &part)
		r.fail(start+part.Offset, "%s: %s", part.Type, part.Problem)
	}
}
