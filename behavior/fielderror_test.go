package behavior

import (
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFieldError(t *testing.T) {
	for _, tt := range []struct {
		err  *FieldError
		want string
	}{
		{nil, "<nil>"},
		{&FieldError{Field: "spec.maxReplicas", Type: ErrorTypeInvalid, BadValue: int32(0), Detail: "must be greater than or equal to 1"},
			"spec.maxReplicas: Invalid value: 0: must be greater than or equal to 1"},
		{&FieldError{Field: "f", Type: ErrorTypeInvalid, BadValue: int32(-5)}, "f: Invalid value: -5"},
		{&FieldError{Field: "f", Type: ErrorTypeInvalid, BadValue: "a\"<\x00é"}, `f: Invalid value: "a\"<\x00é"`},
		{&FieldError{Field: "f", Type: ErrorTypeInvalid, BadValue: toleranceOf(t, "-0.5"), Detail: "d"}, `f: Invalid value: "-500m": d`},
		{&FieldError{Field: "f", Type: ErrorTypeInvalid, BadValue: []string(nil), Detail: "d"}, "f: Invalid value: null: d"},
		{&FieldError{Field: "f", Type: ErrorTypeInvalid, BadValue: []string{"a", "b"}}, `f: Invalid value: ["a","b"]`},
		{&FieldError{Field: "f", Type: ErrorTypeInvalid, BadValue: complex(1, 0)}, "f: Invalid value: (1+0i)"},
		{&FieldError{Field: "f", Type: ErrorTypeNotSupported, BadValue: PolicyType("<\x00é"), Detail: "d"}, `f: Unsupported value: "\u003c\u0000é": d`},
		{&FieldError{Field: "f", Type: ErrorTypeRequired}, "f: Required value"},
		{&FieldError{Field: "f", Type: ErrorTypeRequired, BadValue: 5, Detail: "d"}, "f: Required value: d"},
		{&FieldError{Field: "f", Type: ErrorTypeForbidden, Detail: "d"}, "f: Forbidden: d"},
		{&FieldError{Field: "f", Type: "Odd", BadValue: 1}, `f: <unknown error "Odd">: 1`},
		{&FieldError{}, `: <unknown error "">: null`},
	} {
		require.Equal(t, tt.want, tt.err.Error())
	}
}

func TestFieldErrors(t *testing.T) {
	a := &FieldError{Field: "a", Type: ErrorTypeRequired}
	b := &FieldError{Field: "b", Type: ErrorTypeForbidden, Detail: "no"}
	again := &FieldError{Field: "a", Type: ErrorTypeRequired}
	for _, tt := range []struct {
		list  FieldErrors
		want  string
		count int
	}{
		{nil, "", 0},
		{FieldErrors{}, "", 0},
		{FieldErrors{nil}, "", 0},
		{FieldErrors{a}, "a: Required value", 1},
		{FieldErrors{a, again}, "a: Required value", 2},
		{FieldErrors{a, nil, b}, "[a: Required value, b: Forbidden: no]", 2},
		{FieldErrors{b, a, again, b}, "[b: Forbidden: no, a: Required value]", 4},
	} {
		require.Equal(t, tt.want, tt.list.Error())
		require.Len(t, tt.list.Unwrap(), tt.count)
		if len(tt.list) == 0 {
			require.NoError(t, tt.list.Err())
			continue
		}
		require.EqualError(t, tt.list.Err(), tt.want)
	}

	err := FieldErrors{b, a}.Err()
	var fe *FieldError
	require.ErrorAs(t, err, &fe)
	require.Same(t, b, fe)
	require.ErrorIs(t, err, a)
	require.NotErrorIs(t, err, io.EOF)
	var list FieldErrors
	require.True(t, errors.As(err, &list))
	require.Len(t, list, 2)
}
