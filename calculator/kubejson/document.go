package kubejson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
)

// document is a sort of object that can be read.
type document struct {
	// name is what errors call it.
	name string
	// kind is the kind of one object, or, for what the APIs give as lists
	// alone, of one item.
	kind string
	// versions are the values of apiVersion that can be read.
	versions []string
}

// typeMeta is what every object says of itself. Items of a list may leave it
// out.
type typeMeta struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
}

// header is what is looked at before anything else.
type header struct {
	typeMeta
	Items []typeMeta `json:"items"`
}

func (d *document) errorf(path, format string, args ...any) *Error {
	return &Error{Document: d.name, Path: path, Problem: fmt.Sprintf(format, args...)}
}

// itemPath is the path of item i, and "" for an object that is no list.
func itemPath(list bool, i int) string {
	if !list {
		return ""
	}
	return fmt.Sprintf("items[%d]", i)
}

// join appends a field to a path.
func join(path, field string) string {
	if path == "" {
		return field
	}
	return path + "." + field
}

// decode reads an object or a list of them. The error is an *Error.
func decode[T any](d *document, data []byte) (items []T, list bool, err error) {
	var h header
	if err := d.unmarshal(data, &h); err != nil {
		return nil, false, err
	}
	if list, err = d.check(&h); err != nil {
		return nil, false, err
	}
	if !list {
		items = make([]T, 1)
		if err := d.unmarshal(data, &items[0]); err != nil {
			return nil, false, err
		}
		return items, false, nil
	}
	var l struct {
		Items []T `json:"items"`
	}
	if err := d.unmarshal(data, &l); err != nil {
		return nil, true, err
	}
	return l.Items, true, nil
}

// unmarshal is json.Unmarshal with an *Error.
func (d *document) unmarshal(data []byte, v any) error {
	err := json.Unmarshal(data, v)
	if err == nil {
		return nil
	}
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		return d.syntaxError(data, syntax)
	}
	path, problem := locate(data, reflect.TypeOf(v).Elem())
	if problem == "" {
		problem = "not what Kubernetes' API gives"
	}
	return d.errorf(path, "%s", problem)
}

// syntaxError says how data is not one JSON value.
func (d *document) syntaxError(data []byte, e *json.SyntaxError) *Error {
	if len(bytes.TrimSpace(data)) == 0 {
		return d.errorf("", "empty")
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	var first json.RawMessage
	switch err := dec.Decode(&first); {
	case err == nil:
		return d.errorf("", "more after the end of the JSON value, at %s", position(data, dec.InputOffset()))
	case errors.Is(err, io.ErrUnexpectedEOF):
		return d.errorf("", "cut short: the JSON value does not end")
	}
	return d.syntaxAt(data, 0, e)
}

// syntaxAt says where the JSON value that begins at start is none.
func (d *document) syntaxAt(data []byte, start int64, e *json.SyntaxError) *Error {
	at, problem := e.Offset-1, e.Error()
	if text := bytes.TrimSpace(data[start:]); len(text) > 0 && text[0] != '{' && text[0] != '[' {
		at = start + int64(bytes.Index(data[start:], text))
		problem = "it begins with " + quote(string(firstLine(text)))
	}
	return d.errorf("", "not JSON, at %s: %s", position(data, at), problem)
}

func firstLine(text []byte) []byte {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return bytes.TrimRight(line, "\r")
}

// position returns the line and the column, in bytes, of an offset.
func position(data []byte, offset int64) string {
	before := data[:min(max(offset, 0), int64(len(data)))]
	line := bytes.Count(before, []byte("\n")) + 1
	column := len(before) - bytes.LastIndexByte(before, '\n')
	return fmt.Sprintf("line %d, column %d", line, column)
}

// check reports whether the object is a list, and an error if it is neither a
// list nor an object of the document's kind and version.
func (d *document) check(h *header) (list bool, err error) {
	switch h.Kind {
	case "":
		return false, d.errorf("kind", "missing; %s was expected", d.kinds())
	case "List":
		if h.APIVersion != "v1" {
			return false, d.wrongVersion("apiVersion", h.APIVersion, []string{"v1"})
		}
	case d.kind, d.kind + "List":
		if !slices.Contains(d.versions, h.APIVersion) {
			return false, d.wrongVersion("apiVersion", h.APIVersion, d.versions)
		}
		if h.Kind == d.kind {
			return false, nil
		}
	default:
		return false, d.errorf("kind", "wrong kind %s; %s was expected", quote(h.Kind), d.kinds())
	}
	for i, item := range h.Items {
		if item.Kind != "" && item.Kind != d.kind {
			return true, d.errorf(join(itemPath(true, i), "kind"), "wrong kind %s; %s was expected", quote(item.Kind), d.kind)
		}
		if item.APIVersion != "" && !slices.Contains(d.versions, item.APIVersion) {
			return true, d.wrongVersion(join(itemPath(true, i), "apiVersion"), item.APIVersion, d.versions)
		}
	}
	return true, nil
}

func (d *document) kinds() string {
	return fmt.Sprintf("%s, %sList or List", d.kind, d.kind)
}

func (d *document) wrongVersion(path, found string, supported []string) *Error {
	wanted := strings.Join(supported, " or ")
	if found == "" {
		return d.errorf(path, "missing; %s was expected", wanted)
	}
	return d.errorf(path, "wrong version %s; %s is supported", quote(found), wanted)
}
