package calctest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/calctest"
	"github.com/purehpa/hpa/calculator/prove"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// The tests of this file show that the exceptions which the invariants'
// documentation gives are real.

// asked returns the size that one decision asks for: at a size, with so many
// pods listed, each of which uses that share of the target.
func asked(t *testing.T, metric string, size int32, pods int, percent metrics.Milli) int32 {
	t.Helper()
	r := setupOf(t, metric, jumpy)
	obs := calculator.Observation{SpecReplicas: size, StatusReplicas: int32(pods), Readings: make([]calculator.Reading, 1)}
	for range pods {
		obs.Pods = append(obs.Pods, podgroup.Pod{
			Phase: podgroup.PhaseRunning, Ready: podgroup.ReadyTrue, StartTime: metrics.At(prove.Start.Add(-time.Hour)), CPU: podgroup.Requested(1000),
		})
		obs.Readings[0].Samples = append(obs.Readings[0].Samples, metrics.Sample{Value: 6 * percent, Present: true})
	}
	if metric != cpu60 {
		obs.Readings[0] = calculator.Reading{Values: []metrics.Milli{percent * 10 * metrics.Milli(size)}}
	}
	var st calculator.State
	d := calculator.Decide(prove.Start, &r.Settings, r.Spec, &obs, &st)
	require.NoError(t, d.Err())
	return d.Choice.Replicas
}

func TestMoreLoadMayGiveFewerReplicas(t *testing.T) {
	// Fewer pods than the size.
	require.EqualValues(t, 10, asked(t, cpu60, 10, 3, 105))
	require.EqualValues(t, 6, asked(t, cpu60, 10, 3, 200))
	// More of them.
	require.EqualValues(t, 11, asked(t, cpu60, 10, 12, 89))
	require.EqualValues(t, 10, asked(t, cpu60, 10, 12, 95))
	// An AverageValue of 1 with fewer pods in the status than in the spec: 10%
	// less than 8 pods carry is tolerated.
	external := `{"type":"External","external":{"metric":{"name":"backlog"},"target":{"type":"AverageValue","averageValue":"1"}}}`
	require.EqualValues(t, 9, asked(t, external, 10, 7, 85)) // 8.5
	require.EqualValues(t, 8, asked(t, external, 10, 8, 86)) // 8.6
}

// The invariant leaves such syncs out, and only such.
func TestMoreLoadIsHeldWhereItCounts(t *testing.T) {
	counts := func(metric string, x prove.Trouble) bool {
		tl := prove.Timeline{Setup: setupOf(t, metric, jumpy), Size: 5, Segments: []prove.Segment{
			{Syncs: 1, Load: 5, Troubles: []prove.Trouble{x}},
		}}
		held := false
		require.NoError(t, tl.Run(func(s *prove.Sync) bool {
			held = calctest.Monotone(&tl, s)
			return true
		}))
		return held
	}
	for _, k := range []prove.TroubleKind{prove.PodsDeleted, prove.PodsFailed, prove.PodsSurplus, prove.Surge, prove.PodsLacking, prove.PodsGone} {
		require.False(t, counts(cpu60, prove.Trouble{Kind: k, N: 1}), "%v", k)
	}
	for _, k := range []prove.TroubleKind{prove.PodsMute, prove.PodsPending, prove.PodsUnready, prove.MetricFails, prove.WriteFails} {
		require.True(t, counts(cpu60, prove.Trouble{Kind: k, N: 1}), "%v", k)
	}
	// A target Value multiplies the pods that are ready.
	require.True(t, counts(latency, prove.Trouble{}))
	require.False(t, counts(latency, prove.Trouble{Kind: prove.PodsUnready, N: 1}))
}

func TestMissingPodsDoNotKeepTheSize(t *testing.T) {
	r := setupOf(t, cpu60, jumpy)
	tl := prove.Timeline{Setup: r, Size: 10, Segments: []prove.Segment{
		{Syncs: 1, Load: 3, Troubles: []prove.Trouble{{Kind: prove.PodsMute, N: 1}}},
	}}
	require.NoError(t, tl.Run(func(s *prove.Sync) bool {
		require.Less(t, s.After, s.Size)
		return true
	}))
	// An External metric without series reads zero.
	r = setupOf(t, `{"type":"External","external":{"metric":{"name":"backlog"},"target":{"type":"AverageValue","averageValue":"1"}}}`, jumpy)
	tl = prove.Timeline{Setup: r, Size: 10, Segments: []prove.Segment{
		{Syncs: 1, Load: 10, Troubles: []prove.Trouble{{Kind: prove.MetricEmpty}}},
	}}
	require.NoError(t, tl.Run(func(s *prove.Sync) bool {
		require.EqualValues(t, 2, s.After)
		return true
	}))
}

func TestLoadWithinToleranceMayReadAsOutside(t *testing.T) {
	// 95% of a target of 3% is 2% of the requests, truncated.
	r := setupOf(t, `{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":3}}}`, jumpy)
	tl := prove.Timeline{Setup: r, Size: 10, Segments: []prove.Segment{{Syncs: 1, Load: 9.5}}}
	require.NoError(t, tl.Run(func(s *prove.Sync) bool {
		require.EqualValues(t, 7, s.After)
		return true
	}))
}

// Policies do not look back on someone else's changes.
func TestPoliciesDoNotSeeWhatOthersDo(t *testing.T) {
	r := setupOf(t, cpu60, crawl)
	tl := prove.Timeline{Setup: r, Size: 2, Segments: []prove.Segment{
		{Syncs: 1, Load: 2},
		{Syncs: 1, Load: 12, Troubles: []prove.Trouble{{Kind: prove.Resized, N: 10}}},
	}}
	var last prove.Sync
	require.NoError(t, tl.Run(func(s *prove.Sync) bool {
		last = *s
		return true
	}))
	require.EqualValues(t, 11, last.After, "9 more than two minutes ago")
}

// A change by someone else bypasses the windows, and so do the bounds.
func TestBoundsGoPastTheWindow(t *testing.T) {
	tl := prove.Timeline{Setup: setupOf(t, cpu60, ""), Size: 20, Segments: []prove.Segment{
		{Syncs: 1, Load: 20},
		{Syncs: 1, Load: 20, Troubles: []prove.Trouble{{Kind: prove.Resized, N: 25}, {Kind: prove.MetricFails}}},
	}}
	var sizes []int32
	require.NoError(t, tl.Run(func(s *prove.Sync) bool {
		sizes = append(sizes, s.After)
		return true
	}))
	require.Equal(t, []int32{20, 20}, sizes)
}
