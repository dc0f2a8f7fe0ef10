package trial

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator/simulate"
	"github.com/purehpa/hpa/metrics"
)

// Files as programs write them, which are read without a flag.
func TestFilesAsPeopleHaveThem(t *testing.T) {
	three := []metrics.Milli{1_000, 2_500, 3_000}
	for name, c := range map[string]struct {
		text string
		want []metrics.Milli
		unit string
	}{
		"no header":                    {"2014-04-10 00:00,1\n2014-04-10 00:01,2.5\n2014-04-10 00:02,3\n", three, ""},
		"no header, semicolons":        {"2014-04-10 00:00;1\n2014-04-10 00:01;2,5\n2014-04-10 00:02;3\n", three, ""},
		"semicolons and commas":        {"time;value\n2014-04-10 00:00;1,0\n2014-04-10 00:01;2,5\n2014-04-10 00:02;3,00\n", three, ""},
		"commas and a semicolon":       {"time,\"requests; web\"\n2014-04-10 00:00,1\n2014-04-10 00:01,2.5\n2014-04-10 00:02,3\n", three, ""},
		"thousands and decimal commas": {"t;v\n2014-04-10 00:00;1.000,0\n2014-04-10 00:01;2.500,5\n2014-04-10 00:02;3\n", []metrics.Milli{1_000_000, 2_500_500, 3_000}, ""},
		"tabs":                         {"time\tvalue\n2014-04-10 00:00\t1\n2014-04-10 00:01\t2.5\n2014-04-10 00:02\t3\n", three, ""},
		"tabs, an empty column":        {"time\tx\tvalue\n2014-04-10 00:00\t1\t\n2014-04-10 00:01\t2.5\t\n2014-04-10 00:02\t3\t\n", three, ""},
		"epoch seconds":                {"t,v\n1397088000,1\n1397088060,2.5\n1397088120,3\n", three, ""},
		"epoch seconds with fractions": {"1397088000.0,1\n1397088060.000,2.5\n1397088120.00,3\n", three, ""},
		"epoch milliseconds":           {"t,v\r\n1397088000000,1\r\n1397088060000,2.5\r\n1397088120000,3\r\n", three, ""},
		"Excel":                        {"\ufeffsep=;\r\n\"Time\";\"web\"\r\n2014-04-10 00:00:00;1\r\n2014-04-10 00:01:00;2,5\r\n2014-04-10 00:02:00;3\r\n", three, ""},
		"a mark and quotes":            {"\ufeff\"Time\",\"web\"\n2014-04-10 00:00:00,1\n2014-04-10 00:01:00,2.5\n2014-04-10 00:02:00,3\n", three, ""},
		"Grafana":                      {"\"Time\",\"web\"\n2014-04-10 00:00:00,1 req/s\n2014-04-10 00:01:00,2.50 req/s\n2014-04-10 00:02:00,3 req/s\n", three, "req/s"},
		"Grafana, many":                {"\"Time\",\"web\"\n2014-04-10 00:00:00,950 req/s\n2014-04-10 00:01:00,1.25K req/s\n2014-04-10 00:02:00,2.5M req/s\n", []metrics.Milli{950_000, 1_250_000, 2_500_000_000}, "req/s"},
		"Grafana, short":               {"\"Time\",\"web\"\n2014-04-10 00:00:00,950\n2014-04-10 00:01:00,1.25 K\n2014-04-10 00:02:00,2.5 Mil\n", []metrics.Milli{950_000, 1_250_000, 2_500_000_000}, ""},
		"Grafana, billions":            {"\"Time\",\"web\"\n2014-04-10 00:00:00,1B req/s\n2014-04-10 00:01:00,1.5 Bil req/s\n2014-04-10 00:02:00,0 req/s\n", []metrics.Milli{1e12, 15e11, 0}, "req/s"},
		"Grafana, bytes":               {"\"Time\",\"web\"\n2014-04-10 00:00:00,512 B\n2014-04-10 00:01:00,1.50 KiB\n2014-04-10 00:02:00,2 kB\n", []metrics.Milli{512_000, 1536_000, 2_000_000}, "B"},
		"Grafana, rates of bytes":      {"\"Time\",\"web\"\n2014-04-10 00:00:00,512 B/s\n2014-04-10 00:01:00,1.50 MiB/s\n2014-04-10 00:02:00,2 MB/s\n", []metrics.Milli{512_000, 1536 << 10 * 1000, 2_000_000_000}, "B/s"},
		"Grafana, percent":             {"\"Time\",\"web\"\n2014-04-10 00:00:00,45%\n2014-04-10 00:01:00,45.5%\n2014-04-10 00:02:00,100%\n", []metrics.Milli{45_000, 45_500, 100_000}, "%"},
		"Grafana, thousands":           {"\"Time\",\"web\"\n2014-04-10 00:00:00,\"12,345\"\n2014-04-10 00:01:00,\"1,234,567.5\"\n2014-04-10 00:02:00,999\n", []metrics.Milli{12_345_000, 1_234_567_500, 999_000}, ""},
	} {
		s, err := new(LoadFlags).Decode(strings.NewReader(c.text))
		require.NoError(t, err, name)
		var got []metrics.Milli
		for i, p := range s.LoadSeries {
			require.Equal(t, time.Date(2014, 4, 10, 0, i, 0, 0, time.UTC), p.Time, name)
			got = append(got, p.Load)
		}
		require.Equal(t, c.want, got, name)
		require.Equal(t, c.unit, s.Unit, name)
	}
}

