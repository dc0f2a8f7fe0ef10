package trial

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator/simulate"
)

const head = "timestamp,value\n2014-04-10 00:00:00,1\n2014-04-10 00:05:00,2\n2014-04-10 00:10:00,3\n"

func TestBadCSV(t *testing.T) {
	for _, tt := range []struct {
		text  string
		flags LoadFlags
		want  string
	}{
		{text: "", want: ": empty"},
		{text: "timestamp,value\n", want: ": 0 values; at least two are needed"},
		{text: "timestamp,value\n2014-04-10 00:00:00,1\n", want: ": 1 values; at least two are needed"},
		{text: "timestamp\n", want: ":1: only 1 column; times and values were expected"},
		{text: "\"timestamp\n", want: `:1: extraneous or missing " in quoted-field`},
		{text: head, flags: LoadFlags{ValueColumn: "rps"}, want: `:1: no column "rps"; there are timestamp, value`},
		{text: head, flags: LoadFlags{TimeColumn: "t"}, want: `:1: no column "t"; there are timestamp, value`},
		{text: head, flags: LoadFlags{TimeColumn: "value"}, want: `:1: column "value" cannot be both times and values`},
		{text: head, flags: LoadFlags{TimeColumn: "value", ValueColumn: "timestamp"}, want: `:2: "1" is not a time; see -time-column and -time-layout`},
		{text: head, flags: LoadFlags{TimeLayout: "unix"}, want: `:2: "2014-04-10 00:00:00" is not a time like unix`},
		{text: "t,v\n1397088000000,1\n", flags: LoadFlags{TimeLayout: "unix"}, want: `:2: "1397088000000" is not a time like unix`},
		{text: "t,v\n-253402300799,1\n253402300800,1\n", flags: LoadFlags{TimeLayout: "unix"}, want: `:3: "253402300800" is not a time like unix`},
		{text: "t,v\n253402300799999,1\n253402300800000,1\n", flags: LoadFlags{TimeLayout: "unixmilli"}, want: `:3: "253402300800000" is not a time like unixmilli`},
		{text: "t,v\n253402300799,1\n9223372036854775808,1\n", flags: LoadFlags{TimeLayout: "unix"}, want: `:3: "9223372036854775808" is not a time like unix`},
		{text: head + "10 April,4\n", want: `:5: "10 April" is not a time like 2006-01-02 15:04:05`},
		{text: head + "2014-04-10 00:15:00,many\n", want: `:5: "many" is not a number`},
		{text: head + "2014-04-10 00:15:00,-1\n", want: ":5: -1 is negative"},
		{text: head + "2014-04-10 00:15:00,1e16\n", want: ":5: 1e16 is too large"},
		{text: head + "2014-04-10 00:15:00\n", want: ":5: wrong number of fields"},
		{text: head + "2014-04-10 00:15:00,\"4\n", want: `:5: extraneous or missing " in quoted-field`},
		{text: head + "\n2014-04-10 00:10:00,4\n", want: ":6: 2014-04-10 00:10:00 is given twice; -dedupe takes the last value of a time"},
		{text: head + "2014-04-10 00:07:00,4\n", want: ":5: 2014-04-10 00:07:00 is not after 2014-04-10 00:10:00 in the line before; -sort puts them in order"},
		{text: head + "2014-04-10 00:20:01,4\n", want: ":5: no value for 10m1s before 2014-04-10 00:20:01; -max-gap 10m1s would hold the one before"},
		{text: head + "2014-04-10 00:15:00,4\n", flags: LoadFlags{MaxGap: 4*time.Minute + 59*time.Second}, want: ":3: no value for 5m0s before 2014-04-10 00:05:00; -max-gap 5m0s would hold the one before"},
	} {
		s, err := tt.flags.Decode(strings.NewReader(tt.text))
		require.EqualError(t, err, tt.want, "%q", tt.text)
		require.Nil(t, s)
	}
	_, err := new(LoadFlags).Decode(io.MultiReader(strings.NewReader(head), &broken{}))
	require.EqualError(t, err, ": the disk is broken")
	_, err = (&LoadFlags{TimeLayout: "unix"}).Decode(io.MultiReader(&rows{n: 100}, &broken{})) // after more than a buffer
	require.EqualError(t, err, ": the disk is broken")
}

// broken is a file that fails to be read, once.
type broken struct{ failed bool }

func (b *broken) Read([]byte) (int, error) {
	if b.failed {
		return 0, io.EOF
	}
	b.failed = true
	return 0, errors.New("the disk is broken")
}

