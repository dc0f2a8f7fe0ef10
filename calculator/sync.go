package calculator

import (
	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/correction"
	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/metrics"
)

// sync is a sync in progress: its arguments, the quirks and corrections in
// force, and the decision to fill in. It lives as long as the call of
// DecideInto.
type sync struct {
	settings *Settings
	spec     *autoscaling.HorizontalPodAutoscalerSpec
	obs      *Observation
	st       *State
	d        *Decision

	// quirks and corrections are those in force. A copy of the sync with others
	// finds out what one of them changed.
	quirks      release.Quirks
	corrections correction.Set
	// tolerance is how far a ratio may be from 1, by the quirks.
	tolerance metrics.Tolerance
	// hasFallback reports whether a metric has a fallback.
	hasFallback bool
}

// decideBy sets the quirks and corrections that count, and the tolerance that
// depends on them.
func (s *sync) decideBy(quirks release.Quirks, corrections correction.Set) {
	s.quirks, s.corrections = quirks, corrections
	s.tolerance = s.settings.tolerance(s.spec.Behavior, quirks)
}

// zone returns the zone of the current size by the quirks.
func (s *sync) zone(quirks release.Quirks) Zone {
	d := s.d
	if d.CurrentReplicas == 0 {
		return zoneOfZero(d.MinReplicas, s.spec, s.st, quirks)
	}
	return zoneOf(d.CurrentReplicas, behavior.Bounds{Min: d.MinReplicas, Max: d.MaxReplicas})
}
