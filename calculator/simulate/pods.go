package simulate

import (
	"math"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

const never = metrics.Instant(math.MaxUint64)

// pod is the part of a pod that a podgroup.Pod does not have.
type pod struct {
	// number is the pod's number in the run, crashes counts its crashes.
	number, crashes uint64
	// generation is the number of rollouts before the pod was created.
	generation int
	// runs reports whether the containers run. They started at container.
	runs      bool
	container metrics.Instant
	// serving reports whether the pod is ready. It became ready at since.
	serving bool
	since   metrics.Instant
	// leaving reports whether the pod is deleted.
	leaving bool
	// next is when its next transition is due.
	next metrics.Instant
}

// pods is a running Deployment.
type pods struct {
	Deployment
	seed     uint64
	now      metrics.Instant
	template podgroup.Pod

	// asked is spec.replicas. wanted follows it after ScaleDelay.
	asked  int32
	wanted int
	orders []order

	// pods and api describe the same pods by index, the oldest first.
	pods    []pod
	api     []podgroup.Pod
	created uint64
	// version changes whenever a pod does.
	version  uint64
	group    podgroup.Group
	prepared uint64
	// live counts the pods that are not leaving, serving the ready ones.
	live, serving int
	// generation is that of new pods, and old counts the live ones of others.
	generation, old int
	// next is when the next transition of any pod is due.
	next metrics.Instant

	meters   []meter
	readings []calculator.Reading
	past     history
	lookback time.Duration
	// targetLoad and mostLoad are the limits for this many ready pods: the load
	// at target, and the capacity.
	limitsOf             int
	targetLoad, mostLoad metrics.Milli
}

// order is a change of size that takes effect later.
type order struct {
	at       metrics.Instant
	replicas int
}

// share returns the load that each ready pod serves.
func (p *pods) share(load metrics.Milli) metrics.Milli {
	if p.limitsOf != p.serving {
		p.limitsOf = p.serving
		p.mostLoad, p.targetLoad = p.capacity(p.serving), p.holds(p.serving)
	}
	if p.serving == 0 {
		return 0
	}
	return min(load, p.mostLoad) / metrics.Milli(p.serving)
}

// capacity returns the largest load that n ready pods serve.
func (p *pods) capacity(n int) metrics.Milli {
	switch {
	case n == 0:
		return 0
	case p.Capacity == 0:
		return math.MaxInt64
	}
	return times(p.Capacity, n)
}

// holds returns the largest load that n ready pods serve with all metrics
// within the tolerance of their targets.
func (p *pods) holds(n int) metrics.Milli {
	most := p.capacity(n)
	for i := range p.meters {
		most = min(most, p.meters[i].holds(n))
	}
	return most
}
