package codec

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// UnmarshalStrict decodes data as [json.Unmarshal] does, but refuses unknown
// fields, a null in place of the whole value, and text that is not UTF-8. Like
// json.Unmarshal it matches names in any letter case, and takes the last one of
// fields that are given twice.
//
// If data is not JSON, the error is a *json.SyntaxError. All other errors are
// an *Error of type typ. Its Path is that of encoding/json, without indices,
// and empty for an unknown field. For a field that decodes itself it is the
// field, followed by the path of the *Error that it returned, if it did. After
// an error, into may hold some of the data.
func UnmarshalStrict(typ string, data []byte, into any) error {
	// A Decoder reports data that ends too early as an io error, and does not
	// look at what comes after the value.
	if err := json.Unmarshal(data, new(json.RawMessage)); err != nil {
		return err
	}
	if !utf8.Valid(data) {
		return JSONError(typ, "", "not UTF-8")
	}
	if string(bytes.TrimSpace(data)) == "null" {
		return JSONError(typ, "", "null is not %s", kind(reflect.TypeOf(into).Elem()))
	}
	if l, ok := into.(Lister); ok {
		Lists(data, l)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	err := dec.Decode(into)
	var mismatch *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, new(*Error)):
		return Within(typ, culprit(data, into), err)
	case errors.As(err, &mismatch):
		return JSONError(typ, mismatch.Field, "%.40s is not %s", mismatch.Value, kind(mismatch.Type))
	}
	return JSONError(typ, culprit(data, into), "%.80s", strings.TrimPrefix(err.Error(), "json: "))
}

// culprit returns the field of an object that cannot be decoded, if there is
// one: encoding/json does not say in which field one that decodes itself has
// failed.
func culprit(data []byte, into any) string {
	var fields map[string]json.RawMessage
	_ = json.Unmarshal(data, &fields) // of a list there are none
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		one, _ := json.Marshal(map[string]json.RawMessage{name: fields[name]})
		if json.Unmarshal(one, reflect.New(reflect.TypeOf(into).Elem()).Interface()) != nil {
			return name
		}
	}
	return ""
}

// kind returns what JSON calls values of the type.
func kind(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		return kind(t.Elem())
	}
	if reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
		return "a string"
	}
	switch t.Kind() {
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.String:
		return "a string"
	}
	return "of type " + t.Kind().String()
}

// JSONError returns an [Error] at a path in JSON.
func JSONError(typ, path, format string, args ...any) error {
	return &Error{Type: typ, Offset: -1, Path: path, Problem: fmt.Sprintf(format, args...)}
}

// Within returns the error of a part as one of the value that holds it: an
// [Error] gets that value's type, and the part's path in front of its own.
// Other errors are returned unchanged.
func Within(typ, path string, err error) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	if path != "" && e.Path != "" && e.Path[0] != '[' {
		path += "."
	}
	return &Error{Type: typ, Offset: e.Offset, Path: path + e.Path, Problem: e.Problem}
}
