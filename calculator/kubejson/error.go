package kubejson

import (
	"fmt"
	"strconv"
	"strings"
)

// Error is the error of a document that cannot be decoded.
type Error struct {
	// Document is the document, such as "pods" or "horizontal pod autoscaler".
	Document string
	// Path is the path of the field, such as
	// "items[3].spec.containers[0].resources.requests.cpu"; "" for the whole
	// document.
	Path string
	// Problem is what is wrong there.
	Problem string
	// strict is the error that Problem is the text of, if it is one.
	strict *StrictError
}

// Unwrap returns the *StrictError of an object that strict validation refuses,
// and nil for other errors. Its paths begin at that object.
func (e *Error) Unwrap() error {
	if e.strict == nil {
		return nil
	}
	return e.strict
}

// Error returns one line: "kubejson: DOCUMENT: PATH: PROBLEM".
func (e *Error) Error() string {
	if e.Path == "" {
		return "kubejson: " + e.Document + ": " + e.Problem
	}
	return "kubejson: " + e.Document + ": " + e.Path + ": " + e.Problem
}

// errorAt returns an error below what the caller decodes. The path begins with
// a dot or an index, so that the caller can prepend its own.
func errorAt(path, format string, args ...any) *Error {
	return &Error{Path: path, Problem: fmt.Sprintf(format, args...)}
}

// in completes e with its document.
func (e *Error) in(document string) *Error {
	e.Document, e.Path = document, strings.TrimPrefix(e.Path, ".")
	return e
}

// errorIf is errorAt for an error that may be nil.
func errorIf(is bool, path, format string, args ...any) *Error {
	if is {
		return errorAt(path, format, args...)
	}
	return nil
}

// quoted is the most bytes of the input that an error quotes in one place.
const quoted = 40

// quote returns s in Go syntax, truncated.
func quote(s string) string {
	if len(s) > quoted {
		return strconv.Quote(s[:quoted]) + "..."
	}
	return strconv.Quote(s)
}
