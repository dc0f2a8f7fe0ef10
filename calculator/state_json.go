package calculator

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

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/stabilize"
)

// DecodeError is what is wrong with an encoding of a State, and where.
type DecodeError = stabilize.DecodeError

// MaxConditions is the most conditions that an encoding holds. Kubernetes sets
// four.
const MaxConditions = 32

const (
	stateType        = "calculator.State"
	stateJSONVersion = 1
)

// stateJSON is a State in JSON. Pointers tell what is left out.
type stateJSON struct {
	Version         int                  `json:"version"`
	Recommendations stabilize.History    `json:"recommendations"`
	Events          behavior.Events      `json:"events"`
	Conditions      []stateConditionJSON `json:"conditions"`
	LastScaleTime   *stabilize.Timestamp `json:"lastScaleTime,omitempty"`
	DesiredReplicas int32                `json:"desiredReplicas"`
	Started         *stabilize.Timestamp `json:"started,omitempty"`
}

// stateConditionJSON is a condition as autoscaling/v2 has it, but for the time,
// which is not cut to seconds.
type stateConditionJSON struct {
	Type               ConditionType        `json:"type"`
	Status             ConditionStatus      `json:"status"`
	LastTransitionTime *stabilize.Timestamp `json:"lastTransitionTime,omitempty"`
	Reason             string               `json:"reason,omitempty"`
	Message            string               `json:"message,omitempty"`
	ObservedGeneration *int64               `json:"observedGeneration,omitempty"`
}

// MarshalJSON returns the state for people, and for a field of a custom
// resource: an object with a version, of which the same state always gives the
// same bytes.
//
//	{
//		"version": 1,
//		"recommendations": [{"time": "2026-07-01T12:00:00Z", "replicas": 5}],
//		"events": {
//			"added": [{"time": "2026-07-01T12:00:00Z", "replicas": 4}],
//			"removed": []
//		},
//		"conditions": [{
//			"type": "AbleToScale",
//			"status": "True",
//			"lastTransitionTime": "2026-07-01T12:00:00Z",
//			"reason": "ReadyForNewScale",
//			"message": "recommended size matches current size"
//		}],
//		"lastScaleTime": "2026-07-01T12:00:00Z",
//		"desiredReplicas": 5,
//		"started": "2026-07-01T12:00:00Z"
//	}
//
// Lists are those of [stabilize.Series], times of [stabilize.Timestamp], which
// keeps nanoseconds. A time that is not set is left out, as are an empty
// reason, message and generation. Bytes of a message that are not UTF-8 become
// U+FFFD, as they do in a status.
//
// A state with conditions that no decision makes has no encoding, nor has one
// with a negative size; the error is an *InputError or a *behavior.EventsError.
func (s State) MarshalJSON() ([]byte, error) {
	if field, problem := s.check(); problem != "" {
		return nil, &InputError{Field: "state." + field, Problem: problem}
	}
	j := stateJSON{
		Version:         stateJSONVersion,
		Recommendations: s.Recommendations,
		Events:          s.Events,
		Conditions:      make([]stateConditionJSON, len(s.Conditions)),
		LastScaleTime:   timestamp(s.LastScaleTime),
		DesiredReplicas: s.DesiredReplicas,
		Started:         timestamp(s.Started),
	}
	for i := range s.Conditions {
		c := &s.Conditions[i]
		j.Conditions[i] = stateConditionJSON{
			Type:               c.Type,
			Status:             c.Status,
			LastTransitionTime: timestamp(c.LastTransitionTime),
			Reason:             c.Reason,
			Message:            c.Message.String(),
			ObservedGeneration: c.ObservedGeneration,
		}
	}
	return json.Marshal(j)
}

// timestamp returns nil for the zero time.
func timestamp(t time.Time) *stabilize.Timestamp {
	if t.IsZero() {
		return nil
	}
	return (*stabilize.Timestamp)(&t)
}

// check returns what is wrong with a state that no decision made.
func (s *State) check() (field, problem string) {
	if s.DesiredReplicas < 0 {
		return "desiredReplicas", fmt.Sprintf("%d is negative", s.DesiredReplicas)
	}
	if n := len(s.Conditions); n > MaxConditions {
		return "conditions", fmt.Sprintf("%d of them, more than %d", n, MaxConditions)
	}
	for i := range s.Conditions {
		if field, problem := checkCondition(s.Conditions[:i+1]); problem != "" {
			return "conditions[" + strconv.Itoa(i) + "]." + field, problem
		}
	}
	return "", ""
}

// checkCondition returns what is wrong with the last one of the conditions.
func checkCondition(all []Condition) (field, problem string) {
	c, others := &all[len(all)-1], all[:len(all)-1]
	if c.Type == "" {
		return "type", "missing"
	}
	for i := range others {
		if others[i].Type == c.Type {
			return "type", fmt.Sprintf("%.40q is there twice", c.Type)
		}
	}
	switch {
	case !utf8.ValidString(string(c.Type)):
		return "type", fmt.Sprintf("%.40q is not UTF-8", c.Type)
	case !utf8.ValidString(c.Reason):
		return "reason", fmt.Sprintf("%.40q is not UTF-8", c.Reason)
	case c.Status != ConditionTrue && c.Status != ConditionFalse && c.Status != ConditionUnknown:
		return "status", fmt.Sprintf("%.40q is none of True, False and Unknown", c.Status)
	}
	return "", ""
}

