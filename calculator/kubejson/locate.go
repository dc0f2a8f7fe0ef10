package kubejson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/purehpa/hpa/metrics"
)

// locate returns the path of the first value in data, which is JSON, that does
// not fit the type, and what is wrong with it; both are "" if all fits. It is
// for what encoding/json has refused, and says where in lists and maps, which
// encoding/json does not.
func locate(data []byte, t reflect.Type) (path, problem string) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var tree any
	if dec.Decode(&tree) != nil {
		return "", ""
	}
	steps, problem := misfit(tree, t)
	slices.Reverse(steps)
	return strings.TrimPrefix(strings.Join(steps, ""), "."), problem
}

// misfit returns the steps to the misfit, the last one first.
func misfit(tree any, t reflect.Type) (steps []string, problem string) {
	if tree == nil {
		return nil, ""
	}
	if _, ok := reflect.New(t).Interface().(json.Unmarshaler); ok {
		return nil, leaf(tree, t)
	}
	switch t.Kind() {
	case reflect.Pointer:
		return misfit(tree, t.Elem())
	case reflect.Struct:
		object, ok := tree.(map[string]any)
		if !ok {
			return nil, unlike(tree, "an object")
		}
		for _, f := range reflect.VisibleFields(t) {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			for _, key := range sortedKeys(object) {
				// encoding/json does not mind the case of a field's name.
				if name == "" || !strings.EqualFold(key, name) {
					continue
				}
				if steps, problem := misfit(object[key], f.Type); problem != "" {
					return append(steps, keyStep(key)), problem
				}
			}
		}
	case reflect.Slice:
		list, ok := tree.([]any)
		if !ok {
			return nil, unlike(tree, "a list")
		}
		for i := range list {
			if steps, problem := misfit(list[i], t.Elem()); problem != "" {
				return append(steps, "["+strconv.Itoa(i)+"]"), problem
			}
		}
	case reflect.Map:
		object, ok := tree.(map[string]any)
		if !ok {
			return nil, unlike(tree, "an object")
		}
		for _, key := range sortedKeys(object) {
			if steps, problem := misfit(object[key], t.Elem()); problem != "" {
				return append(steps, keyStep(key)), problem
			}
		}
	default:
		return nil, leaf(tree, t)
	}
	return nil, ""
}

// leaf returns what is wrong with a value that has no parts of its own.
func leaf(tree any, t reflect.Type) string {
	data, err := json.Marshal(tree)
	if err != nil {
		return err.Error()
	}
	v := reflect.New(t)
	if err = json.Unmarshal(data, v.Interface()); err == nil {
		return ""
	}
	switch v.Interface().(type) {
	case *metrics.Quantity:
		text, isText := tree.(string)
		if q := (*metrics.QuantityError)(nil); isText && errors.As(err, &q) {
			return fmt.Sprintf("not a quantity: %s: %s", quote(text), q.Problem)
		}
		return unlike(tree, "a quantity")
	case *time.Time:
		return unlike(tree, "a time in RFC 3339")
	case *duration:
		return unlike(tree, `a duration such as "15s"`)
	}
	switch t.Kind() {
	case reflect.String:
		return unlike(tree, "a string")
	case reflect.Int32, reflect.Int64:
		return unlike(tree, fmt.Sprintf("a whole number of %d bits", t.Bits()))
	}
	return unlike(tree, "another type")
}

// unlike says that a value is not what was expected.
func unlike(tree any, expected string) string {
	var found string
	switch v := tree.(type) {
	case map[string]any:
		found = "an object"
	case []any:
		found = "a list"
	case string:
		found = quote(v)
	case json.Number:
		found = v.String()
		if len(found) > quoted {
			found = found[:quoted] + "..."
		}
	default:
		found = fmt.Sprint(v)
	}
	return "found " + found + " where " + expected + " was expected"
}

// keyStep is the step to the value of a key of a map.
func keyStep(key string) string {
	for i := range len(key) {
		switch c := key[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_':
		default:
			return "[" + quote(key) + "]"
		}
	}
	if key == "" || len(key) > quoted {
		return "[" + quote(key) + "]"
	}
	return "." + key
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// duration is a length of time as Kubernetes writes it, such as "15s".
type duration time.Duration

// UnmarshalJSON reads a string, and 0 from null.
func (d *duration) UnmarshalJSON(data []byte) error {
	var s *string
	if err := json.Unmarshal(data, &s); err != nil {
		return err
	}
	*d = 0
	if s == nil {
		return nil
	}
	t, err := time.ParseDuration(*s)
	*d = duration(t)
	return err
}
