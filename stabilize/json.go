package stabilize

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// entryJSON is an element of the list that a Series is in JSON: an entry, or a
// row of vacant places.
type entryJSON struct {
	Time     *Timestamp `json:"time,omitempty"`
	Replicas *int32     `json:"replicas,omitempty"`
	Stale    bool       `json:"stale,omitempty"`
	Vacant   *int       `json:"vacant,omitempty"`
}

// MarshalJSON returns the series as a list in its order:
//
//	[
//		{"time": "2026-07-01T12:00:00.5Z", "replicas": 5},
//		{"time": "2026-07-01T11:40:00Z", "replicas": 7, "stale": true},
//		{"vacant": 2}
//	]
//
// Times are those of [Timestamp]. Replicas are a number, or a change of it.
// Vacant are so many places, whose entries were forgotten (see Forget), for
// later ones. The list has no version: it is part of something that has, and an
// unknown field is an error.
func (s Series) MarshalJSON() ([]byte, error) {
	list := make([]entryJSON, 0, len(s.slots))
	for e, n := range s.rows() {
		if e.isVacant() {
			list = append(list, entryJSON{Vacant: &n})
			continue
		}
		at := Timestamp(e.at().time())
		list = append(list, entryJSON{Time: &at, Replicas: &e.value, Stale: e.stale()})
	}
	return json.Marshal(list)
}

// UnmarshalJSON reads what MarshalJSON writes; times may be in any location.
// Names are matched exactly, and may not be given twice. The error is a
// *DecodeError, or a *json.SyntaxError if data is no JSON at all; s is then as
// it was.
func (s *Series) UnmarshalJSON(data []byte) error {
	var list []json.RawMessage
	switch err := json.Unmarshal(data, &list); {
	case errors.As(err, new(*json.SyntaxError)):
		return err
	case err != nil || list == nil:
		return jsonError("", "%s is not a list", show(data))
	case !utf8.Valid(data):
		return jsonError("", "not UTF-8")
	}
	var t Series
	t.slots = make([]slot, 0, min(len(list), MaxEntries))
	for i, element := range list {
		path := "[" + strconv.Itoa(i) + "]"
		e, err := unmarshalEntry(element, path)
		if err != nil {
			return err
		}
		n := 1
		if e.Vacant != nil {
			n = *e.Vacant
		}
		if left := MaxEntries - len(t.slots); n > left {
			return jsonError(path, "more than %d entries", MaxEntries)
		}
		t.slots = append(t.slots, e.slots(n)...)
	}
	t.see()
	*s = t
	return nil
}

// slots returns the n slots that e stands for.
func (e *entryJSON) slots(n int) []slot {
	if e.Vacant != nil {
		row := make([]slot, n)
		for i := range row {
			row[i] = vacant
		}
		return row
	}
	at := instantOf(time.Time(*e.Time))
	if e.Stale {
		at.nsec = ^at.nsec
	}
	return []slot{{at.sec, at.nsec, *e.Replicas}}
}

// unmarshalEntry reads one element and checks it.
func unmarshalEntry(data json.RawMessage, path string) (e entryJSON, err error) {
	err = members(data, path, func(name string, value json.RawMessage) error {
		var into any
		var want string
		switch name {
		case "time":
			return unmarshalTime(&e.Time, value, path+".time")
		case "replicas":
			into, want = &e.Replicas, "an integer of 32 bits"
		case "stale":
			into, want = &e.Stale, "true or false"
		case "vacant":
			into, want = &e.Vacant, "a number of places"
		default:
			return jsonError(member(path, name), "unknown field")
		}
		if json.Unmarshal(value, into) != nil || bytes.Equal(value, []byte("null")) {
			return jsonError(path+"."+name, "%s is not %s", show(value), want)
		}
		return nil
	})
	switch {
	case err != nil:
	case e.Vacant != nil && (e.Time != nil || e.Replicas != nil || e.Stale):
		err = jsonError(path, "vacant places with an entry in them")
	case e.Vacant != nil && *e.Vacant < 1:
		err = jsonError(path+".vacant", "%d is not a number of places", *e.Vacant)
	case e.Vacant != nil:
	case e.Time == nil:
		err = jsonError(path+".time", "missing")
	case e.Replicas == nil:
		err = jsonError(path+".replicas", "missing")
	}
	return e, err
}

func unmarshalTime(t **Timestamp, value json.RawMessage, path string) error {
	var text string
	*t = new(Timestamp)
	if json.Unmarshal(value, &text) != nil || (*t).UnmarshalText([]byte(text)) != nil {
		return jsonError(path, "%s is not a time", show(value))
	}
	return nil
}

// members calls f with each member of the object, of which none may be there
// twice. The data is JSON.
func members(data json.RawMessage, path string, f func(name string, value json.RawMessage) error) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	if t, _ := dec.Token(); t != json.Delim('{') {
		return jsonError(path, "%s is not an object", show(data))
	}
	seen := make(map[string]bool)
	for dec.More() {
		t, _ := dec.Token()
		name, _ := t.(string)
		var value json.RawMessage
		_ = dec.Decode(&value) // the data is JSON
		if seen[name] {
			return jsonError(member(path, name), "given twice")
		}
		seen[name] = true
		if err := f(name, value); err != nil {
			return err
		}
	}
	return nil
}

// show returns a JSON value as it stands, in one line, cut where it is long.
func show(value []byte) string {
	const most = 40
	text, rest := string(value), ""
	if len(text) > most {
		text, rest = strings.ToValidUTF8(text[:most], ""), "..."
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, text) + rest
}

// member returns the path of a member, whose name may be anything.
func member(path, name string) string { return fmt.Sprintf("%s.%.40s", path, name) }

func jsonError(path, format string, args ...any) error {
	return &DecodeError{Type: seriesType, Offset: -1, Path: path, Problem: fmt.Sprintf(format, args...)}
}
