package trial

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator/simulate"
	"github.com/purehpa/hpa/metrics"
)

// matrix returns the answer of a range query.
func matrix(series ...string) string {
	return `{"status":"success","data":{"resultType":"matrix","result":[` + strings.Join(series, ",") + `]}}` + "\n"
}

// labeledOne returns a series of an answer.
func labeledOne(labels, values string) string {
	return `{"metric":{` + labels + `},"values":[` + values + `]}`
}

func TestGoodAnswers(t *testing.T) {
	const values = `[1397088000,"100"],[1397088060.25,"1.5e2"],[1397088120,"0.0005"]`
	want := []simulate.LoadPoint{
		{Time: midnight, Load: 100_000},
		{Time: midnight.Add(time.Minute + 250*time.Millisecond), Load: 150_000},
		{Time: midnight.Add(2 * time.Minute), Load: 1},
	}
	for _, text := range []string{
		matrix(labeledOne("", values)),
		" \r\n\t" + matrix(labeledOne(`"__name__":"requests","job":"web"`, values)),
		strings.Replace(matrix(labeledOne("", values)), `"data"`, `"warnings":["slow"],"data"`, 1),
		`{"data":{"result":[{"values":[` + values + `],"metric":{}}],"resultType":"matrix"},"status":"success"}`,
	} {
		// What is for CSV does not matter.
		s, err := (&LoadFlags{TimeColumn: "t", ValueColumn: "t", TimeLayout: "2006"}).Decode(strings.NewReader(text))
		require.NoError(t, err, text)
		require.EqualValues(t, want, s.LoadSeries)
		require.Equal(t, time.Minute+250*time.Millisecond, s.Step)
	}
	s, err := new(LoadFlags).Decode(strings.NewReader(matrix(labeledOne("", `[0,"1"],[60,"2"],[120,"3"],[240,"4"]`))))
	require.NoError(t, err)
	require.Equal(t, []time.Time{time.Unix(180, 0).UTC()}, s.Missing)
	require.Equal(t, metrics.Milli(4000), s.Highest())
}

func TestBadAnswers(t *testing.T) {
	one := func(values string) string { return matrix(labeledOne("", values)) }
	const at = ": data.result[0].values[1]: "
	for _, tt := range []struct{ text, want string }{
		{"{", ": byte 1: unexpected end of JSON input"},
		{" {]", ": byte 3: invalid character ']' looking for beginning of object key string"},
		{"{}{}", ": byte 3: invalid character '{' after top-level value"},
		{"{}", `: status is ""; the answer of a Prometheus range query was expected`},
		{`{"status":"error","errorType":"bad_data","error":"1:5: parse error: unexpected end of input"}`, ": the query failed: 1:5: parse error: unexpected end of input"},
		{`{"status":1}`, ": status: unexpected number"},
		{`{"status":"success"}`, `: data.resultType is "", not that of a range query, "matrix"`},
		{`{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[1397088000,"1"]}]}}`, `: data.resultType is "vector", not that of a range query, "matrix"`},
		{`{"status":"success","data":{"resultType":"scalar","result":[1397088000,"1"]}}`, `: data.resultType is "scalar", not that of a range query, "matrix"`},
		{`{"status":"success","data":{"resultType":"matrix"}}`, ": no series; the query has no result"},
		{`{"status":"success","data":{"resultType":"matrix","result":{}}}`, ": data.result: unexpected object"},
		{matrix(), ": no series; the query has no result"},
		{matrix(`{"metric":[]}`), ": data.result.metric: unexpected array"},
		{matrix(`{"metric":{"pod":"a"}}`, `{"metric":{"pod":"b","job":"\"web\""}}`), `: 2 series: {pod="a"}, {job="\"web\"", pod="b"}; exactly one is needed, such as that of sum(...), -series sum or -series LABEL=VALUE`},
		{matrix(labeledOne(`"i":"1"`, ""), labeledOne("", ""), labeledOne(`"i":"3"`, "")), `: 3 series: {i="1"}, {}, {i="3"}; exactly one is needed, such as that of sum(...), -series sum or -series LABEL=VALUE`},
		{matrix(labeledOne(`"i":"1"`, ""), labeledOne("", ""), labeledOne(`"i":"3"`, ""), labeledOne(`"i":"4"`, "")), `: 4 series: {i="1"}, {}, {i="3"}, ...; exactly one is needed, such as that of sum(...), -series sum or -series LABEL=VALUE`},
		{matrix(`{"metric":{},"histograms":[]}`), ": 0 values; at least two are needed"},
		{matrix(`{"metric":{},"values":5}`), ": data.result[0].values: unexpected number"},
		{one(""), ": 0 values; at least two are needed"},
		{one(`[1397088000,"1"]`), ": 1 values; at least two are needed"},
		{one(`[1397088000,"1"],5`), at + `not like [1397088000, "12.5"]`},
		{one(`[1397088000,"1"],[]`), at + `not like [1397088000, "12.5"]`},
		{one(`[1397088000,"1"],[1397088060,"1",2]`), at + `not like [1397088000, "12.5"]`},
		{one(`[1397088000,"1"],["1397088060","1"]`), at + `not like [1397088000, "12.5"]`},
		{one(`[1397088000,"1"],[1397088060,1]`), at + `not like [1397088000, "12.5"]`},
		{one(`[1397088000,"1"],[253402300800,"1"]`), at + `not like [1397088000, "12.5"]`},
		{one(`[-1e300,"1"],[0,"1"]`), `: data.result[0].values[0]: not like [1397088000, "12.5"]`},
		{one(`[1e999,"1"],[0,"1"]`), ": data.result[0].values: unexpected number 1e999"},
		{one(`[1397088000,"1"],[1397088060,"NaN"]`), ": 1 values; at least two are needed"},
		{one(`[1397088000,"1"],[1397088060,"+Inf"]`), at + "at 2014-04-10 00:01:00: +Inf is too large"},
		{one(`[1397088000,"1"],[1397088060,"-Inf"]`), at + "at 2014-04-10 00:01:00: -Inf is negative"},
		{one(`[1397088000,"1"],[1397088060,""]`), at + `at 2014-04-10 00:01:00: "" is not a number`},
		{one(`[1397088000,"1"],[1397088000,"1"]`), at + "2014-04-10 00:00:00 is given twice; -dedupe takes the last value of a time"},
		{one(`[0,"1"],[60,"1"],[120,"1"],[241,"1"]`), ": data.result[0].values[3]: no value for 2m1s before 1970-01-01 00:04:01; -max-gap 2m1s would hold the one before"},
	} {
		s, err := new(LoadFlags).Decode(strings.NewReader(tt.text))
		require.EqualError(t, err, tt.want, tt.text)
		require.Nil(t, s)
	}
	_, err := new(LoadFlags).Decode(io.MultiReader(strings.NewReader("{"+strings.Repeat(" ", 5000)), &broken{}))
	require.EqualError(t, err, ": the disk is broken")
}