// A value that is empty or NaN is one that is missing.
func TestMissingValues(t *testing.T) {
	at := func(minute int) time.Time { return time.Date(2014, 4, 10, 0, minute, 0, 0, time.UTC) }
	for _, none := range []string{"", "NaN", "nan", "null", " "} {
		s, err := new(LoadFlags).Decode(strings.NewReader("t,v\n2014-04-10 00:00,1\n2014-04-10 00:01,2\n2014-04-10 00:02," + none + "\n2014-04-10 00:03,3\n2014-04-10 00:04,3\n"))
		require.NoError(t, err, none)
		require.Equal(t, []time.Time{at(2)}, s.Missing, none)
		require.Len(t, s.LoadSeries, 4)
	}
	s, err := new(LoadFlags).Decode(strings.NewReader(matrix(labeledOne("", `[0,"1"],[60,"2"],[120,"NaN"],[180,"4"],[240,"4"]`))))
	require.NoError(t, err)
	require.Equal(t, []time.Time{time.Unix(120, 0).UTC()}, s.Missing)
	_, err = new(LoadFlags).Decode(strings.NewReader("t,v\n2014-04-10 00:00,1\n2014-04-10 00:01,2\n2014-04-10 00:02,\n2014-04-10 00:03,\n2014-04-10 00:04,2\n2014-04-10 00:05,2\n"))
	require.EqualError(t, err, ":6: no value for 3m0s before 2014-04-10 00:04:00; -max-gap 3m0s would hold the one before")
}

func TestSortAndDedupe(t *testing.T) {
	const text = "t,v\n2014-04-10 00:02,3\n2014-04-10 00:00,9\n2014-04-10 00:01,2\n2014-04-10 00:00,1\n"
	_, err := new(LoadFlags).Decode(strings.NewReader(text))
	require.EqualError(t, err, ":3: 2014-04-10 00:00:00 is not after 2014-04-10 00:02:00 in the line before; -sort puts them in order")
	_, err = (&LoadFlags{Sort: true}).Decode(strings.NewReader(text))
	require.EqualError(t, err, ":5: 2014-04-10 00:00:00 is given twice; -dedupe takes the last value of a time")
	s, err := (&LoadFlags{Sort: true, Dedupe: true}).Decode(strings.NewReader(text))
	require.NoError(t, err)
	for i, p := range s.LoadSeries {
		require.EqualValues(t, 1000*(i+1), p.Load)
	}
}

