package podgroup

import (
	"time"

	"github.com/purehpa/hpa/metrics"
)

// Verdict is the class of one pod and why. The zero Verdict is that of a ready
// pod.
type Verdict struct {
	// Class is Reason.Class().
	Class  Class
	Reason Reason
	// Until is the moment at which the pod becomes ready if only time passes:
	// the end of its initialization period. It is not set if time alone changes
	// nothing.
	Until metrics.Instant
}

// Classify returns how a pod counts for a metric, given its sample and the
// resource that the metric measures. Readiness and start time matter for the
// resource [CPU] only. It is upstream's groupPods for one pod.
//
// A nil p is the zero Pod.
func Classify(now time.Time, p *Pod, s metrics.Sample, resource string, set ReadinessSettings) Verdict {
	if p == nil {
		p = &Pod{}
	}
	return classify(metrics.At(now), p, &s, resource == CPU, set)
}

// AppendVerdicts appends the Verdict of each pod to dst and returns the
// extended slice: how each counts in [Count]. samples[i] belongs to pods[i];
// pods beyond the samples have none. A nil q is the zero Query.
func AppendVerdicts(dst []Verdict, now time.Time, pods []Pod, samples []metrics.Sample, q *Query) []Verdict {
	if q == nil {
		q = &Query{}
	}
	at := metrics.At(now)
	for i := range pods {
		var s metrics.Sample
		if i < len(samples) {
			s = samples[i]
		}
		dst = append(dst, q.classify(at, &pods[i], &s))
	}
	return dst
}

// classify is Classify for pods that the options do not ignore.
func (q *Query) classify(now metrics.Instant, p *Pod, s *metrics.Sample) Verdict {
	if why := q.ignores(p); why != Counted {
		return verdict(why)
	}
	return classify(now, p, s, q.Resource == CPU, q.ReadinessSettings)
}

func classify(now metrics.Instant, p *Pod, s *metrics.Sample, cpu bool, set ReadinessSettings) Verdict {
	switch {
	case p.Deleted:
		return verdict(BeingDeleted)
	case p.Phase == PhaseFailed:
		return verdict(PhaseIsFailed)
	case p.Phase == PhasePending:
		return verdict(PhaseIsPending)
	case !s.Present:
		return verdict(NoSample)
	case !cpu:
		return verdict(Counted)
	case p.Ready == NoReadiness:
		return verdict(NoReadyCondition)
	case !p.StartTime.IsSet():
		return verdict(NoStartTime)
	}
	neverReady := p.Ready == ReadyFalse && p.StartTime.Add(set.InitialReadinessDelay) > p.ReadyTransition
	initialized := p.StartTime.Add(set.CPUInitializationPeriod)
	v := verdict(Counted)
	switch {
	case now >= initialized:
		if neverReady {
			v = verdict(NeverReady)
		}
		return v
	case p.Ready == ReadyFalse:
		v = verdict(NotReadyYet)
	case s.Time < p.ReadyTransition.Add(s.Window):
		v = verdict(SampleTooEarly)
	default:
		return v
	}
	if !neverReady {
		v.Until = initialized
	}
	return v
}

func verdict(r Reason) Verdict { return Verdict{Class: r.Class(), Reason: r} }

// ignores returns the reason for which the options ignore the pod, Counted if
// they do not.
func (r *Options) ignores(p *Pod) Reason {
	switch {
	case r.OwnedOnly && p.Foreign:
		return NotOwned
	case r.SucceededIgnored && p.Phase == PhaseSucceeded:
		return PhaseIsSucceeded
	}
	return Counted
}
