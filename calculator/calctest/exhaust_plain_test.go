package calctest_test

import (
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/calctest"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/stabilize"
)

const grid = 15 * time.Second

// plain is a search that knows nothing of keys. Its states are all that an autoscaler
// remembers, but that what is older than any window and period is just old.
type plain struct {
	setup  *calctest.Setup
	levels []float64
	// near returns the levels of a size, by index.
	near  func(size int32) []int
	nodes []plainNode
	ids   map[string]int
	// next are the nodes that follow at each level, 0 for those not gone to yet. No
	// node is followed by the first one. reached is how many the courses lead to.
	next    [][]int
	reached int
}

func plainOf(setup *calctest.Setup, levels []float64, near func(size int32) []int) *plain {
	p := &plain{setup: setup, levels: levels, near: near, ids: map[string]int{}}
	p.id(plainNode{}) // for nobody
	return p
}

func everyLevel(n int) func(int32) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return func(int32) []int { return all }
}

type plainNode struct {
	st    calculator.State
	now   time.Time
	size  int32
	depth int
}

const plainHorizon = 5 * grid // longer than all windows and periods

func (p *plain) id(n plainNode) int {
	text := []byte{byte(n.size)}
	if n.st.Recommendations.IsEmpty() {
		text = append(text, 0)
	}
	events := []iter.Seq[stabilize.Entry]{n.st.Recommendations.All(), n.st.Events.Added(), n.st.Events.Removed()}
	for _, list := range events {
		text = append(text, '/')
		for e := range list {
			if ago := n.now.Sub(e.Time); ago > plainHorizon {
				text = append(text, "old"...)
			} else {
				text = append(text, byte(ago/grid), byte(e.Value), fmt.Sprint(e.Stale)[0])
			}
		}
	}
	id, known := p.ids[string(text)]
	if !known {
		id = len(p.nodes)
		p.ids[string(text)] = id
		p.nodes = append(p.nodes, n)
		p.next = append(p.next, make([]int, len(p.levels)))
	}
	return id
}

// after returns the node that follows at a level.
func (p *plain) after(t require.TestingT, i, level int) int {
	if next := p.next[i][level]; next > 0 {
		return next
	}
	var d calculator.Decision
	n := p.nodes[i]
	n.st = n.st.Clone()
	n.now = n.now.Add(grid)
	obs := calculator.Observation{SpecReplicas: n.size, StatusReplicas: n.size,
		Readings: []calculator.Reading{{Values: []metrics.Milli{metrics.Milli(p.levels[level] * 10_000)}}}}
	calculator.DecideInto(&d, n.now, &p.setup.Settings, p.setup.Spec, &obs, &n.st)
	require.NoError(t, d.Err())
	n.st.Applied(n.now, &d)
	n.st.Conditions = nil
	n.size = d.DesiredReplicas
	n.depth++
	p.next[i][level] = p.id(n)
	return p.next[i][level]
}

// edges returns all nodes with each level of theirs.
func (p *plain) edges() iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		for i := 1; i < p.reached; i++ {
			for _, l := range p.near(p.nodes[i].size) {
				if !yield(i, l) {
					return
				}
			}
		}
	}
}

// search reports whether the states are few enough for a test.
func (p *plain) search(t *testing.T, most int) bool {
	b := p.setup.Spec.Bounds()
	for size := b.Min; size <= b.Max; size++ {
		p.id(plainNode{now: calctest.Start, size: size})
	}
	for i := 1; i < len(p.nodes); i++ {
		if i > most {
			return false
		}
		for _, l := range p.near(p.nodes[i].size) {
			p.after(t, i, l)
		}
	}
	p.reached = len(p.nodes)
	return true
}

// beside counts the steps at levels that the size does not have.
func (p *plain) beside() (n int) {
	for i, next := range p.next {
		for l, to := range next {
			if to > 0 && !slices.Contains(p.near(p.nodes[i].size), l) {
				n++
			}
		}
	}
	return n
}

