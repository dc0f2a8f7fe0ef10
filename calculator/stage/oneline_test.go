package stage_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator/stage"
)

// What must not reach a terminal from a name or a message, and what stands for
// it.
func TestOneLine(t *testing.T) {
	for _, c := range []struct{ what, in, want string }{
		{"plain text", `web-0 {a="b"} ~`, `web-0 {a="b"} ~`},
		{"letters of other scripts", "größe 大小 मेट्रिक 😀", "größe 大小 मेट्रिक 😀"},
		{"newline, return, tab", "a\nb\r\nc\td", "a b  c d"},
		{"form feed, vertical tab", "a\fb\vc", "a b c"},
		{"line and paragraph separators, next line", "a\u2028b\u2029c\u0085d", "a b c d"},
		{"wide and narrow spaces", "a\u00a0b\u3000c\u200ad\u2800e", "a b c d e"},
		{"escape sequence", "\x1b[31mred", "�[31mred"},
		{"the same in one character", "\u009b31mred", "�31mred"},
		{"the same in bytes", "\x9b31mred", "�31mred"},
		{"bell, backspace, zero, delete", "a\ab\bc\x00d\x7fe", "a�b�c�d�e"},
		{"overrides of direction", "a\u202ab\u202bc\u202cd\u202de\u202ef", "a�b�c�d�e�f"},
		{"isolates of direction", "a\u2066b\u2067c\u2068d\u2069e", "a�b�c�d�e"},
		{"marks of direction", "a\u200eb\u200fc\u061cd", "a�b�c�d"},
		{"zero width", "we\u200bb we\u200cb we\u200db we\u2060b \ufeffweb", "we�b we�b we�b we�b �web"},
		{"soft hyphen, grapheme joiner", "we\u00adb we\u034fb", "we�b we�b"},
		{"variation selectors", "web\ufe0f web\U000e0101", "web� web�"},
		{"tags", "web\U000e0041", "web�"},
		{"fillers", "web\u3164 web\uffa0 web\u115f", "web� web� web�"},
		{"not assigned, private", "a\U0003fffeb\ue000c\uffffd", "a�b�c�d"},
		{"not UTF-8", "a\xffb\xc3", "a�b�"},
		{"surrogate in bytes", "\xed\xa0\x80", "���"},
	} {
		require.Equal(t, c.want, stage.OneLine(c.in), c.what)
	}
}

// Whatever goes in, what comes out is visible, is one line, and stays as it is.
func TestPropertyOneLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })).Draw(t, "in")
		out := stage.OneLine(in)
		require.True(t, utf8.ValidString(out))
		require.Equal(t, utf8.RuneCountInString(in), utf8.RuneCountInString(out))
		require.False(t, strings.ContainsFunc(out, func(r rune) bool { return !unicode.IsPrint(r) }))
		require.Equal(t, out, stage.OneLine(out))
	})
}
