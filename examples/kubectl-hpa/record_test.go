package main

import (
	"bytes"
	"context"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/purehpa/hpa/calculator/recording"
	"github.com/purehpa/hpa/calculator/replay"
	"github.com/purehpa/hpa/examples/internal/cluster/clustertest"
)

var recorded = flag.Duration("recorded", 20*time.Second, "how long TestReplayBesideUpstream records")

// TestReplayBesideUpstream records before each sync of upstream's controller,
// under a load that comes and goes, and replays the recordings: at each sync,
// the same rules give the size that the controller gave.
func TestReplayBesideUpstream(t *testing.T) {
	const ns = "record"
	testbed.Namespace(t, ns)
	testbed.AwaitMetricsAPIs(t)
	var names []string
	for _, spec := range clustertest.Apps() {
		create(t, ns, spec)
		names = append(names, spec.ScaleTargetRef.Name)
	}
	files, recorders := make([]bytes.Buffer, len(names)), make([]recorder, len(names))
	for i, name := range names {
		recorders[i] = newRecorder(t, ns, name, &files[i])
	}
	sizes := make([][]int32, len(names))
	script := clustertest.Script()
	script = script[:len(script)-1] // the last step changes the spec
	for begin, n := time.Now(), 0; time.Since(begin) < *recorded; n++ {
		testbed.World.Set(script[n/3%len(script)].Load, ns)
		settle(t, ns)
		for i := range recorders {
			require.NoError(t, recorders[i].sync(t.Context()))
		}
		turn(t, ns, names...)
		for i, name := range names {
			sizes[i] = append(sizes[i], testbed.Size(t, ns, name))
		}
	}
	syncs, moves := 0, 0
	for i := range names {
		size, bytes := int32(2), files[i].Len()
		for n, s := range replaySizes(t, &files[i]) {
			require.Equal(t, sizes[i][n], s, "%s, sync %d", names[i], n)
			if s != size {
				moves++
			}
			size = s
			syncs++
		}
		t.Logf("%s: %d syncs, %d bytes", names[i], len(sizes[i]), bytes)
	}
	require.Equal(t, len(names)*len(sizes[0]), syncs)
	t.Logf("%d syncs, %d of them changes of size", syncs, moves)
	require.Positive(t, moves)
}

// newRecorder returns the recorder of the command.
func newRecorder(t *testing.T, ns, name string, out io.Writer) recorder {
	t.Helper()
	tool := newTool(genericiooptions.IOStreams{In: new(bytes.Buffer), Out: new(bytes.Buffer), ErrOut: new(bytes.Buffer)})
	require.NoError(t, tool.root().PersistentFlags().Parse(append(gated, "-n", ns, "--kubeconfig="+testbed.Admin, "--cache-dir="+t.TempDir())))
	c, err := tool.connect(t.Context())
	require.NoError(t, err)
	return recorder{tool: tool, connection: c, name: name, out: nopCloser{out}}
}

// replaySizes returns the sizes of a recording with the rules that it has.
func replaySizes(t *testing.T, from io.Reader) (sizes []int32) {
	t.Helper()
	r, err := recording.NewReader(from)
	require.NoError(t, err)
	h := r.Header()
	a := h.Autoscaler()
	for answers, err := range replay.Run(r.Syncs(), &a) {
		require.NoError(t, err)
		sizes = append(sizes, answers.Size(0))
	}
	return sizes
}

