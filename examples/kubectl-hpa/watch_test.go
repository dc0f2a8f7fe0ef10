package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/purehpa/hpa/examples/internal/cluster/clustertest"
)

// It was 2 and is 4, of the 10 that were recommended then. A watch that has run
// for as long as the window knows the size, and prints what changes, and
// nothing while nothing does.
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
	r := hpa(t, append(gated, "watch", "web", "-n", ns, "--for", "5s", "--interval", "2s")...)
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
}

// It looks again and again, until that fails. The end of the time ends a look,
// but not the first one.
func TestEach(t *testing.T) {
	looks, enough := 0, errors.New("enough")
	require.ErrorIs(t, (&pace{interval: time.Millisecond}).each(t.Context(), func(context.Context) error {
		if looks++; looks == 3 {
			return enough
		}
		return nil
	}), enough)
	require.Equal(t, 3, looks)
	looks = 0
	require.NoError(t, (&pace{time.Nanosecond, time.Millisecond}).each(t.Context(), func(ctx context.Context) error {
		_, limited := ctx.Deadline()
		require.False(t, limited, "the limit of requests refuses to wait for a deadline")
		if looks++; looks > 1 {
			<-ctx.Done()
		}
		return nil
	}))
	require.NoError(t, (&pace{time.Hour, time.Nanosecond}).each(t.Context(), func(ctx context.Context) error {
		time.Sleep(time.Millisecond)
		return ctx.Err()
	}))
}

// No look begins when the time is up, though the next one is due then.
func TestEachEnds(t *testing.T) {
	for range 50 {
		looks := 0
		require.NoError(t, (&pace{3 * time.Millisecond, 9 * time.Millisecond}).each(t.Context(), func(ctx context.Context) error {
			looks++
			return nil
		}))
		require.LessOrEqual(t, looks, 3)
	}
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

// A change of size is remembered if it is the only one since the last look.
// Otherwise, and if the controller has begun anew, memory does, too.
func TestWatchRemembers(t *testing.T) {
	for _, c := range []struct {
		name    string
		after   int // seconds between two looks
		scaled  int // seconds after the first
		size    int32
		uid     types.UID
		started time.Time
		every   int // seconds; 15 if not given
		want    []change
		anew    bool
	}{
		{name: "no change", after: 15, size: 2},
		{name: "one", after: 10, scaled: 9, size: 4, want: []change{{noon.Add(9 * time.Second), 2, 4}}},
		{name: "one of the period after the look", after: 15, scaled: 9, size: 4, want: []change{{noon.Add(9 * time.Second), 2, 4}}},
		{name: "one or two", after: 16, scaled: 15, size: 4, anew: true},
		{name: "one or two of a shorter interval", every: 5, after: 7, scaled: 4, size: 4, anew: true},
		{name: "one of a shorter interval", every: 5, after: 7, scaled: 2, size: 4, want: []change{{noon.Add(2 * time.Second), 2, 4}}},
		{name: "up and down", after: 20, scaled: 18, size: 2, anew: true},
		{name: "someone else's", after: 20, size: 4},
		{name: "a late look", after: 22, size: 2},
		{name: "a missing look", after: 23, size: 2, anew: true},
		{name: "a restart", after: 10, size: 2, started: noon.Add(5 * time.Second), anew: true},
		{name: "a restart before", after: 10, size: 2, started: seconds(5)},
		{name: "another autoscaler", after: 10, size: 2, uid: "2", anew: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, later := rowOf(t, 2), noon.Add(time.Duration(c.after)*time.Second)
			w := watcher{tool: newTool(genericiooptions.NewTestIOStreamsDiscard()), interval: time.Duration(cmp.Or(c.every, 15)) * time.Second}
			w.notice(noon, v.snapshot, seconds(5))
			w.remember(noon, v)
			require.Equal(t, noon, w.since)
			if c.scaled > 0 {
				v.snapshot.Status.LastScaleTime = noon.Add(time.Duration(c.scaled) * time.Second)
			}
			v.snapshot.obs.SpecReplicas, v.snapshot.meta.UID = c.size, c.uid
			w.notice(later, v.snapshot, c.started)
			w.remember(later, v)
			require.Equal(t, c.want, w.changes)
			if c.anew {
				require.Equal(t, later, w.since)
				require.Equal(t, 1, w.recommended.Len())
			} else {
				require.Equal(t, noon, w.since)
				require.Equal(t, 2, w.recommended.Len())
			}
		})
	}
}

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
