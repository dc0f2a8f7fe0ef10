package codec

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// Fields are what JSON calls the fields of structs. The zero Fields are ready,
// and remember each struct that they have seen.
type Fields struct {
	// Except are the types of fields that are not known.
	Except  []reflect.Type
	structs map[reflect.Type]map[string]namedField
}

type namedField struct {
	number int // in the order of the struct
	of     reflect.Type
}

// walker walks through valid JSON beside a type.
type walker struct {
	*Fields
	data []byte
	at   int
}

func decodesItself(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(reflect.TypeFor[json.Unmarshaler]()) || p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

// of returns those of a struct.
func (s *Fields) of(t reflect.Type) map[string]namedField {
	fields, ok := s.structs[t]
	if ok {
		return fields
	}
	if s.structs == nil {
		s.structs = map[reflect.Type]map[string]namedField{}
	}
	fields = map[string]namedField{}
	for _, f := range reflect.VisibleFields(t) {
		tag := f.Tag.Get("json")
		name, _, _ := strings.Cut(tag, ",")
		switch {
		case tag == "-" || !f.IsExported() || f.Anonymous && name == "" || slices.Contains(s.Except, f.Type):
			continue
		case name == "":
			name = f.Name
		}
		fields[name] = namedField{len(fields), f.Type}
	}
	s.structs[t] = fields
	return fields
}

func (s *walker) space() {
	for strings.IndexByte(" \t\r\n", s.data[s.at]) >= 0 {
		s.at++
	}
}

// more goes past the bracket or comma before the next element, and reports
// whether there is one. If not, it goes past the end.
func (s *walker) more(end byte) bool {
	s.space()
	if s.data[s.at] != end {
		s.at++
		s.space()
	}
	if s.data[s.at] != end {
		return true
	}
	s.at++
	return false
}

// key returns the name of a member between its quotes, and goes on to the
// value.
func (s *walker) key() []byte {
	start := s.at + 1
	s.text()
	key := s.data[start : s.at-1]
	s.space()
	s.at++ // the colon
	return key
}

// unquoted returns what a JSON string says that has this between its quotes.
func unquoted(text []byte) []byte {
	if bytes.IndexByte(text, '\\') < 0 && utf8.Valid(text) {
		return text
	}
	var s string
	_ = json.Unmarshal(fmt.Appendf(nil, "\"%s\"", text), &s) // it is valid
	return []byte(s)
}

// text skips a string.
func (s *walker) text() {
	for s.at++; s.data[s.at] != '"'; s.at++ {
		if s.data[s.at] == '\\' {
			s.at++
		}
	}
	s.at++
}

// skip skips a value.
func (s *walker) skip() {
	depth := 0
	for first := true; first || depth > 0; first = false {
		switch s.data[s.at] {
		case '"':
			s.text()
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		default:
			if depth == 0 {
				for s.at < len(s.data) && strings.IndexByte(",]} \t\r\n", s.data[s.at]) < 0 {
					s.at++
				}
				return
			}
		}
		s.at++
	}
}
