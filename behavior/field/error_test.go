package field

import (
	"errors"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/metrics"
)

// word is an enumeration of strings.
type word string

func TestError(t *testing.T) {
	for _, tt := range []struct {
		err  *Error
		want string
	}{
		{nil, "<nil>"},
		{&Error{Field: "spec.maxReplicas", Type: ErrorTypeInvalid, BadValue: int32(0), Detail: "must be greater than or equal to 1"},
			"spec.maxReplicas: Invalid value: 0: must be greater than or equal to 1"},
		{&Error{Field: "f", Type: ErrorTypeInvalid, BadValue: int32(-5)}, "f: Invalid value: -5"},
		{&Error{Field: "f", Type: ErrorTypeInvalid, BadValue: "a\"<\x00é"}, `f: Invalid value: "a\"<\x00é"`},
		{&Error{Field: "f", Type: ErrorTypeInvalid, BadValue: metrics.MilliQuantity(-500, metrics.DecimalSI), Detail: "d"}, `f: Invalid value: "-500m": d`},
		{&Error{Field: "f", Type: ErrorTypeInvalid, BadValue: []string(nil), Detail: "d"}, "f: Invalid value: null: d"},
		{&Error{Field: "f", Type: ErrorTypeInvalid, BadValue: []string{"a", "b"}}, `f: Invalid value: ["a","b"]`},
		{&Error{Field: "f", Type: ErrorTypeInvalid, BadValue: complex(1, 0)}, "f: Invalid value: (1+0i)"},
		{&Error{Field: "f", Type: ErrorTypeInvalid, BadValue: []string(nil), GoSyntax: true}, "f: Invalid value: []string(nil)"},
		{&Error{Field: "f", Type: ErrorTypeInvalid, BadValue: []string{"a", "b"}, GoSyntax: true}, `f: Invalid value: []string{"a", "b"}`},
		{&Error{Field: "f", Type: ErrorTypeNotSupported, BadValue: word("<\x00é"), GoSyntax: true}, `f: Unsupported value: "<\x00é"`},
		{&Error{Field: "f", Type: ErrorTypeInvalid, BadValue: int32(-5), GoSyntax: true}, "f: Invalid value: -5"},
		{&Error{Field: "f", Type: ErrorTypeInvalid, BadValue: "a<", GoSyntax: true}, `f: Invalid value: "a<"`},
		{&Error{Field: "f", Type: ErrorTypeInvalid, BadValue: 5 * time.Second, GoSyntax: true}, "f: Invalid value: 5s"},
		{&Error{Field: "f", Type: ErrorTypeInvalid, BadValue: metrics.MilliQuantity(-500, metrics.DecimalSI), GoSyntax: true}, `f: Invalid value: "-500m"`},
		{&Error{Field: "f", Type: ErrorTypeNotSupported, BadValue: word("<\x00é"), Detail: "d"}, `f: Unsupported value: "\u003c\u0000é": d`},
		{&Error{Field: "f", Type: ErrorTypeRequired}, "f: Required value"},
		{&Error{Field: "f", Type: ErrorTypeRequired, BadValue: 5, Detail: "d"}, "f: Required value: d"},
		{&Error{Field: "f", Type: ErrorTypeForbidden, Detail: "d"}, "f: Forbidden: d"},
		{&Error{Field: "f", Type: "Odd", BadValue: 1}, `f: <unknown error "Odd">: 1`},
		{&Error{}, `: <unknown error "">: null`},
	} {
		require.Equal(t, tt.want, tt.err.Error())
	}
}

func TestFieldErrors(t *testing.T) {
	a := &Error{Field: "a", Type: ErrorTypeRequired}
	b := &Error{Field: "b", Type: ErrorTypeForbidden, Detail: "no"}
	again := &Error{Field: "a", Type: ErrorTypeRequired}
	for _, tt := range []struct {
		list  ErrorList
		want  string
		count int
	}{
		{nil, "", 0},
		{ErrorList{}, "", 0},
		{ErrorList{nil}, "", 0},
		{ErrorList{a}, "a: Required value", 1},
		{ErrorList{a, again}, "a: Required value", 2},
		{ErrorList{a, nil, b}, "[a: Required value, b: Forbidden: no]", 2},
		{ErrorList{b, a, again, b}, "[b: Forbidden: no, a: Required value]", 4},
	} {
		require.Equal(t, tt.want, tt.list.Error())
		require.Len(t, tt.list.Unwrap(), tt.count)
		if len(tt.list) == 0 {
			require.NoError(t, tt.list.Err())
			continue
		}
		require.EqualError(t, tt.list.Err(), tt.want)
	}

	err := ErrorList{b, a}.Err()
	var fe *Error
	require.ErrorAs(t, err, &fe)
	require.Same(t, b, fe)
	require.ErrorIs(t, err, a)
	require.NotErrorIs(t, err, io.EOF)
	var list ErrorList
	require.True(t, errors.As(err, &list))
	require.Len(t, list, 2)

	under := ErrorList{a, Required("a.kind", ""), nil, Required("ab", ""), b}
	require.Equal(t, ErrorList{nil, under[3], b}, under.Without("a"))
	require.Equal(t, a, under[0], "the list is as it was")
}

func TestConstructors(t *testing.T) {
	for _, tt := range []struct {
		err  *Error
		want string
	}{
		{Required("f", "d"), "f: Required value: d"},
		{Invalid("f", int32(5), "d"), "f: Invalid value: 5: d"},
		{NotSupported("f", word("a"), `"b", "c"`), `f: Unsupported value: "a": supported values: "b", "c"`},
		{Forbidden("f", "d"), "f: Forbidden: d"},
	} {
		require.EqualError(t, tt.err, tt.want)
	}
}
