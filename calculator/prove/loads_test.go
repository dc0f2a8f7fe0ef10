package prove_test

import (
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/prove"
	"github.com/purehpa/hpa/metrics"
)

// thorough is the number of random rules to test instead of a few. It is set by
//
//	PROVE_CASES=200 go test -timeout 1h ./calculator/prove
//
// The reference for all loads then tries each of them, too, and random courses
// are a million syncs in all.
func thorough() int {
	n, _ := strconv.Atoi(os.Getenv("PROVE_CASES"))
	return n
}

// loadCase returns the reference for the rules of a case, which it draws until
// there are few enough states.
func loadCase(t testing.TB, i int) *loadSearch {
	most, step := 400, int64(50)
	if thorough() > 0 {
		most, step = 3_000, 1
	}
	return drawLoadSearch(t, seeded(7, i), most, step)
}

// drawLoadSearch draws rules until there are at most so many states.
func drawLoadSearch(t testing.TB, r *rand.Rand, most int, step int64) *loadSearch {
	for {
		p := newLoadSearch(randomSmallSetup(r), step)
		if p.run(t, most) {
			return p
		}
	}
}

// cases runs the test of each random set of rules, and returns their number.
func cases(t *testing.T, few int, test func(t *testing.T, i int)) int {
	n := few
	if thorough() > 0 {
		n = thorough()
	}
	for i := range n {
		t.Run(strconv.Itoa(i), func(t *testing.T) { test(t, i) })
	}
	return n
}

// A search of all loads finds what an explicit one of a load of each interval
// finds: the same changes of size and the same worst times.
func TestAllLoadsEqualPlainSearch(t *testing.T) {
	cases(t, 20, func(t *testing.T, i int) { requireAsPlain(t, loadCase(t, i), i) })
}

// requireAsPlain runs a search with the rules of a reference.
func requireAsPlain(t *testing.T, p *loadSearch, i int) {
	text := textOf(i, p.setup)
	type change struct{ size, after int32 }
	want, got := map[change]bool{}, map[change]bool{}
	for n, next := range p.next {
		for _, to := range next {
			want[change{p.nodes[n].size(), p.nodes[to].size()}] = true
		}
	}
	var lock sync.Mutex // a search uses all processors
	x, err := prove.Search{}.Run(t.Context(), p.setup, prove.Always("", func(tr *prove.Transition) string {
		lock.Lock()
		defer lock.Unlock()
		got[change{tr.Size, tr.After}] = true
		return ""
	}))
	require.NoError(t, err, text)
	require.True(t, x.Complete && x.Timed, text)
	require.Equal(t, want, got, text)
	up := p.longestUntil(func(size int32, load int64) bool { return size >= p.needs(load) })
	down := p.longestUntil(func(size int32, load int64) bool { return size <= p.needs(load) })
	tolerated := p.longestUntil(func(size int32, load int64) bool { return p.carries(t, size, load) })
	require.Equal(t,
		map[string]worstTime{"up": up, "tolerated": tolerated, "down": down, "settle": p.longestChange()},
		map[string]worstTime{"up": timeOf(x.WorstUp), "tolerated": timeOf(x.WorstTolerated), "down": timeOf(x.WorstDown), "settle": timeOf(x.WorstSettle)},
		"%s\n%v", text, x)
	t.Log(len(p.nodes), len(p.loads), x.States, x)
}

