package wire

import (
	"encoding/binary"
	"time"

	"github.com/purehpa/hpa/metrics"
)

// message reads the fields of a message in protobuf.
type message struct {
	b []byte
	i int
	// number is that of the field, 0 at the end. varint reports that it has a value,
	// bytes that it has a text. Others are of a fixed size.
	number        int
	varint, bytes bool
	value         uint64
	text          []byte
}

// next goes to the next field. It reports whether there is one, or the end.
func (m *message) next() bool {
	if m.i == len(m.b) {
		m.number = 0
		return true
	}
	if b := m.b[m.i:]; len(b) > 1 && b[0]&0x87 == 2 && b[0] > 7 && b[1] < 0x80 && int(b[1]) <= len(b)-2 {
		// Most fields are short texts.
		n := 2 + int(b[1])
		m.number, m.varint, m.bytes, m.text = int(b[0]>>3), false, true, b[2:n:n]
		m.i += n
		return true
	}
	tag, ok := m.read()
	if !ok || tag>>3 == 0 || tag>>3 > 1<<29-1 {
		return false
	}
	m.number, m.varint, m.bytes = int(tag>>3), false, false
	switch tag & 7 {
	case 0:
		m.varint = true
		m.value, ok = m.read()
		return ok
	case 1:
		return m.skip(8)
	case 2:
		n, ok := m.read()
		start := m.i
		if !ok || n > uint64(len(m.b)-start) {
			return false
		}
		m.i += int(n)
		m.bytes, m.text = true, m.b[start:m.i:m.i]
		return true
	case 5:
		return m.skip(4)
	}
	return false
}

// read reads a varint.
func (m *message) read() (uint64, bool) {
	if m.i < len(m.b) && m.b[m.i] < 0x80 {
		m.i++
		return uint64(m.b[m.i-1]), true
	}
	v, n := binary.Uvarint(m.b[m.i:])
	m.i += max(n, 0)
	return v, n > 0
}

func (m *message) skip(n int) bool {
	if n > len(m.b)-m.i {
		return false
	}
	m.i += n
	return true
}

// text returns the first field of a message and what follows, if that is a short text
// with a number. Kubernetes writes small messages of these alone, in their order.
func text(b []byte, number byte) (text, rest []byte, ok bool) {
	if len(b) < 2 || b[0] != number<<3|2 || b[1] >= 0x80 || int(b[1]) > len(b)-2 {
		return nil, nil, false
	}
	n := 2 + int(b[1])
	return b[2:n:n], b[n:], true
}

// open returns the list within the envelope of Kubernetes' protobuf, not nil.
func (a *Answer) open(envelope []byte) (raw []byte, bad bool) {
	m, typed, full := message{b: envelope}, false, false
	for {
		ok := m.next()
		switch {
		case !ok, m.number >= 1 && m.number <= 4 && !m.bytes:
			return nil, true
		case m.number == 0:
			return raw, !typed || !full
		case m.number == 1:
			if typed || !a.isList(m.text) {
				return nil, true
			}
			typed = true
		case m.number == 2:
			if full {
				return nil, true
			}
			raw, full = m.text, true
		}
	}
}

// isList reports whether a type is that of the list, and notes its version.
func (a *Answer) isList(b []byte) bool {
	m := message{b: b}
	var version, kind []byte
	for {
		ok := m.next()
		switch {
		case !ok:
			return false
		case m.number == 0:
			a.version = a.of.version(version)
			return a.version != "" && string(kind) == a.of.kind()
		case m.number == 1 && m.bytes && version == nil:
			version = m.text
		case m.number == 2 && m.bytes && kind == nil:
			kind = m.text
		default:
			return false
		}
	}
}

// nextMessage goes to the next item of a list in protobuf, if there is one.
func (a *Answer) nextMessage() bool {
	for {
		m := &a.items
		ok := m.next()
		switch {
		case !ok:
			a.bad = true
			return false
		case m.number == 0:
			return false
		case m.number == 1:
			if a.bad = !m.bytes || !texts(m.text, 3, 5); a.bad {
				return false
			}
		case m.number == 2:
			if a.bad = !m.bytes || !a.itemMessage(m.text); a.bad {
				return false
			}
			return true
		}
	}
}

