package calculator

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/stabilize"
	"github.com/purehpa/hpa/stabilize/codec"
)

const (
	stateType        = "calculator.State"
	stateJSONVersion = 1
	// stateFailingVersion is that of a state with failing metrics.
	stateFailingVersion = 2
)

// version is the version of the state's encodings: the oldest that can hold it.
func (s *State) version() int {
	if len(s.Failing) > 0 {
		return stateFailingVersion
	}
	return stateJSONVersion
}

// stateJSON is a State in JSON.
type stateJSON struct {
	Version         int                  `json:"version"`
	Recommendations stabilize.History    `json:"recommendations"`
	Events          behavior.Events      `json:"events"`
	Conditions      []stateConditionJSON `json:"conditions"`
	LastScaleTime   *codec.Timestamp     `json:"lastScaleTime,omitempty"`
	DesiredReplicas int32                `json:"desiredReplicas"`
	Started         *codec.Timestamp     `json:"started,omitempty"`
	Failing         []failingJSON        `json:"failing,omitempty"`
}

// List implements codec.Lister.
func (j *stateJSON) List(path string, n int) {
	switch path {
	case "conditions":
		j.Conditions = make([]stateConditionJSON, 0, n)
	case "failing":
		j.Failing = make([]failingJSON, 0, n)
	}
}

type failingJSON struct {
	Metric string           `json:"metric"`
	Since  *codec.Timestamp `json:"since,omitempty"`
}

