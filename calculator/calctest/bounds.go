package calctest

import (
	"fmt"

	"pgregory.net/rapid"
)

const withinBounds = "The size stays within bounds."

// WithinBounds: after each sync the decision asks for a size from minReplicas to
// maxReplicas, whatever the size was, whatever the load is, and whatever fails.
//
// A size of zero is an exception, if minReplicas is not: it stays zero while
// scaling is disabled, which it is unless the autoscaler itself went there, and
// while metrics fail. So is a sync whose scale cannot be read, and, out of
// bounds, one whose size cannot be written: they leave the size as it is.
func WithinBounds(t *rapid.T, r *Rules, opts ...Option) {
	c := prepare(t, r, opts)
	low, high := r.minReplicas(), r.Spec.MaxReplicas
	tl := Timelines(r, opts...).Draw(t, "timeline")
	c.hold(t, tl, withinBounds, func(s *Sync) string {
		switch n := s.Decision.DesiredReplicas; {
		case s.Observation.ScaleError != nil, n == 0 && s.Size == 0:
		case n < low:
			return fmt.Sprintf("%d is below minReplicas, %d", n, low)
		case n > high:
			return fmt.Sprintf("%d is above maxReplicas, %d", n, high)
		}
		return ""
	})
}
