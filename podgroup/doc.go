// Package podgroup decides which pods count for a metric, and sums what they
// use and request.
//
// # Classes
//
// A [Pod] is a snapshot of the fields of a pod that matter. For a metric it has
// one [Class]:
//
//	ignored  being deleted, or Failed
//	unready  Pending; for cpu, also a pod that is still starting up
//	missing  no sample
//	ready    all others, even if their Ready condition is False
//
// For cpu, and only for cpu, a pod with a sample is also unready if one of
// these holds ([ReadinessSettings]):
//
//   - It has no Ready condition or no start time.
//   - It is in its initialization period, and its Ready condition is False.
//   - It is in its initialization period, and the window of its sample began
//     before the condition last changed.
//   - The condition is False, and last changed before the readiness delay after
//     the pod's start had passed.
//
// A Ready condition that is Unknown does not make a pod unready.
//
// Most callers should use [Count], which counts all pods in one pass.
// [Classify] answers for one pod, with the reason. Both are upstream's
// groupPods. A [Group] makes repeated counts of the same pods cheaper.
//
// # Requests
//
// A pod requests what its containers and sidecars do, or what the pod-level
// requests say ([Pod.Request]). One pod without a request, even an ignored one,
// fails the metric. This is upstream's calculateRequests.
//
// # Snapshots
//
// Samples belong to pods by index. An [Aligner] orders samples that are keyed
// by name; use one for each metric. Pods of several clusters may have the same
// names: align each cluster's, and append. Amounts are in milli-units, moments
// are [metrics.Instant]. Package calculator/kube makes pods and samples of
// Kubernetes' types. By hand, from a Kubernetes pod:
//
//	p := podgroup.Pod{
//		Name:    pod.Name,
//		Phase:   podgroup.ParsePhase(string(pod.Status.Phase)),
//		Deleted: pod.DeletionTimestamp != nil,
//	}
//	if pod.Status.StartTime != nil {
//		p.StartTime = metrics.At(pod.Status.StartTime.Time)
//	}
//	for _, c := range pod.Status.Conditions {
//		if c.Type == corev1.PodReady {
//			p.Ready = podgroup.ParseReadiness(string(c.Status))
//			p.ReadyTransition = metrics.At(c.LastTransitionTime.Time)
//		}
//	}
//	for _, c := range pod.Spec.Containers {
//		var r podgroup.Requests
//		for name, q := range c.Resources.Requests {
//			r.Set(string(name), metrics.Milli(q.MilliValue()))
//		}
//		p.Containers = append(p.Containers, podgroup.Container{Name: c.Name, Requests: r})
//	}
//	p.Resolve()
//
// Init containers that restart (InitContainers) and requests of the whole pod
// (PodLevel) are filled in likewise.
//
// [RunningPod] makes a pod without Kubernetes.
//
// # Sharing
//
// Values may be shared between goroutines as long as none of them writes, which
// Pod.Resolve, Requests.Set, Group.Prepare, Aligner.Align and UnmarshalText do.
// An Aligner's slices are valid until its next call, and a Group as long as its
// pods do not change. Tallies, verdicts and errors own their memory.
package podgroup
