package calculator_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator/release"
)

// olderFiles are recordings of the older releases. Each has vectors with the
// feature gates at their defaults and, where there are gates, some with changed
// gates.
var olderFiles = []vectorFile{
	{name: "testdata/kubernetes-1.29.6.jsonl.gz", vectors: 72, syncs: 487, deviations: 23},
	{name: "testdata/kubernetes-1.30.14.jsonl.gz", vectors: 62, syncs: 430, deviations: 20},
	{name: "testdata/kubernetes-1.31.14.jsonl.gz", vectors: 62, syncs: 430, deviations: 20},
	{name: "testdata/kubernetes-1.32.13.jsonl.gz", vectors: 62, syncs: 430, deviations: 20},
	{name: "testdata/kubernetes-1.33.13.jsonl.gz", vectors: 72, syncs: 487, deviations: 20},
	{name: "testdata/kubernetes-1.34.4.jsonl.gz", vectors: 72, syncs: 487, deviations: 20},
	{name: "testdata/kubernetes-1.35.4.jsonl.gz", vectors: 72, syncs: 487, deviations: 20},
	{name: "testdata/kubernetes-1.36.3.jsonl.gz", vectors: 72, syncs: 487, deviations: 1},
}

// recordable are the quirks of the release that a recording can show.
func recordable(r release.Release) release.Quirks {
	set := r.Quirks()
	for q := range set.All() {
		if q.Row().Kind == release.Admits {
			set = set.Without(q)
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

// TestVectorsOfOlderReleases is TestVectors for the older releases. Each quirk
// of a release that a recording can show matters in its file, and at least one
// of those changes a decision.
func TestVectorsOfOlderReleases(t *testing.T) {
	t.Parallel()
	require.Len(t, olderFiles, release.Newest-release.Oldest)
	for _, file := range olderFiles {
		t.Run(strings.TrimPrefix(file.name, "testdata/"), func(t *testing.T) {
			t.Parallel()
			mattered := file.requireAnswers(t)
			var want release.Quirks
			file.each(t, func(v *vector) { want |= recordable(v.Config.Release) })
			require.Equal(t, want.String(), mattered.String())
			require.True(t, slices.ContainsFunc(slices.Collect(mattered.All()), func(q release.Quirk) bool {
				return q.Row().Kind == release.Decides
			}))
		})
	}
}
