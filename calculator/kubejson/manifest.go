package kubejson

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"strings"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/stabilize/codec"
)

// DecodeManifest reads a HorizontalPodAutoscaler as it is applied, or a list of
// exactly one. It refuses what the API server refuses with strict validation,
// as kubectl asks it to. One of autoscaling/v1 is converted as the API server
// converts it, except that an annotation that cannot be read is an error; the
// API server ignores it. Of its status, only the sizes, the generation and the
// last scale time are read.
//
// Defaults are not set, and the spec is not validated. The error is a
// *StrictError if strict validation alone refuses the object, and an *Error if
// it cannot be decoded; the Problem of a value of a wrong type is the API
// server's text.
func DecodeManifest(data []byte) (HorizontalPodAutoscaler, error) {
	a, err := decodeOne(manifestDocument, data, newManifest(), addManifest)
	var strict *StrictError
	if errors.As(err, &strict) {
		return a, strict
	}
	return a, err
}

// StrictError is the error of an object that the API server refuses with strict
// validation. Its text is the API server's.
type StrictError struct {
	// Fields are the fields that are refused, in the order of the text, each
	// once. As in the API server, there are at most 100.
	Fields []StrictField
}

// StrictField is a field that strict validation refuses.
type StrictField struct {
	// Path is the path of the field, such as "spec.metrics[0].resource.targt".
	// A key of a map is a step like any other: "metadata.labels.a.b/c".
	Path string
	// Problem is "unknown field", also for a name in other letter case, or
	// "duplicate field".
	Problem string
}

// Error returns one line, such as
//
//	strict decoding error: unknown field "spec.foo", duplicate field "spec.minReplicas"
//
// Its length is limited by the input alone.
func (e *StrictError) Error() string {
	texts := make([]string, len(e.Fields))
	for i, f := range e.Fields {
		texts[i] = f.Problem + " " + strconv.Quote(f.Path)
	}
	return "strict decoding error: " + strings.Join(texts, ", ")
}

// manifest is an autoscaler as it is applied.
type manifest struct {
	autoscaler
	fields  *codec.Fields
	refused []StrictField
	problem *Error
}

func newManifest() *manifest {
	return &manifest{fields: &codec.Fields{Except: []reflect.Type{
		reflect.TypeFor[*autoscaling.ProposalMetricSource](), reflect.TypeFor[*autoscaling.ProposalMetricStatus](),
	}}}
}

// UnmarshalJSON implements json.Unmarshaler. What is wrong is kept for
// addManifest.
func (m *manifest) UnmarshalJSON(data []byte) error {
	var old autoscalerV1
	into, version := any(&m.autoscaler), "v2"
	if _ = json.Unmarshal(data, &old.typeMeta); old.APIVersion == versionV1 {
		into, version = &old, "v1"
	}
	t, text := reflect.TypeOf(into).Elem(), bytes.Clone(data)
	m.refuse(text, t)
	switch {
	case json.Unmarshal(text, into) != nil:
		m.problem = refusal(text, t, version)
	case old.APIVersion == versionV1 && len(m.refused) == 0:
		m.problem = old.convert(&m.autoscaler)
	}
	return nil
}

// refuse records the fields that strict validation refuses, and blanks the
// names of unknown ones: encoding/json would take those in other letter case.
func (m *manifest) refuse(text []byte, t reflect.Type) {
	const most = 100
	seen := map[StrictField]bool{}
	m.fields.Misnomers(text, t, func(n codec.Misnomer) {
		f := StrictField{n.Path(), "duplicate field"}
		if !n.Twice {
			f.Problem = "unknown field"
			for i := range n.Text {
				n.Text[i] = ' '
			}
		}
		if !seen[f] && len(seen) < most {
			seen[f] = true
			m.refused = append(m.refused, f)
		}
	})
}

func addManifest(to *[]HorizontalPodAutoscaler, m *manifest) *Error {
	switch {
	case m.problem != nil:
		return m.problem
	case len(m.refused) > 0:
		strict := &StrictError{m.refused}
		return &Error{Problem: strict.Error(), strict: strict}
	}
	return addAutoscaler(to, &m.autoscaler)
}
