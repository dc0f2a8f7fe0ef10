package codec

import (
	"reflect"
	"strconv"
)

// UnmarshalStrict is [UnmarshalStrict] that refuses names in other letter case
// and fields that are given twice, too; see [Fields.Exact].
func (f *Fields) UnmarshalStrict(typ string, data []byte, into any) error {
	if err := UnmarshalStrict(typ, data, into); err != nil {
		return err
	}
	return f.Exact(typ, data, reflect.TypeOf(into).Elem())
}

// Exact returns an [Error] for the first of the misnomers in data; see
// [Fields.Misnomers].
func (f *Fields) Exact(typ string, data []byte, t reflect.Type) (err error) {
	f.Misnomers(data, t, func(m Misnomer) {
		switch {
		case err != nil:
		case m.Twice:
			err = JSONError(typ, m.Path(), "given twice")
		default:
			err = JSONError(typ, string(m.Object), "unknown field %.80q", m.Name)
		}
	})
	return err
}

// Misnomer is a member of a JSON object with a name that no field has, or that
// the object has before. What it holds is valid until the function that got it
// returns.
type Misnomer struct {
	// Object is the path of the object, empty for the whole value.
	Object []byte
	// Name is the name, and Text what the data has between the quotes.
	Name, Text []byte
	// Twice is true for a name that the object has before.
	Twice bool
}

// Path is the path of the member.
func (m *Misnomer) Path() string { return string(below(m.Object, m.Name)) }

// below returns the path of a member. The result may share memory with object.
func below(object, name []byte) []byte {
	if len(object) > 0 {
		object = append(object, '.')
	}
	return append(object, name...)
}

// Misnomers calls found for each misnomer in data, in its order. The data is
// valid JSON for the type. encoding/json takes names in any letter case, and of
// fields that are given twice the last one. What a type decodes itself, and
// what an unknown field has, is not looked at. The function found may overwrite
// a name, with as many bytes of valid JSON.
func (f *Fields) Misnomers(data []byte, t reflect.Type, found func(Misnomer)) {
	c := checker{walker{f, data, 0}, nil, found}
	c.value(t)
}

// checker walks through a value with the path of where it is.
type checker struct {
	walker
	path  []byte
	found func(Misnomer)
}

// value walks through a value. The type is nil if anything is right.
func (c *checker) value(t reflect.Type) {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	c.space()
	switch open := c.data[c.at]; {
	case t == nil || decodesItself(t):
		c.skip()
	case open == '{' && (t.Kind() == reflect.Struct || t.Kind() == reflect.Map):
		c.object(t)
	case open == '[' && (t.Kind() == reflect.Slice || t.Kind() == reflect.Array):
		c.list(t.Elem())
	default:
		c.skip()
	}
}

func (c *checker) object(t reflect.Type) {
	var fields map[string]namedField
	var keys map[string]bool // of a map
	if t.Kind() == reflect.Struct {
		fields = c.of(t)
	} else {
		keys = map[string]bool{}
	}
	path := c.path
	for seen := uint64(0); c.more('}'); {
		text := c.key()
		name := unquoted(text)
		of, known, twice := reflect.Type(nil), true, false
		if fields == nil {
			of, twice = t.Elem(), keys[string(name)]
			keys[string(name)] = true
		} else {
			f, ok := fields[string(name)]
			of, known, twice = f.of, ok, ok && seen>>f.number&1 != 0
			if ok {
				seen |= 1 << f.number
			}
		}
		if !known || twice {
			c.found(Misnomer{path, name, text, twice})
		}
		c.path = below(path, name)
		c.value(of)
	}
	c.path = path
}

func (c *checker) list(of reflect.Type) {
	path := c.path
	for i := 0; c.more(']'); i++ {
		c.path = append(strconv.AppendInt(append(path, '['), int64(i), 10), ']')
		c.value(of)
	}
	c.path = path
}
