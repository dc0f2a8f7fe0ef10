package podgroup

import "github.com/purehpa/hpa/metrics"

// The fields that counting reads come first, so that they share cache lines.

// Pod is a snapshot of what the autoscaler needs to know of a pod. In the zero
// Pod nothing has been reported yet: no phase, no readiness, no start time.
type Pod struct {
	// StartTime is status.startTime. The zero Instant means that it is not set:
	// no kubelet has accepted the pod. A start time that is there, even if it
	// is the zero time.Time, is a moment: use [metrics.At].
	StartTime metrics.Instant
	// ReadyTransition is lastTransitionTime of the Ready condition.
	ReadyTransition metrics.Instant
	// Phase is status.phase.
	Phase Phase
	// Ready is the status of the Ready condition.
	Ready Readiness
	// Deleted reports whether metadata.deletionTimestamp is set.
	Deleted bool
	// Foreign reports whether the pod belongs to something other than the
	// scale's target, and is listed only because the selector matches its
	// labels. It still counts, as in Kubernetes, unless Options.OwnedOnly is
	// set.
	Foreign bool
	// CPU and Memory are the requests of the whole pod. A set one takes
	// precedence over Containers and PodLevel. Resolve computes both once for
	// all metrics and syncs. Callers without containers set them directly.
	CPU, Memory Request
	// Name is metadata.name. Samples are found by it, and it appears in texts.
	Name string
	// Containers are spec.containers.
	Containers []Container
	// InitContainers are spec.initContainers. Sidecars count as containers;
	// the others count only beside pod-level requests.
	InitContainers []InitContainer
	// PodLevel is what the pod requests as a whole, or nil.
	PodLevel *PodLevel
}

// Container is a container's name and requests.
type Container struct {
	// Name is unique within the pod, init containers included.
	Name string `json:"name,omitempty"`
	// Requests are resources.requests.
	Requests Requests `json:"requests,omitzero"`
	// InForce are resources.requests of the container's status, if they differ:
	// while the pod is resized in place. They count with
	// Options.RequestsInForce only.
	InForce *Requests `json:"inForce,omitempty"`
}

// InitContainer is an init container.
type InitContainer struct {
	Container
	// Restarts reports whether restartPolicy is Always. Such a container is a
	// sidecar (KEP-753): it runs as long as the pod.
	Restarts bool `json:"restarts,omitempty"`
}

// PodLevel is what a pod requests as a whole (KEP-2837).
type PodLevel struct {
	// Requests are spec.resources.requests. They replace the containers'
	// requests once they have cpu, memory or huge pages.
	Requests Requests `json:"requests,omitzero"`
	// Overhead is spec.overhead. It is added to pod-level requests only.
	Overhead Requests `json:"overhead,omitzero"`
	// InForce are status.resources.requests, if they differ from Requests.
	InForce *Requests `json:"inForce,omitempty"`
}
