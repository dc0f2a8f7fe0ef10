package calculator_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/stabilize/codec"
)

func milliOf(v int64) metrics.Milli { return metrics.Milli(v) }

// The form does not change, or it gets another version.
func TestStateJSONIsFixed(t *testing.T) {
	st := sampleState(t)
	data, err := json.MarshalIndent(st, "", "  ")
	require.NoError(t, err)
	golden(t, "testdata/state.json", append(data, '\n'))

	data, err = json.Marshal(calculator.State{})
	require.NoError(t, err)
	require.Equal(t, `{"version":1,"recommendations":[],"events":{"added":[],"removed":[]},"conditions":[],"desiredReplicas":0}`, string(data))
	for _, text := range []string{string(data), `{"version":1}`} {
		st := sampleState(t)
		require.NoError(t, json.Unmarshal([]byte(text), &st))
		require.True(t, st.Equal(&calculator.State{}), "nothing of the old one is left")
	}
}

// Names, duplicates and null are as free as encoding/json has them.
func TestStateJSONLiberties(t *testing.T) {
	want := calculator.State{
		Started:         noon,
		DesiredReplicas: 3,
		Conditions:      []autoscaling.HorizontalPodAutoscalerCondition{{Type: autoscaling.AbleToScale, Status: autoscaling.ConditionTrue}},
	}
	for _, text := range []string{
		` {
			"started": "2026-05-04T14:00:00+02:00",
			"conditions": [{"status": "True", "type": "AbleToScale", "lastTransitionTime": null}],
			"desiredReplicas": 3, "version": 1, "lastScaleTime": "0001-01-01T00:00:00Z"
		} `,
		`{"Version": 1, "STARTED": "2026-05-04T12:00:00Z", "desiredreplicas": 3,
			"Conditions": [{"Type": "AbleToScale", "STATUS": "True"}]}`,
		`{"version": 2, "version": 1, "started": "2026-05-04T11:00:00Z", "started": "2026-05-04T12:00:00.000Z",
			"desiredReplicas": 4, "desiredReplicas": 3, "recommendations": [{"vacant": 1}], "recommendations": [],
			"events": {"added": [{"vacant": 1}], "added": []},
			"conditions": [{"type": "A", "type": "AbleToScale", "status": "?", "status": "True"}]}`,
		`{"version": 1, "started": "2026-05-04T12:00:00Z", "desiredReplicas": 3, "lastScaleTime": null,
			"conditions": [{"type": "AbleToScale", "status": "True", "reason": null, "message": null, "observedGeneration": null}]}`,
	} {
		st := sampleState(t)
		require.NoError(t, st.UnmarshalJSON([]byte(text)), text)
		require.True(t, st.Equal(&want), text)
		require.Equal(t, noon, st.Started, "in UTC")
		require.True(t, st.LastScaleTime.IsZero())
	}
	for _, text := range []string{`{"version": 1, "conditions": null}`, `{"version": 1, "desiredReplicas": null}`} {
		st := sampleState(t)
		require.NoError(t, st.UnmarshalJSON([]byte(text)), text)
		require.True(t, st.Equal(&calculator.State{}), text)
	}
}

// The conditions of a status can be pasted into a state.
func TestStateTakesTheConditionsOfAStatus(t *testing.T) {
	st := sampleState(t)
	conditions, err := json.Marshal(st.Conditions)
	require.NoError(t, err)
	var got calculator.State
	require.NoError(t, got.UnmarshalJSON(fmt.Appendf(nil, `{"version":1,"conditions":%s}`, conditions)))
	for i := range st.Conditions {
		st.Conditions[i].LastTransitionTime = st.Conditions[i].LastTransitionTime.Truncate(time.Second)
		require.True(t, st.Conditions[i].Equal(got.Conditions[i]))
	}
}

// What is not UTF-8 reads in an encoding as it does in the API.
func TestMessagesThatAreNotUTF8(t *testing.T) {
	for _, binary := range []bool{false, true} {
		st := sampleState(t)
		st.Conditions[0].Reason, st.Conditions[0].Message = "\xff", "a\xffb"
		was, err := json.Marshal(st.Conditions[0])
		require.NoError(t, err)
		got := recoded(t, &st, binary)
		require.Equal(t, "\ufffd", got.Conditions[0].Reason)
		require.Equal(t, "a\ufffdb", got.Conditions[0].Message)
		is, err := json.Marshal(got.Conditions[0])
		require.NoError(t, err)
		require.JSONEq(t, string(was), string(is))
		recode(t, &got, binary)
	}
}

