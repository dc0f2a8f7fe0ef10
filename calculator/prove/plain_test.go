package prove_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/calctest"
	"github.com/purehpa/hpa/calculator/prove"
	"github.com/purehpa/hpa/metrics"
)

// A search by key finds what a plain search finds, for 20 sets of random rules:
//
//   - the same changes of size at each load,
//   - a shortest course to each of them,
//   - the longest times until the size is what a constant load needs, and until
//     pods that it does not need are gone,
//   - the longest time until a constant load is carried, and a shortest course
//     to it,
//   - the longest time until the size changes no more, and a shortest course to
//     it.
func TestExhaustEqualsPlainSearch(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	states, keys := 0, 0
	for range 20 {
		plain := randomPlainSearch(t, 3_000, func() *plainSearch {
			setup := randomSetup(random)
			highest := float64(setup.Spec.MaxReplicas)
			levels := []float64{0, highest / 2, highest}
			return newPlainSearch(setup, levels)
		})
		search := prove.Search{Levels: plain.levels}
		found, got := changesFound(t, plain.setup, search)
		requireSameChanges(t, plain, got)
		requireShortestCourses(t, plain, search)
		requireSameTimes(t, plain, found)
		requireSameCarrying(t, plain, search, found)
		requireSameSettling(t, plain, search, found)

		require.LessOrEqual(t, found.States, len(plain.nodes), "%#v", plain.setup)
		states, keys = states+len(plain.nodes), keys+found.States
	}
	t.Logf("%d states, %d keys", states, keys)
	require.Less(t, keys, states/3)
}

// randomPlainSearch draws searches until one has at most so many states, and
// runs it.
func randomPlainSearch(t *testing.T, most int, draw func() *plainSearch) *plainSearch {
	for {
		if p := draw(); p.run(t, most) {
			return p
		}
	}
}

// randomSetup returns rules for a few replicas, with windows and periods of a
// few syncs.
func randomSetup(r *rand.Rand) *prove.Setup {
	metric := autoscaling.ExternalAverageValueMetric("jobs", metrics.MustParseQuantity("10"))
	spec := autoscaling.NewSpec(1, 2+r.Int32N(3), metric)
	spec.ScaleTargetRef = autoscaling.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "web"}
	if r.IntN(5) > 0 {
		spec.Behavior = &behavior.Behavior{ScaleUp: randomRules(r), ScaleDown: randomRules(r)}
	}
	s := prove.NewSetup(&spec)
	s.Settings.DownscaleStabilization = time.Duration(r.IntN(3)) * syncPeriod
	return s
}

func randomRules(r *rand.Rand) *behavior.ScalingRules {
	const seconds = int32(syncPeriod / time.Second)
	window := seconds * r.Int32N(3)
	selects := []behavior.SelectPolicy{behavior.SelectMax, behavior.SelectMin}
	rules := &behavior.ScalingRules{StabilizationWindowSeconds: &window, SelectPolicy: selects[r.IntN(2)]}
	for range 1 + r.IntN(2) {
		p := behavior.Policy{Type: behavior.PodsPolicy, Value: 1 + r.Int32N(2), PeriodSeconds: seconds * (1 + r.Int32N(3))}
		if r.IntN(3) == 0 {
			p.Type, p.Value = behavior.PercentPolicy, 50*p.Value
		}
		rules.Policies = append(rules.Policies, p)
	}
	return rules
}

// sizeChange is a sync at a load that takes a size to another, or leaves it.
type sizeChange struct {
	load        float64
	size, after int32
}

func changeOf(tr *prove.Transition) sizeChange {
	return sizeChange{load: tr.Load, size: tr.Size, after: tr.After}
}

// changes returns the changes that occur, each with the number of syncs before
// it in a shortest course.
func (p *plainSearch) changes() map[sizeChange]int {
	depths := map[sizeChange]int{}
	for i, level := range p.edges() {
		n, after := &p.nodes[i], &p.nodes[p.next[i][level]]
		c := sizeChange{load: p.levels[level], size: n.size, after: after.size}
		if depth, known := depths[c]; !known || n.depth < depth {
			depths[c] = n.depth
		}
	}
	return depths
}

// changesFound runs the search, and returns the changes that it sees.
func changesFound(t *testing.T, setup *prove.Setup, search prove.Search) (*prove.Result, map[sizeChange]bool) {
	found := map[sizeChange]bool{}
	var lock sync.Mutex // a search uses all processors
	record := prove.Always("", func(tr *prove.Transition) string {
		lock.Lock()
		defer lock.Unlock()
		found[changeOf(tr)] = true
		return ""
	})
	return calctest.Exhaust(t, setup, search, record), found
}

func requireSameChanges(t *testing.T, p *plainSearch, got map[sizeChange]bool) {
	t.Helper()
	want := map[sizeChange]bool{}
	for c := range p.changes() {
		want[c] = true
	}
	require.Equal(t, want, got, "%#v", p.setup)
}

// requireShortestCourses claims of each change that it does not occur. The
// counterexample must be a shortest course.
func requireShortestCourses(t *testing.T, p *plainSearch, search prove.Search) {
	t.Helper()
	var claims []prove.Property
	var ends []string
	for change, syncs := range p.changes() {
		claims = append(claims, prove.Always("", func(tr *prove.Transition) string {
			if changeOf(tr) == change {
				return "it occurs"
			}
			return ""
		}))
		at := clock(time.Duration(syncs) * syncPeriod)
		ends = append(ends, fmt.Sprintf("At %s, it occurs.", at))
	}
	found, err := search.Run(t.Context(), p.setup, claims...)
	require.NoError(t, err)
	require.Len(t, broken(found), len(claims))
	for i, course := range broken(found) {
		require.Contains(t, course, ends[i], "%#v", p.setup)
	}
}

