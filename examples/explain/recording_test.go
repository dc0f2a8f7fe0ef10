package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/calctest"
	"github.com/purehpa/hpa/calculator/prove"
	"github.com/purehpa/hpa/calculator/recording"
	"github.com/purehpa/hpa/calculator/replay"
	"github.com/purehpa/hpa/examples/internal/cli"
	"github.com/purehpa/hpa/metrics"
)

// course is a rise and a fall of load on an autoscaler on cpu.
func course() *prove.Timeline {
	spec := autoscaling.NewSpec(2, 12, autoscaling.ResourceUtilizationMetric("cpu", 60))
	spec.ScaleTargetRef = autoscaling.CrossVersionObjectReference{Kind: "Deployment", Name: "web", APIVersion: "apps/v1"}
	spec.Behavior = behavior.Default()
	return &prove.Timeline{
		Setup: prove.NewSetup(&spec), Size: 4,
		Segments: []prove.Segment{{Syncs: 4, Load: 4}, {Syncs: 4, Load: 7}, {Syncs: 1, Load: 7, Troubles: []prove.Trouble{{Kind: prove.MetricFails}}}, {Syncs: 23, Load: 3}},
	}
}

// decided is what a sync of a recording really led to.
type decided struct {
	size   int32
	status autoscaling.HorizontalPodAutoscalerStatus
}

// record returns a recording of the timeline from a sync on, and what its syncs
// led to. The recording has the state, or else the status before.
func record(t require.TestingT, tl *prove.Timeline, from int, remembered bool) ([]byte, []decided) {
	var file bytes.Buffer
	var w *recording.Writer
	var all []decided
	var status autoscaling.HorizontalPodAutoscalerStatus
	n := 0
	require.NoError(t, prove.Runner{KeepBefore: true}.Run(tl, func(s *prove.Sync) bool {
		if n++; n == 1 {
			status.Conditions = slices.Clone(s.Before.Conditions) // scaled to zero, maybe
		}
		if n == from {
			h := recording.Header{Namespace: "default", Name: "web", Spec: tl.Setup.Spec, Settings: &tl.Setup.Settings, Status: status}
			if remembered {
				h.State = &s.Before
			}
			var err error
			w, err = recording.NewWriter(&file, h)
			require.NoError(t, err)
		}
		sync := replay.Sync{Time: s.Now, Observation: s.Observation}
		if s.Observation.ScaleError != nil {
			s.Observation.SpecReplicas, s.Observation.StatusReplicas = 0, 0 // nobody knows
		}
		if s.Decision.Outcome == calculator.OutcomeNotWritten {
			sync.WriteErr = prove.ErrWrite
		}
		status = s.Decision.Status(s.State)
		if n >= from {
			require.NoError(t, w.Write(sync))
			all = append(all, decided{s.Decision.DesiredReplicas, status})
		}
		return true
	}))
	return file.Bytes(), all
}

const recorded = "testdata/web.rec"

// The recording that the README shows is this one.
func TestRecorded(t *testing.T) {
	data, real := record(t, course(), 1, true)
	if *update {
		write(t, recorded, string(data))
	}
	require.Equal(t, read(t, recorded), string(data))

	// Each sync leads to the status that it led to.
	for i, want := range real {
		var got struct {
			Low, High json.RawMessage
		}
		out := decide(t, "-recording", recorded, "-at", fmt.Sprint(i+1), "-o", "json")
		require.NoError(t, json.Unmarshal([]byte(out), &got))
		text, err := json.MarshalIndent(want.status, "  ", "  ")
		require.NoError(t, err)
		require.Equal(t, string(text), string(got.High), "sync %d", i+1)
		require.Equal(t, string(text), string(got.Low), "sync %d", i+1)
	}
	last := decide(t, "-recording", recorded)
	require.True(t, strings.HasPrefix(last, "default/web of Deployment web, sync 32 of 32\n"), last)
	require.Equal(t, last, decide(t, "-recording", recorded, "-at", "32"))
	at := prove.Start.Add(75 * time.Second).In(time.FixedZone("", 3600))
	sixth := decide(t, "-recording", recorded, "-at", "6")
	require.Equal(t, sixth, decide(t, "-recording", recorded, "-at", at.Format(time.RFC3339)))
	require.Equal(t, sixth, decide(t, "-recording", recorded, "-at", at.Add(15*time.Second-1).Format(time.RFC3339Nano)))
	require.NotEqual(t, sixth, decide(t, "-recording", recorded, "-at", at.Add(-1).Format(time.RFC3339Nano)))
}

