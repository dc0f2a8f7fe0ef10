package podgroup_test

import (
	"fmt"
	"math/rand/v2"
	"sort"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

func TestAlignAgainstMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Several calls: results must not depend on earlier ones.
		var a podgroup.Aligner
		for range rapid.IntRange(1, 4).Draw(t, "calls") {
			// Pods of two clusters may have the same name.
			names := rapid.SliceOfN(rapid.IntRange(0, 9), 0, 8).Draw(t, "pods")
			if rapid.Bool().Draw(t, "sorted") {
				sort.Ints(names)
			}
			byName := rapid.Map(
				rapid.MapOf(rapid.IntRange(0, 11), rapid.Int64Range(1, 1000)),
				func(m map[int]int64) map[string]metrics.Sample {
					samples := map[string]metrics.Sample{}
					for i, v := range m {
						samples[fmt.Sprint(i)] = metrics.Sample{Value: metrics.Milli(v), Present: true}
					}
					return samples
				}).Draw(t, "samples")
			pods := make([]podgroup.Pod, len(names))
			want := make([]metrics.Sample, len(names))
			rest := map[string]metrics.Sample{}
			for name, s := range byName {
				rest[name] = s
			}
			for i, n := range names {
				pods[i].Name = fmt.Sprint(n)
				want[i] = byName[pods[i].Name]
				delete(rest, pods[i].Name)
			}
			wantStrays := []int{}
			for _, s := range rest {
				wantStrays = append(wantStrays, int(s.Value))
			}

			samples, strays := a.Align(pods, byName)
			require.Equal(t, len(want), len(samples))
			for i := range want {
				require.Equal(t, want[i], samples[i], pods[i].Name)
			}
			gotStrays := []int{}
			for _, s := range strays {
				require.True(t, s.Present)
				gotStrays = append(gotStrays, int(s.Value))
			}
			sort.Ints(wantStrays)
			sort.Ints(gotStrays)
			require.Equal(t, wantStrays, gotStrays)
		}
	})
}

// A name that two pods have does not stand for another one that no pod has.
func TestAlignPodsOfTheSameName(t *testing.T) {
	var a podgroup.Aligner
	own, gone := metrics.Sample{Value: 1, Present: true}, metrics.Sample{Value: 2, Present: true}
	samples, strays := a.Align([]podgroup.Pod{{Name: "web-0"}, {Name: "web-0"}}, map[string]metrics.Sample{"web-0": own, "gone": gone})
	require.Equal(t, []metrics.Sample{own, own}, samples)
	require.Equal(t, []metrics.Sample{gone}, strays)
}

func TestAlignNothing(t *testing.T) {
	var a podgroup.Aligner
	samples, strays := a.Align(nil, nil)
	require.Empty(t, samples)
	require.Empty(t, strays)

	samples, strays = a.Align([]podgroup.Pod{{Name: "a"}}, nil)
	require.Equal(t, []metrics.Sample{{}}, samples)
	require.Empty(t, strays)

	samples, strays = a.Align(nil, map[string]metrics.Sample{"a": {Present: true}})
	require.Empty(t, samples)
	require.Equal(t, []metrics.Sample{{Present: true}}, strays)
}

func TestAlignDoesNotAllocate(t *testing.T) {
	pods, samples := benchPods(100, noon, false)
	byName := map[string]metrics.Sample{"gone": {Present: true}}
	for _, i := range rand.New(rand.NewPCG(1, 2)).Perm(len(pods)) {
		byName[pods[i].Name] = samples[i]
	}
	var a podgroup.Aligner
	a.Align(pods, byName)
	require.Zero(t, testing.AllocsPerRun(10, func() { a.Align(pods, byName) }))
	delete(byName, "gone")
	require.Zero(t, testing.AllocsPerRun(10, func() { a.Align(pods, byName) }))
}
