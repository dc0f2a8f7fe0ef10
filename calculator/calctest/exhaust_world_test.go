package calctest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator"
)

// A walk from node to node sees and decides what a timeline of the same loads does:
// the classes of pods, the usage and the sizes of each sync.
func TestExhaustWalksLikeTimelines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Setups(ReplicasUpTo(6)).Draw(t, "setup")
		if rapid.Bool().Draw(t, "agile") { // for the size to change often
			least := int32(1)
			s.Spec.MinReplicas, s.Spec.MaxReplicas, s.Spec.Behavior = &least, 8, nil
			s.Settings.DownscaleStabilization = 0
		}
		s.Startup = time.Duration(rapid.IntRange(0, 90).Draw(t, "startup")) * time.Second
		s.Lag = time.Duration(rapid.IntRange(0, 45).Draw(t, "lag")) * time.Second
		w, err := Search{MetricsFail: true}.world(s)
		require.NoError(t, err)
		v := &walker{world: w, seen: map[string][]calculator.Observation{}}
		node := rapid.SampledFrom(w.starts()).Draw(t, "start")
		tl := &Timeline{Setup: s, Size: int32(node[0]), ScaledToZero: node[0] == 0}
		inputs := rapid.SliceOfN(rapid.OneOf(
			rapid.IntRange(0, len(w.inputs)/2-1), rapid.IntRange(0, len(w.inputs)/2-1), rapid.IntRange(0, len(w.inputs)-1), // half of them fail
		), 1, 60).Draw(t, "inputs")
		for _, i := range inputs {
			tl.Stages = append(tl.Stages, w.inputs[i].stage)
		}
		n := 0
		configOf(nil).run(tl, func(sync *Sync) bool {
			node, err = v.step(nil, node, v.observations(node), inputs[n])
			require.NoError(t, err)
			require.Equal(t, rowOf(sync).after, v.after, "sync %d of %v", n, tl)
			require.Len(t, v.d.Proposals, len(sync.Decision.Proposals))
			for i := range v.d.Proposals {
				want, got := &sync.Decision.Proposals[i], &v.d.Proposals[i]
				require.Equal(t, want.Pods, got.Pods, "sync %d of %v", n, tl)
				require.Equal(t, want.CorrectedUsage, got.CorrectedUsage)
				require.Equal(t, want.CorrectedUtilization, got.CorrectedUtilization)
				require.Equal(t, want.Replicas, got.Replicas)
			}
			n++
			return true
		})
	})
}