// stateConditionJSON is a condition of autoscaling/v2 with the exact time.
type stateConditionJSON struct {
	Type               autoscaling.HorizontalPodAutoscalerConditionType `json:"type"`
	Status             autoscaling.ConditionStatus                      `json:"status"`
	LastTransitionTime *codec.Timestamp                                 `json:"lastTransitionTime,omitempty"`
	Reason             string                                           `json:"reason,omitempty"`
	Message            string                                           `json:"message,omitempty"`
	ObservedGeneration int64                                            `json:"observedGeneration,omitempty"`
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
// A state with failing metrics has the version 2, and after the rest
//
//	"failing": [{"metric": "external metric queue(nil)", "since": "2026-07-01T12:00:00Z"}]
//
// Times are those of [codec.Timestamp], which keeps nanoseconds. A time that is
// not set is left out, as are an empty reason, message and generation. Bytes of
// a reason or message that are not UTF-8 become U+FFFD.
//
// A state with conditions that no decision makes has no encoding, nor has one
// with a negative size; the error is a *field.Error.
func (s State) MarshalJSON() ([]byte, error) {
	if err := s.check("state."); err != nil {
		return nil, err
	}
	j := stateJSON{
		Version:         s.version(),
		Recommendations: s.Recommendations,
		Events:          s.Events,
		Conditions:      make([]stateConditionJSON, len(s.Conditions)),
		LastScaleTime:   timestamp(s.LastScaleTime),
		DesiredReplicas: s.DesiredReplicas,
		Started:         timestamp(s.Started),
	}
	for i, c := range s.Conditions {
		j.Conditions[i] = stateConditionJSON{
			c.Type, c.Status, timestamp(c.LastTransitionTime), shown(c.Reason), shown(c.Message), c.ObservedGeneration,
		}
	}
	for _, m := range s.Failing {
		j.Failing = append(j.Failing, failingJSON{shown(m.Metric), timestamp(m.Since)})
	}
	return json.Marshal(j)
}

// timestamp returns nil for the zero time.
func timestamp(t time.Time) *codec.Timestamp {
	if t.IsZero() {
		return nil
	}
	return (*codec.Timestamp)(&t)
}

// moment is the opposite of timestamp.
func moment(t *codec.Timestamp) time.Time {
	if t == nil {
		return time.Time{}
	}
	return time.Time(*t)
}

// UnmarshalJSON reads what MarshalJSON writes. Names may be in any letter case,
// and times in any location. What is left out is empty. Required are the
// version, the type and status of a condition, and the time and replicas of an
// entry.
//
// The error is a *codec.Error that names the field, or a *json.SyntaxError if
// data is not JSON; s is then unchanged.
func (s *State) UnmarshalJSON(data []byte) error {
	// The version says what the rest may be.
	var v struct {
		Version *json.Number `json:"version"`
	}
	if json.Unmarshal(data, &v) == nil && v.Version != nil && *v.Version != json.Number(fmt.Sprint(stateJSONVersion)) &&
		*v.Version != json.Number(fmt.Sprint(stateFailingVersion)) {
		return codec.JSONError(stateType, "version", "unknown version %.40s", *v.Version)
	}
	var j stateJSON
	if err := codec.UnmarshalStrict(stateType, data, &j); err != nil {
		return codec.Within(stateType, "", err)
	}
	switch {
	case j.Version == 0:
		return codec.JSONError(stateType, "version", "missing")
	case j.Version == stateJSONVersion && j.Failing != nil:
		return codec.JSONError(stateType, "failing", "not in version %d", j.Version)
	}
	t := State{
		Recommendations: j.Recommendations,
		Events:          j.Events,
		LastScaleTime:   moment(j.LastScaleTime),
		DesiredReplicas: j.DesiredReplicas,
		Started:         moment(j.Started),
	}
	t.Conditions, t.Failing = slices.Grow(t.Conditions, len(j.Conditions)), slices.Grow(t.Failing, len(j.Failing))
	for _, c := range j.Conditions {
		t.Conditions = append(t.Conditions, autoscaling.HorizontalPodAutoscalerCondition{
			Type: c.Type, Status: c.Status, LastTransitionTime: moment(c.LastTransitionTime),
			Reason: clip(c.Reason), Message: clip(c.Message), ObservedGeneration: c.ObservedGeneration,
		})
	}
	for _, m := range j.Failing {
		t.Failing = append(t.Failing, FailingMetric{shown(m.Metric), moment(m.Since)})
	}
	if err := t.check(""); err != nil {
		return codec.JSONError(stateType, err.Field, "%s", err.Problem())
	}
	*s = t
	return nil
}

// check returns what is wrong with a state that no decision made, with the path
// in front of the field.
func (s *State) check(path string) *field.Error {
	if s.DesiredReplicas < 0 {
		return field.Invalid(path+"desiredReplicas", s.DesiredReplicas, "must not be negative")
	}
	if n := len(s.Conditions); n > MaxConditions {
		return field.Invalid(path+"conditions", n, fmt.Sprintf("must not be more than %d", MaxConditions))
	}
	for i := range s.Conditions {
		if err := s.checkCondition(i, fmt.Sprintf("%sconditions[%d].", path, i)); err != nil {
			return err
		}
	}
	if n := len(s.Failing); n > MaxFailing {
		return field.Invalid(path+"failing", n, fmt.Sprintf("must not be more than %d", MaxFailing))
	}
	for i, m := range s.Failing {
		if find(s.Failing, []byte(m.Metric)) != &s.Failing[i] {
			return field.Invalid(fmt.Sprintf("%sfailing[%d].metric", path, i), fmt.Sprintf("%.40s", m.Metric), "is there twice")
		}
	}
	return nil
}

// checkCondition returns what is wrong with condition i.
func (s *State) checkCondition(i int, path string) *field.Error {
	c := &s.Conditions[i]
	if c.Type == "" {
		return field.Required(path+"type", "")
	}
	for j := range s.Conditions[:i] {
		if s.Conditions[j].Type == c.Type {
			return field.Invalid(path+"type", fmt.Sprintf("%.40s", c.Type), "is there twice")
		}
	}
	switch {
	case !utf8.ValidString(string(c.Type)) || len(c.Type) > math.MaxUint8:
		return field.Invalid(path+"type", fmt.Sprintf("%.40s", c.Type), "must be UTF-8 of up to 255 bytes")
	case c.Status != autoscaling.ConditionTrue && c.Status != autoscaling.ConditionFalse && c.Status != autoscaling.ConditionUnknown:
		return field.NotSupported(path+"status", fmt.Sprintf("%.40s", c.Status), `"False", "True", "Unknown"`)
	}
	return nil
}
