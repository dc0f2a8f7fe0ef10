package wire

import "strconv"

// scanner reads a JSON text from its beginning. Once it is bad, everything that it
// reads is.
type scanner struct {
	b   []byte
	i   int
	bad bool
}

// maxDepth is how deep values may be that are skipped.
const maxDepth = 64

// peek returns the next byte that is not white space, 0 at the end.
func (s *scanner) peek() byte {
	for ; s.i < len(s.b); s.i++ {
		switch c := s.b[s.i]; c {
		case ' ', '\t', '\r', '\n':
		default:
			return c
		}
	}
	return 0
}

// open reads a byte, and reports whether it was there.
func (s *scanner) open(c byte) bool {
	if s.peek() != c || s.bad {
		s.bad = true
		return false
	}
	s.i++
	return true
}

// member goes to the value of the next member of an object, if there is one, and
// sets the key. First is whether none was read yet.
func (s *scanner) member(first *bool, key *[]byte) bool {
	if !s.more(first, '}') {
		return false
	}
	*key = s.plain()
	return s.open(':')
}

// more goes to the next element before an end, if there is one.
func (s *scanner) more(first *bool, end byte) bool {
	switch c := s.peek(); {
	case s.bad:
		return false
	case c == end:
		s.i++
		return false
	case *first:
		*first = false
		return true
	}
	return s.open(',')
}

// plain reads a string of ASCII without escapes.
func (s *scanner) plain() []byte {
	if !s.open('"') {
		return nil
	}
	start := s.i
	for i := start; i < len(s.b); i++ {
		switch c := s.b[i]; {
		case c == '"':
			s.i = i + 1
			return s.b[start:i]
		case c < ' ' || c == '\\' || c >= 0x80:
			s.bad = true
			return nil
		}
	}
	s.bad = true
	return nil
}

// quoted reads a string that does not matter.
func (s *scanner) quoted() {
	if !s.open('"') {
		return
	}
	for ; s.i < len(s.b); s.i++ {
		switch c := s.b[s.i]; {
		case c == '"':
			s.i++
			return
		case c < ' ':
			s.bad = true
			return
		case c == '\\':
			if s.i++; !s.escape() {
				s.bad = true
				return
			}
		}
	}
	s.bad = true
}

// escape goes to the end of what follows a backslash.
func (s *scanner) escape() bool {
	if s.i >= len(s.b) {
		return false
	}
	switch s.b[s.i] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return true
	case 'u':
		for range 4 {
			s.i++
			if s.i >= len(s.b) || !isHex(s.b[s.i]) {
				return false
			}
		}
		return true
	}
	return false
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// texts reads an object whose values are strings.
func (s *scanner) texts() {
	s.open('{')
	for first := true; s.more(&first, '}'); s.quoted() {
		s.quoted()
		s.open(':')
	}
}

// textsOrNull is texts for an object that may be null.
func (s *scanner) textsOrNull() {
	if !s.null() {
		s.texts()
	}
}

// null reads a null, if it is one.
func (s *scanner) null() bool {
	if s.bad || s.peek() != 'n' {
		return false
	}
	s.word("null")
	return true
}

// integer reads an integer of 64 bits.
func (s *scanner) integer() int64 {
	s.peek()
	start := s.i
	s.number()
	const longest = len("-9223372036854775808")
	text := s.b[start:s.i]
	if s.bad || len(text) > longest {
		s.bad = true
		return 0
	}
	n, err := strconv.ParseInt(string(text), 10, 64)
	s.bad = err != nil
	return n
}

// skip reads any value.
func (s *scanner) skip(depth int) {
	switch c := s.peek(); {
	case s.bad || depth > maxDepth:
		s.bad = true
	case c == '"':
		s.quoted()
	case c == '{':
		s.i++
		for first := true; s.more(&first, '}'); s.skip(depth + 1) {
			s.quoted()
			s.open(':')
		}
	case c == '[':
		s.i++
		for first := true; s.more(&first, ']'); {
			s.skip(depth + 1)
		}
	case c == 't':
		s.word("true")
	case c == 'f':
		s.word("false")
	case c == 'n':
		s.word("null")
	default:
		s.number()
	}
}

func (s *scanner) word(w string) {
	if len(s.b)-s.i < len(w) || string(s.b[s.i:s.i+len(w)]) != w {
		s.bad = true
		return
	}
	s.i += len(w)
}

// number reads a number.
func (s *scanner) number() {
	s.optional('-')
	if !s.optional('0') {
		s.digits()
	}
	if s.optional('.') {
		s.digits()
	}
	if s.optional('e') || s.optional('E') {
		if !s.optional('+') {
			s.optional('-')
		}
		s.digits()
	}
}

func (s *scanner) optional(c byte) bool {
	if s.i < len(s.b) && s.b[s.i] == c {
		s.i++
		return true
	}
	return false
}

// digits reads at least one digit.
func (s *scanner) digits() {
	start := s.i
	for s.i < len(s.b) && '0' <= s.b[s.i] && s.b[s.i] <= '9' {
		s.i++
	}
	s.bad = s.bad || s.i == start
}
