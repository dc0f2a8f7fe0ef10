// Package clitest has what tests of commands share: texts that nobody should
// get to see.
package clitest

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// Forged begins the line that hostile text tries to add.
const Forged = "FORGED"

// Hostile is what a tenant may put into a name or a message to deceive the
// reader at a terminal.
const Hostile = "\x1b[31m\u009b2J\u202e\u2066\u061c\u200b\u200d\ufeff\ufe0f\U000e0041\x7f\u00a0$(id)`id`'\"\t\r" + Forged + "\u2028" + Forged + "\u0085" + Forged + "\n" + Forged + "\n"

// Never is what must not reach a terminal, as ranges of characters.
var Never = []struct {
	What        string
	First, Last rune
}{
	{"C0 but the newline", 0x00, 0x09},
	{"C0 but the newline", 0x0b, 0x1f},
	{"DEL and C1", 0x7f, 0x9f},
	{"soft hyphen", 0xad, 0xad},
	{"Arabic letter mark", 0x61c, 0x61c},
	{"zero width, marks of direction", 0x200b, 0x200f},
	{"separators of lines, overrides of direction", 0x2028, 0x202e},
	{"invisible operators, isolates of direction", 0x2060, 0x206f},
	{"variation selectors", 0xfe00, 0xfe0f},
	{"byte order mark", 0xfeff, 0xfeff},
	{"tags and more variation selectors", 0xe0000, 0xe0fff},
}

// RequireSafe fails if a terminal must not be shown the text.
func RequireSafe(t testing.TB, text string) {
	t.Helper()
	if !utf8.ValidString(text) {
		t.Fatalf("not UTF-8: %q", text)
	}
	for _, r := range text {
		for _, n := range Never {
			if n.First <= r && r <= n.Last {
				t.Fatalf("%s: %U in %q", n.What, r, text)
			}
		}
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, Forged) {
			t.Fatalf("a line is forged: %q", text)
		}
	}
}

// Each calls f with the JSON document once for each kind of string in it, which
// then ends as given: values by their path, and keys.
func Each(t testing.TB, document []byte, end string, f func(path string, changed []byte)) {
	t.Helper()
	var value any
	if err := json.Unmarshal(document, &value); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	var walk func(path string, v any, set func(any))
	try := func(path string, set func()) {
		if path = index.ReplaceAllString(path, "[]"); seen[path] {
			return
		}
		seen[path] = true
		set()
		changed, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		f(path, changed)
	}
	walk = func(path string, v any, set func(any)) {
		switch v := v.(type) {
		case string:
			try(path, func() { set(v + end) })
			set(v)
		case []any:
			for i := range v {
				walk(path+"[0]", v[i], func(changed any) { v[i] = changed })
			}
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(v)) {
				held := v[key]
				walk(path+"."+key, held, func(changed any) { v[key] = changed })
				try(path+"."+key+"~", func() { delete(v, key); v[key+end] = held })
				delete(v, key+end)
				v[key] = held
			}
		}
	}
	walk("", value, func(changed any) { value = changed })
}

var index = regexp.MustCompile(`\[[0-9]+\]`)
