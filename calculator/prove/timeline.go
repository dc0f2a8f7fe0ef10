package prove

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

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
	// Wait is the time from each sync of the segment to the one before. Zero
	// means Setup.SyncPeriod.
	Wait time.Duration
	// Troubles are what happens besides load.
	Troubles []Trouble
}

// String returns the timeline in one line.
func (tl *Timeline) String() string {
	var b strings.Builder
	bounds := tl.Setup.Spec.Bounds()
	fmt.Fprintf(&b, "%d replicas of %d to %d", tl.Size, bounds.Min, bounds.Max)
	for _, p := range tl.Segments {
		fmt.Fprintf(&b, ", load %s for %s", words.Number(p.Load), words.Span(time.Duration(p.Syncs)*tl.Setup.Period()))
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
		return x.Kind == k && (!k.OfMetric() || int(x.N) == n)
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
