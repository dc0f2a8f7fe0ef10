package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/kubejson"
	"github.com/purehpa/hpa/examples/internal/cli"
	"github.com/purehpa/hpa/stabilize/codec"
)

// history is a file with the state that the runs so far left.
type history struct {
	file  string
	state calculator.State
}

// historyJSON is the content of the file.
type historyJSON struct {
	// Autoscaler is NAMESPACE/NAME.
	Autoscaler string            `json:"autoscaler"`
	State      *calculator.State `json:"state"`
}

// openHistory reads the file. It is empty if it does not exist or none is
// given.
func (o *options) openHistory(in *input) (history, error) {
	h := history{file: o.history}
	if h.file == "" {
		return h, nil
	}
	data, err := cli.ReadFile(context.Background(), h.file, nil)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return h, nil
	case err != nil:
		return h, unreadable(h.file, err)
	case len(bytes.TrimSpace(data)) == 0:
		return h, fmt.Errorf("%s: empty file", h.file)
	}
	var content historyJSON
	if err := codec.UnmarshalStrict("history", data, &content); err != nil {
		return h, fmt.Errorf("%s: %.160s", h.file, err)
	}
	if content.State == nil {
		return h, fmt.Errorf("%s: history: state: missing", h.file)
	}
	if content.Autoscaler != in.key() {
		return h, fmt.Errorf("%s: it is the history of %.80q, not of %q", h.file, content.Autoscaler, in.key())
	}
	h.state = *content.State
	return h, nil
}

// known returns what the file and the autoscaler's status say about the past.
func (h *history) known(a *kubejson.HorizontalPodAutoscaler) *calculator.Known {
	return &calculator.Known{
		Status:          a.Status,
		Generation:      a.Generation,
		SpecWritten:     a.SpecWritten,
		StatusWritten:   a.StatusWritten,
		Recommendations: h.state.Recommendations,
		Events:          h.state.Events,
		Since:           h.state.Started,
	}
}

// begin takes what the autoscaler's status holds into the state, and returns
// the state. The recommendations and events are those of the file. A file that
// is new begins now: what the controller remembers of the time before is not in
// it.
func (h *history) begin(now time.Time, a *kubejson.HorizontalPodAutoscaler) *calculator.State {
	past := h.state
	h.state = a.State()
	h.state.Recommendations, h.state.Events, h.state.Started = past.Recommendations, past.Events, past.Started
	if len(h.state.Conditions) > 0 && h.state.Recommendations.Start(time.Time{}, 0) {
		h.state.Started = now
	}
	return &h.state
}

// save writes the file, whole or not at all.
func (h *history) save(in *input) (err error) {
	if h.file == "" {
		return nil
	}
	data, err := json.MarshalIndent(historyJSON{Autoscaler: in.key(), State: &h.state}, "", "  ")
	if err != nil {
		return fmt.Errorf("%s: %w", h.file, err)
	}
	temp, err := os.CreateTemp(filepath.Dir(h.file), filepath.Base(h.file)+".*")
	if err != nil {
		return unreadable(h.file, err)
	}
	defer func() {
		if err != nil {
			os.Remove(temp.Name())
			err = unreadable(h.file, err)
		}
	}()
	_, err = temp.Write(append(data, '\n'))
	if err := errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return err
	}
	return os.Rename(temp.Name(), h.file)
}
