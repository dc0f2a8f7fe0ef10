// Package correction names what the Horizontal Pod Autoscaler does to the surprise of
// its users, and can do otherwise.
//
// Kubernetes does none of this. All corrections are off unless they are named:
//
//	settings.Corrections = correction.Of(correction.StatusSize, correction.Strays)
//	settings.Corrections, err = correction.Parse("statusSize,strays")
//
// A decision says which of them made a difference to it. Each has a row in the table
// of the README ([Correction.Row]): the issue that asks for it, what Kubernetes does,
// what the correction does instead, and what that costs.
//
// Corrections are for whoever decides in place of kube-controller-manager. To say what
// a cluster's own controller does, leave them off.
package correction
