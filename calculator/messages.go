package calculator

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/purehpa/hpa/calculator/release"
)

// Texts of conditions, events and errors are an interface, and equal
// Kubernetes' to the letter. Each stands in the file of its rule; this one has
// what they share.

// MaxMessageLength is the most bytes of a condition's reason or message: the
// limit of meta/v1's Condition. The error of a metrics API can be of any
// length, and a status that is too large is not stored at all. Events and
// explanations cut the texts of others there, too; only Decision.Err is whole.
const MaxMessageLength = 32768

// appendAll appends the parts.
func appendAll(dst []byte, parts ...string) []byte {
	for _, p := range parts {
		dst = append(dst, p...)
	}
	return dst
}

// clip cuts a text at MaxMessageLength, between two runes.
func clip[T string | []byte](text T) T {
	if len(text) <= MaxMessageLength {
		return text
	}
	end := MaxMessageLength
	for end > MaxMessageLength-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

// shown is a text as encodings have it: UTF-8, and not too long.
func shown(s string) string { return clip(strings.ToValidUTF8(s, "\uFFFD")) }

// formatted returns the text as releases show it that format it twice.
func formatted(text []byte, quirks release.Quirks) []byte {
	if !quirks.Has(release.FormatsTwice) || !bytes.Contains(text, []byte("%")) {
		return text
	}
	var none []any
	return fmt.Appendf(text[:0:0], string(text), none...)
}
