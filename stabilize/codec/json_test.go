package codec_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/stabilize/codec"
)

// outer is a value with a part that decodes itself.
type outer struct {
	Name   string           `json:"name"`
	Size   int32            `json:"size"`
	At     *codec.Timestamp `json:"at"`
	List   []struct{ N int8 }
	Counts map[string]int
	Inner  inner `json:"inner"`
}

type inner struct{ n int }

func (i *inner) UnmarshalJSON(data []byte) error {
	var j struct{ N int }
	if err := codec.UnmarshalStrict("some.inner", data, &j); err != nil {
		return err
	}
	i.n = j.N
	return nil
}

func TestUnmarshalStrict(t *testing.T) {
	var o outer
	require.NoError(t, codec.UnmarshalStrict("some.outer", []byte(` {
		"NAME": "first", "name": "last", "size": null,
		"at": "2026-07-01T12:00:00Z", "inner": {"n": 7}, "list": [{"n": 1}], "counts": {"a": 1}
	} `), &o))
	require.Equal(t, "last", o.Name)
	require.Equal(t, noon, time.Time(*o.At))
	require.Equal(t, 7, o.Inner.n)
}

func TestUnmarshalStrictErrors(t *testing.T) {
	for _, tt := range []struct{ data, path, problem string }{
		{`null`, "", "null is not an object"},
		{" null\n", "", "null is not an object"},
		{`[]`, "", "array is not an object"},
		{`"x"`, "", "string is not an object"},
		{"{\"name\": \"\xff\"}", "", "not UTF-8"},
		{`{"other": 1}`, "", `unknown field "other"`},
		{`{"` + strings.Repeat("x", 100) + `": 1}`, "", `unknown field "` + strings.Repeat("x", 65)},
		{`{"name": 1}`, "name", "number is not a string"},
		{`{"size": 2147483648}`, "size", "number 2147483648 is not of type int32"},
		{`{"size": ` + strings.Repeat("1", 100) + `}`, "size", "number " + strings.Repeat("1", 33) + " is not of type int32"},
		{`{"list": {}}`, "List", "object is not a list"},
		{`{"list": [{"n": 128}]}`, "List.N", "number 128 is not of type int8"},
		{`{"counts": []}`, "Counts", "array is not an object"},
		{`{"at": 5}`, "at", "number is not a string"},
		{`{"at": "noon"}`, "at", `codec: time "noon" is not RFC 3339`},
		{`{"inner": null, "inner": {"n": 1}}`, "", "null is not an object"}, // the culprit is gone
		{`{"inner": null}`, "inner", "null is not an object"},
		{`{"name": "n", "inner": {"n": "x"}, "size": 1}`, "inner.N", "string is not of type int"},
	} {
		err := codec.UnmarshalStrict("some.outer", []byte(tt.data), new(outer))
		require.Equal(t, &codec.Error{Type: "some.outer", Offset: -1, Path: tt.path, Problem: tt.problem}, err, tt.data)
	}
	for _, data := range []string{"", " ", "{", `{"name"}`, "{} {}", "{}x", `{"inner": {]}`} {
		require.ErrorAs(t, codec.UnmarshalStrict("some.outer", []byte(data), new(outer)), new(*json.SyntaxError), data)
	}
	var list []int
	require.EqualError(t, codec.UnmarshalStrict("some.list", []byte("null"), &list), "some.list: null is not a list")
	require.EqualError(t, codec.UnmarshalStrict("some.list", []byte(`[true]`), &list), "some.list: bool is not of type int")
}

func TestError(t *testing.T) {
	for want, err := range map[string]codec.Error{
		"t: problem":         {Type: "t", Offset: -1, Problem: "problem"},
		"t: a.b: problem":    {Type: "t", Offset: -1, Path: "a.b", Problem: "problem"},
		"t: byte 0: problem": {Type: "t", Problem: "problem"},
	} {
		require.EqualError(t, &err, want)
	}
}

func TestWithin(t *testing.T) {
	for _, tt := range []struct{ outside, inside, want string }{
		{"", "", ""},
		{"", "b", "b"},
		{"a", "", "a"},
		{"a", "b", "a.b"},
		{"a", "[3].b", "a[3].b"},
		{"", "[3]", "[3]"},
	} {
		err := codec.Within("outer", tt.outside, codec.JSONError("inner", tt.inside, "%d problems", 2))
		require.Equal(t, &codec.Error{Type: "outer", Offset: -1, Path: tt.want, Problem: "2 problems"}, err)
	}
	err := codec.Within("outer", "", fmt.Errorf("wrapped: %w", &codec.Error{Type: "inner", Offset: 7, Problem: "problem"}))
	require.Equal(t, &codec.Error{Type: "outer", Offset: 7, Problem: "problem"}, err)
	require.Equal(t, io.EOF, codec.Within("outer", "a", io.EOF))
	require.NoError(t, codec.Within("outer", "a", nil))
	require.False(t, errors.As(codec.Within("outer", "a", io.EOF), new(*codec.Error)))
}
