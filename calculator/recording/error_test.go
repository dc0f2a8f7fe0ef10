package recording_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/recording"
	"github.com/purehpa/hpa/calculator/replay"
	"github.com/purehpa/hpa/stabilize/codec"
)

// head is a header, and first a first line, of a recording that is read.
const (
	head  = `{"recording":1,"spec":{"scaleTargetRef":{"kind":"","name":""},"maxReplicas":1},"settings":{}}` + "\n"
	first = `{"sync":1,"time":"2026-05-04T12:00:00Z","specReplicas":1,"statusReplicas":1,` +
		`"templates":[{}],"pods":[{"name":"a","template":0},{"name":"b","template":0}],"readings":[{"samples":[[1,2,3],4]}]}` + "\n"
	second = `{"sync":2,"time":"2026-05-04T12:00:00Z"`
)

// reading2 is a second line with that list of samples.
func reading2(samples string) string { return second + `,"readings":[{"samples":` + samples + `}]}` }

func TestBadRecordings(t *testing.T) {
	for _, tt := range []struct {
		data string
		line int
		text string
	}{
		{`x`, 1, "cut short: unexpected EOF"},
		{"x\n", 1, "invalid character 'x' looking for beginning of value"},
		{"null\n", 1, "header: recording: missing: not a recording"},
		{"[]\n", 1, "header: array is not an object"},
		{"{}\n", 1, "header: recording: missing: not a recording"},
		{`{"recording":2,"all":"else"}` + "\n", 1, "header: recording: unknown version 2"},
		{`{"recording":1e0}` + "\n", 1, "header: recording: unknown version 1e0"},
		{`{"recording":1}` + "\n", 1, "header: spec: missing"},
		{strings.Replace(head, `"settings"`, `"other":1,"settings"`, 1), 1, `header: unknown field "other"`},
		{strings.Replace(head, `"settings":{`, `"settings":{"other":1`, 1), 1, `header: unknown field "other"`},
		{strings.Replace(head, `"maxReplicas"`, `"most"`, 1), 1, `header: unknown field "most"`},
		{strings.Replace(head, `"settings":{`, `"settings":{"release":"1.99"`, 1), 1, `header: settings: release: "1.99": not among the releases known, 1.29 to 1.37`},
		{strings.Replace(head, `"settings":{`, `"settings":{"downscaleStabilization":"5"`, 1), 1, `header: settings: time: missing unit in duration "5"`},
		{strings.Replace(head, `"settings"`, `"state":{"version":3},"settings"`, 1), 1, "header: state.version: unknown version 3"},
		{strings.Replace(head, `"recording":1`, `"recording":1,"recording":2`, 1), 1, "header: recording: unknown version 2"},
		{strings.Replace(head, `"recording":1`, `"recording":2,"recording":1`, 1), 1, "header: recording: given twice"},
		{strings.Replace(head, `"recording":1`, `"Recording":2,"recording":1`, 1), 1, `header: unknown field "Recording"`},
		{strings.Replace(head, `"recording":1`, `"Recording":1`, 1), 1, `header: unknown field "Recording"`},
		{strings.Replace(head, `"kind"`, `"Kind"`, 1), 1, `header: spec.scaleTargetRef: unknown field "Kind"`},
		{strings.Replace(head, `"maxReplicas":1`, `"maxReplicas":1,"maxReplicas":2`, 1), 1, "header: spec.maxReplicas: given twice"},
		{strings.Replace(head, `"settings"`, `"status":{"currentReplicas":-1,"desiredReplicas":0},"settings"`, 1), 1, "header: status.currentReplicas: -1 is negative"},
		{strings.Replace(head, `"settings"`, `"status":{"currentReplicas":0,"desiredReplicas":-1},"settings"`, 1), 1, "header: status.desiredReplicas: -1 is negative"},

		{head + first + `{"Sync":2,"time":"2026-05-04T12:00:00Z"}`, 3, `sync: unknown field "Sync"`},
		{head + first + second + `,"sync":2}`, 3, "sync: sync: given twice"},
		{head + first + second + `,"pods":[{"keep":"0"},{"Keep":"1"}]}`, 3, `sync: pods[1]: unknown field "Keep"`},
		{head + first + `{"sync":2,"time":"2026-05-04T11:59:59.999999999Z"}`, 3, "sync: time: 2026-05-04T11:59:59.999999999Z is before 2026-05-04T12:00:00Z, the time of the sync before"},
		{head + first + second + `,"specReplicas":-1}`, 3, "sync: specReplicas: -1 is negative"},
		{head + first + second + `,"statusReplicas":-2147483648}`, 3, "sync: statusReplicas: -2147483648 is negative"},
		{head + "\n", 2, "unexpected end of JSON input"},
		{head + "[]\n", 2, "sync: array is not an object"},
		{head + "null\n", 2, "sync: null is not an object"},
		{head + first + "{}\n", 3, "sync: sync: 0 instead of 2: the line is not the next of its recording"},
		{head + second + "}\n", 2, "sync: sync: 2 instead of 1: the line is not the next of its recording"},
		{head + first + first, 3, "sync: sync: 1 instead of 2: the line is not the next of its recording"},
		{head + first + `{"sync":2}`, 3, "sync: time: missing"},
		{head + first + `{"sync":2,"time":"noon"}`, 3, `sync: time: codec: time "noon" is not RFC 3339`},
		{head + first + second + `,"other":1}`, 3, `sync: unknown field "other"`},
		{head + first + second + `,"specReplicas":2147483648}`, 3, "sync: specReplicas: number 2147483648 is not of type int32"},
		{head + first + second + `,"scaleError":1}`, 3, "sync: scaleError: number is not a string"},
		{head + first + second + `,"selectorError":{"reason":1}}`, 3, "sync: selectorError.reason: number is not a string"},
		{head + first + second + `,"templates":[{"cpu":"1"}]}`, 3, "sync: templates.cpu: string is not of type int64"},
		{head + first + second + `,"templates":[{"containers":[{"requests":{"memory":1.5}}]}]}`, 3, "sync: templates.containers.requests.memory: number 1.5 is not of type int64"},
		{head + first + second + `,"templates":[{"initContainers":[{"other":1}]}]}`, 3, `sync: unknown field "other"`},

		{head + first + second + `,"pods":[{"name":"c"}]}`, 3, "sync: pods.template: missing, or not one of the 1 so far"},
		{head + first + second + `,"pods":[{"template":-1}]}`, 3, "sync: pods.template: missing, or not one of the 1 so far"},
		{head + first + second + `,"pods":[{"template":1}]}`, 3, "sync: pods.template: missing, or not one of the 1 so far"},
		{head + first + second + `,"pods":[{"template":0,"phase":"Jumping"}]}`, 3, `sync: pods: podgroup.Phase: unknown word "Jumping"`},
		{head + first + second + `,"pods":[{"keep":"0","name":"c"}]}`, 3, "sync: pods.keep: beside other fields"},
		{head + first + second + `,"pods":[{"keep":"0-2"}]}`, 3, "sync: pods: 2 is not an index of the 2 before"},
		{head + first + second + `,"pods":[{"keep":"0,1,0"}]}`, 3, "sync: pods: 0 is there twice"},
		{head + first + second + `,"pods":[{"keep":"0-1"},{"keep":"1"}]}`, 3, "sync: pods: 1 is there twice"},
		{head + first + second + `,"pods":[{"keep":"1-0"}]}`, 3, `sync: pods: "1-0" does not list indices, such as 0-12,14`},
		{head + first + second + `,"pods":[{"keep":"-1"}]}`, 3, `sync: pods: "-1" does not list indices, such as 0-12,14`},
		{head + first + second + `,"pods":[{"keep":"0,"}]}`, 3, `sync: pods: "0," does not list indices, such as 0-12,14`},
		{head + first + second + `,"pods":[{"keep":"4294967296"}]}`, 3, `sync: pods: "4294967296" does not list indices, such as 0-12,14`},

		{head + first + reading2(`{}`), 3, "sync: readings.samples: {} is not a list"},
		{head + first + reading2(`["2"]`), 3, "sync: readings.samples: 2 is not an index of the 2 before"},
		{head + first + reading2(`["1","0","1"]`), 3, "sync: readings.samples: 1 is there twice"},
		{head + first + reading2(`["\"0"]`), 3, `sync: readings.samples: "\\" does not list indices, such as 0-12,14`},
		{head + first + reading2(`[true]`), 3, "sync: readings.samples: true is not a sample"},
		{head + first + reading2(`[{"a":1,"b":2}]`), 3, `sync: readings.samples: {"a":1 is not a sample`},
		{head + first + reading2(`[1.5]`), 3, "sync: readings.samples: 1.5 is not a sample"},
		{head + first + reading2(`[9223372036854775808]`), 3, "sync: readings.samples: 9223372036854775808 is not a sample"},
		{head + first + reading2(`[[]]`), 3, "sync: readings.samples: [] is not a sample"},
		{head + first + reading2(`[[1,"1"]]`), 3, `sync: readings.samples: "1" is not a number of seconds`},
		{head + first + reading2(`[[1,1e3]]`), 3, "sync: readings.samples: 1e3 is not a number of seconds"},
		{head + first + reading2(`[[1,9223372037]]`), 3, "sync: readings.samples: 9223372037 is not a number of seconds"},
		{head + first + reading2(`[[1,1,null]]`), 3, "sync: readings.samples: null is not a number of seconds"},
		{head + first + reading2(`[[1,1,1,1]]`), 3, "sync: readings.samples: 1,1 is not a number of seconds"},
		{head + first + second + "}\n" + strings.Replace(reading2(`["0"]`), "2", "3", 1), 4, "sync: readings.samples: 0 is not an index of the 0 before"},
		{head + first + second + `,"readings":[{"strays":["0"]}]}`, 3, "sync: readings.strays: 0 is not an index of the 0 before"},
	} {
		syncs, err := failure([]byte(tt.data))
		var e *recording.Error
		require.ErrorAs(t, err, &e, tt.data)
		require.Equal(t, tt.line, e.Line, tt.data)
		require.Equal(t, tt.text, e.Err.Error(), tt.data)
		require.Equal(t, max(tt.line-2, 0), syncs, tt.data)
		if strings.Contains(tt.text, "sync: ") {
			require.ErrorAs(t, err, new(*codec.Error))
		}
	}
	syncs, err := failure([]byte(head + "]\n"))
	require.Zero(t, syncs)
	require.EqualError(t, err, "recording: line 2: invalid character ']' looking for beginning of value")
	require.ErrorAs(t, err, new(*json.SyntaxError))
}

