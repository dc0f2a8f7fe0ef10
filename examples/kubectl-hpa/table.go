package main

import (
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/purehpa/hpa/examples/internal/cli"
)

// unlimited is a width for outputs that machines split into lines.
const unlimited = 1 << 20

// gap is the space between columns.
const gap = 2

// columns lays rows out side by side. If they are wider than that, the widest
// columns wrap between words; if even the longest words are too wide, each cell
// has a line. Nothing in a cell ends it.
func columns(rows [][]string, width int) string {
	if len(rows) == 0 {
		return ""
	}
	for _, row := range rows {
		for i := range row {
			row[i] = cli.OneLine(row[i])
		}
	}
	widths, least := make([]int, len(rows[0])), make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
			for _, word := range strings.Fields(cell) {
				least[i] = max(least[i], utf8.RuneCountInString(word))
			}
		}
	}
	for excess := gap*(len(widths)-1) - width + sum(widths); excess > 0; excess-- {
		widest := -1
		for i := range widths {
			if widths[i] > least[i] && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return cells(rows)
		}
		widths[widest]--
	}
	var b strings.Builder
	for _, row := range rows {
		lines, most := make([][]string, len(row)), 1
		for i, cell := range row {
			lines[i] = wrap(cell, widths[i])
			most = max(most, len(lines[i]))
		}
		for n := range most {
			line := ""
			for i := range row {
				text := pick(lines[i], n)
				line += text + strings.Repeat(" ", max(widths[i]-utf8.RuneCountInString(text), 0)+gap)
			}
			b.WriteString(strings.TrimRight(line, " ") + "\n")
		}
	}
	return b.String()
}

// cells gives each cell a line.
func cells(rows [][]string) string {
	var b strings.Builder
	for _, row := range rows {
		indent := ""
		for _, cell := range slices.DeleteFunc(slices.Clone(row), func(cell string) bool { return cell == "" }) {
			b.WriteString(indent + cell + "\n")
			indent = "  "
		}
	}
	return b.String()
}

func sum(all []int) (n int) {
	for _, v := range all {
		n += v
	}
	return n
}

// fit wraps the lines of a text between words for a terminal. It does not change
// text for files and pipes.
func fit(text string, w io.Writer) string {
	if !terminal(w) {
		return text
	}
	return wrapLines(text, width(w))
}

// wrapLines wraps lines that are too long, with what follows indented.
func wrapLines(text string, width int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if utf8.RuneCountInString(line) <= width {
			b.WriteString(line + "\n")
			continue
		}
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
		for i, part := range wrap(line, max(width-len(indent)-gap, 20)) {
			if i > 0 {
				indent = indent[:min(len(indent), 20)]
				b.WriteString(strings.Repeat(" ", gap))
			}
			b.WriteString(indent + part + "\n")
		}
	}
	return b.String()
}