// A write that failed is told, and so is what the cluster did not answer, and
// that there are no pods.
func TestRecordedTroubles(t *testing.T) {
	tl := course()
	tl.Segments = []prove.Segment{
		{Syncs: 2, Load: 4},
		{Syncs: 1, Load: 8, Troubles: []prove.Trouble{{Kind: prove.WriteFails}}},
		{Syncs: 1, Load: 8, Troubles: []prove.Trouble{{Kind: prove.ScaleFails}}},
		{Syncs: 1, Load: 8},
		{Syncs: 1, Load: 8, Troubles: []prove.Trouble{{Kind: prove.PodsLacking, N: 9}}},
	}
	file := filepath.Join(t.TempDir(), "web.rec")
	at := func(n string, more ...string) string {
		return decide(t, append([]string{"-recording", file, "-at", n}, more...)...)
	}
	data, _ := record(t, tl, 2, true)
	write(t, file, string(data))
	require.Contains(t, at("2"), "  event   Warning FailedRescale New size: 8; reason: cpu resource utilization (percentage of request) above target; error: the object has been modified\n")
	require.Contains(t, at("3"), "the API server is down")
	require.Contains(t, at("4"), "  event   Normal SuccessfulRescale New size: 8; reason: cpu resource utilization (percentage of request) above target\n")
	require.Contains(t, at("5"), "no pods returned by selector")
	require.NotContains(t, at("5"), "not given")

	data, _ = record(t, tl, 2, false)
	write(t, file, string(data))
	require.NotContains(t, at("2", "-o", "json"), "SucceededRescale")
	require.Contains(t, at("4", "-o", "json"), "SucceededRescale")
}

// Where nobody knows what the controller remembered at the start, what it did
// is within the range, whenever the recording begins. Once that is older than
// all windows, it is the range.
func TestRecordedRange(t *testing.T) {
	for from := 2; from <= 10; from++ {
		data, real := record(t, course(), from, false)
		file := write(t, filepath.Join(t.TempDir(), "web.rec"), string(data))
		all := ranges(t, data)
		requireWithin(t, all, real)
		require.NotZero(t, known(all))
		for i, r := range all {
			_, closed := r.Replicas()
			require.True(t, closed || r.High.Now.Sub(prove.Start) <= 5*time.Minute+time.Duration(from)*15*time.Second)
			require.Equal(t, [3]int32{r.High.CurrentReplicas, r.Low.DesiredReplicas, r.High.DesiredReplicas},
				between(t, "-recording", file, "-at", fmt.Sprint(i+1)))
		}
	}
	// One that was never synced remembers nothing, so that all is known.
	tl := course()
	tl.Setup.Spec.Behavior.ScaleUp.Policies = slowly
	data, _ := record(t, tl, 1, false)
	require.Equal(t, 32, known(ranges(t, data)))
}

// slowly scales up by a pod in five minutes.
var slowly = []behavior.Policy{{Type: behavior.PodsPolicy, Value: 1, PeriodSeconds: 300}}

// known counts the ranges that are sizes.
func known(ranges []calculator.Range) (n int) {
	for i := range ranges {
		if _, known := ranges[i].Replicas(); known {
			n++
		}
	}
	return n
}

