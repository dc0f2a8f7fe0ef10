package calculator

import (
	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/metrics"
)

// ToleranceOf returns the tolerance in force for an autoscaler with that
// behavior: the flag, or that of the rules of a direction. The behavior may be
// nil.
func (s *Settings) ToleranceOf(b *behavior.Behavior) metrics.Tolerance {
	set, _ := s.OrDefault() // a tolerance of zero is one
	return set.tolerance(b, set.Release.Quirks())
}

func (s *Settings) tolerance(b *behavior.Behavior, quirks release.Quirks) metrics.Tolerance {
	if quirks.Has(release.OneTolerance) {
		b = nil
	}
	t := b.Tolerance(s.Tolerance)
	t.Rounded = quirks.Has(release.ToleranceByDistance)
	return t
}
