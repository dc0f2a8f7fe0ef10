package prove_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator/prove"
)

// lateCase returns the reference for rules with late metrics, which it draws until
// there are few enough states.
func lateCase(t testing.TB, i int) *loadSearch {
	r := seeded(22, i)
	most := 3_000
	if thorough() > 0 {
		most = 20_000
	}
	for {
		s := randomSmallSetup(r)
		s.Spec.MaxReplicas = 1 + r.Int32N(3)
		if s.Spec.MinReplicas != nil {
			*s.Spec.MinReplicas = min(*s.Spec.MinReplicas, s.Spec.MaxReplicas)
		}
		s.Lag = time.Duration(1+r.IntN(2)) * s.SyncPeriod
		if p := newLoadSearch(s, 20); p.run(t, most) && len(p.nodes) > 100 {
			return p
		}
	}
}

// A load that metrics show when the pods have changed is divided by how the pods
// of then and now decide.
func TestLateMetricsEqualPlainSearch(t *testing.T) {
	cases(t, 20, func(t *testing.T, i int) { requireAsPlain(t, lateCase(t, i), i) })
}

// Pods that served a load of 0.6 alone, and are two when it shows.
func TestLateMetricsOfOtherPods(t *testing.T) {
	s := rules(2, 15*time.Second, 45*time.Second, nil)
	s.Spec.Metrics = setupOf(t, latency, "").Spec.Metrics
	s.Lag = 15 * time.Second
	x, err := prove.Search{Levels: []float64{0, 0.6, 2}}.Run(t.Context(), s)
	require.NoError(t, err)
	require.Equal(t, 75*time.Second, x.WorstSettle.Time)
	x, err = prove.Search{}.Run(t.Context(), s)
	require.NoError(t, err)
	require.Equal(t, 75*time.Second, x.WorstSettle.Time)
}

// Named levels, one of each interval, break NeverBelow as soon as all loads do. Of
// these, only the loads of one sync are told apart before metrics show them.
func TestLateNeverBelowEqualsLevels(t *testing.T) {
	outcomes := map[prove.Outcome]int{}
	cases(t, 12, func(t *testing.T, i int) {
		p := lateCase(t, i)
		var levels []float64
		for _, l := range p.loads {
			levels = append(levels, float64(l)/1000)
		}
		var properties []prove.Property
		for n := range 5 {
			properties = append(properties, prove.NeverBelow(time.Duration(n)*p.setup.SyncPeriod))
		}
		all, err := prove.Search{Untimed: true}.Run(t.Context(), p.setup, properties...)
		require.NoError(t, err)
		some, err := prove.Search{Untimed: true, Levels: levels}.Run(t.Context(), p.setup, properties...)
		require.NoError(t, err)
		for k := range properties {
			want, got := &some.Verdicts[k], &all.Verdicts[k]
			require.Equal(t, want.Outcome, got.Outcome, "%s: %v", textOf(i, p.setup), want)
			if outcomes[got.Outcome]++; got.Outcome == prove.Broken {
				require.Equal(t, syncsOf(want.Counterexample.Timeline), syncsOf(got.Counterexample.Timeline), textOf(i, p.setup))
			}
		}
	})
	t.Log(outcomes)
	require.Less(t, 10, min(outcomes[prove.Broken], outcomes[prove.Proved]))
}
