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

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/metrics"
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

func TestStateJSONLiberties(t *testing.T) {
	var st calculator.State
	require.NoError(t, st.UnmarshalJSON([]byte(` {
		"started": "2026-05-04T14:00:00+02:00",
		"conditions": [{"status": "True", "type": "AbleToScale", "lastTransitionTime": null}],
		"desiredReplicas": 3, "version": 1, "lastScaleTime": "0001-01-01T00:00:00Z"
	} `)))
	want := calculator.State{
		Started:         noon,
		DesiredReplicas: 3,
		Conditions:      []calculator.Condition{{Type: calculator.AbleToScale, Status: calculator.ConditionTrue}},
	}
	require.True(t, st.Equal(&want))
	require.Equal(t, noon, st.Started, "in UTC")
	require.True(t, st.LastScaleTime.IsZero())
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

// What is not UTF-8 reads in a state as it does in the API.
func TestMessagesThatAreNotUTF8(t *testing.T) {
	st := sampleState(t)
	st.Conditions[0].Message = calculator.Text("a\xffb")
	data, err := json.Marshal(st)
	require.NoError(t, err)
	var got calculator.State
	require.NoError(t, json.Unmarshal(data, &got))
	require.Equal(t, "a\ufffdb", got.Conditions[0].Message.String())
	was, err := json.Marshal(st.Conditions[0])
	require.NoError(t, err)
	is, err := json.Marshal(got.Conditions[0])
	require.NoError(t, err)
	require.JSONEq(t, string(was), string(is))
	recode(t, &st, true) // which keeps it
}

func TestStateJSONErrors(t *testing.T) {
	long := strings.Repeat("x", 50)
	many := `"conditions": [` + strings.Repeat(`5, `, calculator.MaxConditions) + `5]`
	for _, tt := range []struct{ data, path, problem string }{
		{`null`, "", `null is not an object`},
		{`[]`, "", `[] is not an object`},
		{`"` + long + `"`, "", `"` + long[:39] + `... is not an object`},
		{`"` + long[:38] + `"`, "", `"` + long[:38] + `" is not an object`},
		{`"` + strings.Repeat("é", 50) + `"`, "", `"` + strings.Repeat("é", 19) + `... is not an object`},
		{"[\"a\u2028b\",\n1]", "", `["a b", 1] is not an object`},
		{"{\"version\": 1, \"\xff\": 1}", "", "not UTF-8"},
		{`{}`, "version", "missing"},
		{`{"Version": 1}`, "version", "missing"},
		{`{"version": 0}`, "version", `unknown version 0`},
		{`{"version": 2, "news": []}`, "version", `unknown version 2`},
		{`{"version": "1"}`, "version", `unknown version "1"`},
		{`{"version": null}`, "version", `unknown version null`},
		{`{"version": 1, "version": 1}`, "version", "given twice"},
		{`{"version": 1, "news": []}`, "news", "unknown field"},
		{`{"version": 1, "` + long + `": []}`, long[:40], "unknown field"},
		{`{"version": 1, "recommendations": null}`, "recommendations", `null is not a list`},
		{`{"version": 1, "recommendations": [{"vacant": 1}, {}]}`, "recommendations[1].time", "missing"},
		{`{"version": 1, "events": null}`, "events", "not an object"},
		{`{"version": 1, "events": {"added": [{"vacant": 0}]}}`, "events.added[0].vacant", "0 is not a number of places"},
		{`{"version": 1, "events": {"removed": [{"time": "2026-05-04T12:00:00Z", "replicas": 0}]}}`, "events.removed", "event of 2026-05-04T12:00:00Z: 0 is not a number of pods"},
		{`{"version": 1, "lastScaleTime": 5}`, "lastScaleTime", `5 is not a time`},
		{`{"version": 1, "lastScaleTime": null}`, "lastScaleTime", `null is not a time`},
		{`{"version": 1, "lastScaleTime": "noon"}`, "lastScaleTime", `"noon" is not a time`},
		{`{"version": 1, "started": "soon"}`, "started", `"soon" is not a time`},
		{`{"version": 1, "desiredReplicas": -1}`, "desiredReplicas", "-1 is negative"},
		{`{"version": 1, "desiredReplicas": 2147483648}`, "desiredReplicas", `2147483648 is not an integer of 32 bits`},
		{`{"version": 1, "desiredReplicas": null}`, "desiredReplicas", `null is not an integer of 32 bits`},
		{`{"version": 1, "conditions": null}`, "conditions", `null is not a list`},
		{`{"version": 1, "conditions": {}}`, "conditions", `{} is not a list`},
		{`{"version": 1, ` + many + `}`, "conditions", "33 of them, more than 32"},
		{`{"version": 1, "conditions": [{"type": "A", "status": "True"}, 5]}`, "conditions[1]", `5 is not an object`},
		{`{"version": 1, "conditions": [{"status": "True"}]}`, "conditions[0].type", "missing"},
		{`{"version": 1, "conditions": [{"type": "", "status": "True"}]}`, "conditions[0].type", "missing"},
		{`{"version": 1, "conditions": [{"type": "A"}]}`, "conditions[0].status", `"" is none of True, False and Unknown`},
		{`{"version": 1, "conditions": [{"type": "A", "status": "Yes"}]}`, "conditions[0].status", `"Yes" is none of True, False and Unknown`},
		{`{"version": 1, "conditions": [{"type": "A", "status": "True"}, {"type": "A", "status": "True"}]}`, "conditions[1].type", `"A" is there twice`},
		{`{"version": 1, "conditions": [{"type": 1}]}`, "conditions[0].type", `1 is not a string`},
		{`{"version": 1, "conditions": [{"status": 1}]}`, "conditions[0].status", `1 is not a string`},
		{`{"version": 1, "conditions": [{"reason": 1}]}`, "conditions[0].reason", `1 is not a string`},
		{`{"version": 1, "conditions": [{"message": 1}]}`, "conditions[0].message", `1 is not a string`},
		{`{"version": 1, "conditions": [{"message": null}]}`, "conditions[0].message", `null is not a string`},
		{`{"version": 1, "conditions": [{"lastTransitionTime": 1}]}`, "conditions[0].lastTransitionTime", `1 is not a time`},
		{`{"version": 1, "conditions": [{"observedGeneration": 1.5}]}`, "conditions[0].observedGeneration", `1.5 is not an integer`},
		{`{"version": 1, "conditions": [{"observedGeneration": null}]}`, "conditions[0].observedGeneration", `null is not an integer`},
		{`{"version": 1, "conditions": [{"Type": "A"}]}`, "conditions[0].Type", "unknown field"},
		{`{"version": 1, "conditions": [{"type": "A", "type": "A"}]}`, "conditions[0].type", "given twice"},
	} {
		st := sampleState(t)
		before := st.Clone()
		err := st.UnmarshalJSON([]byte(tt.data))
		require.Equal(t, &calculator.DecodeError{Type: "calculator.State", Offset: -1, Path: tt.path, Problem: tt.problem}, err, tt.data)
		require.True(t, st.Equal(&before), "the destination is as it was")
	}
	for _, data := range []string{"", "{", `{"version": 1`, `{"version": 1}}`, `{"version"}`} {
		require.ErrorAs(t, new(calculator.State).UnmarshalJSON([]byte(data)), new(*json.SyntaxError), data)
	}
	require.EqualError(t, new(calculator.State).UnmarshalJSON([]byte(`{"version": 1, "desiredReplicas": -1}`)),
		"calculator.State: desiredReplicas: -1 is negative")
}

// A state that no decision makes has no encoding.
func TestStateThatNoDecisionMakes(t *testing.T) {
	condition := calculator.Condition{Type: "A", Status: calculator.ConditionTrue}
	var many []calculator.Condition
	for i := range calculator.MaxConditions + 1 {
		many = append(many, calculator.Condition{Type: calculator.ConditionType(fmt.Sprint(i)), Status: calculator.ConditionFalse})
	}
	for _, tt := range []struct {
		state          calculator.State
		field, problem string
	}{
		{calculator.State{DesiredReplicas: -1}, "state.desiredReplicas", "-1 is negative"},
		{calculator.State{Conditions: many}, "state.conditions", "33 of them, more than 32"},
		{calculator.State{Conditions: []calculator.Condition{condition, {}}}, "state.conditions[1].type", "missing"},
		{calculator.State{Conditions: []calculator.Condition{condition, condition}}, "state.conditions[1].type", `"A" is there twice`},
		{calculator.State{Conditions: []calculator.Condition{{Type: "A", Status: "?"}}}, "state.conditions[0].status", `"?" is none of True, False and Unknown`},
		{calculator.State{Conditions: []calculator.Condition{{Type: "A\xff", Status: calculator.ConditionTrue}}}, "state.conditions[0].type", `"A\xff" is not UTF-8`},
		{calculator.State{Conditions: []calculator.Condition{{Type: "A", Status: calculator.ConditionTrue, Reason: "\xff"}}}, "state.conditions[0].reason", `"\xff" is not UTF-8`},
	} {
		want := &calculator.InputError{Field: tt.field, Problem: tt.problem}
		_, err := tt.state.MarshalJSON()
		require.Equal(t, want, err)
		dst, err := tt.state.AppendBinary([]byte("before"))
		require.Equal(t, want, err)
		require.Equal(t, "before", string(dst))
	}
	st := calculator.State{Conditions: many[1:]}
	recode(t, &st, true)
	recode(t, &st, false)

	st = calculator.State{}
	st.Events.Added.Record(noon, 0, 10, 0)
	_, err := json.Marshal(st)
	require.ErrorAs(t, err, new(*behavior.EventsError))
	dst, err := st.AppendBinary([]byte("before"))
	require.ErrorAs(t, err, new(*behavior.EventsError))
	require.Equal(t, "before", string(dst))
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