// Lists may have spaces, and a line may end as on Windows.
func TestSpaces(t *testing.T) {
	data := head + first + reading2(" [ \"1\" , [ 5 , 0.5 , 10 ] , 6 , [7,null] , null ] ") + "\r\n"
	r := open(t, []byte(data))
	n := 0
	for sync, err := range r.Syncs() {
		require.NoError(t, err)
		if n++; n == 2 {
			var said []string
			for _, s := range sync.Observation.Readings[0].Samples {
				said = append(said, strings.Join([]string{s.Value.String(), s.Time.String(), s.Window.String()}, " "))
			}
			require.Equal(t, []string{
				"4m 2026-05-04T11:59:58Z 3s", "5m 2026-05-04T11:59:59.5Z 10s", "6m 2026-05-04T11:59:59.5Z 10s", "7m not set 10s", "0 not set 0s",
			}, said)
		}
	}
	require.Equal(t, 2, n)
}

// A recording that was cut at any byte gives the syncs before, and says so. Cut
// right before the end of a line, nothing lacks.
func TestCut(t *testing.T) {
	golden, err := os.ReadFile("testdata/web.rec")
	require.NoError(t, err)
	for n := range golden {
		data := golden[:n]
		syncs, err := failure(data)
		lines := bytes.Count(data, []byte("\n"))
		if n == 0 || golden[n-1] != '\n' && golden[n] != '\n' {
			require.ErrorIs(t, err, io.ErrUnexpectedEOF, "%d bytes", n)
			var e *recording.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, lines+1, e.Line)
			require.Equal(t, max(lines-1, 0), syncs, "%d bytes", n)
			continue
		}
		require.NoError(t, err, "%d bytes", n)
		if golden[n] == '\n' {
			lines++
		}
		require.Equal(t, lines-1, syncs, "%d bytes", n)
	}
	_, err = failure(nil)
	require.EqualError(t, err, "recording: line 1: empty: unexpected EOF")
}

