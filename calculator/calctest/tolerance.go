package calctest

import (
	"fmt"

	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/metrics"
)

const staysWithinTolerance = "Load within tolerance moves nothing."

// StaysWithinTolerance: as long as all pods are ready and measured, the metric
// that asks for most reads within the tolerance of both directions, and the
// others no more than that, the size stays. The tolerance is a closed interval.
//
// It is the reading that counts, which is in whole percent for a utilization
// and in whole milli-units for an average: load within tolerance can read as
// outside, and the statement says nothing about that. The size is within bounds
// and not zero, from where any load counts.
//
// A size that was about to change for another reason still does, and that is no
// exception here, since the timelines start with load within tolerance: a
// recommendation that a window holds, or, without a behavior, one that was
// higher and that a limit kept the size from.
func StaysWithinTolerance(t *rapid.T, r *Rules, opts ...Option) {
	c := prepare(t, r, append(opts[:len(opts):len(opts)], Calm()))
	up, down := r.tolerance()
	tl := rapid.Custom(func(t *rapid.T) *Timeline {
		tl := c.timeline(t, r)
		tl.Size = max(tl.Size, 1)
		low, high := float64(tl.Size)*(1-down), float64(tl.Size)*(1+up)
		tl.Phases = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Phase {
			return Phase{Syncs: rapid.IntRange(1, 8).Draw(t, "syncs"), Load: replicas(max(low, 0), high).Draw(t, "load")}
		}), 1, c.length).Draw(t, "phases")
		return tl
	}).Draw(t, "timeline")
	aims := newWorkload(tl).aims
	tolerated := true
	c.hold(t, tl, staysWithinTolerance, func(s *Sync) string {
		load := tl.Phases[s.Phase].Load
		tolerated = tolerated && tolerates(aims, s.Observation, down, up)
		if !tolerated || s.After == s.Size {
			return ""
		}
		return fmt.Sprintf("a load of %s is within the tolerance of %d replicas, and the size becomes %d", number(load), s.Size, s.After)
	})
}

// tolerates reports whether the readings, as they are rounded, are within
// tolerance: one of them, and no other one above.
func tolerates(aims []aim, obs *calculator.Observation, down, up float64) bool {
	within := false
	for i := range aims {
		var total metrics.Milli
		for _, v := range obs.Readings[i].Values {
			total += v
		}
		for j := range obs.Readings[i].Samples {
			total += obs.Readings[i].Samples[j].Value
		}
		ratio := aims[i].ratio(total, len(obs.Pods))
		if ratio > 1+up {
			return false
		}
		within = within || ratio >= 1-down
	}
	return within
}