// requireSameTimes compares the longest times until the size is enough for a
// constant load, and until it is not more than enough.
func requireSameTimes(t *testing.T, p *plainSearch, found *prove.Result) {
	t.Helper()
	needs := func(load float64) int32 { return max(int32(math.Ceil(load)), 1) }
	enough := func(load float64, size int32) bool { return size >= needs(load) }
	noExcess := func(load float64, size int32) bool { return size <= needs(load) }
	require.Equal(t, p.longestUntil(t, enough), timeOf(found.WorstUp), "%#v", p.setup)
	require.Equal(t, p.longestUntil(t, noExcess), timeOf(found.WorstDown), "%#v", p.setup)
}

// worstTime is the longest time that something takes, zero if it may never
// happen.
type worstTime struct {
	never bool
	time  time.Duration
}

func timeOf(w prove.Worst) worstTime { return worstTime{w.Never, w.Time} }

// longestUntil returns the longest time from any node, at any constant load,
// until the size is as wanted.
func (p *plainSearch) longestUntil(t *testing.T, wanted func(load float64, size int32) bool) worstTime {
	const patience = 200 // syncs
	longest := 0
	for node, level := range p.edges() {
		syncs := 0
		for at := range p.hold(t, node, level) {
			if wanted(p.levels[level], p.nodes[at].size) {
				break
			}
			if syncs++; syncs > patience {
				return worstTime{never: true}
			}
		}
		longest = max(longest, syncs)
	}
	return worstTime{time: time.Duration(longest) * syncPeriod}
}

// requireSameCarrying compares the longest time until a constant load is within
// tolerance, and, for each shorter time, the length of a shortest course that
// takes longer.
func requireSameCarrying(t *testing.T, p *plainSearch, search prove.Search, found *prove.Result) {
	t.Helper()
	most := p.setup.Spec.MaxReplicas
	tolerated := 1 + p.setup.Tolerance().Up
	carried := func(load float64, size int32) bool { return size >= most || load <= float64(size)*tolerated }
	longest := p.longestUntil(t, carried)
	require.Equal(t, longest, timeOf(found.WorstTolerated), "%#v", p.setup)
	syncs := int(longest.time / syncPeriod)
	if longest.never {
		syncs = 10
	}
	var tooShort []prove.Property
	for n := range syncs {
		tooShort = append(tooShort, prove.CarriedWithin(time.Duration(n)*syncPeriod))
	}
	x, err := search.Run(t.Context(), p.setup, tooShort...)
	require.NoError(t, err)
	for n := range syncs {
		shortest := math.MaxInt
		for node, level := range p.edges() {
			open := 0 // syncs
			for at := range p.hold(t, node, level) {
				if open > n || carried(p.levels[level], p.nodes[at].size) {
					break
				}
				open++
			}
			if open > n {
				shortest = min(shortest, p.nodes[node].depth+max(n, 1))
			}
		}
		require.Equal(t, prove.Broken, x.Verdicts[n].Outcome, "%v of %#v", x.Verdicts[n].Claim, p.setup)
		if forever(&x.Verdicts[n]) {
			continue
		}
		course := x.Verdicts[n].Counterexample.Timeline
		require.Equal(t, shortest, syncsOf(course), "%v of %#v", course, p.setup)
	}
}

// requireSameSettling compares the longest time until the size changes no more,
// and, for each shorter time, the length of a shortest course that takes longer.
func requireSameSettling(t *testing.T, p *plainSearch, search prove.Search, found *prove.Result) {
	t.Helper()
	depths := p.changing(t)
	longest := slices.Max(slices.Collect(maps.Keys(depths)))
	if longest > settlingPatience/2 {
		require.Equal(t, worstTime{never: true}, timeOf(found.WorstSettle), "%#v", p.setup)
		return
	}
	require.Equal(t, worstTime{time: time.Duration(longest) * syncPeriod}, timeOf(found.WorstSettle), "%#v", p.setup)
	for syncs := range longest {
		shortest := math.MaxInt
		for taken, depth := range depths {
			if taken > syncs {
				shortest = min(shortest, depth+taken)
			}
		}
		tooShort := prove.SettledWithin(time.Duration(syncs) * syncPeriod)
		found, err := search.Run(t.Context(), p.setup, tooShort)
		require.NoError(t, err)
		require.Equal(t, prove.Broken, found.Verdicts[0].Outcome)
		course := found.Verdicts[0].Counterexample.Timeline
		require.Equal(t, shortest, syncsOf(course), "%v of %#v", course, p.setup)
	}
}

func syncsOf(tl *prove.Timeline) (syncs int) {
	for _, s := range tl.Segments {
		syncs += s.Syncs
	}
	return syncs
}

const settlingPatience = 80 // syncs

// changing returns the numbers of syncs until any change of size at a constant
// load, 0 for none, each with the depth of a shallowest node that takes so many.
func (p *plainSearch) changing(t *testing.T) map[int]int {
	depths := map[int]int{0: 0}
	for node, level := range p.edges() {
		sync, size := 0, p.nodes[node].size
		for at := range p.hold(t, node, level) {
			if p.nodes[at].size != size {
				size = p.nodes[at].size
				if depth, known := depths[sync]; !known || p.nodes[node].depth < depth {
					depths[sync] = p.nodes[node].depth
				}
			}
			if sync++; sync > settlingPatience {
				break
			}
		}
	}
	return depths
}
