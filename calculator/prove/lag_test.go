package prove_test

import (
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator/prove"
	"github.com/purehpa/hpa/podgroup"
)

// drawLate returns rules for up to three replicas whose metrics are a sync
// late.
func drawLate(t *testing.T, test, i int) *loadSearch {
	r := seeded(test, i)
	for {
		p := drawLoadSearch(t, r, 60, 50)
		if p.setup.Spec.MaxReplicas <= 3 && len(p.setup.Spec.Metrics) == 1 {
			p.setup.Lag = p.setup.Period()
			return p
		}
	}
}

// The loads that a search of late metrics finds are enough: many more named
// levels have the same worst times, and no other decisions.
func TestLateMetricsOfAllLoads(t *testing.T) {
	cases(t, 4, func(t *testing.T, i int) {
		p := drawLate(t, 14, i)
		text := textOf(i, p.setup)
		var levels []float64
		for l := int64(0); l <= p.highest(); l += 200 {
			levels = append(levels, float64(l)/1000)
		}
		for _, l := range p.loads {
			levels = append(levels, float64(l)/1000)
		}
		type decided struct {
			size, after, asked int32
			ready              int
		}
		run := func(search prove.Search) (all []worstTime, decisions []decided) {
			var lock sync.Mutex // a search uses all processors
			seen := map[decided]bool{}
			x, err := search.Run(t.Context(), p.setup, prove.Always("", func(tr *prove.Transition) string {
				lock.Lock()
				defer lock.Unlock()
				asked := min(tr.Decision.Choice.Replicas, p.setup.Spec.MaxReplicas)
				seen[decided{tr.Size, tr.After, asked, podgroup.RunningAndReady(tr.Observation.Pods)}] = true
				return ""
			}))
			require.NoError(t, err, text)
			require.True(t, x.Timed, text)
			for _, w := range []prove.Worst{x.WorstUp, x.WorstTolerated, x.WorstDown, x.WorstSettle} {
				all = append(all, timeOf(w))
			}
			return all, slices.Collect(maps.Keys(seen))
		}
		want, some := run(prove.Search{Levels: levels})
		got, all := run(prove.Search{})
		require.Equal(t, want, got, text)
		require.Subset(t, all, some, text)
	})
}

// No random course breaks what is proved for late metrics and all loads.
func TestRandomCoursesOfLateMetrics(t *testing.T) {
	cases(t, 4, func(t *testing.T, i int) {
		p := drawLate(t, 15, i)
		v := naive{p, t, 0}
		r := seeded(16, i)
		text := textOf(i, p.setup)
		families, edge := v.limits(r)
		var held []claim
		for _, family := range families {
			for _, c := range family {
				x, err := prove.Search{Edges: []float64{edge}, Promises: true}.Run(t.Context(), p.setup, c.Property)
				require.NoError(t, err, text)
				require.NotEqual(t, prove.Undecided, x.Verdicts[0].Outcome, text)
				if x.Verdicts[0].Outcome == prove.Proved {
					held = append(held, c)
					break
				}
			}
		}
		for range 10 {
			tl := v.randomCourse(r, 300, 0, nil)
			course := see(t, tl)
			for _, c := range held {
				at := c.breaks(course)
				require.Negative(t, at, "%s: %v, at sync %d of %v", text, c, at, tl)
			}
		}
	})
}

// Pods of too many ages need named levels if metrics are late.
func TestLateMetricsOfManyPlaces(t *testing.T) {
	s := rules(12, 15*time.Second, time.Minute, nil)
	s.Startup, s.Lag = 2*time.Minute, 15*time.Second
	_, err := prove.Search{Low: 1, High: 1}.Run(t.Context(), s)
	require.EqualError(t, err, "prove: with late metrics, the loads for 12 replicas are too many for a search; name Search.Levels")
}