func TestStateJSONErrors(t *testing.T) {
	long := strings.Repeat("x", 50)
	many := `"conditions": [` + strings.Repeat(`{}, `, calculator.MaxConditions) + `{}]`
	for _, tt := range []struct{ data, path, problem string }{
		{`null`, "", "null is not an object"},
		{` null `, "", "null is not an object"},
		{`[]`, "", "array is not an object"},
		{`5`, "", "number is not an object"},
		{`"` + long + `"`, "", "string is not an object"},
		{"{\"version\": 1, \"\xff\": 1}", "", "not UTF-8"},
		{`{}`, "version", "missing"},
		{`{"version": null}`, "version", "missing"},
		{`{"version": 0}`, "version", "unknown version 0"},
		{`{"version": 3, "news": []}`, "version", "unknown version 3"},
		{`{"version": 1, "version": 3}`, "version", "unknown version 3"},
		{`{"version": 1` + strings.Repeat("0", 50) + `}`, "version", "unknown version 1" + strings.Repeat("0", 39)},
		{`{"version": 1.0}`, "version", "unknown version 1.0"},
		{`{"version": "1"}`, "version", "string is not of type int"},
		{`{"version": 1, "news": []}`, "", `unknown field "news"`},
		{`{"version": 1, "` + strings.Repeat(long, 2) + `": []}`, "", `unknown field "` + strings.Repeat("x", 65)},
		{`{"version": 1, "desiredReplicas": -1}`, "desiredReplicas", "Invalid value: -1: must not be negative"},
		{`{"version": 1, "desiredReplicas": 2147483648}`, "desiredReplicas", "number 2147483648 is not of type int32"},
		{`{"version": 1, "desiredReplicas": 0.5}`, "desiredReplicas", "number 0.5 is not of type int32"},
		{`{"version": 1, "conditions": {}}`, "conditions", "object is not a list"},
		{`{"version": 1, ` + many + `}`, "conditions", "Invalid value: 33: must not be more than 32"},
		{`{"version": 1, "conditions": [{"type": "A", "status": "True"}, 5]}`, "conditions", "number is not an object"},
		{`{"version": 1, "conditions": [{"status": "True"}]}`, "conditions[0].type", "Required value"},
		{`{"version": 1, "conditions": [{"type": "", "status": "True"}]}`, "conditions[0].type", "Required value"},
		{`{"version": 1, "conditions": [null]}`, "conditions[0].type", "Required value"},
		{`{"version": 1, "conditions": [{"type": "` + strings.Repeat("A", 256) + `", "status": "True"}]}`, "conditions[0].type",
			`Invalid value: "` + strings.Repeat("A", 40) + `": must be UTF-8 of up to 255 bytes`},
		{`{"version": 1, "conditions": [{"type": "A"}]}`, "conditions[0].status", `Unsupported value: "": supported values: "False", "True", "Unknown"`},
		{`{"version": 1, "conditions": [{"type": "A", "status": "Yes"}]}`, "conditions[0].status", `Unsupported value: "Yes": supported values: "False", "True", "Unknown"`},
		{`{"version": 1, "conditions": [{"type": "A", "status": "` + long + `"}]}`, "conditions[0].status",
			`Unsupported value: "` + long[:40] + `": supported values: "False", "True", "Unknown"`},
		{`{"version": 1, "conditions": [{"type": "A", "status": "True"}, {"type": "A", "status": "True"}]}`, "conditions[1].type", `Invalid value: "A": is there twice`},
		{`{"version": 1, "conditions": [{"type": 1}]}`, "conditions.type", "number is not a string"},
		{`{"version": 1, "conditions": [{"status": 1}]}`, "conditions.status", "number is not a string"},
		{`{"version": 1, "conditions": [{"reason": 1}]}`, "conditions.reason", "number is not a string"},
		{`{"version": 1, "conditions": [{"message": 1}]}`, "conditions.message", "number is not a string"},
		{`{"version": 1, "conditions": [{"observedGeneration": 1.5}]}`, "conditions.observedGeneration", "number 1.5 is not of type int64"},
		{`{"version": 1, "conditions": [{"kind": "A"}]}`, "", `unknown field "kind"`},
	} {
		requireStateJSONError(t, tt.data, tt.path, tt.problem)
	}
	for _, data := range []string{"", "{", `{"version": 1`, `{"version": 1}}`, `{"version"}`} {
		require.ErrorAs(t, new(calculator.State).UnmarshalJSON([]byte(data)), new(*json.SyntaxError), data)
	}
	require.EqualError(t, new(calculator.State).UnmarshalJSON([]byte(`{"version": 1, "desiredReplicas": -1}`)),
		"calculator.State: desiredReplicas: Invalid value: -1: must not be negative")
}

