package calctest

import (
	"fmt"

	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/internal/words"
	"github.com/purehpa/hpa/calculator/prove"
	"github.com/purehpa/hpa/metrics"
)

const staysWithinTolerance = "Load within tolerance does not change the size."

// StaysWithinTolerance: the size stays as long as all pods are ready and have
// samples, one metric is within tolerance, and no other metric is above it. The
// tolerance is inclusive. Where not the largest proposal is chosen, all metrics
// must be within tolerance.
//
// Usage counts as the autoscaler truncates it: to whole percents for a
// utilization, to whole milli-units for an average. Load within tolerance may
// be outside after that, and is not checked then. The size starts within bounds
// and above 0.
//
// Timelines start with load within tolerance. A size that was about to change
// for an earlier load would still change.
func StaysWithinTolerance(t *rapid.T, setup *prove.Setup, opts ...Option) {
	c := prepare(t, setup, append(opts[:len(opts):len(opts)], LoadOnly()))
	tolerance := setup.Tolerance()
	tl := rapid.Custom(func(t *rapid.T) *prove.Timeline {
		tl := c.timeline(t, setup)
		tl.Size = max(tl.Size, 1)
		low, high := float64(tl.Size)*(1-tolerance.Down), float64(tl.Size)*(1+tolerance.Up)
		tl.Segments = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) prove.Segment {
			return prove.Segment{Syncs: rapid.IntRange(1, 8).Draw(t, "syncs"), Load: replicas(max(low, 0), high).Draw(t, "load")}
		}), 1, c.length).Draw(t, "segments")
		return tl
	}).Draw(t, "timeline")
	aims := prove.AimsOf(setup.Spec)
	tolerated := true
	c.hold(t, tl, staysWithinTolerance, func(s *prove.Sync) string {
		load := tl.Segments[s.Segment].Load
		tolerated = tolerated && tolerates(aims, s.Observation, setup)
		if !tolerated || s.After == s.Size {
			return ""
		}
		return fmt.Sprintf("a load of %s is within the tolerance of %d replicas, and the size becomes %d", words.Number(load), s.Size, s.After)
	})
}

// tolerates reports whether one metric is within tolerance and none is above,
// nor below if that one may be chosen.
func tolerates(aims []prove.Aim, obs *calculator.Observation, setup *prove.Setup) bool {
	t, within := setup.Tolerance(), false
	for i := range aims {
		var total metrics.Milli
		for _, v := range obs.Readings[i].Values {
			total += v
		}
		for j := range obs.Readings[i].Samples {
			total += obs.Readings[i].Samples[j].Value
		}
		ratio := aims[i].Ratio(total, len(obs.Pods))
		if (ratio > 1 || setup.Settings.ChooseBy != calculator.ChooseMax) && !t.Within(ratio) {
			return false
		}
		within = within || t.Within(ratio)
	}
	return within
}
