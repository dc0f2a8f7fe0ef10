package release

// Gate is a feature gate of Kubernetes that a decision depends on.
type Gate string

const (
	// HPAContainerMetrics allows ContainerResource metrics (KEP-1610). It can
	// be set in 1.29 alone, and is always on after that.
	HPAContainerMetrics Gate = "HPAContainerMetrics"
	// HPAConfigurableTolerance allows a tolerance for each direction
	// (KEP-4951). It is off in 1.33 and 1.34, on in 1.35 and 1.36, and always
	// on after that.
	HPAConfigurableTolerance Gate = "HPAConfigurableTolerance"
	// PodLevelResources enables pod-level requests (KEP-2837). It is off in
	// 1.32 and 1.33, where the autoscaler ignores it, and on from 1.34.
	PodLevelResources Gate = "PodLevelResources"
	// HPAScaleToZero allows minReplicas 0 (KEP-2021). It is off up to 1.36, and
	// on in 1.37.
	HPAScaleToZero Gate = "HPAScaleToZero"
	// HPAGeneration writes status.observedGeneration. It is new in 1.37,
	// and on.
	HPAGeneration Gate = "HPAGeneration"
)

// gates says when each gate can be set. The minor versions are 0 for always.
var gates = [...]struct {
	name Gate
	// since is the first release that has the gate, on the first in which it is
	// on by default, and fixed the first in which it cannot be off any more.
	since, on, fixed int
}{
	{HPAContainerMetrics, 0, 0, 30},
	{HPAConfigurableTolerance, 33, 35, 37},
	{PodLevelResources, 32, 34, Newest + 1},
	{HPAScaleToZero, 0, 37, Newest + 1},
	{HPAGeneration, 37, 37, Newest + 1},
}

// Gates returns the gates that can be set in some release.
func Gates() []Gate {
	list := make([]Gate, len(gates))
	for i, g := range gates {
		list[i] = g.name
	}
	return list
}

// Enabled reports whether the gate is on. One that the release does not have is
// off.
func (r Release) Enabled(gate Gate) bool {
	minor := r.Minor()
	for i, g := range gates {
		if g.name == gate {
			return minor >= g.fixed || minor >= g.since && (minor >= g.on) != (r.flipped>>i&1 != 0)
		}
	}
	return false
}

// GateError is the error of a gate that a release does not have, or that is
// always on there.
type GateError struct {
	// Gate is the gate, Release the release to set it in.
	Gate    Gate
	Release Release
	// AlwaysOn reports whether the gate cannot be off in that release. If it is
	// false, the release does not have the gate.
	AlwaysOn bool
}

// With returns the release with a gate set. The error is a [*GateError], and r
// is returned with it.
func (r Release) With(gate Gate, on bool) (Release, error) {
	minor := r.Minor()
	for i, g := range gates {
		switch {
		case g.name != gate || minor < g.since:
		case minor >= g.fixed && !on:
			return r, &GateError{Gate: gate, Release: r, AlwaysOn: true}
		default:
			if r.Enabled(gate) != on {
				r.flipped ^= 1 << i
			}
			return r, nil
		}
	}
	return r, &GateError{Gate: gate, Release: r}
}