// texts reports whether the fields 1 to last of a message are texts, and it has no
// fields after them up to none. Others do not matter.
func texts(b []byte, last, none int) bool {
	m := message{b: b}
	for {
		ok := m.next()
		switch {
		case !ok:
			return false
		case m.number == 0:
			return true
		case m.number <= last && !m.bytes, m.number > last && m.number <= none:
			return false
		}
	}
}

func (a *Answer) itemMessage(b []byte) bool {
	a.seen = 0
	if a.of == podMetrics {
		return a.podMessage(b)
	}
	return a.valueMessage(b)
}

func (a *Answer) podMessage(b []byte) bool {
	m := message{b: b}
	for {
		ok := m.next()
		switch {
		case !ok, m.number >= 1 && m.number <= 4 && !m.bytes:
			return false
		case m.number == 0:
			return !a.bad
		case m.number == 1:
			a.once(metadata)
			ok = a.metadataMessage(m.text)
		case m.number == 2:
			a.once(timestamp)
			a.Pod.Time, ok = timeOf(m.text)
		case m.number == 3:
			a.once(windowField)
			var d uint64
			d, ok = number(m.text)
			a.Pod.Window = time.Duration(d)
		case m.number == 4:
			ok = a.containerMessage(m.text)
		}
		if !ok {
			return false
		}
	}
}

func (a *Answer) metadataMessage(b []byte) bool {
	m := message{b: b}
	for {
		ok := m.next()
		if !ok {
			return false
		}
		switch m.number {
		case 0:
			return true
		case 1:
			a.once(name)
			a.Pod.Name, ok = m.text, m.bytes
		case 3:
			a.in(m.text)
			ok = m.bytes
		case 2, 4, 5, 6: // generateName, selfLink, uid, resourceVersion
			ok = m.bytes
		case 8: // creationTimestamp
			if ok = m.bytes; ok {
				_, ok = timeOf(m.text)
			}
		case 11, 12: // an entry of labels or annotations
			ok = m.bytes && texts(m.text, 2, 2)
		case 7: // generation
			ok = m.varint
		case 9, 10, 13, 14, 17:
			ok = false // no metrics have them
		}
		if !ok {
			return false
		}
	}
}

// timeOf returns a time, of which Kubernetes reads the seconds.
func timeOf(b []byte) (time.Time, bool) {
	if len(b) == 0 {
		return time.Time{}, true
	}
	seconds, ok := number(b)
	return time.Unix(int64(seconds), 0).UTC(), ok
}

// number returns the first field of a message whose fields are numbers.
func number(b []byte) (value uint64, ok bool) {
	if len(b) > 1 && b[0] == 1<<3 {
		// Most have it alone, or a short one after it.
		v, n := binary.Uvarint(b[1:])
		if rest := b[1+max(n, 0):]; n > 0 && (len(rest) == 0 || len(rest) == 2 && rest[0] == 2<<3 && rest[1] < 0x80) {
			return v, true
		}
	}
	m := message{b: b}
	for {
		ok := m.next()
		switch {
		case !ok, m.number > 2, m.number > 0 && !m.varint:
			return 0, false
		case m.number == 0:
			return value, true
		case m.number == 1:
			value = m.value
		}
	}
}

func (a *Answer) containerMessage(b []byte) bool {
	m := message{b: b}
	var containerName []byte
	var value metrics.Milli
	var has bool
	for {
		ok := m.next()
		switch {
		case !ok, m.number == 1 && (!m.bytes || containerName != nil), m.number == 2 && !m.bytes:
			return false
		case m.number == 0:
			a.add(containerName, value, has)
			return true
		case m.number == 1:
			containerName = m.text
		case m.number == 2:
			resource, q, ok := entry(m.text)
			if !ok {
				return false
			}
			if string(resource) == a.resource {
				value, has = q, true
			}
		}
	}
}

