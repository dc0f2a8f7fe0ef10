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
