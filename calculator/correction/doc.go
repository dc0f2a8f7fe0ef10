// Package correction lists opt-in changes to HPA behavior that surprises users.
//
// All of them are off, as in Kubernetes, unless they are named:
//
//	settings.Corrections = correction.NewSet(correction.StatusSize, correction.Strays)
//	settings.Corrections, err = correction.Parse("StatusSize,Strays")
//
// A decision lists the corrections that affected it. Each has a row in the
// table of the README ([Correction.Row]): the issue that asks for it, what
// Kubernetes does, what the correction does instead, and what that costs.
//
// Use corrections in a controller that replaces kube-controller-manager. To
// predict what a cluster's own controller does, leave them off.
package correction