// The parts that decode themselves are found, too: which list an entry is in,
// and which time is none.
func TestStateJSONErrorsNameTheField(t *testing.T) {
	for _, tt := range []struct{ data, path, problem string }{
		{`{"version": 1, "recommendations": null}`, "recommendations", "null is not a list"},
		{`{"version": 1, "recommendations": 5}`, "recommendations", "number is not a list"},
		{`{"version": 1, "recommendations": [{"vacant": 1}, {}]}`, "recommendations[1].time", "missing"},
		{`{"version": 1, "events": null}`, "events", "null is not an object"},
		{`{"version": 1, "events": {"added": [{"vacant": 0}]}}`, "events.added[0].vacant", "0 is not a number of places"},
		{`{"version": 1, "events": {"removed": [{"time": "2026-05-04T12:00:00Z", "replicas": 0}]}}`, "events.removed", "0 is not a number of pods"},
		{`{"version": 1, "lastScaleTime": 5}`, "lastScaleTime", "number is not a string"},
		{`{"version": 1, "lastScaleTime": "noon"}`, "lastScaleTime", `codec: time "noon" is not RFC 3339`},
		{`{"version": 1, "started": "soon"}`, "started", `codec: time "soon" is not RFC 3339`},
	} {
		t.Run(tt.path, func(t *testing.T) { requireStateJSONError(t, tt.data, tt.path, tt.problem) })
	}
}

func requireStateJSONError(t *testing.T, data, path, problem string) {
	t.Helper()
	st := sampleState(t)
	before := st.Clone()
	err := st.UnmarshalJSON([]byte(data))
	require.Equal(t, &codec.Error{Type: "calculator.State", Offset: -1, Path: path, Problem: problem}, err, data)
	require.True(t, st.Equal(&before), "the destination is as it was")
}

