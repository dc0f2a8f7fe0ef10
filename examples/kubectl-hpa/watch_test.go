package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/purehpa/hpa/examples/internal/cluster/clustertest"
)

// It was 2 and is 4, of the 10 that were recommended then. Who has watched for as long
// as the window knows the size, and prints what changes, and nothing while nothing does.
func TestWatch(t *testing.T) {
	const ns = "watch"
	testbed.Namespace(t, ns)
	create(t, ns, clustertest.Scaling("web"))
	testbed.World.Set(clustertest.Load{CPU: 500}, ns)
	testbed.AwaitMetricsAPIs(t)
	settle(t, ns)
	turn(t, ns, "web")
	testbed.World.Set(clustertest.Load{CPU: 60}, ns)
	settle(t, ns)
	r := hpa(t, append(gated, "watch", "web", "-n", ns, "--for", "5s", "--interval", "250ms")...)
	require.Equal(t, statusOK, r.status, r.err)
	lines := []string{}
	for line := range strings.Lines(r.out) {
		if !strings.HasPrefix(line, " ") {
			_, line, _ = strings.Cut(strings.TrimSpace(line), "  ")
			lines = append(lines, line)
		}
	}
	require.Equal(t, []string{
		"web  size 4, wanted 2, to be 2 to 8, held by recommendations not known",
		"web  size 4, wanted 2, to be 2",
	}, lines, r.out)
	require.Contains(t, r.out, "    Stabilization: 2 replicas. There is no higher recommendation in the last 1s.")
	r = hpa(t, append(gated, "watch", "web", "-n", ns, "--for", "300ms", "--interval", "200ms", "-o", "json")...)
	require.NotEmpty(t, r.out)
	for line := range strings.Lines(r.out) {
		require.True(t, json.Valid([]byte(line)), line)
	}
	r = hpa(t, append(gated, "watch", "web", "-n", ns, "--for", "100ms", "--interval", "200ms", "-o", "yaml")...)
	require.True(t, strings.HasPrefix(r.out, "---\nautoscaler: watch/web\n"), r.out)
	require.Equal(t, statusInput, hpa(t, "watch", "web", "-n", ns, "--interval", "0s").status)
}

// It looks again and again, until that fails.
func TestEach(t *testing.T) {
	looks, enough := 0, errors.New("enough")
	require.ErrorIs(t, (&pace{interval: time.Millisecond}).each(t.Context(), func() error {
		if looks++; looks == 3 {
			return enough
		}
		return nil
	}), enough)
	require.Equal(t, 3, looks)
}

// An interrupt ends it at once, and is no error.
func TestWatchInterrupted(t *testing.T) {
	const ns = "watch-interrupted"
	testbed.Namespace(t, ns)
	create(t, ns, clustertest.Scaling("web"))
	ctx, cancel := context.WithCancel(t.Context())
	streams := genericiooptions.IOStreams{In: new(bytes.Buffer), Out: writer(func(p []byte) (int, error) {
		cancel()
		return len(p), nil
	}), ErrOut: new(bytes.Buffer)}
	require.Equal(t, statusOK, run(ctx, append(gated, "watch", "web", "-n", ns, "--kubeconfig="+testbed.Admin, "--cache-dir="+t.TempDir()), streams))
	require.ErrorIs(t, ctx.Err(), context.Canceled)
}

// writer is a function that is written to.
type writer func(p []byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }

// On a terminal, a line is drawn again and again; changes stay.
func TestWatchRedraws(t *testing.T) {
	out := new(bytes.Buffer)
	w := watcher{tool: newTool(genericiooptions.IOStreams{Out: out}), redraws: true}
	w.now = func() time.Time { return noon }
	v := rowOf(t, 5)
	require.NoError(t, w.show(v))
	require.NoError(t, w.show(v))
	require.Equal(t, 2, strings.Count(out.String(), "\r\x1b[K"))
	require.Equal(t, 3, strings.Count(out.String(), "12:00:00  web  size 5"))
	require.Equal(t, 1, strings.Count(out.String(), "    Result: "))
}