func TestSeveralSeries(t *testing.T) {
	text := matrix(
		labeledOne(`"pod":"a","code":"200"`, `[0,"1"],[60,"2"],[120,"3"]`),
		labeledOne(`"pod":"b","code":"200"`, `[60,"10"],[120,"NaN"],[180,"30"]`),
		labeledOne(`"pod":"b","code":"500"`, `[60,"100"]`),
	)
	for series, want := range map[string][]metrics.Milli{
		"sum":              {1_000, 112_000, 3_000, 30_000},
		"pod=a":            {1_000, 2_000, 3_000},
		`code=200,pod="b"`: {10_000, 30_000},
	} {
		s, err := (&LoadFlags{Series: series}).Decode(strings.NewReader(text))
		require.NoError(t, err, series)
		var got []metrics.Milli
		for _, p := range s.LoadSeries {
			got = append(got, p.Load)
		}
		require.Equal(t, want, got, series)
	}
	for series, want := range map[string]string{
		"pod=b": `: -series pod=b chooses 2 of 3 series: {code="200", pod="b"}, {code="500", pod="b"}; exactly one is needed, such as that of sum(...), -series sum or -series LABEL=VALUE`,
		"pod=c": `: -series pod=c chooses 0 of 3 series: {code="200", pod="a"}, {code="200", pod="b"}, {code="500", pod="b"}; exactly one is needed, such as that of sum(...), -series sum or -series LABEL=VALUE`,
		"all":   `: -series: "all" is neither sum nor like job=web,code=200`,
	} {
		_, err := (&LoadFlags{Series: series}).Decode(strings.NewReader(text))
		require.EqualError(t, err, want)
	}
	_, err := (&LoadFlags{Series: "sum"}).Decode(strings.NewReader(matrix()))
	require.EqualError(t, err, ": no series; the query has no result")
	_, err = (&LoadFlags{Series: "sum"}).Decode(strings.NewReader(matrix(labeledOne("", `[0,"1e15"]`), labeledOne("", `[0,"1"]`))))
	require.EqualError(t, err, ": the sum at 1970-01-01 00:00:00 is too large")
	_, err = (&LoadFlags{Series: "sum"}).Decode(strings.NewReader(matrix(labeledOne("", `[0,"1"]`), labeledOne("", `[60,"1"],[0,"1"]`))))
	require.EqualError(t, err, ": data.result[1].values[1]: 1970-01-01 00:00:00 is not after 1970-01-01 00:01:00 in the value before; -sort puts them in order")
}

func TestGzip(t *testing.T) {
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	_, err := w.Write([]byte(head))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	s, err := new(LoadFlags).Decode(bytes.NewReader(zipped.Bytes()))
	require.NoError(t, err)
	require.Equal(t, simulate.LoadPoint{Time: time.Date(2014, 4, 10, 0, 10, 0, 0, time.UTC), Load: 3000}, s.LoadSeries[2])
	_, err = new(LoadFlags).Decode(bytes.NewReader(zipped.Bytes()[:zipped.Len()-4]))
	require.EqualError(t, err, ": unexpected EOF")
	_, err = new(LoadFlags).Decode(strings.NewReader("\x1f\x8b"))
	require.EqualError(t, err, ": unexpected EOF")
}

func TestBadAmounts(t *testing.T) {
	row := func(values ...string) string {
		text := "t;v\n"
		for i, v := range values {
			text += time.Date(2014, 4, 10, 0, i, 0, 0, time.UTC).Format(time.RFC3339) + ";" + v + "\n"
		}
		return text
	}
	for _, c := range []struct{ text, want string }{
		{row("1", "2 req/s"), `:3: "2 req/s" is in another unit than the values before, ""`},
		{row("950 ms", "1.2 s"), `:3: "1.2 s" is in another unit than the values before, "ms"`},
		{row("1", "1,2,3"), `:3: "1,2,3" is not a number`},
		{row("1,5", "3.000"), `:3: "3.000" has a comma where the values before have a point, or the other way round`},
		{row("3.000", "1,5"), `:3: "1,5" has a comma where the values before have a point, or the other way round`},
		{row("1", "ten"), `:3: "ten" is not a number`},
		{row("1 K", "-1 K"), `:3: -1 K is negative`},
		{row("1 Tri", "1000 Tri"), ""},
		{row("1 Tri", "1001 Tri"), `:3: 1001 Tri is too large`},
		{strings.ReplaceAll(row("1", "12,34"), ";", "\t"), `:3: "12,34" is not a number`},
		{"sep=,", ": empty"},
		{"2014-04-10 00:00,x\n2014-04-10 00:01,2\n", `:1: "x" is not a number`},
	} {
		_, err := new(LoadFlags).Decode(strings.NewReader(c.text))
		if c.want == "" {
			require.NoError(t, err, c.text)
		} else {
			require.EqualError(t, err, c.want, c.text)
		}
	}
}
