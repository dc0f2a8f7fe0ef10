package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/calctest"
	"github.com/purehpa/hpa/calculator/recording"
	"github.com/purehpa/hpa/calculator/replay"
	"github.com/purehpa/hpa/examples/internal/cli"
	"github.com/purehpa/hpa/examples/internal/readme"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

var update = flag.Bool("update", false, "write the README's outputs")

var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

// decoded is an answer as a client has it.
type decoded struct {
	Sync   int
	Size   int32
	Until  time.Time
	Error  string
	Stages []struct{ Name, Text string }
	State  json.RawMessage
}

// ask runs the command on lines.
func ask(t require.TestingT, lines string, args ...string) (all []decoded, status int, stderr string) {
	var out, errs bytes.Buffer
	status = run(args, strings.NewReader(lines), &out, &errs)
	for d := json.NewDecoder(&out); ; {
		var a decoded
		err := d.Decode(&a)
		if err == io.EOF {
			return all, status, errs.String()
		}
		require.NoError(t, err)
		all = append(all, a)
	}
}

// Whatever is seen and whichever writes fail, the answers are those of an Autoscaler
// in Go that goes through the same.
func TestEqualsAutoscaler(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := calctest.Specs().Draw(t, "spec")
		settings := calculator.DefaultSettings()
		a := calculator.Autoscaler{Settings: &settings, Spec: spec}
		var lines bytes.Buffer
		w, err := recording.NewWriter(&lines, recording.Header{Spec: spec, State: new(calculator.State)})
		require.NoError(t, err)
		var want []decoded
		now, size, failedLast := noon, int32(3), false // after the answer
		for i := range rapid.IntRange(1, 12).Draw(t, "syncs") {
			obs := calculator.Observation{SpecReplicas: size, StatusReplicas: size, Pods: calctest.Pods(spec).Draw(t, "pods")}
			obs.Readings = calctest.Readings(spec, obs.Pods).Draw(t, "readings")
			d := a.Decide(now, &obs)
			sync, conflict := replay.Sync{Time: now, Observation: &obs}, errors.New("conflict")
			write := rapid.IntRange(0, 5).Draw(t, "write")
			failedLast = write == 1
			if write == 0 { // known before
				sync.WriteErr = conflict
				a.Failed(now, &d, conflict)
			}
			answer := decoded{Sync: i + 1, Size: d.DesiredReplicas, Until: d.Until.UTC()}
			if err := d.Err(); err != nil {
				answer.Error = err.Error()
			}
			for _, s := range d.Stages() {
				answer.Stages = append(answer.Stages, struct{ Name, Text string }{s.Name, s.Text()})
			}
			want = append(want, answer)

			require.NoError(t, w.Write(sync))
			switch write {
			case 0:
			case 1: // found out after
				lines.WriteString(`{"failed":"conflict"}` + "\n")
				a.Failed(now, &d, conflict)
			default:
				a.Applied(now, &d)
				size = d.DesiredReplicas
			}
			now = now.Add(time.Duration(rapid.IntRange(1, 400).Draw(t, "seconds")) * time.Second)
		}
		got, status, stderr := ask(t, lines.String(), "-stages", "-state")
		require.Zero(t, status, stderr)
		for i := range got {
			if i == len(got)-1 && !failedLast {
				after, err := json.Marshal(a.State)
				require.NoError(t, err)
				require.JSONEq(t, string(after), string(got[i].State))
			}
			got[i].State = nil
		}
		require.Equal(t, want, got)
	})
}

const header = `{"recording":1,"spec":{"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"},"maxReplicas":9,"metrics":[{"type":"External","external":{"metric":{"name":"queue"},"target":{"type":"AverageValue","averageValue":"10"}}}]}}` + "\n"

// queue is a line with a backlog of so many messages.
func queue(sync int, minutes time.Duration, size, messages int) string {
	return fmt.Sprintf(`{"sync":%d,"time":%q,"specReplicas":%d,"statusReplicas":%[3]d,"readings":[{"values":[%d]}]}`+"\n", sync, noon.Add(minutes*time.Minute).Format(time.RFC3339), size, 1000*messages)
}

// A state in the header goes on where another session was, and a header alone begins
// anew.
func TestSessions(t *testing.T) {
	first, status, stderr := ask(t, header+queue(1, 0, 3, 60), "-state")
	require.Zero(t, status, stderr)
	require.EqualValues(t, 6, first[0].Size)
	resumed := strings.Replace(header, `"recording":1,`, `"recording":1,"state":`+string(first[0].State)+",", 1)
	// What was recommended then is no longer in the window. A new session takes the size
	// that it finds for a recommendation.
	all, status, stderr := ask(t, resumed+queue(1, 6, 6, 20)+header+queue(1, 6, 6, 20))
	require.Zero(t, status, stderr)
	require.EqualValues(t, 2, all[0].Size)
	require.EqualValues(t, 6, all[1].Size)
}

// An answer comes before the next line is asked for.
func TestAnswersAtOnce(t *testing.T) {
	in, lines := io.Pipe()
	answers, out := io.Pipe()
	done := make(chan int)
	go func() {
		status := run(nil, in, out, io.Discard)
		in.Close()
		out.Close()
		done <- status
	}()
	from := bufio.NewReader(answers)
	write := func(line string) {
		_, err := io.WriteString(lines, line)
		require.NoError(t, err)
	}
	write(header)
	for i := range 3 {
		write(queue(i+1, time.Duration(i), 3, 60))
		line, err := from.ReadString('\n')
		require.NoError(t, err)
		require.Contains(t, line, `"size":6`)
	}
	require.NoError(t, lines.Close())
	require.Equal(t, cli.OK, <-done)
}

