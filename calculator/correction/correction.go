package correction

import "math/bits"

// Correction is one correction. It is one bit of a [Set].
type Correction uint32

// The corrections.
const (
	// StatusSize: an AverageValue of an Object or External metric that is
	// within tolerance proposes the current size, not status.replicas. A
	// rollout's surge no longer raises the size.
	StatusSize Correction = 1 << iota
	// Succeeded: pods whose phase is Succeeded are ignored, as Failed ones are,
	// and not missing.
	Succeeded
	// Strays: samples of pods that are not listed do not count.
	Strays
	// Truncation: a utilization is not truncated to a whole percent before it
	// is compared with the target. The status still shows whole percents.
	Truncation
	// Direction: a ratio above 1 never proposes fewer replicas than there are,
	// and one below 1 never more, even if no pod is missing or unready.
	Direction
	// NoReadyPods: a ratio that is multiplied by no pods at all proposes the
	// current size, not 0.
	NoReadyPods
	// StartingPods: for a target Value, pods that are not ready yet count as
	// using nothing when scaling up, as they do for a Utilization.
	StartingPods
	// Resize: utilization is of the requests in force, not of those in the
	// spec, while pods are resized in place (podgroup.Container.InForce).
	Resize
	// Owners: pods that do not belong to the scale's target are ignored
	// (podgroup.Pod.Foreign).
	Owners
	// Bounds: a size outside of the bounds goes to the bound through
	// stabilization and policies, not at once.
	Bounds
	end
)

// Row is a row of the table of corrections.
type Row struct {
	// Name is the correction's name for machines. It does not change.
	Name string
	// Did is what Kubernetes does, Does what the correction does instead. Both
	// continue a sentence, as in "Kubernetes takes …".
	Did, Does string
	// Cost is what is lost by it.
	Cost string
	// Source are the issues and KEPs that ask for it, as links with ", "
	// between them.
	Source string
}

const issue = "https://github.com/kubernetes/kubernetes/issues/"

var rows = [...]Row{
	{"StatusSize",
		"proposes status.replicas for an average within tolerance",
		"proposes the current size for an average within tolerance",
		"Where fewer pods come up than were asked for, the size no longer falls back to their number.",
		issue + "138505, https://github.com/kubernetes/kubernetes/pull/141134, " + issue + "72775, " + issue + "84142, " + issue + "90461"},
	{"Succeeded",
		"takes Succeeded pods for missing ones",
		"ignores Succeeded pods",
		"None known: such a pod runs nothing any more.",
		issue + "129866, " + issue + "141302"},
	{"Strays",
		"counts samples of pods that are not listed",
		"drops samples of pods that are not listed",
		"Where the pods' cache lags behind the metrics, the newest pods count a little later.",
		""},
	{"Truncation",
		"truncates the utilization to a whole percent before it looks at the tolerance",
		"looks at the utilization with its fraction",
		"Sizes change at slightly lower usage, most of all with low targets: at 10%, one percent is a tenth of the target.",
		""},
	{"Direction",
		"lets the pods counted turn a ratio above 1 into a smaller size, and one below 1 into a larger one",
		"keeps the size where the pods counted would turn its direction",
		"A size above the number of pods, as during a slow start, falls back to it later.",
		""},
	{"NoReadyPods",
		"proposes 0 where the ratio is multiplied by no pods",
		"keeps the size where the ratio is multiplied by no pods",
		"With no pod ready, the metric neither adds nor removes replicas.",
		issue + "130130"},
	{"StartingPods",
		"multiplies the ratio of a Value by the ready pods alone",
		"takes starting pods as using nothing when a Value is above its target",
		"Pods that never become ready hold the size back.",
		""},
	{"Resize",
		"takes the requests of the spec during an in-place resize",
		"takes the requests in force during an in-place resize",
		"A resize that is deferred counts for as long as it is.",
		issue + "142155"},
	{"Owners",
		"counts all pods that the selector matches",
		"counts the pods that the target owns",
		"The caller has to look up the owners of each pod.",
		"https://kep.k8s.io/5325"},
	{"Bounds",
		"sets a size outside of the bounds to the bound at once",
		"moves a size outside of the bounds to the bound by stabilization and policies",
		"A changed bound takes effect as slowly as the behavior says, or never where it is Disabled.",
		issue + "110034"},
}

// Row returns the correction's row. It is zero for anything but one correction.
func (c Correction) Row() Row {
	if bits.OnesCount32(uint32(c)) != 1 || c >= end {
		return Row{}
	}
	return rows[bits.TrailingZeros32(uint32(c))]
}

// String returns the correction's name.
func (c Correction) String() string { return c.Row().Name }
