package calctest

import (
	"fmt"
	"slices"

	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/metrics"
)

const missingNeverDown = "Missing metrics never scale down."

// MissingNeverDown: a sync at which a metrics API fails, or the scale or its
// selector is at fault, or at which no pod listed has a sample of a metric that
// pods have, does not lower the size.
//
// Exceptions: a size above the maximum goes straight to the maximum, metrics or
// not. And two things are no missing metric to Kubernetes: some pods without
// a sample among others with one, which count as using all of their request, or
// their target, and do not keep the size from falling; and an External metric
// without series, which is one whose series come to 0.
func MissingNeverDown(t *rapid.T, r *Rules, opts ...Option) {
	c := prepare(t, r, opts)
	tl := Timelines(r, opts...).Draw(t, "timeline")
	c.hold(t, tl, missingNeverDown, func(s *Sync) string {
		if !s.Decision.Rescale || s.Decision.DesiredReplicas >= s.Size || s.Size > r.Spec.MaxReplicas {
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
			if missing(&r.Spec.Metrics[i], &obs.Readings[i]) {
				return fmt.Sprintf("metric %d is missing, and %d becomes %d", i+1, s.Size, s.Decision.DesiredReplicas)
			}
		}
		return ""
	})
}

func missing(spec *calculator.MetricSpec, r *calculator.Reading) bool {
	if r.Err != nil {
		return true
	}
	switch spec.Type {
	case calculator.ObjectMetricSourceType, calculator.ExternalMetricSourceType:
		return false
	}
	return len(r.Strays) == 0 && !slices.ContainsFunc(r.Samples, func(s metrics.Sample) bool { return s.Present })
}
