package recording

import (
	"strconv"

	"github.com/purehpa/hpa/stabilize/codec"
)

// Error is the error of a recording that cannot be read.
type Error struct {
	// Line is the line, from 1. The first one is the header.
	Line int
	// Err is what is wrong with it: io.ErrUnexpectedEOF in the middle of a
	// line, the error of the io.Reader, a *json.SyntaxError, or a *codec.Error
	// with the field.
	Err error
}

// Error returns the line and the error, such as "recording: line 3: sync:
// readings[0].samples: 5 is not an index of the 3 before".
func (e *Error) Error() string {
	return "recording: line " + strconv.Itoa(e.Line) + ": " + e.Err.Error()
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// The kinds of lines, as errors call them.
const (
	headerLine = "header"
	syncLine   = "sync"
)

// errorAt returns the error of a field of a sync.
func errorAt(path, format string, args ...any) error {
	return codec.JSONError(syncLine, path, format, args...)
}
