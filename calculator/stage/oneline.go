package stage

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// OneLine makes a text safe within a line that a terminal shows. Names and
// messages are written by others, who may want to move the cursor, to add a
// line, or to make a name look like another one.
//
// White space of any kind becomes a space. What a reader does not see becomes
// U+FFFD: control and format characters, among them those that reverse the
// direction of writing and the joiners of zero width, variation selectors,
// fillers, characters that are not assigned, and bytes that are not UTF-8.
// Letters of all scripts stay, with their marks.
func OneLine(s string) string { return strings.Map(visible, s) }

func visible(r rune) rune {
	switch {
	case ' ' <= r && r <= '~':
		return r
	case unicode.IsSpace(r):
		return ' '
	case !unicode.IsPrint(r) || unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point, unicode.Bidi_Control):
		return utf8.RuneError
	case r == '\u2800': // Braille without a dot
		return ' '
	}
	return r
}