// entry returns an entry of a map of resources to quantities.
func entry(b []byte) (key []byte, value metrics.Milli, ok bool) {
	if key, rest, ok := text(b, 1); ok {
		if of, rest, ok := text(rest, 2); ok && len(rest) == 0 {
			value, ok = amount(of)
			return key, value, ok
		}
	}
	m, quantities := message{b: b}, 0
	for {
		ok := m.next()
		switch {
		case !ok, m.number != 0 && !m.bytes, m.number > 2:
			return nil, 0, false
		case m.number == 0:
			return key, value, quantities <= 1
		case m.number == 1:
			key = m.text
		case m.number == 2:
			quantities++
			if value, ok = amount(m.text); !ok {
				return nil, 0, false
			}
		}
	}
}

// amount returns a quantity, which is zero without a text.
func amount(b []byte) (value metrics.Milli, ok bool) {
	if of, rest, ok := text(b, 1); ok && len(rest) == 0 {
		return quantity(of)
	}
	m := message{b: b}
	for {
		ok := m.next()
		switch {
		case !ok, m.number != 0 && !m.bytes, m.number > 1:
			return 0, false
		case m.number == 0:
			return value, true
		}
		if value, ok = quantity(m.text); !ok {
			return 0, false
		}
	}
}

// valueMessage reads a value. All of its fields are messages or texts, except for the
// window.
func (a *Answer) valueMessage(b []byte) bool {
	m := message{b: b}
	for {
		ok := m.next()
		switch {
		case !ok, m.number == 4 && !m.varint, m.number >= 1 && m.number <= 6 && m.number != 4 && !m.bytes:
			return false
		case m.number == 0:
			return !a.bad
		case m.number == 3:
			a.once(timestamp)
			a.Value.Time, ok = timeOf(m.text)
		case m.number == 4:
			a.once(windowField)
			seconds := int64(m.value)
			a.Value.Window = Window(&seconds)
		case m.number == 5:
			a.once(value)
			a.Value.Value, ok = amount(m.text)
		case m.number <= 6:
			ok = a.identity(m.number, m.text)
		}
		if !ok {
			return false
		}
	}
}

// identity reads a field that says what a value is of.
func (a *Answer) identity(number int, b []byte) bool {
	switch {
	case a.of == externalMetrics && number == 1, a.version == customBeta1 && number == 2:
		a.named(b)
		return true
	case a.of == externalMetrics && number == 2: // an entry of the labels
		return texts(b, 2, 2)
	case a.of == customMetrics && number == 1:
		return a.objectMessage(b)
	case a.version == customBeta2 && number == 2:
		return a.metricMessage(b)
	case a.version == customBeta1 && number == 6:
		return selector(b)
	}
	return false
}

// objectMessage reads the reference to an object, whose fields are texts.
func (a *Answer) objectMessage(b []byte) bool {
	a.once(object)
	m := message{b: b}
	for {
		ok := m.next()
		switch {
		case !ok, m.number >= 1 && m.number <= 7 && !m.bytes:
			return false
		case m.number == 0:
			return true
		case m.number == 2:
			a.in(m.text)
		case m.number == 3:
			a.once(name)
			a.Value.Name = m.text
		}
	}
}

func (a *Answer) metricMessage(b []byte) bool {
	a.once(metric)
	m := message{b: b}
	for {
		ok := m.next()
		switch {
		case !ok, m.number >= 1 && m.number <= 2 && !m.bytes:
			return false
		case m.number == 0:
			return true
		case m.number == 1:
			a.named(m.text)
		case m.number == 2 && !selector(m.text):
			return false
		}
	}
}

// selector reports whether a message is a label selector.
func selector(b []byte) bool {
	m := message{b: b}
	for {
		ok := m.next()
		switch {
		case !ok, m.number >= 1 && m.number <= 2 && !m.bytes:
			return false
		case m.number == 0:
			return true
		case m.number == 1 && !texts(m.text, 2, 2), m.number == 2 && !texts(m.text, 3, 3):
			return false
		}
	}
}
