package lint

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/internal/alike"
	"github.com/purehpa/hpa/calculator/internal/pace"
	"github.com/purehpa/hpa/calculator/internal/reach"
)

// maxChecks is how many pairs of sizes are checked, for each metric, at most.
const maxChecks = 500_000

// sizes finds sizes that no load scales to.
func (l *linter) sizes() {
	low, high := l.bounds.Min, l.bounds.Max
	width := int64(high - low)
	tooMany := width > maxChecks/(width*int64(len(l.metrics)))
	if low < 1 || tooMany || l.up.disabled || l.down.disabled || l.behavior != nil && l.cut() {
		return
	}
	f := reach.Finder{
		Bounds: l.bounds, Metrics: l.metrics, Tolerance: l.tolerance, MaxWork: math.MaxInt,
		Up: pace.New(l.behavior, true, time.Second), Down: pace.New(l.behavior, false, time.Second),
	}
	var sizes []int32
	for n := low + 1; n < high; n++ {
		if f.Find(n) == reach.Never {
			sizes = append(sizes, n)
		}
	}
	if len(sizes) > 0 {
		l.find(UnreachableSize, "spec.maxReplicas",
			fmt.Sprintf("no load scales to %s: from any other size between %d and %d, the metrics propose more, less, or no change",
				ranges(sizes), low, high),
			numbers{"sizes": float64(len(sizes)), "least": float64(sizes[0]), "minReplicas": float64(low), "maxReplicas": float64(high)},
			l.leap(sizes[0])...)
	}
}

// cut reports whether policies can end a change at a size that no metric
// proposes. They allow least from the bounds.
func (l *linter) cut() bool {
	up, _ := behavior.UpLimit(time.Time{}, l.bounds.Min, l.behavior.ScaleUp, nil, nil)
	down, _ := behavior.DownLimit(time.Time{}, l.bounds.Max, l.behavior.ScaleDown, nil, nil)
	return up.Replicas < l.bounds.Max || down.Replicas > l.bounds.Min
}

// leap shows how the first metric passes over n, from below and from above: the
// last reading that changes nothing, and the next one.
func (l *linter) leap(n int32) []Moment {
	var c []Moment
	pass := func(size int32, edge float64, sign int64) {
		from := l.metrics[0].Reading(edge, size)
		by := sign * alike.Step(from)
		for u := from - 2*by; u != from+4*by; u += by {
			next := l.reading(0, u, size)
			if u >= 0 && u-by >= 0 && int64(next.Proposed-size)*sign > 0 {
				c = append(c, l.reading(0, u-by, size), next)
				return
			}
		}
	}
	pass(n-1, 1+l.tolerance.Up, 1)
	pass(n+1, min(1-l.tolerance.Down, 1-1/float64(n+1)), -1)
	if len(c) == 0 {
		c = append(c, l.reading(0, 0, n+1)) // everything is tolerated
	}
	for i := range c {
		c[i].At = time.Duration(i) * l.apart
	}
	return c
}

// ranges lists numbers in ascending order, such as "5 to 7 or 9".
func ranges(n []int32) string {
	var parts []string
	for i := 0; i < len(n); i++ {
		first, last := n[i], i
		for last+1 < len(n) && n[last+1] == n[last]+1 {
			last++
		}
		if last < i+2 {
			parts = append(parts, fmt.Sprint(first))
			continue
		}
		parts = append(parts, fmt.Sprintf("%d to %d", first, n[last]))
		i = last
	}
	last := len(parts) - 1
	return strings.TrimPrefix(strings.Join(parts[:last], ", ")+" or "+parts[last], " or ")
}