// What cannot be answered ends the command, with the line and the field. What was
// answered before stays.
func TestErrors(t *testing.T) {
	for _, c := range []struct {
		lines, want string
		answers     int
	}{
		{"\n", "line 1: " + errNoHeader.Error(), 0},
		{queue(1, 0, 3, 60), "line 1: " + errNoHeader.Error(), 0},
		{`{"recording":2}`, "line 1: header: recording: unknown version 2", 0},
		{`{"recording":1}`, "line 1: header: spec: missing", 0},
		{strings.Replace(header, `"maxReplicas":9`, `"maxReplicas":0`, 1), "line 1: [spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`, ", 0},
		{header + `{"failed":"x"}`, "line 2: failed: there is no answer whose size could not be written", 0},
		{header + queue(1, 0, 3, 60) + `{"failed":"x"}` + "\n" + `{"failed":"x"}`, "line 4: failed: there is no answer", 1},
		{header + queue(1, 0, 3, 60) + `{"failed":5}`, "line 3: ", 1},
		{header + queue(1, 0, 3, 60) + `{"failed":"x","sync":2}`, `line 3: json: unknown field "sync"`, 1},
		{header + queue(1, 0, 3, 60) + queue(3, 1, 6, 60), "line 3: sync: sync: 3 instead of 2", 1},
		{header + queue(1, 1, 3, 60) + queue(2, 0, 6, 60), "line 3: sync: time: ", 1},
		{header + queue(1, 0, -3, 60), "line 2: sync: specReplicas: -3 is negative", 0},
		{header + `{"sync":1`, "line 2: ", 0},
		{header + "x\n", "line 2: ", 0},
	} {
		answers, status, stderr := ask(t, c.lines)
		require.Equal(t, cli.BadInput, status, c.lines)
		require.Contains(t, stderr, "step: "+c.want, c.lines)
		require.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
		require.Len(t, answers, c.answers)
	}
	for _, args := range [][]string{{"-x"}, {"file"}} {
		require.Equal(t, cli.BadInput, run(args, strings.NewReader(""), io.Discard, io.Discard))
	}
	require.Equal(t, cli.NotWritten, run(nil, strings.NewReader(header+queue(1, 0, 3, 60)), full{}, io.Discard))
}

// full is a disk.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// Whatever the lines are, the command ends, and answers with JSON.
func FuzzLines(f *testing.F) {
	f.Add([]byte(header + queue(1, 0, 3, 60) + `{"failed":"x"}` + "\n" + queue(2, 1, 3, 60)))
	f.Add([]byte(header + header + `{"sync":1,"time":"2026-05-04T12:00:00Z","specReplicas":1,"statusReplicas":1,"templates":[{"cpu":1}],"pods":[{"name":"a","template":0}]}`))
	f.Fuzz(func(t *testing.T, lines []byte) { ask(t, string(lines), "-stages", "-state") })
}

// The README's conversation is one.
func TestConversation(t *testing.T) {
	blocks := readme.Blocks(t, "README.md", "text")
	require.Len(t, blocks, 1)
	var lines, want strings.Builder
	for line := range strings.Lines(blocks[0]) {
		if asked, ok := strings.CutPrefix(line, "> "); ok {
			lines.WriteString(asked)
		} else {
			want.WriteString(strings.TrimPrefix(line, "< "))
		}
	}
	var out bytes.Buffer
	require.Equal(t, cli.OK, run(nil, strings.NewReader(lines.String()), &out, os.Stderr))
	require.Equal(t, want.String(), out.String())
}

// The Python program prints what the README shows.
func TestPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip(err)
	}
	step := filepath.Join(t.TempDir(), "step")
	build, err := exec.Command("go", "build", "-buildvcs=false", "-o", step, ".").CombinedOutput()
	require.NoError(t, err, "%s", build)
	shown := readme.Commands(t, "README.md", "$ python3 step.py ", *update, func([]string) string {
		out, err := exec.Command(python, "step.py", step).Output()
		require.NoError(t, err)
		return string(out)
	})
	require.Equal(t, 1, shown)
}

// BenchmarkStep is one step, of ten pods with new samples each time.
func BenchmarkStep(b *testing.B) {
	const n = 1000 // in a recording
	spec := autoscaling.NewSpec(1, 100, autoscaling.ResourceUtilizationMetric("cpu", 60))
	spec.ScaleTargetRef = autoscaling.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "web"}
	var lines bytes.Buffer
	w, err := recording.NewWriter(&lines, recording.Header{Spec: &spec})
	require.NoError(b, err)
	obs := calculator.Observation{SpecReplicas: 10, StatusReplicas: 10, Readings: make([]calculator.Reading, 1)}
	for i := range 10 {
		obs.Pods = append(obs.Pods, podgroup.RunningPod(fmt.Sprint("web-", i), noon.Add(-time.Hour), podgroup.Requests{CPU: podgroup.Requested(500)}))
	}
	for i := range n {
		now := noon.Add(time.Duration(i) * 15 * time.Second)
		obs.Readings[0].Samples = nil
		for j := range 10 {
			obs.Readings[0].Samples = append(obs.Readings[0].Samples, metrics.NewSample(metrics.Milli(280+(i*j)%40), now.Add(-10*time.Second), 15*time.Second))
		}
		require.NoError(b, w.Write(replay.Sync{Time: now, Observation: &obs}))
	}
	for _, with := range []extras{{}, {stages: true}} {
		b.Run(fmt.Sprintf("stages=%t", with.stages), func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; i < b.N; i += n {
				if err := answerAll(bufio.NewReader(bytes.NewReader(lines.Bytes())), bufio.NewWriter(io.Discard), with); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "steps/s")
		})
	}
}
