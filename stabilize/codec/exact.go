package codec

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// UnmarshalStrict is [UnmarshalStrict] that refuses names in other letter case
// and fields that are given twice, too; see [Fields.Exact].
func (f *Fields) UnmarshalStrict(typ string, data []byte, into any) error {
	if err := UnmarshalStrict(typ, data, into); err != nil {
		return err
	}
	return f.Exact(typ, data, reflect.TypeOf(into).Elem())
}

// Exact returns an [Error] if data, which is valid JSON for the type, has a
// name that is not exactly that of a field, or a name twice in one object.
// encoding/json takes names in any letter case, and of fields that are given
// twice the last one. What a type decodes itself is not looked at.
func (f *Fields) Exact(typ string, data []byte, t reflect.Type) error {
	s := walker{f, data, 0}
	if path, problem := s.value(t); problem != "" {
		return JSONError(typ, strings.TrimPrefix(path, "."), "%s", problem)
	}
	return nil
}

// value walks through a value, and returns the path in it and what is wrong
// there. The type is nil if anything is right.
func (s *walker) value(t reflect.Type) (path, problem string) {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	s.space()
	switch open := s.data[s.at]; {
	case t == nil || decodesItself(t):
	case open == '{' && (t.Kind() == reflect.Struct || t.Kind() == reflect.Map):
		return s.object(t)
	case open == '[' && (t.Kind() == reflect.Slice || t.Kind() == reflect.Array):
		return s.list(t.Elem())
	}
	s.skip()
	return "", ""
}

func (s *walker) object(t reflect.Type) (path, problem string) {
	var fields map[string]namedField
	var keys map[string]bool // of a map
	if t.Kind() == reflect.Struct {
		fields = s.of(t)
	} else {
		keys = map[string]bool{}
	}
	for seen := uint64(0); s.more('}'); {
		key := s.key()
		of, twice := reflect.Type(nil), false
		if fields == nil {
			of, twice = t.Elem(), keys[string(key)]
			keys[string(key)] = true
		} else {
			f, ok := fields[string(key)]
			if !ok {
				return "", fmt.Sprintf("unknown field %.80q", key)
			}
			of, twice = f.of, seen>>f.number&1 != 0
			seen |= 1 << f.number
		}
		if twice {
			return "." + string(key), "given twice"
		}
		if path, problem := s.value(of); problem != "" {
			return "." + string(key) + path, problem
		}
	}
	return "", ""
}

func (s *walker) list(of reflect.Type) (path, problem string) {
	for i := 0; s.more(']'); i++ {
		if path, problem := s.value(of); problem != "" {
			return "[" + strconv.Itoa(i) + "]" + path, problem
		}
	}
	return "", ""
}
