package behavior

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/purehpa/hpa/stabilize"
)

const (
	eventsType    = "behavior.Events"
	eventsTag     = "hpe:"
	eventsVersion = 1
	// eventsHeader is the length of tag, version and the length of what was
	// added, which is 4 bytes, the lowest first.
	eventsHeader = len(eventsTag) + 1 + 4
)

// EventsError is an Events that cannot be encoded: Events.Record did not make
// it.
type EventsError struct {
	// Field is where: "added" or "removed".
	Field string
	// Problem is what is wrong there.
	Problem string
}

// Error returns both.
func (e *EventsError) Error() string { return "behavior: events: " + e.Field + ": " + e.Problem }

// check returns what is wrong with events that Record did not make.
func (e *Events) check() *EventsError {
	if err := checkEvents("added", &e.Added); err != nil {
		return err
	}
	return checkEvents("removed", &e.Removed)
}

func checkEvents(field string, s *stabilize.Series) *EventsError {
	if s.Places() > MaxEvents {
		return &EventsError{field, fmt.Sprintf("%d events, more than %d", s.Places(), MaxEvents)}
	}
	for event := range s.All() {
		if event.Value < 1 {
			at, _ := stabilize.Timestamp(event.Time).MarshalText()
			return &EventsError{field, fmt.Sprintf("event of %s: %d is not a number of pods", at, event.Value)}
		}
	}
	return nil
}

// AppendBinary appends the events in their compact form: a tag and a version,
// and then both series as Series.AppendBinary writes them, the first one after
// its length. The error is an *EventsError.
func (e Events) AppendBinary(dst []byte) ([]byte, error) {
	if err := e.check(); err != nil {
		return dst, err
	}
	dst = append(dst, eventsTag...)
	dst = append(dst, eventsVersion, 0, 0, 0, 0)
	start := len(dst)
	dst, _ = e.Added.AppendBinary(dst)
	binary.LittleEndian.PutUint32(dst[start-4:], uint32(len(dst)-start))
	return e.Removed.AppendBinary(dst)
}

// MarshalBinary returns what AppendBinary appends.
func (e Events) MarshalBinary() ([]byte, error) { return e.AppendBinary(nil) }

// UnmarshalBinary reads what AppendBinary writes, and nothing else. The error
// is a *stabilize.DecodeError, and e is then as it was.
func (e *Events) UnmarshalBinary(data []byte) error {
	if len(data) < eventsHeader {
		return binaryError(len(data), "cut short")
	}
	if string(data[:len(eventsTag)]) != eventsTag {
		return binaryError(0, fmt.Sprintf("begins with %q instead of %q", data[:len(eventsTag)], eventsTag))
	}
	if v := data[len(eventsTag)]; v != eventsVersion {
		return binaryError(len(eventsTag), fmt.Sprintf("unknown version %d", v))
	}
	n, rest := binary.LittleEndian.Uint32(data[eventsHeader-4:]), data[eventsHeader:]
	if uint64(n) > uint64(len(rest)) {
		return binaryError(eventsHeader-4, fmt.Sprintf("%d bytes where %d are left", n, len(rest)))
	}
	var f Events
	if err := f.Added.UnmarshalBinary(rest[:n]); err != nil {
		return within(err, "", eventsHeader)
	}
	if err := f.Removed.UnmarshalBinary(rest[n:]); err != nil {
		return within(err, "", eventsHeader+int(n))
	}
	if err := checkEvents("added", &f.Added); err != nil {
		return binaryError(eventsHeader, err.Field+": "+err.Problem)
	}
	if err := checkEvents("removed", &f.Removed); err != nil {
		return binaryError(eventsHeader+int(n), err.Field+": "+err.Problem)
	}
	*e = f
	return nil
}

// MarshalJSON returns the events as an object of two lists, each as
// Series.MarshalJSON writes it:
//
//	{"added": [{"time": "2026-07-01T12:00:00Z", "replicas": 4}], "removed": []}
//
// It has no version: it is part of something that has, and an unknown field is
// an error. The error is an *EventsError.
func (e Events) MarshalJSON() ([]byte, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	return json.Marshal(struct {
		Added   stabilize.Series `json:"added"`
		Removed stabilize.Series `json:"removed"`
	}{e.Added, e.Removed})
}

// UnmarshalJSON reads what MarshalJSON writes; a list that is left out is
// empty. The error is a *stabilize.DecodeError, or a *json.SyntaxError if data
// is no JSON at all; e is then as it was.
func (e *Events) UnmarshalJSON(data []byte) error {
	if err := json.Unmarshal(data, new(json.RawMessage)); err != nil {
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	if t, _ := dec.Token(); t != json.Delim('{') {
		return jsonError("", "not an object")
	}
	var f Events
	seen := make(map[string]bool)
	for dec.More() {
		var value json.RawMessage
		t, _ := dec.Token()
		_ = dec.Decode(&value) // the data is JSON
		name, _ := t.(string)
		var s *stabilize.Series
		switch name {
		case "added":
			s = &f.Added
		case "removed":
			s = &f.Removed
		default:
			return jsonError(fmt.Sprintf("%.40s", name), "unknown field")
		}
		if seen[name] {
			return jsonError(name, "given twice")
		}
		seen[name] = true
		if err := s.UnmarshalJSON(value); err != nil {
			return within(err, name, -1)
		}
		if err := checkEvents(name, s); err != nil {
			return jsonError(err.Field, err.Problem)
		}
	}
	*e = f
	return nil
}

// within returns a series' error as one of the events that hold it, at a path
// or after so many bytes.
func within(err error, path string, offset int) error {
	d := new(stabilize.DecodeError)
	errors.As(err, &d)
	if offset >= 0 {
		return binaryError(offset+d.Offset, d.Problem)
	}
	return jsonError(path+d.Path, d.Problem)
}

func binaryError(offset int, problem string) error {
	return &stabilize.DecodeError{Type: eventsType, Offset: offset, Problem: problem}
}

func jsonError(path, problem string) error {
	return &stabilize.DecodeError{Type: eventsType, Offset: -1, Path: path, Problem: problem}
}
