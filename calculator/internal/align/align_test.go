package align_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator/internal/align"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// Whatever was aligned before, the samples are those that podgroup.Aligner finds by
// name, the last one of each.
func TestEqualsAlignByName(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var a align.Aligner
		var byName podgroup.Aligner
		sizes := rapid.SampledFrom([]int{3, 3, 60})
		for range rapid.IntRange(1, 8).Draw(t, "syncs") {
			names := rapid.SliceOfN(rapid.Map(rapid.IntRange(0, sizes.Draw(t, "names")), func(n int) string { return fmt.Sprint("web-", n) }), 0, 8)
			var pods []podgroup.Pod
			for _, name := range names.Draw(t, "pods") {
				pods = append(pods, podgroup.Pod{Name: name})
			}
			a.Start(pods)
			all := map[string]metrics.Sample{}
			var added []string
			for i, name := range names.Draw(t, "samples") {
				s := metrics.Sample{Present: true, Value: metrics.Milli(i)}
				if rapid.Bool().Draw(t, "bytes") {
					a.AddBytes([]byte(name), s)
				} else {
					a.Add(name, s)
				}
				all[name] = s
				if !slices.Contains(added, name) && !slices.ContainsFunc(pods, func(p podgroup.Pod) bool { return p.Name == name }) {
					added = append(added, name)
				}
			}
			var wantStrays []metrics.Sample
			for _, name := range added {
				wantStrays = append(wantStrays, all[name])
			}
			want, _ := byName.Align(pods, all)
			samples, strays := a.Aligned()
			require.True(t, slices.Equal(want, samples), "%v, %v", want, samples)
			require.True(t, slices.Equal(wantStrays, strays), "%v, %v", wantStrays, strays)
		}
	})
}

// Names that are in use no more are forgotten, and may come back.
func TestForgets(t *testing.T) {
	var a align.Aligner
	for sync := range 100 {
		names := []string{fmt.Sprint("web-", sync), fmt.Sprint("web-", sync%7)}
		pods := []podgroup.Pod{{Name: names[0]}, {Name: names[1]}}
		a.Start(pods)
		for i, name := range names {
			a.Add(name, metrics.Sample{Present: true, Value: metrics.Milli(i)})
		}
		samples, strays := a.Aligned()
		require.Empty(t, strays)
		require.EqualValues(t, 1, samples[1].Value)
		if names[0] != names[1] {
			require.EqualValues(t, 0, samples[0].Value)
		}
	}
}
