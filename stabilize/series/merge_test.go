package series

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What is still in force must not be lost as a stale entry may be.
func TestMergedIsStaleIfBothAre(t *testing.T) {
	early, late := slot{unixEpoch, 7, 1}, slot{unixEpoch + 5, 9, 2}
	stale := func(s slot) slot { return slot{s.sec, ^s.nsec, s.value} }
	for _, merge := range []Merge{MergeMax, MergeSumLater, MergeSumEarlier} {
		want := merge.one(early, late)
		require.False(t, want.stale())
		require.Equal(t, want, merge.one(stale(early), late))
		require.Equal(t, want, merge.one(early, stale(late)))
		require.Equal(t, stale(want), merge.one(stale(early), stale(late)))
	}
}
