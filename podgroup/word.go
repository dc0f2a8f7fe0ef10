package podgroup

import (
	"math"
	"strconv"
	"strings"
)

// WordError is the error of unmarshaling a text that is not a value of an enum.
type WordError struct {
	// Type is the enum, such as "podgroup.Class".
	Type string
	// Word is the text.
	Word string
}

// Error returns the type and the text.
func (e *WordError) Error() string { return e.Type + ": unknown word " + strconv.Quote(e.Word) }

// words is the text of an enum: the name of its type and the words of its
// values, each after a "|".
type words string

// of returns the word of v, or a text such as "Class(7)".
func (w words) of(v uint8) string {
	name, values, _ := strings.Cut(string(w), "|")
	i := 0
	for word := range strings.SplitSeq(values, "|") {
		if i == int(v) {
			return word
		}
		i++
	}
	return name + "(" + strconv.Itoa(int(v)) + ")"
}

// parse returns the first value below last for which of returns the text, or
// else last.
func (w words) parse(text string, last uint8) uint8 {
	for v := range last {
		if w.of(v) == text {
			return v
		}
	}
	return last
}

// unmarshal sets v to the value for which of returns the text.
func (w words) unmarshal(v *uint8, text []byte) error {
	u := w.parse(string(text), math.MaxUint8)
	if w.of(u) != string(text) {
		name, _, _ := strings.Cut(string(w), "|")
		return &WordError{Type: "podgroup." + name, Word: string(text)}
	}
	*v = u
	return nil
}
