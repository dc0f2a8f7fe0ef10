package stabilize_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/stabilize"
)

func TestJSONIsFixed(t *testing.T) {
	for _, tt := range []struct {
		series stabilize.Series
		want   string
	}{
		{stabilize.Series{}, `[]`},
		{sample(), `[` +
			`{"time":"2026-07-01T12:00:00Z","replicas":5,"stale":true},` +
			`{"vacant":2},` +
			`{"time":"2026-07-01T12:00:15Z","replicas":-2}]`},
	} {
		got, err := json.Marshal(tt.series)
		require.NoError(t, err)
		require.Equal(t, tt.want, string(got))
		got, err = json.Marshal(&stabilize.History{Series: tt.series})
		require.NoError(t, err)
		require.Equal(t, tt.want, string(got))

		var h stabilize.History
		require.NoError(t, json.Unmarshal([]byte(tt.want), &h))
		require.True(t, h.Equal(&tt.series))
		h.Rewind(noon.Add(-1))
		for e := range h.All() {
			require.Equal(t, noon.Add(-1), e.Time, "the latest time was found again")
		}
	}
}

func TestJSONLiberties(t *testing.T) {
	series := sample()
	var s stabilize.Series
	require.NoError(t, s.UnmarshalJSON([]byte(` [
		{"stale": true, "replicas": 5, "time": "2026-07-01T14:00:00.000+02:00"},
		{"vacant": 1}, {"vacant": 1},
		{"time": "2026-07-01T12:00:15Z", "replicas": -2, "stale": false}
	] `)))
	require.True(t, s.Equal(&series))
}

// As many entries as there may be, and not one more.
func TestJSONOfAFullSeries(t *testing.T) {
	var s stabilize.Series
	for i := range stabilize.MaxEntries {
		s.Record(noon.Add(time.Duration(i)*time.Second), int32(i), stabilize.MaxEntries, stabilize.MergeMax)
	}
	require.Equal(t, stabilize.MaxEntries, s.Len())
	recode(t, &s, false)
}

func TestJSONErrors(t *testing.T) {
	const at = `"time": "2026-07-01T12:00:00Z"`
	for _, tt := range []struct{ data, path, problem string }{
		{`null`, "", `null is not a list`},
		{`{}`, "", `{} is not a list`},
		{`7`, "", `7 is not a list`},
		{`"` + strings.Repeat("x", 50) + `"`, "", `"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx... is not a list`},
		{`"` + strings.Repeat("x", 39) + `"`, "", `"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx... is not a list`},
		{`"` + strings.Repeat("x", 38) + `"`, "", `"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" is not a list`},
		{`"` + strings.Repeat("é", 50) + `"`, "", `"` + strings.Repeat("é", 19) + `... is not a list`},
		{"{\"a\u2028b\":\n1}", "", `{"a b": 1} is not a list`},
		{"[\"\xff\"]", "", "not UTF-8"},
		{`[null]`, "[0]", `null is not an object`},
		{`[[]]`, "[0]", `[] is not an object`},
		{`[{` + at + `, "replicas": 1}, 5]`, "[1]", `5 is not an object`},
		{`[{}]`, "[0].time", "missing"},
		{`[{"replicas": 1}]`, "[0].time", "missing"},
		{`[{"stale": true}]`, "[0].time", "missing"},
		{`[{` + at + `}]`, "[0].replicas", "missing"},
		{`[{"time": 5, "replicas": 1}]`, "[0].time", `5 is not a time`},
		{`[{"time": null, "replicas": 1}]`, "[0].time", `null is not a time`},
		{`[{"time": "noon", "replicas": 1}]`, "[0].time", `"noon" is not a time`},
		{`[{` + at + `, "replicas": "1"}]`, "[0].replicas", `"1" is not an integer of 32 bits`},
		{`[{` + at + `, "replicas": 1.5}]`, "[0].replicas", `1.5 is not an integer of 32 bits`},
		{`[{` + at + `, "replicas": 2147483648}]`, "[0].replicas", `2147483648 is not an integer of 32 bits`},
		{`[{` + at + `, "replicas": -2147483649}]`, "[0].replicas", `-2147483649 is not an integer of 32 bits`},
		{`[{` + at + `, "replicas": null}]`, "[0].replicas", `null is not an integer of 32 bits`},
		{`[{` + at + `, "replicas": 1, "stale": 1}]`, "[0].stale", `1 is not true or false`},
		{`[{` + at + `, "replicas": 1, "stale": null}]`, "[0].stale", `null is not true or false`},
		{`[{` + at + `, "replicas": 1, "Stale": true}]`, "[0].Stale", "unknown field"},
		{`[{` + at + `, "replicas": 1, "replicas": 1}]`, "[0].replicas", "given twice"},
		{`[{"` + strings.Repeat("y", 50) + `": 1}]`, "[0]." + strings.Repeat("y", 40), "unknown field"},
		{`[{"vacant": 0}]`, "[0].vacant", "0 is not a number of places"},
		{`[{"vacant": -1}]`, "[0].vacant", "-1 is not a number of places"},
		{`[{"vacant": "many"}]`, "[0].vacant", `"many" is not a number of places`},
		{`[{"vacant": 1, ` + at + `}]`, "[0]", "vacant places with an entry in them"},
		{`[{"vacant": 1, "replicas": 1}]`, "[0]", "vacant places with an entry in them"},
		{`[{"vacant": 1, "stale": true}]`, "[0]", "vacant places with an entry in them"},
		{`[{"vacant": 4097}]`, "[0]", "more than 4096 entries"},
		{`[{"vacant": 2000000000}]`, "[0]", "more than 4096 entries"},
		{`[{"vacant": 4096}, {` + at + `, "replicas": 1}]`, "[1]", "more than 4096 entries"},
	} {
		s := sample()
		before := s.Clone()
		err := s.UnmarshalJSON([]byte(tt.data))
		var got *stabilize.DecodeError
		require.ErrorAs(t, err, &got, tt.data)
		require.Equal(t, &stabilize.DecodeError{Type: "stabilize.Series", Offset: -1, Path: tt.path, Problem: tt.problem}, got, tt.data)
		require.True(t, s.Equal(&before), "the destination is as it was")
	}
	for _, data := range []string{``, `[`, `[{]`, `[]]`, `[{"vacant": 1}`} {
		require.ErrorAs(t, new(stabilize.Series).UnmarshalJSON([]byte(data)), new(*json.SyntaxError), data)
	}
	require.EqualError(t, new(stabilize.Series).UnmarshalJSON([]byte(`[{}]`)), "stabilize.Series: [0].time: missing")
	require.EqualError(t, new(stabilize.Series).UnmarshalJSON([]byte(`{}`)), `stabilize.Series: {} is not a list`)
	require.NoError(t, new(stabilize.Series).UnmarshalJSON([]byte(`[{"vacant": 4096}]`)))
}

func FuzzSeriesUnmarshalJSON(f *testing.F) {
	series := sample()
	data, err := series.MarshalJSON()
	require.NoError(f, err)
	f.Add(data)
	f.Add([]byte(`[{"time": "@253402300800.000000001", "replicas": 2147483647}, {"vacant": 4095}]`))
	f.Add([]byte(`[{"time": "2026-07-01T14:00:00+02:00", "replicas": -1, "stale": true}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var s stabilize.Series
		if err := s.UnmarshalJSON(data); err != nil {
			require.True(t, s.Equal(&stabilize.Series{}))
			return
		}
		requireSound(t, &s)
	})
}
