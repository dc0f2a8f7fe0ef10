package kube

import (
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Error is an object that cannot be converted.
type Error struct {
	// Kind, Namespace and Name identify the object; any of them may be empty.
	Kind, Namespace, Name string
	// Field is the path of the field within the object.
	Field string
	// Problem says what is wrong with it.
	Problem string
	// Err is the cause, or nil.
	Err error
}

// Error returns one line: "kube: KIND NAMESPACE/NAME: FIELD: PROBLEM", without
// the parts that are empty.
func (e *Error) Error() string {
	text := "kube: "
	if e.Kind != "" {
		text += e.Kind
	}
	if e.Name != "" {
		if e.Kind != "" {
			text += " "
		}
		if e.Namespace != "" {
			text += e.Namespace + "/"
		}
		text += e.Name
	}
	if e.Kind != "" || e.Name != "" {
		text += ": "
	}
	if e.Field != "" {
		text += e.Field + ": "
	}
	return text + e.Problem
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// of sets the object, which may be nil.
func (e *Error) of(kind string, obj metav1.Object) *Error {
	e.Kind = kind
	if obj != nil {
		e.Namespace, e.Name = obj.GetNamespace(), obj.GetName()
	}
	return e
}

// within puts a path in front of the field.
func (e *Error) within(path string) *Error {
	if e.Field != "" && e.Field[0] != '[' {
		path += "."
	}
	e.Field = path + e.Field
	return e
}

// element returns the path of an element of a list.
func element(field string, i int) string { return field + "[" + strconv.Itoa(i) + "]" }
