package main

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/stabilize"
)

var update = flag.Bool("update", false, "write the output to testdata")

func TestRun(t *testing.T) {
	var out strings.Builder
	require.NoError(t, run(&out))
	golden := filepath.Join("testdata", "output.txt")
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(out.String()), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), out.String())
	require.Contains(t, out.String(), "5073 of 5073 jobs done")
}

// The scheduler does not mention Kubernetes.
func TestNoForeignWords(t *testing.T) {
	foreign := regexp.MustCompile(`(?i)kube|pods?\b|podgroup|deployment|container|namespace|cluster|autoscal|\bhpa\b|\bnodes?\b`)
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		code, err := os.ReadFile(file)
		require.NoError(t, err)
		for i, line := range strings.Split(string(code), "\n") {
			line = strings.ReplaceAll(line, "github.com/purehpa/hpa/", "")
			require.NotRegexp(t, foreign, line, "%s:%d", file, i+1)
		}
	}
}

var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

func TestSizer(t *testing.T) {
	const (
		unchanged = behavior.DesiredWithinRange
		fastUp    = behavior.ScaleUpLimit
		fastDown  = behavior.ScaleDownLimit
		held      = stabilize.ScaleDownStabilized
	)
	s := newSizer()
	for _, c := range []struct {
		after   time.Duration
		workers int32
		jobs    int
		want    int32
		asked   int32
		window  stabilize.Reason
		limit   behavior.LimitReason
	}{
		{0, 2, 0, 2, 0, held, unchanged},
		{15 * time.Second, 2, 40, 6, 50, stabilize.NotStabilized, fastUp},
		{30 * time.Second, 6, 40, 12, 50, stabilize.NotStabilized, fastUp},
		{45 * time.Second, 12, 40, 24, 50, stabilize.NotStabilized, fastUp},
		{60 * time.Second, 24, 40, 40, 50, stabilize.NotStabilized, behavior.TooManyReplicas},
		{75 * time.Second, 40, 32, 40, 40, stabilize.NotStabilized, unchanged},
		{90 * time.Second, 40, 8, 40, 10, held, unchanged},
		// The 40 of 1:15 count until 4:15.
		{254 * time.Second, 40, 8, 40, 10, held, unchanged},
		{255 * time.Second, 40, 8, 30, 10, stabilize.NotStabilized, fastDown},
		{270 * time.Second, 30, 8, 30, 10, stabilize.NotStabilized, fastDown},
		{315 * time.Second, 30, 8, 22, 10, stabilize.NotStabilized, fastDown},
		// Of 22 workers, 19 to 24 are within tolerance of 17 jobs.
		{330 * time.Second, 22, 17, 22, 22, stabilize.NotStabilized, unchanged},
	} {
		now := noon.Add(c.after)
		got := s.size(now, c.workers, c.jobs)
		require.NoError(t, got.Err)
		require.Equal(t, c.want, got.Replicas, "after %v", c.after)
		require.Equal(t, c.asked, got.Stabilization.Desired, "after %v", c.after)
		require.Equal(t, c.window, got.Stabilization.Reason, "after %v", c.after)
		require.Equal(t, c.limit, got.Limits.Reason, "after %v", c.after)
		s.Applied(now, c.workers, got.Replicas)
	}
}

// Each job is done once, by one worker. There are as many workers as there
// should be once those that leave have done their last job.
func TestPool(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := &pool{startup: time.Duration(rapid.IntRange(0, 30).Draw(t, "startup")) * time.Second}
		now, submitted := noon, 0
		sizes := rapid.SliceOfN(rapid.Int32Range(0, 6), 1, 20).Draw(t, "sizes")
		for _, size := range sizes {
			for range rapid.IntRange(0, 5).Draw(t, "jobs") {
				p.submit(job{arrived: now, takes: time.Duration(rapid.IntRange(1, 60).Draw(t, "takes")) * time.Second})
				submitted++
			}
			p.resize(now, size)
			if p.staying() != size {
				t.Fatalf("%d workers stay, not %d", p.staying(), size)
			}
			for range rapid.IntRange(1, 40).Draw(t, "seconds") {
				now = now.Add(time.Second)
				p.work(now, time.Second)
				if p.done.jobs+p.jobs() != submitted {
					t.Fatalf("%d done and %d left of %d", p.done.jobs, p.jobs(), submitted)
				}
			}
		}
		p.resize(now, 3)
		for range 10_000 {
			now = now.Add(time.Second)
			p.work(now, time.Second)
		}
		if p.done.jobs != submitted || len(p.workers) != 3 {
			t.Fatalf("%d of %d done, %d workers", p.done.jobs, submitted, len(p.workers))
		}
		if p.done.started-p.done.stopped != 3 {
			t.Fatalf("%d started, %d stopped", p.done.started, p.done.stopped)
		}
	})
}

// Idle workers leave first, and busy ones finish their job.
func TestStoppingWorkers(t *testing.T) {
	p := &pool{}
	p.resize(noon, 2)
	p.submit(job{arrived: noon, takes: time.Minute})
	p.work(noon, time.Second)
	require.Equal(t, 1, p.jobs())
	p.resize(noon, 1)
	require.Len(t, p.workers, 1, "the idle one is gone")
	require.True(t, p.workers[0].busy)
	p.resize(noon, 0)
	require.Len(t, p.workers, 1)
	p.submit(job{arrived: noon, takes: time.Minute})
	p.work(noon.Add(59*time.Second), time.Second)
	require.Len(t, p.workers, 1)
	p.work(noon.Add(60*time.Second), time.Second)
	require.Empty(t, p.workers)
	require.Equal(t, 1, p.done.jobs)
	require.Equal(t, 1, p.jobs(), "the next job waits for another worker")
}

func TestArrivals(t *testing.T) {
	jobs, err := arrivals()
	require.NoError(t, err)
	require.Len(t, jobs, 5073)
	for i, j := range jobs {
		require.False(t, j.arrived.Before(opens) || !j.arrived.Before(closes.Add(bucket)))
		require.False(t, i > 0 && j.arrived.Before(jobs[i-1].arrived))
		require.GreaterOrEqual(t, j.takes, 10*time.Second)
		require.LessOrEqual(t, j.takes, 50*time.Second)
	}
}
