package stabilize

import (
	"math"
	"strconv"
)

// WordError is a text that no value of an enum has.
type WordError struct {
	// Type is the enum, with its package: "stabilize.Reason".
	Type string
	// Word is the text.
	Word string
}

// Error returns both.
func (e *WordError) Error() string { return e.Type + ": unknown word " + strconv.Quote(e.Word) }

// parseWord sets e to the value whose word the text is, be it one like
// "Reason(7)" of a value that has none. The error is a *WordError.
func parseWord[E ~uint8](e *E, typ string, text []byte, word func(E) string) error {
	for v := range math.MaxUint8 + 1 {
		if word(E(v)) == string(text) {
			*e = E(v)
			return nil
		}
	}
	return &WordError{Type: typ, Word: string(text)}
}