// What the io.Reader says is not hidden, and stays.
func TestReadFails(t *testing.T) {
	bad := errors.New("bad disk")
	_, err := recording.NewReader(iotest.ErrReader(bad))
	require.EqualError(t, err, "recording: line 1: bad disk")
	r, err := recording.NewReader(io.MultiReader(strings.NewReader(head+first+second), iotest.ErrReader(bad), strings.NewReader("}")))
	require.NoError(t, err)
	for range 2 {
		var last error
		for _, last = range r.Syncs() {
		}
		require.EqualError(t, last, "recording: line 3: bad disk")
		require.ErrorIs(t, last, bad)
	}
	r = open(t, []byte(head+"{}\n"+first))
	for range 2 {
		for _, err := range r.Syncs() {
			require.EqualError(t, err, "recording: line 2: sync: sync: 0 instead of 1: the line is not the next of its recording")
		}
	}
}

// A second loop goes on, and at the end there is nothing.
func TestSyncsGoOn(t *testing.T) {
	r := open(t, write(t, header(), story()...))
	n := 0
	for range 3 {
		for _, err := range r.Syncs() {
			require.NoError(t, err)
			if n++; n == 2 {
				break
			}
		}
	}
	require.Len(t, story(), n)
}

func TestBadHeaders(t *testing.T) {
	for name, change := range map[string]func(*recording.Header){
		"header.spec":                   func(h *recording.Header) { h.Spec = nil },
		"header.status.currentReplicas": func(h *recording.Header) { h.Status.CurrentReplicas = -1 },
		"header.status.desiredReplicas": func(h *recording.Header) { h.Status.DesiredReplicas = -1 },
		"header.settings.tolerance":     func(h *recording.Header) { h.Settings.Tolerance = math.NaN() },
		"header.state.desiredReplicas":  func(h *recording.Header) { h.State = &calculator.State{DesiredReplicas: -1} },
		"header.state.conditions[0].type": func(h *recording.Header) {
			h.State = &calculator.State{Conditions: []autoscaling.HorizontalPodAutoscalerCondition{{}}}
		},
		"header.status.lastScaleTime": func(h *recording.Header) { h.Status.LastScaleTime = noon.AddDate(10_000, 0, 0) },
		"header.status.conditions[1].lastTransitionTime": func(h *recording.Header) {
			h.Status.Conditions = []autoscaling.HorizontalPodAutoscalerCondition{{}, {LastTransitionTime: noon.AddDate(-2027, 0, 0)}}
		},
		"header": func(h *recording.Header) { h.Name = strings.Repeat("x", recording.MaxLine) },
	} {
		h := header()
		change(&h)
		var b bytes.Buffer
		_, err := recording.NewWriter(&b, h)
		require.IsType(t, &field.Error{}, err, name)
		require.Equal(t, name, err.(*field.Error).Field)
		require.Empty(t, b.Bytes())
	}
	// The first and the last time that JSON has, wherever they are.
	h := header()
	h.Status.LastScaleTime = time.Date(10_000, 1, 1, 0, 0, 0, -1, time.UTC).In(time.FixedZone("", 3600))
	h.Status.Conditions = []autoscaling.HorizontalPodAutoscalerCondition{{LastTransitionTime: time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC).In(time.FixedZone("", -3600))}}
	open(t, write(t, h))
}

