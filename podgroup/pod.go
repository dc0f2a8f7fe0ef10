package podgroup

import (
	"strconv"

	"github.com/purehpa/hpa/metrics"
)

// Pod is what the autoscaler needs to know of a pod. The zero Pod is one of
// which nothing has been reported: no phase, no readiness, no start.
//
// The fields that the pass over the pods reads come first.
type Pod struct {
	// StartTime is status.startTime; not set until the kubelet has seen the pod.
	StartTime metrics.Instant
	// ReadyTransition is lastTransitionTime of the Ready condition.
	ReadyTransition metrics.Instant
	// Phase is status.phase.
	Phase Phase
	// Ready is the status of the Ready condition.
	Ready Readiness
	// Deleted tells that metadata.deletionTimestamp is set.
	Deleted bool
	// CPU and Memory are what the whole pod requests. Where one is set, it
	// counts instead of what the containers and PodLevel come to, which Resolve
	// sets them to once for all metrics and syncs; a caller that has no
	// containers fills them in by itself.
	CPU, Memory Request
	// Name is metadata.name, unique among the pods. It appears in texts, and
	// samples are found by it.
	Name string
	// Containers are spec.containers, in their order.
	Containers []Container
	// InitContainers are spec.initContainers, in their order. Those that
	// restart are counted as containers; the others matter only beside
	// pod-level requests.
	InitContainers []InitContainer
	// PodLevel holds what the pod requests as a whole; nil if it requests
	// nothing as a whole.
	PodLevel *PodLevel
}

// Container is a container's name and requests.
type Container struct {
	// Name is unique within the pod, init containers included.
	Name string
	// Requests are resources.requests.
	Requests Requests
}

// InitContainer is an init container. One that restarts is a sidecar (KEP-753):
// it runs as long as the pod does.
type InitContainer struct {
	Container
	// Restarts tells that restartPolicy is Always.
	Restarts bool
}

// PodLevel is what a pod requests as a whole (KEP-2837).
type PodLevel struct {
	// Requests are spec.resources.requests. They take the place of the
	// containers' requests once cpu, memory or huge pages are among them.
	Requests Requests
	// Overhead is spec.overhead: what the runtime takes beside the
	// containers. It is added to pod-level requests, and to them alone.
	Overhead Requests
}

// Phase is a pod's status.phase.
type Phase uint8

// The phases. The zero Phase is not reported; it and PhaseUnknown are treated
// as PhaseRunning and PhaseSucceeded are: by sample and readiness alone.
const (
	NoPhase Phase = iota
	PhasePending
	PhaseRunning
	PhaseSucceeded
	PhaseFailed
	PhaseUnknown
)

// String returns Kubernetes' word for the phase, and "" for NoPhase.
func (p Phase) String() string {
	switch p {
	case NoPhase:
		return ""
	case PhasePending:
		return "Pending"
	case PhaseRunning:
		return "Running"
	case PhaseSucceeded:
		return "Succeeded"
	case PhaseFailed:
		return "Failed"
	case PhaseUnknown:
		return "Unknown"
	}
	return "Phase(" + strconv.Itoa(int(p)) + ")"
}

// MarshalText returns the word of String.
func (p Phase) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads what MarshalText writes. The error is a *metrics.WordError.
func (p *Phase) UnmarshalText(text []byte) error {
	return parseWord(p, "podgroup.Phase", text, Phase.String)
}

// ParsePhase returns the phase that Kubernetes calls s. A word that Kubernetes
// 1.37 does not have is PhaseUnknown.
func ParsePhase(s string) Phase {
	for p := NoPhase; p < PhaseUnknown; p++ {
		if s == p.String() {
			return p
		}
	}
	return PhaseUnknown
}

// Readiness is the status of a pod's Ready condition.
type Readiness uint8

// The statuses. The zero Readiness means that the pod has no Ready condition.
const (
	NoReadiness Readiness = iota
	ReadyTrue
	ReadyFalse
	ReadyUnknown
)

// String returns Kubernetes' word for the status, and "" for NoReadiness.
func (r Readiness) String() string {
	switch r {
	case NoReadiness:
		return ""
	case ReadyTrue:
		return "True"
	case ReadyFalse:
		return "False"
	case ReadyUnknown:
		return "Unknown"
	}
	return "Readiness(" + strconv.Itoa(int(r)) + ")"
}

// MarshalText returns the word of String.
func (r Readiness) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads what MarshalText writes. The error is a *metrics.WordError.
func (r *Readiness) UnmarshalText(text []byte) error {
	return parseWord(r, "podgroup.Readiness", text, Readiness.String)
}

// ParseReadiness returns the readiness that Kubernetes calls s. A word that
// Kubernetes does not have is ReadyUnknown, which does not make a pod unready.
func ParseReadiness(s string) Readiness {
	for r := NoReadiness; r < ReadyUnknown; r++ {
		if s == r.String() {
			return r
		}
	}
	return ReadyUnknown
}

// RunningAndReady counts the pods that run and are ready, deleted ones
// included: what an Object or External metric with a target Value multiplies
// its ratio by. It is getReadyPodsCount of upstream's ReplicaCalculator.
func RunningAndReady(pods []Pod) int {
	n := 0
	for i := range pods {
		if p := &pods[i]; p.Phase == PhaseRunning && p.Ready == ReadyTrue {
			n++
		}
	}
	return n
}
