package main

import (
	"fmt"
	"slices"
	"strings"
)

// stage is a stage of an explanation.
type stage struct{ Name, Text string }

// stages splits an explanation into its stages: a line and those below it that are
// indented. The first line is the result.
func stages(text string) (all []stage) {
	headline, rest, _ := strings.Cut(text, "\n")
	_, result, _ := strings.Cut(headline, ", ")
	all = append(all, stage{"Result", result})
	for line := range strings.Lines(rest) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, " ") {
			all[len(all)-1].Text += "\n" + strings.TrimSpace(line)
			continue
		}
		end := strings.IndexAny(line, ":,")
		if end < 0 {
			end = 0
		}
		all = append(all, stage{line[:end], strings.TrimLeft(line[end:], ":, ")})
	}
	return all
}

// changed is a stage that differs. A side that has no such stage is empty.
type changed struct {
	Stage  string `json:"stage"`
	Before string `json:"before"`
	After  string `json:"after"`
}

// compare returns the stages that differ, in their order.
func compare(before, after []stage) (all []changed) {
	find := func(list []stage, name string) string {
		if i := slices.IndexFunc(list, func(s stage) bool { return s.Name == name }); i >= 0 {
			return list[i].Text
		}
		return ""
	}
	for _, s := range before {
		if now := find(after, s.Name); now != s.Text {
			all = append(all, changed{s.Name, s.Text, now})
		}
	}
	for _, s := range after {
		if find(before, s.Name) == "" {
			all = append(all, changed{s.Name, "", s.Text})
		}
	}
	return all
}

// sideBySide returns the changes in two columns.
func sideBySide(all []changed, width int) string {
	name := len("Stage")
	for _, c := range all {
		name = max(name, len(c.Stage))
	}
	column := max((width-name-4)/2, 20)
	var b strings.Builder
	line := func(cells ...string) {
		b.WriteString(strings.TrimRight(fmt.Sprintf("%-*s  %-*s  %s", name, cells[0], column, cells[1], cells[2]), " ") + "\n")
	}
	line("Stage", "before", "after")
	for _, c := range all {
		before, after := wrap(c.Before, column), wrap(c.After, column)
		for i := range max(len(before), len(after)) {
			line(pick([]string{c.Stage}, i), pick(before, i), pick(after, i))
		}
	}
	return b.String()
}

// pick returns the i-th line, or "" if there are fewer.
func pick(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

// wrap breaks a text between words.
func wrap(text string, width int) (lines []string) {
	for paragraph := range strings.Lines(text) {
		line := ""
		for _, word := range strings.Fields(paragraph) {
			if line != "" && len(line)+1+len(word) > width {
				lines, line = append(lines, line), ""
			}
			line = strings.TrimLeft(line+" "+word, " ")
		}
		lines = append(lines, line)
	}
	return lines
}