// UnmarshalJSON reads what MarshalJSON writes. What is left out is empty, but
// for the version, the type and status of a condition and the time and replicas
// of an entry, which have to be there. Times may be in any location, and that of
// a transition null. Names are matched exactly, and may not be given twice.
//
// The error is a *DecodeError that names the field, or a *json.SyntaxError if
// data is no JSON at all; s is then as it was.
func (s *State) UnmarshalJSON(data []byte) error {
	if err := json.Unmarshal(data, new(json.RawMessage)); err != nil {
		return err
	}
	if !utf8.Valid(data) {
		return stateError("", "not UTF-8")
	}
	if err := checkVersion(data); err != nil {
		return err
	}
	var t State
	err := members(data, "", func(name string, value json.RawMessage) error {
		switch name {
		case "version":
			return nil
		case "recommendations":
			return inState(name, "", t.Recommendations.UnmarshalJSON(value))
		case "events":
			return inState(name, ".", t.Events.UnmarshalJSON(value))
		case "conditions":
			return t.decodeConditions(value)
		case "lastScaleTime":
			return decodeTime(value, name, &t.LastScaleTime)
		case "desiredReplicas":
			return decodeField(value, name, &t.DesiredReplicas, "an integer of 32 bits")
		case "started":
			return decodeTime(value, name, &t.Started)
		}
		return stateError(member("", name), "unknown field")
	})
	if err != nil {
		return err
	}
	if field, problem := t.check(); problem != "" {
		return stateError(field, "%s", problem)
	}
	*s = t
	return nil
}

// checkVersion looks at the version before anything else, since it says what the
// rest may be.
func checkVersion(data []byte) error {
	found := false
	err := members(data, "", func(name string, value json.RawMessage) error {
		if name != "version" {
			return nil
		}
		found = true
		if string(value) != strconv.Itoa(stateJSONVersion) {
			return stateError(name, "unknown version %s", show(value))
		}
		return nil
	})
	if err == nil && !found {
		err = stateError("version", "missing")
	}
	return err
}

func (s *State) decodeConditions(data json.RawMessage) error {
	var list []json.RawMessage
	if err := json.Unmarshal(data, &list); err != nil || list == nil {
		return stateError("conditions", "%s is not a list", show(data))
	}
	if n := len(list); n > MaxConditions {
		return stateError("conditions", "%d of them, more than %d", n, MaxConditions)
	}
	for i, element := range list {
		var c Condition
		path := "conditions[" + strconv.Itoa(i) + "]"
		err := members(element, path, func(name string, value json.RawMessage) error {
			field := member(path, name)
			switch name {
			case "type":
				return decodeField(value, field, &c.Type, "a string")
			case "status":
				return decodeField(value, field, &c.Status, "a string")
			case "lastTransitionTime":
				if string(value) == "null" {
					return nil
				}
				return decodeTime(value, field, &c.LastTransitionTime)
			case "reason":
				return decodeField(value, field, &c.Reason, "a string")
			case "message":
				return decodeField(value, field, &c.Message.text, "a string")
			case "observedGeneration":
				return decodeField(value, field, &c.ObservedGeneration, "an integer")
			}
			return stateError(field, "unknown field")
		})
		if err != nil {
			return err
		}
		s.Conditions = append(s.Conditions, c)
	}
	return nil
}

// decodeField decodes one field into something that is not null.
func decodeField(value json.RawMessage, path string, into any, want string) error {
	if json.Unmarshal(value, into) != nil || string(value) == "null" {
		return stateError(path, "%s is not %s", show(value), want)
	}
	return nil
}

func decodeTime(value json.RawMessage, path string, into *time.Time) error {
	var text string
	var t stabilize.Timestamp
	if json.Unmarshal(value, &text) != nil || t.UnmarshalText([]byte(text)) != nil {
		return stateError(path, "%s is not a time", show(value))
	}
	*into = time.Time(t)
	return nil
}

// members calls f with each member of an object, of which none may be there
// twice. The data is JSON.
func members(data json.RawMessage, path string, f func(name string, value json.RawMessage) error) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	if t, _ := dec.Token(); t != json.Delim('{') {
		return stateError(path, "%s is not an object", show(data))
	}
	seen := make(map[string]bool)
	for dec.More() {
		t, _ := dec.Token()
		name, _ := t.(string)
		if seen[name] {
			return stateError(member(path, name), "given twice")
		}
		seen[name] = true
		var value json.RawMessage
		_ = dec.Decode(&value) // the data is JSON
		if err := f(name, value); err != nil {
			return err
		}
	}
	return nil
}

// member returns the path of a member, whose name may be anything.
func member(path, name string) string {
	if path == "" {
		return fmt.Sprintf("%.40s", name)
	}
	return fmt.Sprintf("%s.%.40s", path, name)
}

// inState returns the error of a part as one of the state. The separator goes
// between the names of the part and of what is in it.
func inState(name, separator string, err error) error {
	if err == nil {
		return nil
	}
	part := new(DecodeError)
	errors.As(err, &part)
	if part.Path != "" {
		name += separator + part.Path
	}
	return stateError(name, "%s", part.Problem)
}

func stateError(path, format string, args ...any) error {
	return &DecodeError{Type: stateType, Offset: -1, Path: path, Problem: fmt.Sprintf(format, args...)}
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
