package kubejson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
)

// stream reads JSON values one after another.
type stream struct {
	*json.Decoder
	data []byte
}

func newStream(data []byte) *stream {
	return &stream{json.NewDecoder(bytes.NewReader(data)), data}
}

// next decodes the next value and returns its text, or nil at the end.
func (s *stream) next(h *header) (text []byte, _ *Error) {
	start := s.InputOffset()
	err := s.Decode(h)
	text = s.data[start:s.InputOffset()]
	switch syntax := (*json.SyntaxError)(nil); {
	case err == nil:
		return text, nil
	case errors.Is(err, io.EOF):
		return nil, nil
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, errorAt("", "cut short: the JSON value does not end")
	case errors.As(err, &syntax):
		return nil, s.malformed(start, syntax)
	}
	return nil, misfit(text, reflect.TypeFor[header](), place{}).in("object")
}

// malformed returns where the JSON value that begins at start is malformed.
func (s *stream) malformed(start int64, e *json.SyntaxError) *Error {
	if isUTF16(s.data) {
		return errorAt("", "UTF-16 without a byte order mark; write it as UTF-8, or with the mark")
	}
	at, problem := e.Offset-1, e.Error()
	if text := bytes.TrimSpace(s.data[start:]); len(text) > 0 && text[0] != '{' && text[0] != '[' {
		at = start + int64(bytes.Index(s.data[start:], text))
		line, _, _ := bytes.Cut(text, []byte("\n"))
		problem = "it begins with " + quote(string(bytes.TrimRight(line, "\r")))
		if isYAML(line) {
			problem += "; kubectl patch --local --type merge -p '{}' -o json -f FILE prints YAML as JSON, without a cluster"
		}
	}
	return errorAt("", "not JSON, at %s: %s", position(s.data, at), problem)
}

// isYAML reports whether a manifest in YAML may begin with the line.
func isYAML(line []byte) bool {
	return slices.ContainsFunc([]string{"---", "#", "%YAML", "apiVersion:", "kind:", "metadata:", "spec:", "items:"}, func(s string) bool {
		return bytes.HasPrefix(line, []byte(s))
	})
}

// position returns the line and the column, in bytes, of an offset.
func position(data []byte, offset int64) string {
	before := data[:min(max(offset, 0), int64(len(data)))]
	line := bytes.Count(before, []byte("\n")) + 1
	column := len(before) - bytes.LastIndexByte(before, '\n')
	return fmt.Sprintf("line %d, column %d", line, column)
}
