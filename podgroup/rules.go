package podgroup

// Rules are what a count does otherwise than the newest Kubernetes. The zero Rules
// are Kubernetes'. The first two are the ways of older releases, the others
// corrections that no release has.
type Rules struct {
	// ContainersOnly has the containers' requests count where a pod has some as a
	// whole, too. CPU and Memory of such a pod do not count. It is the way up to
	// 1.33.
	ContainersOnly bool
	// AbsentIsZero takes the request of a pod without the container as zero. It is
	// the way up to 1.34.
	AbsentIsZero bool
	// SucceededIgnored ignores pods whose phase is Succeeded.
	SucceededIgnored bool
	// OwnedOnly ignores pods that are Foreign, and their requests.
	OwnedOnly bool
	// RequestsInForce counts the requests that are in force instead of those in the
	// spec, while a pod is resized in place.
	RequestsInForce bool
}

// ignores returns the reason for which the rules ignore the pod, Counted if they do
// not.
func (r *Rules) ignores(p *Pod) Reason {
	switch {
	case r.OwnedOnly && p.Foreign:
		return NotOwned
	case r.SucceededIgnored && p.Phase == PhaseSucceeded:
		return PhaseIsSucceeded
	}
	return Counted
}
