package calculator_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/release"
)

// olderFiles are those of the releases before. Each has vectors with the gates at
// their defaults and, where there are gates, some with those set otherwise.
var olderFiles = []vectorFile{
	{"testdata/kubernetes-1.29.6.jsonl.gz", 72, 487, 23},
	{"testdata/kubernetes-1.30.14.jsonl.gz", 62, 430, 20},
	{"testdata/kubernetes-1.31.14.jsonl.gz", 62, 430, 20},
	{"testdata/kubernetes-1.32.13.jsonl.gz", 62, 430, 20},
	{"testdata/kubernetes-1.33.13.jsonl.gz", 72, 487, 20},
	{"testdata/kubernetes-1.34.4.jsonl.gz", 72, 487, 20},
	{"testdata/kubernetes-1.35.4.jsonl.gz", 72, 487, 20},
	{"testdata/kubernetes-1.36.3.jsonl.gz", 72, 487, 1},
}

// recordable are the release's differences that a recording can show.
func recordable(r release.Release) release.Differences {
	set := r.Differences()
	for d := range set.All() {
		if d.Row().Kind == release.Admits {
			set = set.Without(d)
		}
	}
	if r.Minor() <= 32 {
		// The API server drops what these are about from what it stores.
		set = set.Without(release.OneTolerance).Without(release.NoPodLevelRequests)
	}
	return set.
		Without(release.ExternalUnguarded).   // takes amounts near the largest int64
		Without(release.NoScaleToZero).       // takes a condition that another release set
		Without(release.SharedSelectorByAll). // takes another autoscaler
		Without(release.NoObservedGeneration) // is the caller's
}

// TestVectorsOfOlderReleases is TestVectors for them. All that a release decides or
// shows otherwise than the newest matters in its file.
func TestVectorsOfOlderReleases(t *testing.T) {
	t.Parallel()
	require.Len(t, olderFiles, release.Newest-release.Oldest)
	for _, file := range olderFiles {
		t.Run(strings.TrimPrefix(file.name, "testdata/"), func(t *testing.T) {
			t.Parallel()
			mattered := file.replay(t)
			var want release.Differences
			eachVectorOf(t, file.name, file.vectors, func(v *vector) { want |= recordable(v.Config.Release) })
			require.Equal(t, want.String(), mattered.String())
			require.True(t, slices.ContainsFunc(slices.Collect(mattered.All()), func(d release.Difference) bool {
				return d.Row().Kind == release.Decides
			}))
		})
	}
}

// replay replays the file's vectors, each as the release that it names, and returns
// the differences of releases that mattered.
func (file *vectorFile) replay(t *testing.T) (mattered release.Differences) {
	t.Helper()
	syncs, deviations := 0, 0
	eachVectorOf(t, file.name, file.vectors, func(v *vector) {
		require.Contains(t, file.name, v.Config.Release.Patch(), "vector %s", v.Name)
		settings := v.settings()
		var st calculator.State
		var d calculator.Decision
		for i := range v.Steps {
			s := &v.Steps[i]
			s.sync(t, &d, &settings, &v.DefaultedSpec, &st)
			mattered |= d.Differences
			want, deviates := s.want()
			if deviates {
				deviations++
			}
			if got := s.result(t, &d, &st); !want.equal(&got) {
				t.Fatalf("vector %s, step %d (-want +got):\n%s", v.Name, i, cmp.Diff(want, got))
			}
			syncs++
		}
	})
	require.Equal(t, file.syncs, syncs, "syncs of %s", file.name)
	require.Equal(t, file.deviations, deviations, "deviations in %s", file.name)
	t.Logf("%s: %d syncs agree, %d of them but for a deviation on purpose", file.name, syncs, deviations)
	return mattered
}
