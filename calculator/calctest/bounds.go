package calctest

import (
	"fmt"

	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator/prove"
)

const withinBounds = "The size stays within bounds."

// WithinBounds: every sync desires a size from minReplicas to maxReplicas, for
// any size before, any load and any failures.
//
// There are two exceptions. Size 0 stays while scaling is disabled or metrics
// fail, even if minReplicas is not 0. A sync that cannot read the scale keeps
// the size.
func WithinBounds(t *rapid.T, setup *prove.Setup, opts ...Option) {
	c := prepare(t, setup, opts)
	bounds := setup.Spec.Bounds()
	tl := Timelines(setup, opts...).Draw(t, "timeline")
	c.hold(t, tl, withinBounds, func(s *prove.Sync) string {
		switch n := s.Decision.DesiredReplicas; {
		case s.Observation.ScaleError != nil, n == 0 && s.Size == 0:
		case n < bounds.Min:
			return fmt.Sprintf("%d is below minReplicas, %d", n, bounds.Min)
		case n > bounds.Max:
			return fmt.Sprintf("%d is above maxReplicas, %d", n, bounds.Max)
		}
		return ""
	})
}
