package recording

import (
	"encoding/json"
	"errors"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/stabilize/codec"
)

// syncJSON is the line of a sync.
type syncJSON struct {
	Sync           int                `json:"sync"`
	Time           *codec.Timestamp   `json:"time"`
	Namespace      *string            `json:"namespace,omitempty"`
	SpecReplicas   int32              `json:"specReplicas"`
	StatusReplicas int32              `json:"statusReplicas"`
	ScaleError     *string            `json:"scaleError,omitempty"`
	SelectorError  *selectorErrorJSON `json:"selectorError,omitempty"`
	Templates      []templateJSON     `json:"templates,omitempty"`
	// Pods are nil if they are those of the line before.
	Pods       []podJSON     `json:"pods,omitzero"`
	Readings   []readingJSON `json:"readings,omitempty"`
	WriteError *string       `json:"writeError,omitempty"`
}

// selectorErrorJSON is a calculator.SelectorError in JSON.
type selectorErrorJSON struct {
	Reason   calculator.SelectorReason `json:"reason,omitempty"`
	Selector string                    `json:"selector,omitempty"`
	Others   string                    `json:"others,omitempty"`
	Problem  string                    `json:"problem,omitempty"`
}

// readingJSON is a calculator.Reading in JSON. The samples are lists of what
// appendSample writes.
type readingJSON struct {
	Error            *string         `json:"error,omitempty"`
	WithoutContainer string          `json:"withoutContainer,omitempty"`
	Samples          json.RawMessage `json:"samples,omitempty"`
	Strays           json.RawMessage `json:"strays,omitempty"`
	Values           []metrics.Milli `json:"values,omitempty"`
}

// textOf returns the text of an error, nil if there is none.
func textOf(err error) *string {
	if err == nil {
		return nil
	}
	text := err.Error()
	return &text
}

// errorOf returns an error with the text, nil if there is none.
func errorOf(text *string) error {
	if text == nil {
		return nil
	}
	return errors.New(*text)
}
