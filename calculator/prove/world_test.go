package prove

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
)

// With a lag, nearly each state sees something else. What was seen is kept only
// in part.
func TestExhaustKeepsFewObservations(t *testing.T) {
	spec := autoscaling.NewSpec(1, 12, autoscaling.ResourceUtilizationMetric("cpu", 50))
	s := NewSetup(&spec)
	s.Startup, s.Lag = 45*time.Second, 15*time.Second
	w, err := Search{Levels: []float64{0, 2, 4, 6, 8, 10, 12}}.world(s)
	require.NoError(t, err)
	g := &graph{world: w, max: 30_000}
	require.NoError(t, g.search(t.Context()))
	v, seen, most := newWalker(w), 0, 0
	for key := range g.ids {
		v.observations(w.place([]byte(key)), 0)
		kept := 0
		if seen++; seen%1000 == 0 {
			for _, all := range v.seen {
				kept += len(all) * (1 + len(all[0].Pods))
			}
		}
		most = max(most, kept)
	}
	require.LessOrEqual(t, most, maxKept)
	require.Greater(t, most, maxKept/2)
}

// Walk draws a walk from node to node, and compares it with a timeline.
func Walk(t *rapid.T, setup *Setup, search Search) {
	w, err := search.world(setup)
	require.NoError(t, err)
	v := newWalker(w)
	node := rapid.SampledFrom(w.starts()).Draw(t, "start")
	tl := &Timeline{Setup: w.setup, Size: int32(node[0]), ScaledToZero: node[0] == 0}
	var inputs []input
	var sizes []int32
	var seen [][]calculator.Proposal
	for range rapid.IntRange(1, 60).Draw(t, "syncs") {
		in := input{troubles: uint8(max(0, rapid.IntRange(-len(w.troubles), len(w.troubles)-1).Draw(t, "troubles")))}
		near := w.near[node[0]]
		i := rapid.IntRange(0, len(near)-1).Draw(t, "level")
		in.level = near[i]
		p := w.place(node)
		obs := v.observations(p, in.troubles)
		node, err = v.step(nil, p, &obs[i], in)
		require.NoError(t, err)
		inputs, sizes, seen = append(inputs, in), append(sizes, v.after), append(seen, slices.Clone(v.d.Proposals))
	}
	tl.Segments = (&graph{world: w}).course(inputs)
	n := 0
	Runner{}.run(tl, func(sync *Sync) bool {
		require.Equal(t, sync.After, sizes[n], "sync %d of %v", n, tl)
		require.Len(t, seen[n], len(sync.Decision.Proposals))
		for i := range seen[n] {
			want, got := &sync.Decision.Proposals[i], &seen[n][i]
			require.Equal(t, want.Pods, got.Pods, "sync %d of %v", n, tl)
			require.Equal(t, want.Failure.Kind, got.Failure.Kind)
			require.Equal(t, want.CorrectedUsage, got.CorrectedUsage)
			require.Equal(t, want.CorrectedUtilization, got.CorrectedUtilization)
			require.Equal(t, want.Replicas, got.Replicas)
		}
		n++
		return true
	})
	require.Equal(t, len(inputs), n)
}

// Loads that stay lead to no more states than a search may have.
func TestExhaustHoldIsBounded(t *testing.T) {
	spec := autoscaling.NewSpec(1, 9, autoscaling.ResourceUtilizationMetric("cpu", 60))
	spec.ScaleTargetRef = autoscaling.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "web"}
	w, err := Search{Around: 1}.world(NewSetup(&spec))
	require.NoError(t, err)
	g := &graph{world: w, max: defaultMaxStates}
	require.NoError(t, g.search(t.Context()))
	require.True(t, g.complete)
	g.max, g.complete = g.reached-1, false
	require.NoError(t, g.hold(t.Context(), newWalker(w)))
	require.False(t, g.complete)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, g.hold(ctx, newWalker(w)), context.Canceled)
}

// Troubles of a kind do not happen together, except those of different
// metrics.
func TestTroublesTogether(t *testing.T) {
	one, other := Trouble{MetricFails, 0}, Trouble{MetricFails, 1}
	three, six := Trouble{Resized, 3}, Trouble{Resized, 6}
	require.Equal(t, [][]Trouble{
		nil, {one}, {three}, {other}, {six},
		{one, three}, {one, other}, {three, other}, {one, six}, {other, six},
		{one, three, other}, {one, other, six},
	}, together([]Trouble{one, three, other, six}))
}
