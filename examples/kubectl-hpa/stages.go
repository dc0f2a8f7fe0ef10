package main

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/purehpa/hpa/calculator/stage"
)

// find returns the stage of that name, or the zero Stage.
func find(stages []stage.Stage, name string) stage.Stage {
	if i := slices.IndexFunc(stages, func(s stage.Stage) bool { return s.Name == name }); i >= 0 {
		return stages[i]
	}
	return stage.Stage{}
}

// sentences returns the sentences of the stage of that name, or "".
func sentences(stages []stage.Stage, name string) string {
	if s := find(stages, name); s.Name != "" {
		return s.Sentences()
	}
	return ""
}

// label is what a stage is called in a table.
func label(s *stage.Stage) string {
	if m := s.Metric; m != nil {
		return fmt.Sprintf("%s of %d", s.Name, m.Of)
	}
	return s.Name
}

// changed is a stage that differs. A side that has no such stage is empty.
type changed struct {
	Stage  string `json:"stage"`
	Before string `json:"before"`
	After  string `json:"after"`
}

// compare returns the stages that say something else, in their order.
func compare(before, after []stage.Stage) (all []changed) {
	for i := range before {
		s := &before[i]
		if was, now := s.Sentences(), sentences(after, s.Name); now != was {
			all = append(all, changed{label(s), was, now})
		}
	}
	for i := range after {
		if s := &after[i]; find(before, s.Name).Name == "" {
			all = append(all, changed{label(s), "", s.Sentences()})
		}
	}
	return all
}

// sideBySide returns the changes in two columns.
func sideBySide(all []changed, width int) string {
	rows := [][]string{{"Stage", "before", "after"}}
	for _, c := range all {
		rows = append(rows, []string{c.Stage, c.Before, c.After})
	}
	return columns(rows, width)
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
			if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
				lines, line = append(lines, line), ""
			}
			line = strings.TrimLeft(line+" "+word, " ")
		}
		lines = append(lines, line)
	}
	return lines
}
