package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/examples/internal/cli"
	"github.com/purehpa/hpa/stabilize"
)

// Before a history is as long as the window of five minutes, it may lack what
// holds the size.
func TestHistoryHoldsTheWindow(t *testing.T) {
	file := filepath.Join(t.TempDir(), "history.json")
	at := func(now string) [3]int32 {
		return between(t, "-scene", "down-window", "-history", file, "-now", now)
	}
	require.Equal(t, [3]int32{8, 3, 8}, at("2026-11-20T05:16:08Z"))
	require.Equal(t, [3]int32{8, 3, 8}, at("2026-11-20T05:20:00Z"))
	require.Equal(t, [3]int32{8, 3, 8}, at("2026-11-20T05:21:08Z"))
	require.Equal(t, [3]int32{8, 3, 3}, at("2026-11-20T05:21:08.000000001Z"))

	// Without it, no run knows what the controller recommended before.
	require.Equal(t, [3]int32{8, 3, 8}, between(t, "-scene", "down-window", "-now", "2026-11-20T05:31:08Z"))

	// The file has the recommendations of all runs.
	var in input
	in.cluster.Autoscaler.Namespace, in.cluster.Autoscaler.Name = "down-window", "web"
	h, err := (&options{history: file}).openHistory(&in)
	require.NoError(t, err)
	state := h.begin(time.Now(), &in.cluster.Autoscaler)
	var values []int32
	for e := range state.Recommendations.All() {
		values = append(values, e.Value)
	}
	require.Equal(t, []int32{3, 3, 3}, values)

	// It may lie in the folder of the documents, and is not read as one.
	folder := t.TempDir()
	require.NoError(t, os.CopyFS(folder, os.DirFS(filepath.Join("testdata", "dumps", "down-window"))))
	history := filepath.Join(folder, "history.json")
	require.Equal(t, [3]int32{8, 3, 8}, between(t, "-dir", folder, "-history", history, "-now", "2026-11-20T05:16:08Z"))
	require.Equal(t, [2]int32{8, 3}, sizes(t, "-dir", folder, "-history", history, "-now", "2026-11-20T05:21:08.000000001Z"))

	// No temporary file is left.
	entries, err := os.ReadDir(filepath.Dir(file))
	require.NoError(t, err)
	require.Len(t, entries, 1)
}

// Scale events limit the next runs: four pods in fifteen seconds.
func TestHistoryKeepsScaleEvents(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "history.json")
	queue := write(t, filepath.Join(dir, "queue.json"), strings.Replace(read(t, scene("scaled-to-zero", "external-queue_depth.json")), `"value": "0"`, `"value": "300"`, 1))
	at := func(now, current string) [2]int32 {
		return sizes(t, "-history", file, "-now", now, "-current", current,
			scene("scaled-to-zero", "hpa.json"), scene("scaled-to-zero", "pods.json"), queue)
	}
	require.Equal(t, [2]int32{0, 4}, at("2026-11-20T05:20:00Z", "0"))
	require.Contains(t, read(t, file), `"added": [
        {
          "time": "2026-11-20T05:20:00Z",
          "replicas": 4
        }
      ]`)
	require.Equal(t, [2]int32{4, 4}, at("2026-11-20T05:20:14.999999999Z", "4"))
	require.Equal(t, [2]int32{4, 8}, at("2026-11-20T05:20:15Z", "4"))
	require.Equal(t, [2]int32{8, 8}, at("2026-11-20T05:20:16Z", "8"))
}

// Reading gives what was written, stale entries included.
func TestHistoryRoundTrip(t *testing.T) {
	start := time.Date(2026, 11, 20, 5, 0, 0, 1, time.UTC)
	state := calculator.State{Started: start}
	rules := &behavior.Behavior{}
	rules.SetDefaults()
	size := int32(5)
	for i := range 30 {
		// Bursts, whose entries grow old together.
		now := start.Add(time.Duration(i/13*600+i%13) * time.Second)
		state.Recommendations.Record(now, int32(i%7), stabilize.Windows{Up: time.Minute, Down: 2 * time.Minute})
		next := size + int32(i%3) - 1
		state.Events.Record(now, size, next, rules)
		size = next
	}
	in := &input{}
	in.cluster.Autoscaler.Namespace, in.cluster.Autoscaler.Name = "shop", "web"
	o := &options{history: filepath.Join(t.TempDir(), "history.json")}
	h, err := o.openHistory(in)
	require.NoError(t, err)
	h.state = state
	require.NoError(t, h.save(in))
	h, err = o.openHistory(in)
	require.NoError(t, err)
	again := h.begin(time.Now(), &in.cluster.Autoscaler)
	require.True(t, state.Equal(again))
	stale := 0
	for e := range again.Events.Added() {
		if e.Stale {
			stale++
		}
	}
	require.NotZero(t, stale)
}

func TestBadHistory(t *testing.T) {
	const head = `{"autoscaler":"unready-up/web"`
	state := func(members string) string { return head + `,"state":{"version":1,` + members + `}}` }
	long := strings.Repeat("x", 5000)
	many := strings.TrimSuffix(strings.Repeat(`{"time":"2026-11-20T05:00:00Z","replicas":1},`, 5000), ",")
	for _, tt := range []struct{ content, text string }{
		{"", "empty file"},
		{"x", "invalid character 'x'"},
		{"[]", "history: array is not an object"},
		{"{}", "history: state: missing"},
		{head + `,"more":1}`, `history: unknown field "more"`},
		{head + `,"` + long + `":1}`, `history: unknown field "xxx`},
		{state(`"events":{}`) + `{}`, "invalid character '{'"},
		{head, "unexpected end of JSON input"},
		{head + `}`, "history: state: missing"},
		{head + `,"state":null}`, "history: state: missing"},
		{head + `,"state":{"version": 3}}`, `history: state.version: unknown version 3`},
		{state(`"recommendations":null`), "history: state.recommendations: "},
		{state(`"recommendations":[{"replicas":1}]`), "history: state.recommendations[0].time: missing"},
		{state(`"events":{"added":[{"time":"` + long + `","replicas":1}]}`), "history: state.events.added[0].time: "},
		{state(`"events":{"removed":[{"time":"2026-11-20T05:00:00Z","replicas":-1}]}`), "history: state.events.removed: "},
		{state(`"recommendations":[` + many + `]`), "history: state.recommendations[4096]: more than 4096 entries"},
		{strings.ReplaceAll(state(`"events":{}`), "unready-up", "shop"), `it is the history of "shop/web", not of "unready-up/web"`},
	} {
		file := write(t, filepath.Join(t.TempDir(), "history.json"), tt.content)
		text := refuse(t, "-history", file)
		require.True(t, strings.HasPrefix(text, file+": "+tt.text), "%s\n%s", text, tt.text)
		require.Equal(t, tt.content, read(t, file), "it is as it was")
	}
	dir := t.TempDir()
	text := refuse(t, "-history", dir)
	require.True(t, strings.HasPrefix(text, dir+": "), text)

	file := filepath.Join(dir, "none", "history.json")
	status, stdout, stderr := explain("", "-history", file)
	require.Equal(t, cli.NotWritten, status)
	require.Empty(t, stdout)
	text = complaint(t, stderr)
	require.True(t, strings.HasPrefix(text, file+": "), text)
}
