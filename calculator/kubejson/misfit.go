package kubejson

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/purehpa/hpa/metrics"
)

const (
	anObject = "an object"
	aList    = "a list"
	aString  = "a string"
	aTime    = "a time in RFC 3339"
	quantity = "a quantity"
	anything = "anything"
)

// misfit returns the error of data that could not be decoded into the type.
func misfit(data []byte, t reflect.Type, p place) *Error {
	return cmp.Or(locate(bytes.Trim(data, space), t, p), errorAt("", "not what Kubernetes' API gives"))
}

// locate returns the error of the first value in data that does not fit the
// type, or nil if all fit. Its path has the indexes and keys that the errors of
// encoding/json leave out.
func locate(data []byte, t reflect.Type, p place) *Error {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	wanted := expected(t)
	switch {
	case wanted == anything || bytes.Equal(data, []byte("null")) || wanted == aString && data[0] == '"':
		return nil
	case wanted == anObject && data[0] == '{':
		for key, value := range members(data) {
			if e := locate(value, partType(t, key), p.member(t, key)); e != nil {
				e.Path = keyStep(key) + e.Path
				return e
			}
		}
		return nil
	case wanted == aList && data[0] == '[':
		i := 0
		for _, value := range elements(inner(data)) {
			if e := locate(value, t.Elem(), p); e != nil {
				e.Path = fmt.Sprintf("[%d]%s", i, e.Path)
				return e
			}
			i++
		}
		return nil
	case p.fatal && wanted != quantity && wanted != aTime:
		return nil
	}
	err := json.Unmarshal(data, reflect.New(t).Interface())
	if err == nil {
		return nil
	}
	if e := (*Error)(nil); errors.As(err, &e) {
		return e
	}
	if problem := p.problem(data, t, err); problem != "" {
		return errorAt("", "%s", problem)
	}
	if q := (*metrics.QuantityError)(nil); errors.As(err, &q) && data[0] == '"' {
		return errorAt("", "not a quantity: %s: %s", found(data), q.Problem)
	}
	return errorAt("", "found %s where %s was expected", found(data), wanted)
}

// partType returns the type of a key's value, any if it does not count. The
// names in Kubernetes' API are Go's in another case, which encoding/json
// ignores.
func partType(t reflect.Type, key string) reflect.Type {
	switch {
	case t == reflect.TypeFor[requests]():
		return reflect.TypeFor[request]()
	case t == reflect.TypeFor[labels]():
		return reflect.TypeFor[string]()
	case t.Kind() == reflect.Map:
		return t.Elem()
	}
	f, ok := t.FieldByNameFunc(func(name string) bool { return strings.EqualFold(name, key) })
	if !ok || !f.IsExported() {
		return reflect.TypeFor[any]()
	}
	return f.Type
}

// expected returns what is decoded into the type.
func expected(t reflect.Type) string {
	switch reflect.Zero(t).Interface().(type) {
	case metrics.Quantity, request:
		return quantity
	case time.Time, instant:
		return aTime
	case labels:
		return anObject
	case duration:
		return `a duration such as "15s"`
	}
	switch t.Kind() {
	case reflect.Struct, reflect.Map:
		return anObject
	case reflect.Slice:
		return aList
	case reflect.String:
		return aString
	case reflect.Bool:
		return "true or false"
	case reflect.Int32, reflect.Int64:
		return fmt.Sprintf("a whole number of %d bits", t.Bits())
	}
	return anything
}

// found returns what a value is, truncated.
func found(data []byte) string {
	switch data = bytes.TrimSpace(data); data[0] {
	case '{':
		return anObject
	case '[':
		return aList
	case '"':
		var s string
		_ = json.Unmarshal(data, &s) // it is a JSON string
		return quote(s)
	}
	if len(data) > quoted {
		return string(data[:quoted]) + "..."
	}
	return string(data)
}

// keyStep returns the step to the value of a key.
func keyStep(key string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	if key == "" || len(key) > quoted || strings.TrimLeft(key, plain) != "" {
		return "[" + quote(key) + "]"
	}
	return "." + key
}
