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
	"github.com/purehpa/hpa/stabilize"
)

// history is a file with what an autoscaler remembers beside its status. In a
// controller it is in memory, as part of a calculator.State.
type history struct {
	file                            string
	recommendations, added, removed stabilize.Series
}

const historyVersion = 1

// historyJSON is the file. The lists are those of stabilize.Series.
type historyJSON struct {
	Version int `json:"version"`
	// Autoscaler is NAMESPACE/NAME.
	Autoscaler      string          `json:"autoscaler"`
	Recommendations json.RawMessage `json:"recommendations"`
	Added           json.RawMessage `json:"added"`
	Removed         json.RawMessage `json:"removed"`
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
	var version struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(data, &version); err != nil {
		return "", err
	}
	if version.Version != historyVersion {
		return "", fmt.Errorf("version %d; %d is supported", version.Version, historyVersion)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	var file historyJSON
	if err := dec.Decode(&file); err != nil {
		return "", err
	}
	for _, list := range []struct {
		name   string
		data   json.RawMessage
		series *stabilize.Series
	}{
		{"recommendations", file.Recommendations, &h.recommendations},
		{"added", file.Added, &h.added},
		{"removed", file.Removed, &h.removed},
	} {
		if list.data == nil {
			return "", fmt.Errorf("%s: missing", list.name)
		}
		if err := json.Unmarshal(list.data, list.series); err != nil {
			return "", fmt.Errorf("%s: %w", list.name, err)
		}
		for e := range list.series.All() {
			if e.Value < 0 {
				return "", fmt.Errorf("%s: %d is negative", list.name, e.Value)
			}
		}
	}
	return file.Autoscaler, nil
}

// restore puts what the file holds into the state.
func (h *history) restore(state *calculator.State) {
	state.Recommendations.Series = h.recommendations.Clone()
	state.Events.Added, state.Events.Removed = h.added.Clone(), h.removed.Clone()
}

// save writes the state's history to the file, whole or not at all.
func (h *history) save(in *input, state *calculator.State) (err error) {
	if h.file == "" {
		return nil
	}
	file := historyJSON{Version: historyVersion, Autoscaler: in.key()}
	for _, list := range []struct {
		data   *json.RawMessage
		series *stabilize.Series
	}{
		{&file.Recommendations, &state.Recommendations.Series},
		{&file.Added, &state.Events.Added},
		{&file.Removed, &state.Events.Removed},
	} {
		if *list.data, err = json.Marshal(list.series); err != nil {
			return fmt.Errorf("%s: %w", h.file, err)
		}
	}
	data, err := json.MarshalIndent(file, "", "  ")
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