func TestGoodCSV(t *testing.T) {
	at := func(hour, minute int) time.Time { return time.Date(2014, 4, 10, hour, minute, 0, 0, time.UTC) }
	var hour []time.Time // of missing values
	for minute := 15; minute < 70; minute += 5 {
		hour = append(hour, at(0, minute))
	}
	for _, tt := range []struct {
		text    string
		flags   LoadFlags
		first   time.Time
		step    time.Duration
		end     time.Time
		missing []time.Time
	}{
		{text: head, first: at(0, 0), step: 5 * time.Minute, end: at(0, 15)},
		{text: "t,v\n2014-04-10 00:00,1\n2014-04-10 00:05,2\n2014-04-10 00:15,2\n", first: at(0, 0), step: 10 * time.Minute, end: at(0, 25)},
		{text: "\ufefft,v,x\n2014-04-10T00:00:00+02:00,1,a\n2014-04-10T00:05:00+02:00,2,\n", first: at(-2, 0), step: 5 * time.Minute, end: at(-2, 10)},
		{text: "v, t\n1,1397088000\n2,1397088300\n", flags: LoadFlags{TimeLayout: "unix", TimeColumn: "t", ValueColumn: "v"}, first: at(0, 0), step: 5 * time.Minute, end: at(0, 10)},
		{text: "t,v\n1397088000000,1\n1397088300000,2\n", flags: LoadFlags{TimeLayout: "unixmilli"}, first: at(0, 0), step: 5 * time.Minute, end: at(0, 10)},
		{text: "t,v\n2014-04-10,1\n2014-04-11,2\n", first: at(0, 0), step: 24 * time.Hour, end: at(48, 0)},
		{text: "t,v\n2014-04-10 00:00,1\n2014-04-10 00:05,2\n2014-04-10 00:10,2\n2014-04-10 00:20,1\n", first: at(0, 0), step: 5 * time.Minute, end: at(0, 25), missing: []time.Time{at(0, 15)}},
		{text: "t,v\n2014-04-10 00:00,1\n2014-04-10 00:05,2\n2014-04-10 00:10,2\n2014-04-10 01:10,1\n", flags: LoadFlags{MaxGap: time.Hour}, first: at(0, 0), step: 5 * time.Minute, end: at(1, 15), missing: hour},
	} {
		s, err := tt.flags.Decode(strings.NewReader(tt.text))
		require.NoError(t, err, "%q", tt.text)
		require.Equal(t, tt.first, s.LoadSeries[0].Time, "%q", tt.text)
		require.Equal(t, tt.step, s.Step, "%q", tt.text)
		require.Equal(t, tt.end, s.End, "%q", tt.text)
		require.Equal(t, tt.missing, s.Missing, "%q", tt.text)
	}
	s, err := new(LoadFlags).Decode(strings.NewReader(strings.Replace(head, ",3", ",1.2345", 1)))
	require.NoError(t, err)
	require.Equal(t, simulate.LoadPoint{Time: at(0, 10), Load: 1235}, s.LoadSeries[2])
	require.EqualValues(t, 2000, s.Highest())
}

// rows is a file of so many rows, which are made as they are read.
type rows struct {
	n, made int
	rest    []byte
	// heap is the memory in use at the last row.
	heap uint64
}

func (r *rows) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		switch {
		case r.made == 0:
			r.rest = []byte("t,v,x\n")
		case r.made > r.n:
			r.heap = heap()
			return 0, io.EOF
		default:
			r.rest = fmt.Appendf(r.rest[:0], "%d,%d,%0200d\n", r.made, r.made%7, 0)
		}
		r.made++
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestMillionRows: the text of a file is not kept in memory.
func TestMillionRows(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	file, before := rows{n: 1_000_000}, heap()
	s, err := (&LoadFlags{TimeLayout: "unix"}).Decode(&file)
	require.NoError(t, err)
	require.Len(t, s.LoadSeries, file.n)
	require.Less(t, file.heap-before, uint64(100*file.n)) // a row has more than 200 bytes of text
}

// FuzzDecode: whatever the file, there is a load in order or an error.
func FuzzDecode(f *testing.F) {
	f.Add(head, "", "", "")
	f.Add("t,v\n1397088000,1\n1397088300,2\n", "t", "v", "unix")
	f.Add("\"t\",v\n2014-04-10,1e3\n", "", "", "2006-01-02")
	f.Add(matrix(labeledOne(`"job":"web"`, `[1397088000,"1"],[1397088060.25,"2.5"]`)), "", "", "")
	f.Add(matrix(labeledOne("", `[0,"NaN"]`), labeledOne("", "")), "", "", "")
	f.Add(`{"status":"error","error":"no"}`, "", "", "")
	f.Fuzz(func(t *testing.T, text, timeColumn, valueColumn, layout string) {
		l := LoadFlags{TimeColumn: timeColumn, ValueColumn: valueColumn, TimeLayout: layout}
		s, err := l.Decode(strings.NewReader(text))
		if err != nil {
			if s != nil || !strings.HasPrefix(err.Error(), ":") {
				t.Errorf("%v and %q", s, err)
			}
			return
		}
		if len(s.LoadSeries) < 2 || s.Step <= 0 || !s.End.After(s.LoadSeries[len(s.LoadSeries)-1].Time) {
			t.Errorf("step %v, end %v", s.Step, s.End)
		}
		for i, p := range s.LoadSeries {
			if p.Load < 0 || i > 0 && !p.Time.After(s.LoadSeries[i-1].Time) {
				t.Errorf("point %d: %v", i, p)
			}
		}
	})
}
