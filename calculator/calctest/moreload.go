package calctest

import (
	"fmt"
	"slices"

	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

const moreLoadNeverFewer = "More load never gives fewer replicas."

// MoreLoadNeverFewer: of two decisions with the same state on the same pods, the
// one whose samples and values are all higher asks for no smaller size.
//
// It holds where the pods listed are as many as the size, none of them is
// ignored, no sample belongs to a pod that is not listed, and, if a metric has
// a target Value, all of them run and are ready; missing and unready pods do no
// harm otherwise. It is held against such syncs alone. Elsewhere it does not
// hold, in Kubernetes neither:
//
//   - within tolerance the size stays, and above, the ratio multiplies the pods
//     that were listed and ready: at size 10 with 3 pods listed, usage of 1.05
//     times the target gives 10 replicas, and of twice the target 6;
//   - with surplus pods it is the way down that does so: at size 10 with 12
//     pods, 0.89 times the target gives 11, and 0.95 times gives 10;
//   - within tolerance an AverageValue of an Object or External metric gives the
//     number of pods that the scale's status tells of, which may be fewer than
//     the size.
//
// It says nothing of whole timelines: a load that was higher before may have
// used up what a policy allows within its period.
func MoreLoadNeverFewer(t *rapid.T, r *Rules, opts ...Option) {
	c := prepare(t, r, opts)
	c.remember = true
	tl := Timelines(r, opts...).Draw(t, "timeline")
	percent := rapid.Int64Range(0, 300).Draw(t, "more load, in percent")
	var d calculator.Decision
	c.hold(t, tl, moreLoadNeverFewer, func(s *Sync) string {
		if !monotone(tl, s) {
			return ""
		}
		more := moreLoad(s.Observation, percent)
		st := s.before.Clone()
		c.decide(&d, s.Now, &r.Settings, r.Spec, more, &st)
		if d.DesiredReplicas >= s.Decision.DesiredReplicas {
			return ""
		}
		return fmt.Sprintf("the metrics ask for %d replicas, and with %d%% more on each of them for %d",
			s.Decision.DesiredReplicas, percent, d.DesiredReplicas)
	})
}

// monotone reports whether more load must not give fewer replicas.
func monotone(tl *Timeline, s *Sync) bool {
	p := &tl.Phases[s.Phase]
	for _, x := range p.Troubles {
		switch x.Kind {
		case PodsDeleted, PodsFailed, PodsSurplus, PodsLacking, PodsGone:
			return false
		}
	}
	obs := s.Observation
	if podgroup.RunningAndReady(obs.Pods) == len(obs.Pods) {
		return true
	}
	for i := range tl.Rules.Spec.Metrics {
		if aimOf(&tl.Rules.Spec.Metrics[i], &podgroup.Pod{}).whole {
			return false
		}
	}
	return true
}

// moreLoad returns the observation with all samples and values raised.
func moreLoad(obs *calculator.Observation, percent int64) *calculator.Observation {
	raise := func(v metrics.Milli) metrics.Milli { return v + share(v, percent, 100) + 1 }
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