// A state that no decision makes has no encoding.
func TestStateThatNoDecisionMakes(t *testing.T) {
	condition := autoscaling.HorizontalPodAutoscalerCondition{Type: "A", Status: autoscaling.ConditionTrue}
	longType := autoscaling.HorizontalPodAutoscalerConditionType(strings.Repeat("A", 255))
	var many []autoscaling.HorizontalPodAutoscalerCondition
	for i := range calculator.MaxConditions + 1 {
		many = append(many, autoscaling.HorizontalPodAutoscalerCondition{Type: autoscaling.HorizontalPodAutoscalerConditionType(fmt.Sprint(i)), Status: autoscaling.ConditionFalse})
	}
	conditions := func(c ...autoscaling.HorizontalPodAutoscalerCondition) calculator.State {
		return calculator.State{Conditions: c}
	}
	for _, tt := range []struct {
		state calculator.State
		want  field.Error
	}{
		{calculator.State{DesiredReplicas: -1}, field.Error{
			Field: "state.desiredReplicas", Type: field.ErrorTypeInvalid, BadValue: int32(-1), Detail: "must not be negative",
		}},
		{conditions(many...), field.Error{
			Field: "state.conditions", Type: field.ErrorTypeInvalid, BadValue: 33, Detail: "must not be more than 32",
		}},
		{conditions(condition, autoscaling.HorizontalPodAutoscalerCondition{}), field.Error{
			Field: "state.conditions[1].type", Type: field.ErrorTypeRequired,
		}},
		{conditions(condition, condition), field.Error{
			Field: "state.conditions[1].type", Type: field.ErrorTypeInvalid, BadValue: "A", Detail: "is there twice",
		}},
		{conditions(autoscaling.HorizontalPodAutoscalerCondition{Type: "A", Status: "?"}), field.Error{
			Field: "state.conditions[0].status", Type: field.ErrorTypeNotSupported, BadValue: "?", Detail: `supported values: "False", "True", "Unknown"`,
		}},
		{conditions(autoscaling.HorizontalPodAutoscalerCondition{Type: "A\xff", Status: autoscaling.ConditionTrue}), field.Error{
			Field: "state.conditions[0].type", Type: field.ErrorTypeInvalid, BadValue: "A\xff", Detail: "must be UTF-8 of up to 255 bytes",
		}},
		{conditions(autoscaling.HorizontalPodAutoscalerCondition{Type: longType + "A", Status: autoscaling.ConditionTrue}), field.Error{
			Field: "state.conditions[0].type", Type: field.ErrorTypeInvalid, BadValue: string(longType[:40]), Detail: "must be UTF-8 of up to 255 bytes",
		}},
	} {
		_, err := tt.state.MarshalJSON()
		require.Equal(t, &tt.want, err)
		dst, err := tt.state.AppendBinary([]byte("before"))
		require.Equal(t, &tt.want, err)
		require.Equal(t, "before", string(dst))
	}
	for _, st := range []calculator.State{
		conditions(many[1:]...),
		conditions(autoscaling.HorizontalPodAutoscalerCondition{Type: longType, Status: autoscaling.ConditionTrue}),
	} {
		recode(t, &st, true)
		recode(t, &st, false)
	}
}

func TestMutatedStateJSON(t *testing.T) {
	n := 20_000
	if testing.Short() || raceDetector {
		n /= 10
	}
	r := rand.New(rand.NewPCG(3, 4))
	st := sampleState(t)
	valid, err := json.Marshal(st)
	require.NoError(t, err)
	decoded := 0
	for range n {
		var st calculator.State
		if st.UnmarshalJSON(mutate(r, valid)) != nil {
			require.True(t, st.Equal(&calculator.State{}))
			continue
		}
		decoded++
		requireSoundState(t, &st, false)
	}
	t.Logf("%d of %d decode", decoded, n)
	require.NotZero(t, decoded)
}

func FuzzStateUnmarshalJSON(f *testing.F) {
	st := sampleState(f)
	data, err := json.Marshal(st)
	require.NoError(f, err)
	f.Add(data)
	f.Add([]byte(`{"version": 1}`))
	f.Add([]byte(`{"version": 2, "failing": [{"metric": "external metric backlog(nil)", "since": "2026-07-01T12:00:00Z"}, {"metric": ""}]}`))
	f.Add([]byte(`{"version": 1, "recommendations": [{"vacant": 4096}], "lastScaleTime": "@253402300800"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var st calculator.State
		if err := st.UnmarshalJSON(data); err != nil {
			require.True(t, st.Equal(&calculator.State{}))
			return
		}
		requireSoundState(t, &st, true)
	})
}

// mutate changes data in a few places, as disks and people do.
func mutate(r *rand.Rand, data []byte) []byte {
	data = bytes.Clone(data)
	for range 1 + r.IntN(3) {
		if len(data) == 0 {
			return data
		}
		i := r.IntN(len(data))
		n := min(len(data)-i, 1+r.IntN(8))
		switch r.IntN(8) {
		case 0:
			data[i] ^= 1 << r.IntN(8)
		case 1:
			data[i] = byte(r.Uint32())
		case 2:
			data[i] = []byte{0, 1, 0x7f, 0x80, 0xff, '0', '"'}[r.IntN(7)]
		case 3:
			data = data[:i]
		case 4:
			data = append(data[:i], data[i+n:]...)
		case 5:
			data = append(data[:i+n], bytes.Clone(data[i:])...)
		case 6:
			j := r.IntN(len(data))
			data[i], data[j] = data[j], data[i]
		case 7:
			data = append(data, byte(r.Uint32()))
		}
	}
	return data
}
