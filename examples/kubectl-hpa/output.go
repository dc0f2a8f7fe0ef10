package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/stage"
	"github.com/purehpa/hpa/examples/internal/cli"
)

// verdictJSON is a verdict for machines. The names stay.
type resultJSON struct {
	Autoscaler string            `json:"autoscaler"`
	Range      *calculator.Range `json:"range"`
	// Stages are the explanation, as data and as text.
	Stages []stage.Stage `json:"stages"`
	Status struct {
		Low  *autoscaling.HorizontalPodAutoscalerStatus `json:"low"`
		High *autoscaling.HorizontalPodAutoscalerStatus `json:"high"`
		// Conditions are those that are known.
		Conditions []autoscaling.HorizontalPodAutoscalerCondition `json:"conditions"`
		Mismatches []mismatch                                     `json:"mismatches"`
		// Own is the controller's, Written when it was last changed.
		Own     *autoscaling.HorizontalPodAutoscalerStatus `json:"own"`
		Written time.Time                                  `json:"written,omitzero"`
	} `json:"status"`
	History *past `json:"history"`
	// Recommendations are those that the status and the events prove.
	Recommendations []recommendation `json:"recommendations"`
	// Events are those about the autoscaler, as kubectl describe lists them.
	Events []*corev1.Event `json:"events"`
	Notes  []string        `json:"notes,omitempty"`
}

// MarshalJSON returns the verdict for machines.
func (v *result) MarshalJSON() ([]byte, error) {
	p := v.snapshot.past
	p.Changes = append([]change{}, p.Changes...)
	j := resultJSON{Autoscaler: v.snapshot.key(), Range: &v.r, Stages: v.stages, History: &p, Notes: v.snapshot.notes}
	j.Status.Low, j.Status.High, j.Status.Conditions = &v.low, &v.high, v.conditions()
	j.Status.Own, j.Status.Written = &v.snapshot.Status, v.snapshot.StatusWritten
	j.Recommendations, j.Events = append([]recommendation{}, v.snapshot.made...), append([]*corev1.Event{}, v.snapshot.events...)
	j.Status.Mismatches = append([]mismatch{}, v.mismatches()...)
	return json.Marshal(j)
}

// print prints the value in the format of -o, or else the text.
func (t *tool) print(value any, text string) error {
	out := []byte(fit(t.paint().lines(text), t.Out))
	if t.output != "" {
		var err error
		if out, err = encode(t.output, value); err != nil {
			return err
		}
	}
	_, err := t.Out.Write(out)
	return err
}

// tell prints notes beside a text. Nothing stands beside a format for machines.
func (t *tool) tell(notes ...string) {
	for _, note := range notes {
		if t.output == "" {
			fmt.Fprintln(t.ErrOut, cli.OneLine(note))
		}
	}
}

// without returns the notes that others are not.
func without(notes, others []string) []string {
	return slices.DeleteFunc(slices.Clone(notes), func(note string) bool { return slices.Contains(others, note) })
}

// notesText is the notes as a part of a text.
func notesText(notes []string, p paint) string {
	if len(notes) == 0 {
		return ""
	}
	text := "\nNotes\n"
	for _, note := range notes {
		text += "  " + p.yellow(note) + "\n"
	}
	return text
}

func encode(format string, value any) ([]byte, error) {
	if format == "yaml" {
		return yaml.Marshal(value)
	}
	out, err := json.MarshalIndent(value, "", "  ")
	return append(out, '\n'), err
}

// encodeOne is encode for one of many: a line of JSON, or a document of YAML.
func encodeOne(format string, value any) ([]byte, error) {
	if format == "yaml" {
		out, err := yaml.Marshal(value)
		return append([]byte("---\n"), out...), err
	}
	out, err := json.Marshal(value)
	return append(out, '\n'), err
}

// paint colours texts, if it is on.
type paint bool

// paint is on for terminals, unless NO_COLOR is set.
func (t *tool) paint() paint { return paint(colours(t.Out)) }

func colours(w io.Writer) bool { return os.Getenv("NO_COLOR") == "" && terminal(w) }

func (p paint) bold(s string) string   { return p.with(bold, s) }
func (p paint) yellow(s string) string { return p.with(yellow, s) }

// with returns s, which is safe then, as a part of a line.
func (p paint) with(color, s string) string {
	if s = cli.OneLine(s); !p {
		return s
	}
	return color + s + plain
}

// The sequences of colors.
const (
	bold   = "\x1b[1m"
	yellow = "\x1b[33m"
	plain  = "\x1b[0m"
)

// lines makes a text safe where it leaves the program. Colors stay.
func (p paint) lines(text string) string {
	if !p {
		return cli.Lines(text)
	}
	return keep(text, bold, yellow, plain)
}

// keep is cli.Lines of all but some parts.
func keep(text string, parts ...string) string {
	if len(parts) == 0 {
		return cli.Lines(text)
	}
	pieces := strings.Split(text, parts[0])
	for i := range pieces {
		pieces[i] = keep(pieces[i], parts[1:]...)
	}
	return strings.Join(pieces, parts[0])
}
