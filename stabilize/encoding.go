package stabilize

import "strconv"

// DecodeError is what is wrong with an encoding: of this package, or of
// another one that writes series.
type DecodeError struct {
	// Type is what was to be decoded, such as "stabilize.Series".
	Type string
	// Offset is where in a binary encoding, in bytes; -1 for JSON.
	Offset int
	// Path is where in JSON, such as "recommendations[3].time"; "" for the
	// whole, and for a binary encoding.
	Path string
	// Problem is what is wrong there.
	Problem string
}

// Error returns all of them.
func (e *DecodeError) Error() string {
	s := e.Type + ": "
	switch {
	case e.Offset >= 0:
		s += "byte " + strconv.Itoa(e.Offset) + ": "
	case e.Path != "":
		s += e.Path + ": "
	}
	return s + e.Problem
}

const seriesType = "stabilize.Series"
