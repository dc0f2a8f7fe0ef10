package podgroup

// Options change what counts. The zero Options are those of the newest
// Kubernetes release. The first two reproduce older releases; the others are
// corrections that no release has.
type Options struct {
	// ContainersOnly ignores pod-level requests, as releases up to 1.33 did. It
	// also ignores CPU and Memory of a pod that has some.
	ContainersOnly bool
	// AbsentIsZero treats the request of a container that a pod does not have
	// as zero, as releases up to 1.34 did.
	AbsentIsZero bool
	// SucceededIgnored ignores pods whose phase is Succeeded.
	SucceededIgnored bool
	// OwnedOnly ignores pods that are Foreign, and their requests.
	OwnedOnly bool
	// RequestsInForce counts the requests that are in force instead of those in
	// the spec, while a pod is resized in place.
	RequestsInForce bool
}
