package podgroup

import (
	"fmt"
	"time"

	"github.com/purehpa/hpa/metrics"
)

// Settings are the flags that decide which pods count for a cpu metric. The
// zero Settings grant no time at all.
type Settings struct {
	// CPUInitializationPeriod is the time from a pod's start in which its cpu
	// samples count only if the pod is ready and the whole window of the
	// sample lies after it became so
	// (--horizontal-pod-autoscaler-cpu-initialization-period, 5 minutes).
	CPUInitializationPeriod time.Duration
	// InitialReadinessDelay is the time from a pod's start in which a Ready
	// condition that turned False is taken as never having been True
	// (--horizontal-pod-autoscaler-initial-readiness-delay, 30 seconds).
	InitialReadinessDelay time.Duration
}

// DefaultSettings returns kube-controller-manager's defaults.
func DefaultSettings() Settings {
	return Settings{CPUInitializationPeriod: 5 * time.Minute, InitialReadinessDelay: 30 * time.Second}
}

// Class is how a pod counts for a metric.
type Class uint8

// The classes, as upstream's groupPods has them.
const (
	// Ready pods count with their sample.
	Ready Class = iota
	// Unready pods count as using nothing on the way up, and not at all
	// otherwise.
	Unready
	// Missing pods have no sample. They count as using nothing on the way
	// up, and the whole request or target on the way down.
	Missing
	// Ignored pods count for nothing.
	Ignored
)

// String returns "ready", "unready", "missing" or "ignored".
func (c Class) String() string {
	switch c {
	case Ready:
		return "ready"
	case Unready:
		return "unready"
	case Missing:
		return "missing"
	case Ignored:
		return "ignored"
	}
	return fmt.Sprintf("Class(%d)", uint8(c))
}

// MarshalText returns the word of String.
func (c Class) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads what MarshalText writes. The error is a *metrics.WordError.
func (c *Class) UnmarshalText(text []byte) error {
	return parseWord(c, "podgroup.Class", text, Class.String)
}

// Reason is why a pod is in its class.
type Reason uint8

// The reasons, in the order in which they are looked for.
const (
	// Counted: the pod is ready.
	Counted Reason = iota
	// BeingDeleted: the pod is ignored, for it has a deletion timestamp.
	BeingDeleted
	// HasFailed: the pod is ignored, for its phase is Failed.
	HasFailed
	// IsPending: the pod is unready, for its phase is Pending.
	IsPending
	// NoSample: the pod is missing.
	NoSample
	// ReadinessNotReported: the pod is unready for a cpu metric, for it has
	// no Ready condition.
	ReadinessNotReported
	// StartNotReported: the pod is unready for a cpu metric, for it has no
	// start time.
	StartNotReported
	// NotReadyYet: the pod is unready for a cpu metric, for it is not ready
	// within its initialization period.
	NotReadyYet
	// SampleTooEarly: the pod is unready for a cpu metric, for it is within
	// its initialization period and its sample tells of a time before the pod
	// became ready.
	SampleTooEarly
	// NeverReady: the pod is unready for a cpu metric, for it is not ready
	// and has not been since the readiness delay after its start.
	NeverReady
)

// String returns the reason in a few words for people.
func (r Reason) String() string {
	switch r {
	case Counted:
		return "counted"
	case BeingDeleted:
		return "being deleted"
	case HasFailed:
		return "phase is Failed"
	case IsPending:
		return "phase is Pending"
	case NoSample:
		return "no sample"
	case ReadinessNotReported:
		return "no Ready condition"
	case StartNotReported:
		return "no start time"
	case NotReadyYet:
		return "not ready within its initialization period"
	case SampleTooEarly:
		return "sample from before it became ready"
	case NeverReady:
		return "never ready since its start"
	}
	return fmt.Sprintf("Reason(%d)", uint8(r))
}

// identifier returns the value's name for machines, which stays as it is.
func (r Reason) identifier() string {
	switch r {
	case Counted:
		return "counted"
	case BeingDeleted:
		return "beingDeleted"
	case HasFailed:
		return "hasFailed"
	case IsPending:
		return "isPending"
	case NoSample:
		return "noSample"
	case ReadinessNotReported:
		return "readinessNotReported"
	case StartNotReported:
		return "startNotReported"
	case NotReadyYet:
		return "notReadyYet"
	case SampleTooEarly:
		return "sampleTooEarly"
	case NeverReady:
		return "neverReady"
	}
	return r.String()
}

// MarshalText returns the value's name for machines, such as "beingDeleted".
func (r Reason) MarshalText() ([]byte, error) { return []byte(r.identifier()), nil }

// UnmarshalText reads what MarshalText writes. The error is a *metrics.WordError.
func (r *Reason) UnmarshalText(text []byte) error {
	return parseWord(r, "podgroup.Reason", text, Reason.identifier)
}

// Verdict is the class of one pod and why.
type Verdict struct {
	Class  Class
	Reason Reason
	// Until is the moment from which the pod is in another class if nothing
	// but the clock changes: the end of the initialization period that keeps
	// it out. It is not set if time alone changes nothing.
	Until metrics.Instant
}

// Classify tells how a pod with that sample counts. Readiness and start matter
// for the cpu resource alone; the other metrics ask for nothing but a sample
// of a pod that is neither deleted, Failed nor Pending. It is what upstream's
// groupPods does for one pod.
func Classify(now time.Time, p *Pod, s metrics.Sample, cpu bool, set Settings) Verdict {
	if p == nil {
		p = &Pod{}
	}
	return classify(metrics.At(now), p, &s, cpu, set)
}

func classify(now metrics.Instant, p *Pod, s *metrics.Sample, cpu bool, set Settings) Verdict {
	switch {
	case p.Deleted:
		return Verdict{Class: Ignored, Reason: BeingDeleted}
	case p.Phase == PhaseFailed:
		return Verdict{Class: Ignored, Reason: HasFailed}
	case p.Phase == PhasePending:
		return Verdict{Class: Unready, Reason: IsPending}
	case !s.Present:
		return Verdict{Class: Missing, Reason: NoSample}
	case !cpu:
		return Verdict{}
	case p.Ready == NoReadiness:
		return Verdict{Class: Unready, Reason: ReadinessNotReported}
	case !p.StartTime.IsSet():
		return Verdict{Class: Unready, Reason: StartNotReported}
	}
	neverReady := p.Ready == ReadyFalse && p.StartTime.Add(set.InitialReadinessDelay) > p.ReadyTransition
	initialized := p.StartTime.Add(set.CPUInitializationPeriod)
	if initialized > now {
		v := Verdict{Class: Unready}
		switch {
		case p.Ready == ReadyFalse:
			v.Reason = NotReadyYet
		case s.Time < p.ReadyTransition.Add(s.Window):
			v.Reason = SampleTooEarly
		default:
			return Verdict{}
		}
		if !neverReady {
			v.Until = initialized
		}
		return v
	}
	if neverReady {
		return Verdict{Class: Unready, Reason: NeverReady}
	}
	return Verdict{}
}

// AppendVerdicts appends the verdict on each pod, in their order. samples[i]
// belongs to pods[i]; pods beyond the samples are missing one.
func AppendVerdicts(dst []Verdict, now time.Time, pods []Pod, samples []metrics.Sample, cpu bool, set Settings) []Verdict {
	at := metrics.At(now)
	for i := range pods {
		var s metrics.Sample
		if i < len(samples) {
			s = samples[i]
		}
		dst = append(dst, classify(at, &pods[i], &s, cpu, set))
	}
	return dst
}
