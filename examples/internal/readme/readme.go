// Package readme helps to test that a README shows what its commands and
// examples print.
package readme

import (
	"os"
	"strings"
	"testing"
)

// Commands calls run with the arguments of each command of the file and
// compares the result with what the file shows. A command is the first line of
// a block:
//
//	```console
//	$ go run . -load "a file.csv"
//	```
//
// The prompt is what precedes the arguments, "$ go run . " here. With update,
// Commands writes the results to the file. It returns the number of commands.
func Commands(t *testing.T, file, prompt string, update bool, run func(args []string) string) int {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(text), "```")
	shown := 0
	for i := 1; i < len(blocks); i += 2 {
		body, ok := strings.CutPrefix(blocks[i], "console\n"+prompt)
		if !ok {
			continue
		}
		line, want, _ := strings.Cut(body, "\n")
		got := run(Split(line))
		if update {
			blocks[i] = "console\n" + prompt + line + "\n" + got
		} else if got != want {
			t.Errorf("%s%s prints\n%s\nbut the README has\n%s", prompt, line, got, want)
		}
		shown++
	}
	if update {
		if err := os.WriteFile(file, []byte(strings.Join(blocks, "```")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return shown
}

// Blocks returns the blocks of a kind, such as "go" or "text".
func Blocks(t *testing.T, file, kind string) (blocks []string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i, part := range strings.Split(string(text), "```") {
		if body, ok := strings.CutPrefix(part, kind+"\n"); ok && i%2 == 1 {
			blocks = append(blocks, body)
		}
	}
	return blocks
}

// Split splits a command line into words. A word may be in double quotes.
func Split(line string) []string {
	var words []string
	for i, part := range strings.Split(line, `"`) {
		if i%2 == 1 {
			words = append(words, part)
		} else {
			words = append(words, strings.Fields(part)...)
		}
	}
	return words
}
