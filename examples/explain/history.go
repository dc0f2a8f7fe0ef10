package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/purehpa/hpa/calculator"
)

// history is a file with what an autoscaler remembers, for the next run.
type history struct {
	file  string
	state calculator.State
}

// historyJSON is the file.
type historyJSON struct {
	// Autoscaler is NAMESPACE/NAME.
	Autoscaler string            `json:"autoscaler"`
	State      *calculator.State `json:"state"`
}

// openHistory reads the file that the options name, if they do.
func (o *options) openHistory(in *input) (*history, error) {
	h := &history{file: o.history}
	if h.file == "" {
		return h, nil
	}
	data, err := os.ReadFile(h.file)
	if errors.Is(err, fs.ErrNotExist) {
		return h, nil
	}
	if err != nil {
		return nil, unreadable(h.file, err)
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, fmt.Errorf("%s: empty file", h.file)
	}
	whose, err := h.decode(data)
	if err != nil {
		// Errors of encoding/json hold what they complain about, however long.
		return nil, fmt.Errorf("%s: not a history: %.160s", h.file, err)
	}
	if whose != in.key() {
		return nil, fmt.Errorf("%s: it is the history of %.80q, not of %q", h.file, whose, in.key())
	}
	return h, nil
}

// key names the autoscaler.
func (in *input) key() string {
	return in.cluster.Autoscaler.Namespace + "/" + in.cluster.Autoscaler.Name
}

// decode reads the file's content, and returns the autoscaler whose it is.
func (h *history) decode(data []byte) (whose string, err error) {
	if err := json.Unmarshal(data, new(json.RawMessage)); err != nil {
		return "", err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	var file historyJSON
	if err := dec.Decode(&file); err != nil {
		return "", err
	}
	if file.State == nil {
		return "", errors.New("state: missing")
	}
	h.state = *file.State
	return file.Autoscaler, nil
}

// restore puts into the state what the file holds and a status does not.
func (h *history) restore(state *calculator.State) {
	past := h.state.Clone()
	state.Recommendations, state.Events, state.Started = past.Recommendations, past.Events, past.Started
}

// save writes the state to the file, whole or not at all.
func (h *history) save(in *input, state *calculator.State) (err error) {
	if h.file == "" {
		return nil
	}
	data, err := json.MarshalIndent(historyJSON{Autoscaler: in.key(), State: state}, "", "  ")
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
