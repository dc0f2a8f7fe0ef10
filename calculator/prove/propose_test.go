package prove_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/calctest"
	"github.com/purehpa/hpa/calculator/prove"
	"github.com/purehpa/hpa/metrics"
)

// proposing is a setup whose size is proposed by the caller: as many replicas
// as the load takes.
func proposing(most int32) *prove.Setup {
	spec := autoscaling.NewSpec(1, most, autoscaling.ProposalMetric("load"))
	spec.ScaleTargetRef = autoscaling.CrossVersionObjectReference{Kind: "Deployment", Name: "web", APIVersion: "apps/v1"}
	setup := prove.NewSetup(&spec)
	setup.Proposer = calculator.ProposerFunc(func(_ time.Time, obs *calculator.Observation) {
		if r := &obs.Readings[0]; r.Err == nil {
			r.Proposed = &calculator.Proposed{Replicas: metrics.Replicas(float64(r.Values[0]) / 1000)}
		}
	})
	return setup
}

// A caller's proposals go through timelines as an External metric does,
// troubles and all.
func TestProposedTimelines(t *testing.T) {
	own := autoscaling.NewSpec(1, 8, autoscaling.ExternalAverageValueMetric("load", metrics.MustParseQuantity("1")))
	own.ScaleTargetRef = proposing(8).Spec.ScaleTargetRef
	rapid.Check(t, func(t *rapid.T) {
		foreign := proposing(8)
		foreign.Settings.Tolerance = 0
		tl := calctest.Timelines(foreign).Draw(t, "timeline")
		tl.Series = 1
		sizes := func(setup *prove.Setup) (list []int32) {
			run := *tl
			run.Setup = setup
			require.NoError(t, run.Run(func(s *prove.Sync) bool {
				list = append(list, s.After)
				return true
			}))
			return list
		}
		plain := *foreign
		plain.Spec, plain.Proposer = &own, nil
		require.Equal(t, sizes(&plain), sizes(foreign))
	})
}

// A search goes through all courses of load with them, and finds what is wrong.
func TestProposedSearch(t *testing.T) {
	setup := proposing(4)
	setup.Startup, setup.Settings.DownscaleStabilization = 0, time.Minute
	r, err := prove.Search{Levels: []float64{0, 1, 2, 3, 4}}.Run(t.Context(), setup, prove.CarriedWithin(15*time.Second))
	require.NoError(t, err)
	require.True(t, r.Complete)
	require.Empty(t, broken(r))

	// Without a window, it turns with the load, and the search finds that course.
	zero := int32(0)
	setup.Spec.Behavior = &behavior.Behavior{ScaleDown: &behavior.ScalingRules{StabilizationWindowSeconds: &zero}}
	setup.Spec.SetDefaults()
	r, err = prove.Search{Levels: []float64{0, 1, 2, 3, 4}}.Run(t.Context(), setup, prove.TurnsWithin(1, 4, 1))
	require.NoError(t, err)
	require.Len(t, broken(r), 1)
}