// A sync that cannot be written leaves the recording as it was, with the
// templates that it would have begun.
func TestBadSyncs(t *testing.T) {
	var b bytes.Buffer
	w, err := recording.NewWriter(&b, header())
	require.NoError(t, err)
	syncs := story()
	require.NoError(t, w.Write(syncs[0]))
	before := b.String()
	require.EqualError(t, w.Write(replay.Sync{}), "sync.observation: Required value")
	long := syncs[2]
	long.WriteErr = errors.New(strings.Repeat("x", recording.MaxLine))
	var e *field.Error
	require.ErrorAs(t, w.Write(long), &e)
	require.Equal(t, "sync", e.Field)
	require.Equal(t, before, b.String())
	for _, s := range syncs[1:] {
		require.NoError(t, w.Write(s))
	}
	require.Equal(t, string(write(t, header(), syncs...)), b.String())
	_, err = failure([]byte(head + strings.Repeat(" ", recording.MaxLine+1)))
	require.EqualError(t, err, "recording: line 2: longer than 33554432 bytes")
}

// After an error of the io.Writer nothing is written: what follows would not
// fit.
func TestWriteFails(t *testing.T) {
	full := errors.New("disk full")
	_, err := recording.NewWriter(&limited{left: 3, err: full}, header())
	require.ErrorIs(t, err, full)
	out := &limited{left: 1000, err: full}
	w, err := recording.NewWriter(out, header())
	require.NoError(t, err)
	require.ErrorIs(t, w.Write(story()[0]), full)
	n := out.b.Len()
	out.left = math.MaxInt
	require.ErrorIs(t, w.Write(story()[0]), full)
	require.Equal(t, n, out.b.Len())
}

// limited is an io.Writer that takes some bytes.
type limited struct {
	left int
	err  error
	b    bytes.Buffer
}

func (l *limited) Write(p []byte) (int, error) {
	n := min(len(p), l.left)
	l.left -= n
	l.b.Write(p[:n])
	if n < len(p) {
		return n, l.err
	}
	return n, nil
}

// JSON has neither infinity nor NaN.
func TestNumbersWithoutJSON(t *testing.T) {
	w := writer(t, new(lines))
	for path, obs := range map[string]calculator.Observation{
		"sync.observation.specReplicas":               {SpecReplicas: -1},
		"sync.observation.statusReplicas":             {StatusReplicas: -1},
		"sync.observation.calibration":                {Calibration: math.NaN()},
		"sync.observation.readings[1].proposed.ratio": {Readings: []calculator.Reading{{}, {Proposed: &calculator.Proposed{Ratio: math.Inf(1)}}}},
	} {
		var e *field.Error
		require.ErrorAs(t, w.Write(replay.Sync{Time: noon, Observation: &obs}), &e)
		require.Equal(t, path, e.Field)
	}
	require.NoError(t, w.Write(replay.Sync{Time: noon, Observation: &calculator.Observation{}}))
	require.NoError(t, w.Write(replay.Sync{Time: noon, Observation: &calculator.Observation{}}), "the same time")
	var e *field.Error
	require.ErrorAs(t, w.Write(replay.Sync{Time: noon.Add(-1), Observation: &calculator.Observation{}}), &e)
	require.Equal(t, "sync.time", e.Field)
}
