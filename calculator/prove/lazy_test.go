package prove_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/prove"
)

// exact returns the setup for a search that keeps each recommendation instead
// of sets that are resolved later: it does so for a proposer. This one leaves
// all proposals to the library.
func exact(s *prove.Setup) *prove.Setup {
	e := *s
	e.Proposer = calculator.ProposerFunc(func(time.Time, *calculator.Observation) {})
	return &e
}

// Recommendations that are kept as sets lead to what those that are kept exactly
// do: the same worst times and verdicts, after courses of the same length.
func TestSetsEqualExactRecommendations(t *testing.T) {
	sets, all := 0, 0
	cases(t, 6, func(t *testing.T, i int) {
		r := seeded(11, i)
		p := drawLoadSearch(t, r, 150, 50)
		for len(p.nodes) < 50 {
			p = drawLoadSearch(t, r, 150, 50)
		}
		text := textOf(i, p.setup)
		families, edge := (naive{p, t, 0}).limits(r)
		search := prove.Search{Missed: max(r.IntN(4)-2, 0), MaxStates: 20_000, Edges: []float64{edge}}
		var properties []prove.Property
		for _, family := range families {
			for k := range 3 {
				properties = append(properties, family[k*len(family)/3].Property)
			}
		}
		type verdict struct {
			claim   string
			outcome prove.Outcome
			syncs   int
		}
		run := func(s *prove.Setup) (times []worstTime, verdicts []verdict, states int, complete bool) {
			x, err := search.Run(context.Background(), s, properties...)
			require.NoError(t, err, text)
			for _, w := range []prove.Worst{x.WorstUp, x.WorstTolerated, x.WorstDown, x.WorstSettle} {
				times = append(times, timeOf(w))
			}
			for _, v := range x.Verdicts {
				complete = complete || v.Outcome == prove.Undecided
				verdicts = append(verdicts, verdict{v.Claim, v.Outcome, 0})
				if v.Outcome == prove.Broken && !forever(&v) {
					verdicts[len(verdicts)-1].syncs = syncsOf(v.Counterexample.Timeline)
				}
			}
			return times, verdicts, x.States, x.Complete && !complete
		}
		times, verdicts, some, ok := run(p.setup)
		require.True(t, ok, text)
		exactTimes, exactVerdicts, many, ok := run(exact(p.setup))
		if !ok {
			t.Skip("too many states")
		}
		require.Equal(t, exactTimes, times, text)
		require.Equal(t, exactVerdicts, verdicts, text)
		require.LessOrEqual(t, some, many, text)
		sets, all = sets+some, all+many
	})
	t.Logf("%d states, %d exactly", sets, all)
	require.Less(t, sets, all)
}

// What a recommendation holds, NeverBelow need not watch: it breaks in a course as
// short as with exact recommendations, where it watches everything.
func TestNeverBelowEqualsExact(t *testing.T) {
	outcomes := map[prove.Outcome]int{}
	for i := range max(40*thorough(), 300) {
		r := seeded(23, i)
		s := randomSmallSetup(r)
		s.Spec.MaxReplicas = max(s.Spec.Bounds().Min, 3+r.Int32N(8))
		s.Settings.DownscaleStabilization = time.Duration(1+r.IntN(4)) * s.SyncPeriod
		if r.IntN(3) > 0 {
			s.Spec.Behavior = nil
		}
		search := prove.Search{Untimed: true, MaxStates: 5_000}
		search.Low = r.Float64() * float64(s.Spec.MaxReplicas)
		search.High = search.Low + r.Float64()*float64(s.Spec.MaxReplicas)
		below := prove.NeverBelow(time.Duration(1+r.IntN(8)) * s.SyncPeriod / 2)
		all, err := search.Run(t.Context(), exact(s), below)
		require.NoError(t, err)
		sets, err := search.Run(t.Context(), s, below)
		require.NoError(t, err)
		want, got := &all.Verdicts[0], &sets.Verdicts[0]
		outcomes[want.Outcome]++
		switch want.Outcome {
		case prove.Broken:
			require.Equal(t, prove.Broken, got.Outcome, "%s from %v to %v: %v", textOf(i, s), search.Low, search.High, want)
			require.Equal(t, syncsOf(want.Counterexample.Timeline), syncsOf(got.Counterexample.Timeline), textOf(i, s))
		case prove.Proved:
			require.Equal(t, prove.Proved, got.Outcome, textOf(i, s))
		}
	}
	t.Log(outcomes)
	require.Less(t, 10, min(outcomes[prove.Broken], outcomes[prove.Proved]))
}