// Some timelines that were hard to get right, with how many syncs are known,
// from the one on that the recording begins with.
func TestRecordedRangeOfTimelines(t *testing.T) {
	slow := course()
	slow.Setup.Spec.Behavior.ScaleUp.Policies = slowly
	zero := course()
	spec := autoscaling.NewSpec(0, 9, autoscaling.ExternalAverageValueMetric("backlog", metrics.MustParseQuantity("30")))
	spec.ScaleTargetRef = zero.Setup.Spec.ScaleTargetRef
	zero.Setup = prove.NewSetup(&spec)
	alternate := course()
	few := autoscaling.NewSpec(2, 3, autoscaling.ExternalAverageValueMetric("backlog", metrics.MustParseQuantity("10")))
	few.ScaleTargetRef = alternate.Setup.Spec.ScaleTargetRef
	few.Behavior = behavior.Default()
	few.Behavior.ScaleDown = &behavior.ScalingRules{StabilizationWindowSeconds: new(int32), SelectPolicy: behavior.SelectMax, Policies: slowly}
	alternate.Setup, alternate.Size = prove.NewSetup(&few), 1
	bounded := autoscaling.NewSpec(1, 11, autoscaling.ExternalAverageValueMetric("backlog", metrics.MustParseQuantity("10")))
	bounded.ScaleTargetRef = alternate.Setup.Spec.ScaleTargetRef
	held := &prove.Timeline{Setup: prove.NewSetup(&bounded), Size: 5}
	limited := &prove.Timeline{Setup: prove.NewSetup(&bounded), Size: 1}
	trouble := func(k prove.TroubleKind) []prove.Trouble { return []prove.Trouble{{Kind: k}} }
	for _, tt := range []struct {
		name        string
		tl          *prove.Timeline
		from, known int
		stages      []prove.Segment
	}{
		{"the first recommendation is that of the first sync that reads the scale", slow, 2, 1,
			[]prove.Segment{{Syncs: 2, Troubles: trouble(prove.ScaleFails)}, {Syncs: 4, Load: 1}}},
		{"an event is known by the size after it", slow, 2, 29, []prove.Segment{{Syncs: 50, Load: 8}}},
		{"the scale is unreadable after an event", slow, 2, 66, []prove.Segment{
			{Syncs: 24, Load: 4}, {Syncs: 1, Load: 8}, {Syncs: 2, Load: 8, Troubles: trouble(prove.ScaleFails)}, {Syncs: 40, Load: 8}}},
		{"a write fails after an event", slow, 2, 86, []prove.Segment{
			{Syncs: 24, Load: 4}, {Syncs: 1, Load: 8}, {Syncs: 22, Load: 8, Troubles: trouble(prove.WriteFails)}, {Syncs: 40, Load: 8}}},
		{"scaled to zero while nobody knew", zero, 18, 31, []prove.Segment{{Syncs: 24}, {Syncs: 30, Load: 5}}},
		{"the controller remembers a scale-up that a known one did not replace", alternate, 2, 2, []prove.Segment{
			{Syncs: 1}, {Syncs: 1, Load: 2.3}, {Syncs: 1}, {Syncs: 1, Load: 2.3}, {Syncs: 1}, {Syncs: 1, Load: 2.3}, {Syncs: 1}}},
		{"a limit hides that more was recommended", limited, 2, 1, []prove.Segment{{Syncs: 1, Load: 9}, {Syncs: 1, Load: 8}, {Syncs: 1}}},
		{"what could not be written was another size", held, 2, 0, []prove.Segment{
			{Syncs: 1, Load: 10.1}, {Syncs: 2, Load: 9, Troubles: trouble(prove.WriteFails)}}},
	} {
		tt.tl.Segments = tt.stages
		data, real := record(t, tt.tl, tt.from, false)
		all := ranges(t, data)
		requireWithin(t, all, real)
		assert.Equal(t, tt.known, known(all), tt.name)
		file := write(t, filepath.Join(t.TempDir(), "web.rec"), string(data))
		for i := 0; i < len(all); i += 3 {
			if r := all[i]; r.High.Zone != calculator.NoZone && real[i].size == real[i].status.DesiredReplicas { // and not a write that failed
				require.Equal(t, [3]int32{r.High.CurrentReplicas, r.Low.DesiredReplicas, r.High.DesiredReplicas},
					between(t, "-recording", file, "-at", fmt.Sprint(i+1)), "%s: sync %d", tt.name, i+1)
			}
		}
	}
}

func TestRecordedRangeOfAnyTimeline(t *testing.T) {
	timelines := calctest.Timelines(nil)
	rapid.Check(t, func(t *rapid.T) {
		tl := timelines.Draw(t, "timeline")
		if slices.ContainsFunc(tl.Segments, resized) {
			t.Skip("a size of someone else's that is within the range is taken for the controller's")
		}
		syncs := 0
		for _, p := range tl.Segments {
			syncs += p.Syncs
		}
		data, real := record(t, tl, rapid.IntRange(1, syncs).Draw(t, "from"), false)
		requireWithin(t, ranges(t, data), real)
	})
}

// requireWithin fails where a size is not within the range.
func requireWithin(t require.TestingT, ranges []calculator.Range, real []decided) {
	for i, r := range ranges {
		if r.High.Zone == calculator.NoZone {
			continue // the scale is unreadable
		}
		require.LessOrEqual(t, r.Low.DesiredReplicas, real[i].size, "sync %d\n%s", i+1, r)
		require.GreaterOrEqual(t, r.High.DesiredReplicas, real[i].size, "sync %d\n%s", i+1, r)
	}
}