// worst follows each node at each constant load.
func (p *plain) worst(t require.TestingT, done func(load float64, size int32) bool) (never bool, longest time.Duration) {
	for i, l := range p.edges() {
		at, syncs := i, 0
		for !done(p.levels[l], p.nodes[at].size) && syncs <= 200 {
			at = p.after(t, at, l)
			syncs++
		}
		if syncs > 200 {
			return true, 0
		}
		longest = max(longest, time.Duration(syncs)*grid)
	}
	return false, longest
}

// requireEqual compares the times with those of a search.
func (p *plain) requireEqual(t *testing.T, search calctest.Search, x *calctest.Exhausted) {
	needs := func(load float64) int32 { return max(int32(math.Ceil(load)), 1) }
	never, longest := p.worst(t, func(load float64, size int32) bool { return size >= needs(load) })
	require.Equal(t, []any{never, longest}, []any{x.WorstUp.Never, x.WorstUp.Time}, "%#v", p.setup)
	never, longest = p.worst(t, func(load float64, size int32) bool { return size <= needs(load) })
	require.Equal(t, []any{never, longest}, []any{x.WorstDown.Never, x.WorstDown.Time}, "%#v", p.setup)
	p.requireSettles(t, search, x)
}

func randomRules(r *rand.Rand) *calctest.Setup {
	spec := autoscaling.NewSpec(1, 2+r.Int32N(3), autoscaling.ExternalAverageValue("jobs", metrics.MustParseQuantity("10")))
	spec.ScaleTargetRef = autoscaling.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "web"}
	direction := func() *behavior.ScalingRules {
		window := 15 * r.Int32N(3)
		rules := &behavior.ScalingRules{StabilizationWindowSeconds: &window, SelectPolicy: []behavior.SelectPolicy{behavior.SelectMax, behavior.SelectMin}[r.IntN(2)]}
		for range 1 + r.IntN(2) {
			p := behavior.Policy{Type: behavior.PodsPolicy, Value: 1 + r.Int32N(2), PeriodSeconds: 15 + 15*r.Int32N(3)}
			if r.IntN(3) == 0 {
				p.Type, p.Value = behavior.PercentPolicy, 50*p.Value
			}
			rules.Policies = append(rules.Policies, p)
		}
		return rules
	}
	if r.IntN(5) > 0 {
		spec.Behavior = &behavior.Behavior{ScaleUp: direction(), ScaleDown: direction()}
	}
	s := calctest.NewSetup(&spec)
	s.Settings.DownscaleStabilization = time.Duration(15*r.IntN(3)) * time.Second
	return s
}

// A search by key finds what a search without keys does: the same changes of size at
// each load, the same worst times and as short a course to each change.
func TestExhaustEqualsPlainSearch(t *testing.T) {
	type change struct {
		load        float64
		size, after int32
	}
	r := rand.New(rand.NewPCG(1, 2))
	all, keyed := 0, 0
	for tried := 0; tried < 20; {
		setup := randomRules(r)
		p := plainOf(setup, []float64{0, float64(setup.Spec.MaxReplicas) / 2, float64(setup.Spec.MaxReplicas)}, everyLevel(3))
		if !p.search(t, 6_000) {
			continue
		}
		tried++
		want := map[change]int{} // how many syncs until then
		for i, l := range p.edges() {
			n := &p.nodes[i]
			c := change{p.levels[l], n.size, p.nodes[p.next[i][l]].size}
			if depth, known := want[c]; !known || n.depth < depth {
				want[c] = n.depth
			}
		}
		got := map[change]bool{}
		var lock sync.Mutex
		seen := calctest.Always("", func(tr *calctest.Transition) string {
			lock.Lock()
			defer lock.Unlock()
			got[change{tr.Load, tr.Size, tr.After}] = true
			return ""
		})
		search := calctest.Search{Levels: p.levels}
		x := calctest.Exhaust(t, setup, search, seen)
		require.LessOrEqual(t, x.States, p.reached-1, "%#v", setup)
		all, keyed = all+p.reached, keyed+x.States
		require.Len(t, got, len(want), "%#v", setup)
		for c, syncs := range want {
			require.True(t, got[c], "%#v: %v", setup, c)
			x, err := search.Run(setup, calctest.Always("not", func(tr *calctest.Transition) string {
				if (change{tr.Load, tr.Size, tr.After}) == c {
					return "it is"
				}
				return ""
			}))
			require.NoError(t, err)
			require.Len(t, x.Counterexamples, 1)
			require.Contains(t, x.Counterexamples[0], fmt.Sprintf("At %s, it is.", calctest.Clock(time.Duration(syncs)*grid)), "%#v: %v", setup, c)
		}
		p.requireEqual(t, search, x)
	}
	t.Logf("%d states, %d by key", all, keyed)
	require.Less(t, keyed, all/3)
}

