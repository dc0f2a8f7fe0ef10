package prove_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator/prove"
)

// The table has a row for each sync. Without its timeline it has no loads.
func TestCounterexample(t *testing.T) {
	tl := prove.Timeline{Setup: setupOf(t, cpu60, ""), Size: 4, Segments: []prove.Segment{
		{Syncs: 1, Load: 4},
		{Syncs: 1, Load: 6, Troubles: []prove.Trouble{{Kind: prove.PodsMute, N: 1}}},
	}}
	x := prove.Counterexample{Timeline: &tl, Claim: "The size stays.", Broken: "It does not."}
	require.NoError(t, tl.Run(func(s *prove.Sync) bool {
		x.Add(s)
		return true
	}))
	require.Equal(t, `The size stays.

  time  load  pods ready  size  metrics ask  window holds  size after
  0:00     4      4 of 4     4            4             4           4
  0:15     6      4 of 4     4            5             5           5  <<< 1 without sample

It does not.
`, x.String())
	x.Timeline = nil
	require.Contains(t, x.String(), "  0:15     0      4 of 4")
}
