// Package podgroup tells which pods count for a metric, and what they use and
// request.
//
// # Classes
//
// A [Pod] is a snapshot of the few things that matter. For a metric, each is in
// one [Class]:
//
//	ignored  it is being deleted, or Failed: it counts for nothing
//	unready  it is Pending; for cpu also: it has not become ready yet, so that
//	         its usage is that of starting up
//	missing  it has no sample
//	ready    all others, whether their Ready condition is True or not
//
// For cpu, and only for cpu, a pod with a sample is unready if it has no Ready
// condition or no start time; if it is within its initialization period and its
// Ready condition is False, or its sample reaches back to before that condition
// last changed; or if the condition is False and last changed before the
// readiness delay had passed since its start ([Settings]). A condition that is
// Unknown does not make a pod unready.
// [Classify] answers for one pod, and says why and until when; [Count] tallies
// all of them in one pass. Both are upstream's groupPods.
//
// # Requests
//
// What a pod requests ([Pod.Request]) is the sum over its containers and its
// init containers that restart, or the request of one container that is named.
// Where the pod requests cpu, memory or huge pages as a whole (KEP-2837), that
// counts instead, overhead included. A pod that requests nothing of the resource
// fails the metric, even one that is ignored. Both are upstream's
// calculateRequests.
//
// # Snapshots
//
// Samples belong to pods by index; an [Aligner] brings samples that are known
// by name into that order. Amounts are in milli-units, moments are
// [metrics.Instant]. From a Kubernetes pod:
//
//	p := podgroup.Pod{
//		Name:            pod.Name,
//		Phase:           podgroup.ParsePhase(string(pod.Status.Phase)),
//		Deleted:         pod.DeletionTimestamp != nil,
//		StartTime:       metrics.At(pod.Status.StartTime.Time),
//		Ready:           podgroup.ParseReadiness(string(ready.Status)),
//		ReadyTransition: metrics.At(ready.LastTransitionTime.Time),
//	}
//	for _, c := range pod.Spec.Containers {
//		var r podgroup.Requests
//		for name, q := range c.Resources.Requests {
//			r.Set(string(name), metrics.Milli(q.MilliValue()))
//		}
//		p.Containers = append(p.Containers, podgroup.Container{Name: c.Name, Requests: r})
//	}
package podgroup