// requireSettles compares when the size changes last, if it ever does, and how short a
// course leads to that.
func (p *plain) requireSettles(t *testing.T, search calctest.Search, x *calctest.Exhausted) {
	const enough = 80 // syncs
	last := 0
	var shortest [enough + 1]int // by how long it takes
	for i := range shortest {
		shortest[i] = math.MaxInt
	}
	for i, l := range p.edges() {
		at, changed := i, 0
		for sync := 1; sync <= enough; sync++ {
			next := p.after(t, at, l)
			if p.nodes[next].size != p.nodes[at].size {
				changed = sync
			}
			at = next
		}
		last = max(last, changed)
		shortest[changed] = min(shortest[changed], p.nodes[i].depth)
	}
	never := last > enough/2
	require.Equal(t, never, x.WorstSettle.Never, "%#v", p.setup)
	if !never {
		require.Equal(t, time.Duration(last)*grid, x.WorstSettle.Time, "%#v", p.setup)
		for syncs := range last {
			x, err := search.Run(p.setup, calctest.SettledWithin(time.Duration(syncs)*grid))
			require.NoError(t, err)
			since := calctest.Clock(time.Duration(slices.Min(shortest[syncs+1:])) * grid)
			require.Contains(t, x.Counterexamples[0], " since "+since+", perhaps", "%#v", p.setup)
		}
	}
}

// A search of the levels around each size finds what one without keys does whose levels
// are those that are documented: the loads that occur, and the worst times of loads
// that stay, also at sizes that do not have them.
func TestExhaustAroundEqualsPlainSearch(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	beside := 0
	for tried := 0; tried < 4; {
		setup := randomRules(r)
		setup.Spec.MaxReplicas = 9
		setup.Settings.Tolerance = []float64{0.4, 0.1}[tried%2]
		beyond := 1 + r.IntN(2)
		near := func(size int32) (levels []int) {
			low, high := size, size
			for float64(low-1) >= float64(size)*(1-setup.Settings.Tolerance) && low > 0 {
				low--
			}
			for float64(high+1) <= float64(size)*(1+setup.Settings.Tolerance) && high < 9 {
				high++
			}
			for l := range int32(10) {
				if l == 0 || l == size || l == 9 || l <= low && low-l <= int32(beyond) || l >= high && l-high <= int32(beyond) {
					levels = append(levels, int(l))
				}
			}
			return levels
		}
		p := plainOf(setup, []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, near)
		if !p.search(t, 2_500) {
			continue
		}
		tried++
		want, got := map[string]bool{}, map[string]bool{}
		for i, l := range p.edges() {
			want[fmt.Sprint(p.nodes[i].size, p.levels[l], p.nodes[p.next[i][l]].size)] = true
		}
		var lock sync.Mutex
		search := calctest.Search{Around: beyond}
		x := calctest.Exhaust(t, setup, search, calctest.Always("", func(tr *calctest.Transition) string {
			lock.Lock()
			defer lock.Unlock()
			got[fmt.Sprint(tr.Size, tr.Load, tr.After)] = true
			return ""
		}))
		require.Equal(t, want, got, "%#v", setup)
		p.requireEqual(t, search, x)
		beside += p.beside()
	}
	require.Positive(t, beside, "loads stay at sizes that do not have them")
}
