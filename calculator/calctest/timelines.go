package calctest

import (
	"math"

	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator/prove"
)

// Timelines draws timelines of the setup, or of any setup if it is nil. It
// shrinks to short timelines without load and troubles. It panics if the setup
// cannot be tested.
func Timelines(setup *prove.Setup, opts ...Option) *rapid.Generator[*prove.Timeline] {
	c := configOf(opts)
	setups := rapid.Just(setup)
	if setup == nil {
		setups = Setups(opts...)
	} else if err := setup.Validate(); err != nil {
		panic(err)
	}
	return rapid.Custom(func(t *rapid.T) *prove.Timeline {
		tl := c.timeline(t, setups.Draw(t, "setup"))
		tl.Segments = c.segments(tl.Setup).Draw(t, "segments")
		return tl
	})
}

// timeline draws everything but the segments.
func (c *config) timeline(t *rapid.T, setup *prove.Setup) *prove.Timeline {
	tl := &prove.Timeline{Setup: setup, Size: c.sizes(setup).Draw(t, "size")}
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

func (c *config) sizes(setup *prove.Setup) *rapid.Generator[int32] {
	b := setup.Spec.Bounds()
	if !c.calm && setup.Spec.HasObjectOrExternalMetric() {
		b.Min = 0
	}
	return rapid.Int32Range(b.Min, max(b.Min, min(b.Max, mostReplicas)))
}

// loadsFor returns the bounds of loads for the setup.
func (c *config) loadsFor(setup *prove.Setup) (low, high float64) {
	return c.loads(min(math.Ceil(1.25*float64(setup.Spec.MaxReplicas)), mostReplicas))
}

// segments draws the segments. Their load is that of WithLoad, if given.
func (c *config) segments(setup *prove.Setup) *rapid.Generator[[]prove.Segment] {
	low, high := c.loadsFor(setup)
	troubles := rapid.Just[[]prove.Trouble](nil)
	if !c.calm {
		troubles = rapid.SliceOfN(c.trouble(setup), 0, 2)
	}
	if c.load != nil {
		return rapid.Custom(func(t *rapid.T) []prove.Segment {
			segments := c.load.segments(setup)
			for i := range segments {
				segments[i].Troubles = troubles.Draw(t, "troubles")
			}
			return segments
		})
	}
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) prove.Segment {
		return prove.Segment{
			Syncs:    rapid.IntRange(1, 8).Draw(t, "syncs"),
			Load:     replicas(low, high).Draw(t, "load"),
			Troubles: troubles.Draw(t, "troubles"),
		}
	}), 1, c.length)
}

func (l LoadProfile) segments(setup *prove.Setup) []prove.Segment {
	var segments []prove.Segment
	for _, level := range l {
		segments = append(segments, prove.Segment{Syncs: max(setup.Syncs(level.For), 1), Load: level.Replicas})
	}
	return segments
}

// trouble draws one trouble.
func (c *config) trouble(setup *prove.Setup) *rapid.Generator[prove.Trouble] {
	return rapid.Custom(func(t *rapid.T) prove.Trouble {
		x := prove.Trouble{Kind: prove.TroubleKind(rapid.IntRange(int(prove.Resized), int(prove.LastTrouble)).Draw(t, "kind"))}
		switch {
		case x.Kind.OfPods():
			x.N = rapid.Int32Range(1, 3).Draw(t, "pods")
		case x.Kind == prove.Resized:
			x.N = rapid.Int32Range(0, min(setup.Spec.MaxReplicas, mostReplicas)+3).Draw(t, "to")
		case x.Kind.OfMetric():
			x.N = rapid.Int32Range(0, int32(len(setup.Spec.Metrics)-1)).Draw(t, "metric")
		case x.Kind == prove.MetricsLate:
			x.N = rapid.Int32Range(1, 3).Draw(t, "syncs")
		case x.Kind == prove.Surge:
			x.N = rapid.SampledFrom([]int32{25, 50, 100}).Draw(t, "percent")
		case x.Kind == prove.SelectorFails:
			x.N = rapid.Int32Range(0, 2).Draw(t, "reason")
		}
		return x
	})
}
