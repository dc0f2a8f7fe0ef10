package calctest

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator/internal/words"
)

// Start is when all timelines start.
var Start = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

// Timeline is what happens to an autoscaler and its target over time.
type Timeline struct {
	Setup *Setup
	// Size is the size at Start.
	Size int32
	// ScaledToZero reports whether the autoscaler itself scaled the target
	// there, if Size is 0.
	ScaledToZero bool
	// Shares are the percentages of the load that the metrics see, in the order
	// of the spec. Metrics beyond them see 100.
	Shares []int32
	// Series is the number of series of External metrics. Zero means 1.
	Series int
	// Segments follow one another.
	Segments []Segment
}

// Segment is a number of syncs under the same conditions.
type Segment struct {
	// Syncs is the number of syncs.
	Syncs int
	// Load is the load in replicas.
	Load float64
	// Troubles are what happens besides load.
	Troubles []Trouble
}

// String returns the timeline in one line.
func (tl *Timeline) String() string {
	var b strings.Builder
	bounds := tl.Setup.Spec.Bounds()
	fmt.Fprintf(&b, "%d replicas of %d to %d", tl.Size, bounds.Min, bounds.Max)
	for _, p := range tl.Segments {
		fmt.Fprintf(&b, ", load %s for %s", number(p.Load), words.Span(time.Duration(p.Syncs)*tl.Setup.period()))
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

// has reports whether the segment has trouble of the kind, for troubles of a
// metric with metric n.
func (p *Segment) has(k TroubleKind, n int) bool {
	return slices.ContainsFunc(p.Troubles, func(x Trouble) bool {
		return x.Kind == k && (!k.ofMetric() || int(x.N) == n)
	})
}

// number returns the sum of N of the kind of trouble, a negative one as 0, up
// to the largest int32.
func (p *Segment) number(k TroubleKind) int {
	n := 0
	for _, x := range p.Troubles {
		if x.Kind == k {
			n += min(int(max(x.N, 0)), math.MaxInt32-n)
		}
	}
	return n
}

// Timelines draws timelines of the setup, or of any setup if it is nil. It
// shrinks to short timelines without load and troubles. It panics if the setup
// cannot be tested.
func Timelines(setup *Setup, opts ...Option) *rapid.Generator[*Timeline] {
	c := configOf(opts)
	setups := rapid.Just(setup)
	if setup == nil {
		setups = Setups(opts...)
	} else if err := setup.problem(); err != nil {
		panic(err)
	}
	return rapid.Custom(func(t *rapid.T) *Timeline {
		tl := c.timeline(t, setups.Draw(t, "setup"))
		tl.Segments = c.segments(tl.Setup).Draw(t, "segments")
		return tl
	})
}

// timeline draws everything but the segments.
func (c *config) timeline(t *rapid.T, setup *Setup) *Timeline {
	tl := &Timeline{Setup: setup, Size: c.sizes(setup).Draw(t, "size")}
	if tl.Size == 0 {
		tl.ScaledToZero = c.calm || rapid.Bool().Draw(t, "scaled to zero")
	}
	if n := len(setup.Spec.Metrics); n > 1 {
		tl.Shares = make([]int32, n)
		for i := range tl.Shares {
			tl.Shares[i] = rapid.SampledFrom([]int32{100, 90, 50, 0}).Draw(t, "share")
		}
		// The load is that of the metric that asks for most.
		tl.Shares[rapid.IntRange(0, n-1).Draw(t, "leading metric")] = 100
	}
	tl.Series = rapid.IntRange(1, 3).Draw(t, "series")
	return tl
}

// mostReplicas bounds sizes and loads by default, for speed: a timeline looks
// at all pods in thousands of decisions.
const mostReplicas = 100

func (c *config) sizes(setup *Setup) *rapid.Generator[int32] {
	b := setup.Spec.Bounds()
	if !c.calm && setup.Spec.HasObjectOrExternalMetric() {
		b.Min = 0
	}
	return rapid.Int32Range(b.Min, max(b.Min, min(b.Max, mostReplicas)))
}

// loadsFor returns the bounds of loads for the setup.
func (c *config) loadsFor(setup *Setup) (low, high float64) {
	return c.loads(min(math.Ceil(1.25*float64(setup.Spec.MaxReplicas)), mostReplicas))
}

// segments draws the segments. Their load is that of WithLoad, if given.
func (c *config) segments(setup *Setup) *rapid.Generator[[]Segment] {
	low, high := c.loadsFor(setup)
	troubles := rapid.Just[[]Trouble](nil)
	if !c.calm {
		troubles = rapid.SliceOfN(c.trouble(setup), 0, 2)
	}
	if c.load != nil {
		return rapid.Custom(func(t *rapid.T) []Segment {
			segments := c.load.segments(setup)
			for i := range segments {
				segments[i].Troubles = troubles.Draw(t, "troubles")
			}
			return segments
		})
	}
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Segment {
		return Segment{
			Syncs:    rapid.IntRange(1, 8).Draw(t, "syncs"),
			Load:     replicas(low, high).Draw(t, "load"),
			Troubles: troubles.Draw(t, "troubles"),
		}
	}), 1, c.length)
}

func (l LoadProfile) segments(setup *Setup) []Segment {
	var segments []Segment
	for _, level := range l {
		segments = append(segments, Segment{Syncs: max(setup.syncs(level.For), 1), Load: level.Replicas})
	}
	return segments
}

// trouble draws one trouble.
func (c *config) trouble(setup *Setup) *rapid.Generator[Trouble] {
	return rapid.Custom(func(t *rapid.T) Trouble {
		x := Trouble{Kind: TroubleKind(rapid.IntRange(int(Resized), int(lastTrouble)).Draw(t, "kind"))}
		switch {
		case x.Kind.ofPods():
			x.N = rapid.Int32Range(1, 3).Draw(t, "pods")
		case x.Kind == Resized:
			x.N = rapid.Int32Range(0, min(setup.Spec.MaxReplicas, mostReplicas)+3).Draw(t, "to")
		case x.Kind.ofMetric():
			x.N = rapid.Int32Range(0, int32(len(setup.Spec.Metrics)-1)).Draw(t, "metric")
		case x.Kind == MetricsLate:
			x.N = rapid.Int32Range(1, 3).Draw(t, "syncs")
		case x.Kind == Surge:
			x.N = rapid.SampledFrom([]int32{25, 50, 100}).Draw(t, "percent")
		case x.Kind == SelectorFails:
			x.N = rapid.Int32Range(0, 2).Draw(t, "reason")
		}
		return x
	})
}
