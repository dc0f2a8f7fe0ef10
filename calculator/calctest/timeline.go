package calctest

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator"
)

// Start is when all timelines start.
var Start = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

// Timeline is what happens to an autoscaler and its target: all that
// Timeline.Run needs.
type Timeline struct {
	Rules *Rules
	// Size is the size at the start.
	Size int32
	// ScaledToZero tells that it was the autoscaler that took the target there,
	// if the size is zero.
	ScaledToZero bool
	// Shares are what each metric sees of the load, in percent; the first
	// metric that lacks one, and those after it, see all of it.
	Shares []int32
	// Series is how many series an External metric has; zero counts as one.
	Series int
	// Phases follow each other.
	Phases []Phase
}

// Phase is a number of syncs under the same circumstances.
type Phase struct {
	// Syncs is how many decisions are made.
	Syncs int
	// Load is the load, in replicas.
	Load float64
	// Troubles is what else happens.
	Troubles []Trouble
}

// String tells the timeline in one line.
func (tl *Timeline) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d replicas of %d to %d", tl.Size, tl.Rules.minReplicas(), tl.Rules.Spec.MaxReplicas)
	for _, p := range tl.Phases {
		fmt.Fprintf(&b, ", load %s for %s", number(p.Load), span(time.Duration(p.Syncs)*tl.Rules.period()))
		for _, x := range p.Troubles {
			fmt.Fprintf(&b, " (%v)", x)
		}
	}
	return b.String()
}

// GoString returns String, for rapid's log.
func (tl *Timeline) GoString() string { return tl.String() }

// share returns the percentage of the load that metric i sees.
func (tl *Timeline) share(i int) int64 {
	if i >= len(tl.Shares) {
		return 100
	}
	return int64(tl.Shares[i])
}

// has reports whether the phase has trouble of the kind with that metric or,
// for troubles of no metric, at all.
func (p *Phase) has(k TroubleKind, n int) bool {
	return slices.ContainsFunc(p.Troubles, func(x Trouble) bool {
		return x.Kind == k && (k != MetricFails && k != MetricEmpty || int(x.N) == n)
	})
}

// number returns how many pods the kind of trouble happens to.
func (p *Phase) number(k TroubleKind) int {
	n := 0
	for _, x := range p.Troubles {
		if x.Kind == k {
			n += int(x.N)
		}
	}
	return n
}

// Timelines draws timelines of these rules, or, if they are nil, of any. It
// shrinks to short timelines without load and trouble.
func Timelines(r *Rules, opts ...Option) *rapid.Generator[*Timeline] {
	c := configOf(opts)
	rules := rapid.Just(r)
	if r == nil {
		rules = AnyRules(opts...)
	}
	return rapid.Custom(func(t *rapid.T) *Timeline {
		tl := c.timeline(t, rules.Draw(t, "rules"))
		tl.Phases = c.phases(tl.Rules).Draw(t, "phases")
		return tl
	})
}

// timeline draws all but the phases.
func (c *config) timeline(t *rapid.T, r *Rules) *Timeline {
	tl := &Timeline{Rules: r, Size: c.sizes(r).Draw(t, "size")}
	if tl.Size == 0 {
		tl.ScaledToZero = c.calm || rapid.Bool().Draw(t, "scaled to zero")
	}
	if n := len(r.Spec.Metrics); n > 1 {
		tl.Shares = make([]int32, n)
		for i := range tl.Shares {
			tl.Shares[i] = rapid.SampledFrom([]int32{100, 90, 50, 0}).Draw(t, "share")
		}
		// The load is that of the metric which asks for most.
		tl.Shares[rapid.IntRange(0, n-1).Draw(t, "leading metric")] = 100
	}
	tl.Series = rapid.IntRange(1, 3).Draw(t, "series")
	return tl
}

// mostReplicas is where sizes and loads end unless told otherwise: a pod more
// is a pod more to look at in each of thousands of decisions.
const mostReplicas = 100

func (c *config) sizes(r *Rules) *rapid.Generator[int32] {
	low, high := r.minReplicas(), r.Spec.MaxReplicas
	if !c.calm && readsElsewhere(r.Spec) {
		low = 0
	}
	return rapid.Int32Range(low, max(low, min(high, mostReplicas)))
}

// readsElsewhere reports whether a metric can be read without pods: then a size of
// zero may be the autoscaler's doing.
func readsElsewhere(s *calculator.Spec) bool {
	return slices.ContainsFunc(s.Metrics, func(m calculator.MetricSpec) bool {
		return m.Type == calculator.ObjectMetricSourceType || m.Type == calculator.ExternalMetricSourceType
	})
}

// loadsFor returns the bounds of the load for the rules.
func (c *config) loadsFor(r *Rules) (low, high float64) {
	return c.loads(min(math.Ceil(1.25*float64(r.Spec.MaxReplicas)), mostReplicas))
}

// phases draws the phases, or makes them of the load that is given.
func (c *config) phases(r *Rules) *rapid.Generator[[]Phase] {
	low, high := c.loadsFor(r)
	troubles := rapid.Just[[]Trouble](nil)
	if !c.calm {
		troubles = rapid.SliceOfN(c.trouble(r), 0, 2)
	}
	if c.load != nil {
		return rapid.Custom(func(t *rapid.T) []Phase {
			phases := c.load.phases(r)
			for i := range phases {
				phases[i].Troubles = troubles.Draw(t, "troubles")
			}
			return phases
		})
	}
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Phase {
		return Phase{
			Syncs:    rapid.IntRange(1, 8).Draw(t, "syncs"),
			Load:     replicas(low, high).Draw(t, "load"),
			Troubles: troubles.Draw(t, "troubles"),
		}
	}), 1, c.length)
}

func (l Load) phases(r *Rules) []Phase {
	var phases []Phase
	for _, level := range l {
		phases = append(phases, Phase{Syncs: max(r.syncs(level.For), 1), Load: level.Replicas})
	}
	return phases
}

// trouble draws one trouble.
func (c *config) trouble(r *Rules) *rapid.Generator[Trouble] {
	return rapid.Custom(func(t *rapid.T) Trouble {
		x := Trouble{Kind: TroubleKind(rapid.IntRange(int(Resized), int(lastTrouble)).Draw(t, "kind"))}
		switch {
		case x.Kind.ofPods():
			x.N = rapid.Int32Range(1, 3).Draw(t, "pods")
		case x.Kind == Resized:
			x.N = rapid.Int32Range(0, min(r.Spec.MaxReplicas, mostReplicas)+3).Draw(t, "to")
		case x.Kind == MetricFails || x.Kind == MetricEmpty:
			x.N = rapid.Int32Range(0, int32(len(r.Spec.Metrics)-1)).Draw(t, "metric")
		case x.Kind == SelectorFails:
			x.N = rapid.Int32Range(int32(calculator.SelectorRequired), int32(calculator.SelectorAmbiguous)).Draw(t, "reason")
		}
		return x
	})
}
