package recording

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/stabilize/codec"
)

// syncJSON is the line of a sync.
type syncJSON struct {
	Sync           int                       `json:"sync"`
	Time           *codec.Timestamp          `json:"time"`
	Namespace      *string                   `json:"namespace,omitempty"`
	SpecReplicas   int32                     `json:"specReplicas"`
	StatusReplicas int32                     `json:"statusReplicas"`
	ScaleError     *string                   `json:"scaleError,omitempty"`
	ScaleReason    string                    `json:"scaleReason,omitempty"`
	ScaleMessage   string                    `json:"scaleMessage,omitempty"`
	SelectorError  *calculator.SelectorError `json:"selectorError,omitempty"`
	Calibration    float64                   `json:"calibration,omitempty"`
	Templates      []template                `json:"templates,omitempty"`
	// Pods are nil if they are those of the line before.
	Pods       []podJSON     `json:"pods,omitzero"`
	Readings   []readingJSON `json:"readings,omitempty"`
	WriteError *string       `json:"writeError,omitempty"`
}

// List implements codec.Lister.
func (j *syncJSON) List(path string, n int) {
	switch path {
	case "templates":
		j.Templates = make([]template, 0, n)
	case "pods":
		j.Pods = make([]podJSON, 0, n)
	case "readings":
		j.Readings = make([]readingJSON, 0, n)
	}
}

// readingJSON is a calculator.Reading in JSON. The samples are lists of what
// appendSample writes.
type readingJSON struct {
	Error            *string         `json:"error,omitempty"`
	WithoutContainer string          `json:"withoutContainer,omitempty"`
	Samples          json.RawMessage `json:"samples,omitempty"`
	Strays           json.RawMessage `json:"strays,omitempty"`
	Values           []metrics.Milli `json:"values,omitzero"`
	Proposed         *proposedJSON   `json:"proposed,omitempty"`
}

// proposedJSON is a calculator.Proposed in JSON.
type proposedJSON struct {
	Replicas    int32            `json:"replicas,omitempty"`
	Ratio       float64          `json:"ratio,omitempty"`
	Counted     int              `json:"counted,omitempty"`
	Value       metrics.Milli    `json:"value,omitempty"`
	Utilization int32            `json:"utilization,omitempty"`
	Text        string           `json:"text,omitempty"`
	Until       *codec.Timestamp `json:"until,omitempty"`
}

func proposedOf(p *calculator.Proposed) *proposedJSON {
	if p == nil {
		return nil
	}
	j := proposedJSON{Replicas: p.Replicas, Ratio: p.Ratio, Counted: p.Counted, Value: p.Value, Utilization: p.Utilization, Text: p.Text}
	if !p.Until.IsZero() {
		until := codec.Timestamp(p.Until)
		j.Until = &until
	}
	return &j
}

// proposed is the opposite of proposedOf.
func (j *proposedJSON) proposed() *calculator.Proposed {
	if j == nil {
		return nil
	}
	p := calculator.Proposed{Replicas: j.Replicas, Ratio: j.Ratio, Counted: j.Counted, Value: j.Value, Utilization: j.Utilization, Text: j.Text}
	if j.Until != nil {
		p.Until = time.Time(*j.Until)
	}
	return &p
}

// writable returns the error of an observation with a number that a recording
// does not have.
func writable(obs *calculator.Observation) error {
	switch {
	case obs.SpecReplicas < 0:
		return field.Invalid("sync.observation.specReplicas", obs.SpecReplicas, "must not be negative")
	case obs.StatusReplicas < 0:
		return field.Invalid("sync.observation.statusReplicas", obs.StatusReplicas, "must not be negative")
	}
	if !finite(obs.Calibration) {
		return field.Invalid("sync.observation.calibration", obs.Calibration, "must be a number")
	}
	for i := range obs.Readings {
		if p := obs.Readings[i].Proposed; p != nil && !finite(p.Ratio) {
			return field.Invalid(fmt.Sprintf("sync.observation.readings[%d].proposed.ratio", i), p.Ratio, "must be a number")
		}
	}
	return nil
}

func finite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

// textOf returns the text of an error, nil for nil.
func textOf(err error) *string {
	if err == nil {
		return nil
	}
	text := err.Error()
	return &text
}

// errorOf returns an error with the text, nil for nil.
func errorOf(text *string) error {
	if text == nil {
		return nil
	}
	return errors.New(*text)
}
