package calctest

import (
	"fmt"
	"slices"

	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/prove"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

const moreLoadNeverFewer = "More load never gives fewer replicas."

// MoreLoadNeverFewer: of two decisions with the same state and pods, the one
// with all samples and values higher does not desire a smaller size.
//
// It checks only syncs at which as many pods are listed as the size, no pod is
// ignored, no sample is of a pod that is not listed and, if a metric has a
// target Value, all pods are running and ready. In other syncs the claim does
// not hold, not in Kubernetes either:
//
//   - Within tolerance the size stays. Above, the ratio multiplies only the
//     pods that are listed and ready. At size 10 with 3 pods listed, 1.05 times
//     the target gives 10 replicas, and twice the target gives 6.
//   - With surplus pods, scaling down does the same. At size 10 with 12 pods,
//     0.89 times the target gives 11, and 0.95 times gives 10.
//   - Within tolerance, an AverageValue of an Object or External metric gives
//     status.replicas of the scale, which may be less than the size.
//   - With ChooseMin, a metric that failed keeps a size of zero from rising. It
//     does not keep the size from coming back to a minReplicas that was raised,
//     as it does when the load asks for nothing.
//
// The claim is about single syncs, not timelines: a higher load before may have
// used up what a policy allows.
func MoreLoadNeverFewer(t *rapid.T, setup *prove.Setup, opts ...Option) {
	c := prepare(t, setup, opts)
	c.KeepBefore = true
	tl := Timelines(setup, opts...).Draw(t, "timeline")
	percent := rapid.Int64Range(0, 300).Draw(t, "more load, in percent")
	var d calculator.Decision
	c.hold(t, tl, moreLoadNeverFewer, func(s *prove.Sync) string {
		if !monotone(tl, s) || setup.Settings.ChooseBy == calculator.ChooseMin && s.Decision.RaisedToMin {
			return ""
		}
		more := moreLoad(s.Observation, percent)
		st := s.Before.Clone()
		c.Decide(&d, s.Now, &setup.Settings, setup.Spec, more, &st)
		if d.DesiredReplicas >= s.Decision.DesiredReplicas {
			return ""
		}
		return fmt.Sprintf("the metrics ask for %d replicas, and with %d%% more on each of them for %d",
			s.Decision.DesiredReplicas, percent, d.DesiredReplicas)
	})
}

// monotone reports whether the claim holds for the sync.
func monotone(tl *prove.Timeline, s *prove.Sync) bool {
	p := &tl.Segments[s.Segment]
	for _, x := range p.Troubles {
		switch x.Kind {
		case prove.PodsDeleted, prove.PodsFailed, prove.PodsSurplus, prove.Surge, prove.PodsLacking, prove.PodsGone:
			return false
		}
	}
	obs := s.Observation
	if podgroup.RunningAndReady(obs.Pods) == len(obs.Pods) {
		return true
	}
	for i := range tl.Setup.Spec.Metrics {
		if m := tl.Setup.Spec.Metrics[i].Resolve(); m.Target.Type() == metrics.ValueTarget {
			return false
		}
	}
	return true
}

// moreLoad returns the observation with all samples and values increased.
func moreLoad(obs *calculator.Observation, percent int64) *calculator.Observation {
	raise := func(v metrics.Milli) metrics.Milli { return v + share(max(v, 0), percent) + 1 }
	more := *obs
	more.Readings = slices.Clone(obs.Readings)
	for i := range more.Readings {
		r := &more.Readings[i]
		r.Samples, r.Values = slices.Clone(r.Samples), slices.Clone(r.Values)
		for j := range r.Samples {
			r.Samples[j].Value = raise(r.Samples[j].Value)
		}
		for j := range r.Values {
			r.Values[j] = raise(r.Values[j])
		}
	}
	return &more
}

// share returns that percentage of m, truncated and saturated.
func share(m metrics.Milli, percent int64) metrics.Milli {
	var sum metrics.Sum
	sum.AddShare(m, percent)
	return sum.Milli()
}
