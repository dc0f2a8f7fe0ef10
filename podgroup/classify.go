package podgroup

import (
	"time"

	"github.com/purehpa/hpa/metrics"
)

// ReadinessSettings are the controller's settings for pods that started
// recently. They apply to cpu metrics only. Most callers should use
// [DefaultReadinessSettings]; in the zero ReadinessSettings both times are 0.
type ReadinessSettings struct {
	// CPUInitializationPeriod is a time from a pod's start. Until it ends, the
	// pod is unready unless it is ready and its sample's window began after it
	// became so
	// (--horizontal-pod-autoscaler-cpu-initialization-period, default 5m).
	CPUInitializationPeriod time.Duration
	// InitialReadinessDelay is a time from a pod's start. A pod whose Ready
	// condition became False before it ended is taken as never having been
	// ready
	// (--horizontal-pod-autoscaler-initial-readiness-delay, default 30s).
	InitialReadinessDelay time.Duration
}

// DefaultReadinessSettings returns kube-controller-manager's defaults.
func DefaultReadinessSettings() ReadinessSettings {
	return ReadinessSettings{CPUInitializationPeriod: 5 * time.Minute, InitialReadinessDelay: 30 * time.Second}
}

// Verdict is the class of one pod and why. The zero Verdict is that of a ready
// pod.
type Verdict struct {
	// Class is Reason.Class().
	Class  Class
	Reason Reason
	// Until is the moment at which the pod becomes ready if only time passes:
	// the end of its initialization period. Otherwise it is not set.
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

// AppendVerdicts appends the Verdict of each pod to dst and returns the extended
// slice: how each counts in [Count]. samples[i] belongs to pods[i]; pods beyond the
// samples have none. A nil q is the zero Query.
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

// classify is the function of that name, but for pods that the rules ignore.
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