// A recording ends when the spec changes or the autoscaler is another, on
// clusters without generations, too. One that is missing for a while does not
// end it.
func TestRecordEnds(t *testing.T) {
	for name, change := range map[string]func(*autoscalingv2.HorizontalPodAutoscaler){
		"spec": func(a *autoscalingv2.HorizontalPodAutoscaler) { a.Spec.MaxReplicas = 9 },
		"UID":  func(a *autoscalingv2.HorizontalPodAutoscaler) { a.UID = "2" },
		"":     func(a *autoscalingv2.HorizontalPodAutoscaler) { a.Status.CurrentReplicas = 3 },
	} {
		t.Run(name, func(t *testing.T) {
			a := &autoscalingv2.HorizontalPodAutoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "1"}, Spec: clustertest.Limited("web", 60)}
			c := faked(func(string) (*autoscalingv1.Scale, error) { return nil, errNone }, a)
			r := recorder{tool: newTool(genericiooptions.NewTestIOStreamsDiscard()), connection: c, name: "web", out: nopCloser{io.Discard}}
			require.NoError(t, r.sync(t.Context()))
			r.name = "absent"
			require.NoError(t, r.sync(t.Context()))
			r.name = "web"
			require.NoError(t, r.sync(t.Context()))
			change(a)
			_, err := c.client.AutoscalingV2().HorizontalPodAutoscalers("shop").Update(t.Context(), a, metav1.UpdateOptions{})
			require.NoError(t, err)
			err = r.sync(t.Context())
			if name != "" {
				require.ErrorIs(t, err, errChanged)
			} else {
				require.NoError(t, err)
			}
		})
	}
}

// The command writes a recording.
func TestRecord(t *testing.T) {
	const ns = "record-command"
	testbed.Namespace(t, ns)
	create(t, ns, clustertest.Scaling("web"))
	testbed.World.Set(clustertest.Load{CPU: 500}, ns)
	testbed.AwaitMetricsAPIs(t)
	settle(t, ns)
	file := filepath.Join(t.TempDir(), "web.rec")
	r := hpa(t, append(gated, "record", "absent", "-n", ns, "-o", file)...)
	require.Equal(t, statusCluster, r.status, r.err)
	require.NoFileExists(t, file, "one that never began")
	ctx, cancel := context.WithCancel(t.Context())
	var written bytes.Buffer
	lines, errOut := 0, new(bytes.Buffer)
	streams := genericiooptions.IOStreams{In: new(bytes.Buffer), ErrOut: errOut, Out: writer(func(p []byte) (int, error) {
		if lines++; lines == 3 { // the header and 2 syncs
			cancel()
		}
		return written.Write(p)
	})}
	args := append(gated, "record", "web", "-n", ns, "--interval", "100ms", "-o", "-", "--kubeconfig="+testbed.Admin, "--cache-dir="+t.TempDir())
	require.Equal(t, statusOK, run(ctx, args, streams), errOut)
	require.Equal(t, "2 syncs recorded\n", errOut.String())
	require.NoError(t, os.WriteFile(file, written.Bytes(), 0o644))
	turn(t, ns, "web")
	r = hpa(t, append(gated, "record", "web", "-n", ns, "--for", "100ms", "--interval", "200ms", "-o", file+".2")...)
	require.Equal(t, statusOK, r.status, r.err)
	require.Contains(t, hpa(t, "replay", file+".2").out, "What the controller remembered at the start is not known")
	r = hpa(t, "record", "web", "-n", ns, "-o", file)
	require.Equal(t, statusInput, r.status)
	require.Equal(t, "kubectl hpa: open "+file+": file exists\n", r.err)

	r = hpa(t, "replay", file)
	require.Equal(t, statusOK, r.status, r.err)
	require.Contains(t, r.out, "record-command/web, 2 syncs\n")
	require.Contains(t, r.out, "Sizes with the same rules\n4 | █")
	require.NotContains(t, r.out, "remembered", "it was never synced")
	r = hpa(t, "replay", file, "--set", "spec.maxReplicas=3")
	require.Equal(t, statusOK, r.status, r.err)
	require.Contains(t, r.out, "the size is higher in 0 syncs, by up to 0, and lower in 2 syncs, by up to 1")
	require.Contains(t, r.out, "Sizes with the changes\n4 |\n")

	// A recording that was cut is good up to there; others are refused.
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	r = with(t, string(data[:len(data)-5]), "", "replay", "-")
	require.Equal(t, statusOK, r.status, r.err)
	require.Contains(t, r.out, "record-command/web, 1 sync; one more was cut off and is left out\n")
	require.Contains(t, with(t, string(data[:len(data)-5]), "", "replay", "-", "-o", "json").out, `"cut": true`)
	r = with(t, "{}\n", "", "replay", "-")
	require.Equal(t, statusInput, r.status)
	require.Contains(t, r.err, "line 1")
	require.Equal(t, statusInput, hpa(t, "replay", file, "--set", "spec.maxReplica=3").status)
}