// All loads do what those of a fine grid do, also where pods start slowly and
// troubles happen, so that more load may get fewer replicas.
func TestAllLoadsDoWhatLevelsDo(t *testing.T) {
	compared, timed := 0, 0
	n := cases(t, 100, func(t *testing.T, i int) {
		r := seeded(21, i)
		s := randomSmallSetup(r)
		s.Startup = pick(r, 20*time.Second, 2*s.SyncPeriod)
		all := prove.Search{Troubles: randomTroubles(r, s.Spec.MaxReplicas), MaxStates: 1_000}
		grid := all
		for l := range 250 * s.Spec.MaxReplicas / 5 {
			grid.Levels = append(grid.Levels, float64(l)/25)
		}
		type change struct{ size, after int32 }
		changes := func(search prove.Search) (map[change]bool, *prove.Result) {
			found := map[change]bool{}
			var lock sync.Mutex // a search uses all processors
			x, err := search.Run(t.Context(), s, prove.Always("", func(tr *prove.Transition) string {
				lock.Lock()
				defer lock.Unlock()
				found[change{tr.Size, tr.After}] = true
				return ""
			}))
			require.NoError(t, err)
			return found, x
		}
		got, x := changes(all)
		if !x.Complete {
			return
		}
		want, y := changes(grid)
		compared++
		if x.Timed && y.Timed {
			for _, w := range [][2]prove.Worst{{x.WorstUp, y.WorstUp}, {x.WorstTolerated, y.WorstTolerated}, {x.WorstDown, y.WorstDown}, {x.WorstSettle, y.WorstSettle}} {
				require.True(t, w[0].Never || !w[1].Never && w[0].Time >= w[1].Time, "%s, %v: %v, on the grid %v", textOf(i, s), all.Troubles, w[0], w[1])
			}
			timed++
		}
		for c := range want {
			require.True(t, got[c], "%s, %v: %+v", textOf(i, s), all.Troubles, c)
		}
	})
	require.Less(t, n/2, compared)
	require.Less(t, n*2/5, timed)
}

// A Value that is above its target multiplies the ready pods. While there are
// none, the size stays within tolerance, and falls to 0 beside that.
func TestMoreLoadMayGetFewerReplicas(t *testing.T) {
	spec := autoscaling.NewSpec(0, 2, autoscaling.ExternalValueMetric("latency", metrics.MustParseQuantity("250m")))
	s := prove.NewSetup(&spec)
	s.Startup = 40 * time.Second
	s.Settings.DownscaleStabilization = 0
	x, err := prove.Search{Untimed: true}.Run(t.Context(), s, prove.TurnsWithin(1, 1, 1), prove.TurnsWithin(0.6, 1, 1))
	require.NoError(t, err)
	require.Equal(t, prove.Proved, x.Verdicts[0].Outcome, x.Verdicts[0].String())
	require.Equal(t, prove.Broken, x.Verdicts[1].Outcome)
}

// The reference sees what timelines do.
func TestPlainSearchEqualsTimelines(t *testing.T) {
	cases(t, 20, func(t *testing.T, i int) {
		r := seeded(8, i)
		p := newLoadSearch(randomSmallSetup(r), 1000)
		p.loads, p.index = []int64{0}, map[string]int32{}
		least := p.setup.Spec.Bounds().Min
		tl := prove.Timeline{Setup: p.setup, Size: least + r.Int32N(p.setup.Spec.MaxReplicas-least+1), ScaledToZero: true}
		for range 100 {
			tl.Segments = append(tl.Segments, prove.Segment{Syncs: 1 + r.IntN(3), Load: float64(r.Int64N(p.highest())) / 1000})
		}
		node := loadNode{now: prove.Start}
		node.state.Conditions = scaledToZero(tl.Size)
		for range tl.Size {
			node.pods = append(node.pods, byte(p.grown))
		}
		at := int(p.add(node))
		require.NoError(t, tl.Run(func(s *prove.Sync) bool {
			at = int(p.after(t, at, int64(tl.Segments[s.Segment].Load*1000+0.5)))
			require.Equal(t, s.After, p.nodes[at].size(), textOf(i, p.setup))
			return true
		}))
	})
}

// An autoscaler without a history recommends its size and what its metrics ask
// for at once. The size holds in the scaleDown window, what the metrics ask for
// in the scaleUp window, also if that is the longer one.
func TestStartCountsInBothWindows(t *testing.T) {
	s := rules(2, time.Minute, 90*time.Second, func(b *behavior.Behavior) {
		up := int32(120)
		b.ScaleUp.StabilizationWindowSeconds = &up
	})
	x, err := prove.Search{}.Run(t.Context(), s)
	require.NoError(t, err)
	require.Equal(t, "3m, from 2 replicas at load 0", x.WorstDown.String())
	require.Equal(t, "3m, from 1 replica at load 2", x.WorstTolerated.String())
}
