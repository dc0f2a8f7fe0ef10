package codec

import "strconv"

// Error is the error of decoding something that is not what encoding writes.
type Error struct {
	// Type is the Go type that was decoded, such as "calculator.State".
	Type string
	// Offset is the position in a binary encoding, in bytes; -1 for JSON.
	Offset int
	// Path is the position in JSON, such as "recommendations[3].time". It is
	// empty for the whole value and for a binary encoding.
	Path string
	// Problem describes what is wrong there.
	Problem string
}

// Error returns type, position and problem, such as
// "stabilize.History: [3].time: missing".
func (e *Error) Error() string {
	s := e.Type + ": "
	switch {
	case e.Offset >= 0:
		s += "byte " + strconv.Itoa(e.Offset) + ": "
	case e.Path != "":
		s += e.Path + ": "
	}
	return s + e.Problem
}