func resized(p prove.Segment) bool {
	return slices.ContainsFunc(p.Troubles, func(x prove.Trouble) bool { return x.Kind == prove.Resized })
}

// ranges returns what each sync of a recording can decide.
func ranges(t require.TestingT, data []byte) (list []calculator.Range) {
	r, err := recording.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	p := newRerun(r.Header())
	for sync, err := range r.Syncs() {
		require.NoError(t, err)
		p.settle(sync.Observation)
		if p.remembered {
			before := p.autoscaler.State.Clone()
			list = append(list, p.decide(&sync))
			p.autoscaler.State = before
		} else {
			list = append(list, p.decide(&sync))
		}
		p.pass(&sync)
	}
	return list
}

// What someone else set right after the controller wrote hides what that was,
// so that nothing is known then. Otherwise it hides nothing.
func TestRecordedResize(t *testing.T) {
	for load, hides := range map[float64]bool{8: false, 9: true} {
		tl := course()
		tl.Segments = []prove.Segment{
			{Syncs: 24, Load: 8}, {Syncs: 1, Load: load},
			{Syncs: 24, Load: 1, Troubles: []prove.Trouble{{Kind: prove.Resized, N: 3}}},
		}
		data, _ := record(t, tl, 2, false)
		all := ranges(t, data)
		size, known := all[23].Replicas()
		require.True(t, known)
		require.Equal(t, int32(load), size)
		_, known = all[24].Replicas()
		require.Equal(t, hides, !known)
	}
}

func TestBadRecording(t *testing.T) {
	dir := t.TempDir()
	data := read(t, recorded)
	cut := write(t, filepath.Join(dir, "cut.rec"), data[:len(data)-10])
	status, stdout, stderr := explain("", "-recording", cut)
	require.Equal(t, cli.OK, status)
	require.Equal(t, cut+": recording: line 33: cut short: unexpected EOF", complaint(t, stderr))
	require.Equal(t, strings.Replace(decide(t, "-recording", recorded, "-at", "31"), "of 32", "of 31", 1), stdout)

	head, _, _ := strings.Cut(data, "\n")
	none := write(t, filepath.Join(dir, "none.rec"), head+"\n")
	bad := write(t, filepath.Join(dir, "bad.rec"), head+"\n{}\n")
	early := write(t, filepath.Join(dir, "early.rec"), "nonsense")
	few := strings.Replace(data, `"samples":[`, `"samples":[null,`, 1)
	shape := write(t, filepath.Join(dir, "shape.rec"), few)
	lost := filepath.Join(dir, "lost.rec")
	for _, tt := range []struct {
		text string
		args []string
	}{
		{none + ": no syncs", []string{none}},
		{cut + ": there is no sync 32, of 31", []string{cut, "-at", "32"}},
		{bad + ": recording: line 2: sync: sync: 0 instead of 1: the line is not the next of its recording", []string{bad}},
		{early + ": recording: line 1: cut short: unexpected EOF", []string{early}},
		{shape + ": observation.readings[0].samples: Invalid value: 5: 5 samples for 4 pods", []string{shape, "-at", "1"}},
		{lost + ": no such file or directory", []string{lost}},
		{recorded + ": there is no sync 33, of 32", []string{recorded, "-at", "33"}},
		{recorded + ": the first sync is at 2026-05-04T12:00:00Z", []string{recorded, "-at", "2026-05-04T11:59:59Z"}},
		{`invalid value "0" for flag -at: not the number of a sync, such as 12, nor a time in RFC 3339 (-help lists the flags)`, []string{recorded, "-at", "0"}},
		{"-now does not go with -recording (-help lists the flags)", []string{recorded, "-now", "2026-05-04T12:00:00Z"}},
		{"-release does not go with -recording (-help lists the flags)", []string{recorded, "-release", "1.30"}},
		{"files do not go with -recording (-help lists the flags)", []string{recorded, "hpa.json"}},
	} {
		require.Equal(t, tt.text, refuse(t, append([]string{"-recording"}, tt.args...)...))
	}
	var errs bytes.Buffer
	require.Equal(t, cli.NotWritten, run([]string{"-recording", recorded}, os.Stdin, brokenWriter{}, &errs))
}
