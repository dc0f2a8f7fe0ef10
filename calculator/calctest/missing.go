package calctest

import (
	"fmt"
	"slices"

	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/prove"
	"github.com/purehpa/hpa/metrics"
)

const missingNeverDown = "Missing metrics never scale down."

// MissingNeverDown: a sync does not scale down if a metrics API fails, if the
// scale or its selector is at fault, or if no listed pod has a sample of a
// Resource, ContainerResource or Pods metric.
//
// The exception is a size above the maximum, which goes straight to the
// maximum. Two things are not missing metrics to Kubernetes. If only some pods
// lack samples, the usage assumed for them is their request or target, and the
// size may fall. An External metric without series has the value 0.
//
// Nor are metrics missing that are not needed: one whose fallback counts, any
// with ChooseMin, and with ChooseFirst those after the one that decides.
func MissingNeverDown(t *rapid.T, setup *prove.Setup, opts ...Option) {
	c := prepare(t, setup, opts)
	tl := Timelines(setup, opts...).Draw(t, "timeline")
	c.hold(t, tl, missingNeverDown, func(s *prove.Sync) string {
		if !s.Decision.Rescale || s.Decision.DesiredReplicas >= s.Size || s.Size > setup.Spec.MaxReplicas {
			return ""
		}
		obs := s.Observation
		switch {
		case obs.ScaleError != nil:
			return fmt.Sprintf("the scale cannot be read, and %d becomes %d", s.Size, s.Decision.DesiredReplicas)
		case obs.SelectorError != nil:
			return fmt.Sprintf("the selector is at fault, and %d becomes %d", s.Size, s.Decision.DesiredReplicas)
		}
		for i := range obs.Readings {
			if missing(setup.Spec.Metrics[i].Resolve(), &obs.Readings[i]) && needed(i, setup.Settings.ChooseBy, s.Decision) {
				return fmt.Sprintf("metric %d is missing, and %d becomes %d", i+1, s.Size, s.Decision.DesiredReplicas)
			}
		}
		return ""
	})
}

// needed reports whether the size may not fall while metric i is missing.
func needed(i int, by calculator.ChooseBy, d *calculator.Decision) bool {
	if by == calculator.ChooseMin || i < len(d.Proposals) && d.Proposals[i].Rule == calculator.Fallback {
		return false
	}
	return by != calculator.ChooseFirst || i <= d.Choice.Metric || d.Choice.Metric < 0
}

func missing(m autoscaling.Metric, r *calculator.Reading) bool {
	return r.Err != nil || m.OfPods() && len(r.Strays) == 0 &&
		!slices.ContainsFunc(r.Samples, func(s metrics.Sample) bool { return s.Present })
}
