package calculator

import (
	"math"

	"github.com/purehpa/hpa/metrics"
)

// parseWord sets e to the value whose word the text is, be it one like
// "Zone(7)" of a value that has none. The error is a *metrics.WordError.
func parseWord[E ~uint8](e *E, typ string, text []byte, word func(E) string) error {
	for v := range math.MaxUint8 + 1 {
		if word(E(v)) == string(text) {
			*e = E(v)
			return nil
		}
	}
	return &metrics.WordError{Type: typ, Word: string(text)}
}
