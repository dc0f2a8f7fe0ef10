package kubejson

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"time"
)

// document is a kind of object that can be read.
type document struct {
	// name is what errors call it.
	name string
	// kind is the kind of one object, or of one item where the API returns only
	// lists.
	kind string
	// versions are the values of apiVersion that can be read, with spaces between
	// them.
	versions string
	// one is what an error calls several objects, if there must be one.
	one string
}

// The documents, which nothing changes.
var (
	autoscalerDocument = document{
		"horizontal pod autoscaler", "HorizontalPodAutoscaler", "autoscaling/v2", "autoscalers"}
	scaleDocument      = document{"scale", "Scale", "autoscaling/v1", "scales"}
	podDocument        = document{"pods", "Pod", "v1", ""}
	podMetricsDocument = document{"pod metrics", "PodMetrics", "metrics.k8s.io/v1beta1", ""}
	customDocument     = document{"custom metrics", "MetricValue",
		"custom.metrics.k8s.io/v1beta1 custom.metrics.k8s.io/v1beta2", ""}
	externalDocument = document{"external metrics", "ExternalMetricValue", "external.metrics.k8s.io/v1beta1", ""}
)

type typeMeta struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
}

func (m *typeMeta) header() *typeMeta { return m }

// object is what objects with metadata have in common.
type object struct {
	typeMeta
	Metadata struct {
		Name              string     `json:"name"`
		Namespace         string     `json:"namespace"`
		Generation        int64      `json:"generation"`
		CreationTimestamp time.Time  `json:"creationTimestamp"`
		DeletionTimestamp *time.Time `json:"deletionTimestamp"`
	} `json:"metadata"`
}

// list is a list, or an object whose kind and version alone are decoded.
type list[T any] struct {
	typeMeta
	Items []T `json:"items"`
}

// decode reads an object or a list of them, and adds each to the result as soon
// as it is decoded. On an error, which is an *Error, it returns before.
func decode[A, T any, P interface {
	*T
	header() *typeMeta
}](d document, data []byte, before A, add func(*A, P) *Error) (A, error) {
	isList, err := d.open(data)
	if err != nil {
		return before, err.in(d.name)
	}
	var v T // one for all items, which saves allocations
	result, n, versions := before, 1, strings.Fields(d.versions)
	addNext := func(err error, text []byte) *Error {
		if err != nil {
			return locate(bytes.TrimLeft(text, ", \t\r\n"), reflect.TypeFor[T]())
		}
		// Items may omit kind and version.
		m := P(&v).header()
		m.Kind, m.APIVersion = cmp.Or(m.Kind, d.kind), cmp.Or(m.APIVersion, versions[0])
		return cmp.Or(m.check(versions, d.kind), add(&result, &v))
	}
	if !isList {
		err = addNext(json.Unmarshal(data, &v), data)
	} else {
		dec := json.NewDecoder(bytes.NewReader(data))
		seekItems(dec)
		for n = 0; dec.More() && err == nil; n++ {
			v = *new(T)
			start := dec.InputOffset()
			if err = addNext(dec.Decode(&v), data[start:dec.InputOffset()]); err != nil {
				err.Path = fmt.Sprintf("items[%d]%s", n, err.Path)
			}
		}
	}
	if err == nil && d.one != "" && n != 1 {
		err = errorAt("items", "%d %s; one was expected", n, d.one)
	}
	if err != nil {
		return before, err.in(d.name)
	}
	return result, nil
}

// seekItems reads the beginning of a well-formed list up to its first item, or all
// of it if there is none.
func seekItems(dec *json.Decoder) {
	_, _ = dec.Token()
	for dec.More() {
		key, _ := dec.Token()
		if name, _ := key.(string); !strings.EqualFold(name, "items") {
			_ = dec.Decode(new(json.RawMessage))
		} else if items, _ := dec.Token(); items != nil {
			return
		}
	}
}

// open reports whether the document is a list, and how it is not one object or
// list of its kind.
func (d document) open(data []byte) (isList bool, err *Error) {
	var l list[struct{}]
	if json.Unmarshal(data, &l) != nil {
		s := newStream(data)
		text, err := s.next(&l)
		switch {
		case err != nil:
			return false, err
		case text == nil:
			return false, errorAt("", "empty")
		}
		return false, errorAt("", "more after the end of the JSON value, at %s", position(data, s.InputOffset()))
	}
	versions := strings.Fields(d.versions)
	if l.Kind == "List" {
		versions = []string{"v1"}
	}
	return l.Kind != d.kind, l.check(versions, d.kind, d.kind+"List", "List")
}

// check returns an error if m has none of the kinds or none of the versions.
func (m *typeMeta) check(versions []string, kinds ...string) *Error {
	switch {
	case m.Kind == "":
		return errorAt(".kind", "missing; %s was expected", or(kinds))
	case !slices.Contains(kinds, m.Kind):
		return errorAt(".kind", "wrong kind %s; %s was expected", quote(m.Kind), or(kinds))
	case m.APIVersion == "":
		return errorAt(".apiVersion", "missing; %s was expected", or(versions))
	case !slices.Contains(versions, m.APIVersion):
		return errorAt(".apiVersion", "wrong version %s; %s is supported", quote(m.APIVersion), or(versions))
	}
	return nil
}

// or returns "a", "a or b" or "a, b or c".
func or(words []string) string {
	last := len(words) - 1
	return strings.TrimPrefix(strings.Join(words[:last], ", ")+" or "+words[last], " or ")
}

// stream reads JSON values one after another.
type stream struct {
	*json.Decoder
	data []byte
}

func newStream(data []byte) *stream {
	return &stream{json.NewDecoder(bytes.NewReader(data)), data}
}

// next decodes the next value into v and returns its text, or nil at the end.
func (s *stream) next(v any) (text []byte, _ *Error) {
	start := s.InputOffset()
	err := s.Decode(v)
	text = s.data[start:s.InputOffset()]
	switch syntax := (*json.SyntaxError)(nil); {
	case err == nil:
		return text, nil
	case errors.Is(err, io.EOF):
		return nil, nil
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, errorAt("", "cut short: the JSON value does not end")
	case errors.As(err, &syntax):
		return nil, s.malformed(start, syntax)
	}
	return nil, locate(text, reflect.TypeOf(v).Elem()).in("object")
}

// malformed returns where the JSON value that begins at start is malformed.
func (s *stream) malformed(start int64, e *json.SyntaxError) *Error {
	at, problem := e.Offset-1, e.Error()
	if text := bytes.TrimSpace(s.data[start:]); len(text) > 0 && text[0] != '{' && text[0] != '[' {
		at = start + int64(bytes.Index(s.data[start:], text))
		line, _, _ := bytes.Cut(text, []byte("\n"))
		problem = "it begins with " + quote(string(bytes.TrimRight(line, "\r")))
	}
	return errorAt("", "not JSON, at %s: %s", position(s.data, at), problem)
}

// position returns the line and the column, in bytes, of an offset.
func position(data []byte, offset int64) string {
	before := data[:min(max(offset, 0), int64(len(data)))]
	line := bytes.Count(before, []byte("\n")) + 1
	column := len(before) - bytes.LastIndexByte(before, '\n')
	return fmt.Sprintf("line %d, column %d", line, column)
}
