package series_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/stabilize/codec"
	"github.com/purehpa/hpa/stabilize/series"
)

func TestJSONIsFixed(t *testing.T) {
	for _, tt := range []struct {
		series series.Series
		want   string
	}{
		{series.Series{}, `[]`},
		{sample(), `[` +
			`{"time":"2026-07-01T12:00:00Z","replicas":5,"stale":true},` +
			`{"vacant":2},` +
			`{"time":"2026-07-01T12:00:15Z","replicas":-2}]`},
	} {
		got, err := json.Marshal(tt.series)
		require.NoError(t, err)
		require.Equal(t, tt.want, string(got))

		var h series.Series
		require.NoError(t, json.Unmarshal([]byte(tt.want), &h))
		require.True(t, h.Equal(&tt.series))
		h.Rewind(noon.Add(-1))
		for e := range h.All() {
			require.Equal(t, noon.Add(-1), e.Time, "the latest time was found again")
		}
	}
}

func TestJSONLiberties(t *testing.T) {
	want := sample()
	var s series.Series
	require.NoError(t, s.UnmarshalJSON([]byte(` [
		{"stale": true, "replicas": 5, "time": "2026-07-01T14:00:00.000+02:00"},
		{"vacant": 1}, {"vacant": 1},
		{"time": "2026-07-01T12:00:15Z", "Replicas": 7, "replicas": -2, "stale": null}
	] `)))
	require.True(t, s.Equal(&want))
}

// As many entries as there may be, and not one more.
func TestJSONOfAFullSeries(t *testing.T) {
	var s series.Series
	for i := range series.MaxEntries {
		s.Record(noon.Add(time.Duration(i)*time.Second), int32(i), forever, series.MaxEntries, series.MergeMax)
	}
	require.Equal(t, series.MaxEntries, s.Len())
	recode(t, &s, false)
}

func TestJSONErrors(t *testing.T) {
	const at = `"time": "2026-07-01T12:00:00Z"`
	for _, tt := range []struct{ data, path, problem string }{
		{`null`, "", `null is not a list`},
		{` null `, "", `null is not a list`},
		{`{}`, "", `object is not a list`},
		{`7`, "", `number is not a list`},
		{"[\"\xff\"]", "", "not UTF-8"},
		{`[null]`, "[0].time", `missing`},
		{`[[]]`, "", `array is not an object`},
		{`[{` + at + `, "replicas": 1}, 5]`, "", `number is not an object`},
		{`[{}]`, "[0].time", "missing"},
		{`[{"replicas": 1}]`, "[0].time", "missing"},
		{`[{"stale": true}]`, "[0].time", "missing"},
		{`[{` + at + `}]`, "[0].replicas", "missing"},
		{`[{"time": 5, "replicas": 1}]`, "time", `number is not a string`},
		{`[{"time": null, "replicas": 1}]`, "[0].time", `missing`},
		{`[{"time": "noon", "replicas": 1}]`, "[0].time", `codec: time "noon" is not RFC 3339`},
		{`[{` + at + `, "replicas": "1"}]`, "replicas", `string is not of type int32`},
		{`[{` + at + `, "replicas": 1.5}]`, "replicas", `number 1.5 is not of type int32`},
		{`[{` + at + `, "replicas": 2147483648}]`, "replicas", `number 2147483648 is not of type int32`},
		{`[{` + at + `, "replicas": -2147483649}]`, "replicas", `number -2147483649 is not of type int32`},
		{`[{` + at + `, "replicas": 1, "stale": 1}]`, "stale", `number is not of type bool`},
		{`[{` + at + `, "replicas": 1, "stall": true}]`, "", `unknown field "stall"`},
		{`[{"` + strings.Repeat("y", 99) + `": 1}]`, "", `unknown field "` + strings.Repeat("y", 65)},
		{`[{"vacant": 0}]`, "[0].vacant", "0 is not a number of places"},
		{`[{"vacant": -1}]`, "[0].vacant", "-1 is not a number of places"},
		{`[{"vacant": "many"}]`, "vacant", `string is not of type int`},
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
		var got *codec.Error
		require.ErrorAs(t, err, &got, tt.data)
		require.Equal(t, &codec.Error{Type: "series.Series", Offset: -1, Path: tt.path, Problem: tt.problem}, got, tt.data)
		require.True(t, s.Equal(&before), "the destination is as it was")
	}
	for _, data := range []string{``, `[`, `[{]`, `[]]`, `[{"vacant": 1}`} {
		require.ErrorAs(t, new(series.Series).UnmarshalJSON([]byte(data)), new(*json.SyntaxError), data)
	}
	require.EqualError(t, new(series.Series).UnmarshalJSON([]byte(`[{}]`)), "series.Series: [0].time: missing")
	require.EqualError(t, new(series.Series).UnmarshalJSON([]byte(`{}`)), `series.Series: object is not a list`)
	require.NoError(t, new(series.Series).UnmarshalJSON([]byte(`[{"vacant": 4096}]`)))
}

func FuzzSeriesUnmarshalJSON(f *testing.F) {
	data, err := sample().MarshalJSON()
	require.NoError(f, err)
	f.Add(data)
	f.Add([]byte(`[{"time": "@253402300800.000000001", "replicas": 2147483647}, {"vacant": 4095}]`))
	f.Add([]byte(`[{"time": "2026-07-01T14:00:00+02:00", "replicas": -1, "stale": true}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var s series.Series
		if err := s.UnmarshalJSON(data); err != nil {
			require.True(t, s.Equal(&series.Series{}))
			return
		}
		requireSound(t, &s)
	})
}
