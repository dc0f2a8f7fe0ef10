// Package field has the errors of validation: one value per problem, with the
// path of the field, in the words of k8s.io/apimachinery's package of the same
// name.
package field

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ErrorType says what is wrong with a field. Its values are the causes that
// Kubernetes' API reports.
type ErrorType string

// The error types that validation gives.
const (
	// ErrorTypeRequired is a field that must be set and is not.
	ErrorTypeRequired ErrorType = "FieldValueRequired"
	// ErrorTypeInvalid is a value that is malformed or out of range.
	ErrorTypeInvalid ErrorType = "FieldValueInvalid"
	// ErrorTypeNotSupported means the value is not in the enumeration.
	ErrorTypeNotSupported ErrorType = "FieldValueNotSupported"
	// ErrorTypeForbidden is a field that may not be set beside the others.
	ErrorTypeForbidden ErrorType = "FieldValueForbidden"
)

// String returns the words that Kubernetes prints for the type, such as
// "Invalid value".
func (t ErrorType) String() string {
	switch t {
	case ErrorTypeRequired:
		return "Required value"
	case ErrorTypeInvalid:
		return "Invalid value"
	case ErrorTypeNotSupported:
		return "Unsupported value"
	case ErrorTypeForbidden:
		return "Forbidden"
	}
	return "<unknown error " + strconv.Quote(string(t)) + ">"
}

// Error is one complaint of validation about one field. Its text is what
// Error of k8s.io/apimachinery/pkg/util/validation/field prints.
type Error struct {
	// Field is the path of the field, such as "spec.metrics[0].type".
	Field string
	// Type says what is wrong.
	Type ErrorType
	// BadValue is the value at fault, not a pointer to it; nil where Type is
	// ErrorTypeRequired or ErrorTypeForbidden, whose texts name no value.
	BadValue any
	// Detail says what is expected; it may be empty.
	Detail string
	// GoSyntax prints BadValue as Go does, `[]string(nil)`, and not in JSON,
	// `null`, as Kubernetes did up to 1.33. Values with a JSON of their own,
	// such as quantities, stay in JSON: of these it printed unexported fields.
	GoSyntax bool
}

// Error returns "field: type: value: detail" without the parts that are not
// there.
func (e *Error) Error() string {
	if e == nil {
		return "<nil>"
	}
	return e.Field + ": " + e.Problem()
}

// Problem returns the text of Error without the field: "type: value: detail".
func (e *Error) Problem() string {
	text := e.Type.String()
	if e.Type != ErrorTypeRequired && e.Type != ErrorTypeForbidden {
		text += ": " + e.value()
	}
	if e.Detail != "" {
		text += ": " + e.Detail
	}
	return text
}

// value prints strings in Go's notation and everything else, enumerations of
// strings too, in JSON: the two differ in what they escape.
func (e *Error) value() string {
	if s, ok := e.BadValue.(string); ok {
		return strconv.Quote(s)
	}
	text, err := json.Marshal(e.BadValue)
	switch v := e.BadValue.(type) {
	case json.Marshaler:
	case fmt.Stringer:
		if e.GoSyntax {
			return v.String()
		}
	default:
		if e.GoSyntax {
			return fmt.Sprintf("%#v", v)
		}
	}
	if err != nil {
		return fmt.Sprintf("%#v", e.BadValue)
	}
	return string(text)
}

// Required returns the error of a field that must be set and is not.
func Required(path, detail string) *Error {
	return &Error{Field: path, Type: ErrorTypeRequired, Detail: detail}
}

// Invalid returns the error of a value that is malformed or out of range.
func Invalid(path string, value any, detail string) *Error {
	return &Error{Field: path, Type: ErrorTypeInvalid, BadValue: value, Detail: detail}
}

// NotSupported returns the error of a value that is not in an enumeration,
// which are given in quotes: `"Max", "Min"`.
func NotSupported(path string, value any, supported string) *Error {
	return &Error{Field: path, Type: ErrorTypeNotSupported, BadValue: value, Detail: "supported values: " + supported}
}

// Forbidden returns the error of a field that may not be set beside the others.
func Forbidden(path, detail string) *Error {
	return &Error{Field: path, Type: ErrorTypeForbidden, Detail: detail}
}

// ErrorList are all complaints of a validation, in order. An empty list means
// that nothing is wrong; [ErrorList.Err] turns it into a nil error.
type ErrorList []*Error

// Error returns the one complaint's text, or several in brackets as Kubernetes
// prints its aggregates, each text once.
func (l ErrorList) Error() string {
	var texts []string
	for _, e := range l.Unwrap() {
		if text := e.Error(); !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	switch len(texts) {
	case 0:
		return ""
	case 1:
		return texts[0]
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

// Unwrap returns the complaints one by one, for [errors.As].
func (l ErrorList) Unwrap() []error {
	errs := make([]error, 0, len(l))
	for _, e := range l {
		if e != nil {
			errs = append(errs, e)
		}
	}
	return errs
}

// Without returns the list without the complaints about the field at path and
// the fields below it, nil if none are left.
func (l ErrorList) Without(path string) (rest ErrorList) {
	for _, e := range l {
		if e == nil || !strings.HasPrefix(e.Field+".", path+".") {
			rest = append(rest, e)
		}
	}
	return rest
}

// Err returns the list as an error, nil when it is empty.
func (l ErrorList) Err() error {
	if len(l) == 0 {
		return nil
	}
	return l
}
