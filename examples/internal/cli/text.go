package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/purehpa/hpa/calculator/stage"
)

// Names and messages are written by others, and read by somebody who may do
// more than they. So they must not make a terminal do anything, nor look like a
// line of the program's own:
//
//   - [Fprintf] and [Appendf] keep each operand in its line, and
//   - [Lines] makes the whole text safe when it leaves the program.

// OneLine is [stage.OneLine].
func OneLine(s string) string { return stage.OneLine(s) }

// Lines is OneLine of each line. It is for whole texts, of which the ends of
// lines are the program's own.
func Lines(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = OneLine(lines[i])
	}
	return strings.Join(lines, "\n")
}

// Text is a text of the program's own, with its lines and colors, as an operand
// of Fprintf and Appendf.
type Text string

// Fprintf is fmt.Fprintf of operands that others may have written. What they
// print passes through OneLine, but for a [Text].
func Fprintf(w io.Writer, format string, args ...any) { fmt.Fprintf(w, format, operands(args)...) }

// Appendf is to fmt.Appendf as Fprintf is to fmt.Fprintf.
func Appendf(dst []byte, format string, args ...any) []byte {
	return fmt.Appendf(dst, format, operands(args)...)
}

// Sprintf is to fmt.Sprintf as Fprintf is to fmt.Fprintf.
func Sprintf(format string, args ...any) Text {
	return Text(fmt.Sprintf(format, operands(args)...))
}

func operands(args []any) []any {
	safe := make([]any, len(args))
	for i, arg := range args {
		switch arg.(type) {
		case Text, int: // an int may be a width
			safe[i] = arg
		default:
			safe[i] = operand{arg}
		}
	}
	return safe
}

type operand struct{ value any }

// Format implements fmt.Formatter.
func (o operand) Format(s fmt.State, verb rune) {
	_, _ = io.WriteString(s, OneLine(fmt.Sprintf(fmt.FormatString(s, verb), o.value))) // fmt's own buffer
}
