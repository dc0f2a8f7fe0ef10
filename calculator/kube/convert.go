package kube

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// AppendPods converts pods of one namespace, as a lister gives them, appends
// them to dst in the same order, and returns the extended slice. Their requests
// are resolved ([podgroup.Pod.Resolve]).
//
// Most callers should use a [Pods] instead, which converts only what is new.
// Others pass the last sync's pods as dst[:0]: AppendPods then overwrites them
// and reuses their memory. It allocates only for more pods or containers, for a
// pod that gains pod-level requests or overhead, and for amounts that are not
// in the API server's form, such as 1.5Gi.
//
// On an error, which is an *Error, it returns dst unchanged. The errors are a
// nil pod, a missing name, a namespace other than the first pod's, and a
// negative request.
func AppendPods(dst []podgroup.Pod, pods []*corev1.Pod) ([]podgroup.Pod, error) {
	n := len(dst)
	dst = slices.Grow(dst, len(pods))
	all := dst[:n+len(pods)]
	for i := range pods {
		if err := convertAt(&all[n+i], pods, i); err != nil {
			return dst, err
		}
	}
	return all, nil
}

// convertAt fills p with pods[i], and reuses p's memory.
func convertAt(p *podgroup.Pod, pods []*corev1.Pod, i int) *Error {
	pod := pods[i]
	switch {
	case pod == nil:
		return &Error{Kind: "Pod", Field: element("pods", i), Problem: "nil"}
	case pod.Name == "":
		return (&Error{Field: "metadata.name", Problem: "missing"}).of("Pod", pod)
	case pod.Namespace != pods[0].Namespace:
		return (&Error{
			Field:   "metadata.namespace",
			Problem: fmt.Sprintf("the first pod is in %q; an autoscaler has pods of one namespace", pods[0].Namespace),
		}).of("Pod", pod)
	}
	if err := convert(p, pod); err != nil {
		return err.of("Pod", pod)
	}
	return nil
}

// convert fills p, and reuses its memory.
func convert(p *podgroup.Pod, pod *corev1.Pod) *Error {
	*p = podgroup.Pod{
		Phase:          podgroup.PhaseRunning,
		Deleted:        pod.DeletionTimestamp != nil,
		Name:           pod.Name,
		Containers:     p.Containers[:0],
		InitContainers: p.InitContainers[:0],
		PodLevel:       p.PodLevel,
	}
	// Most pods are running and ready; comparing is cheaper than parsing.
	if phase := pod.Status.Phase; phase != corev1.PodRunning {
		p.Phase = podgroup.ParsePhase(string(phase))
	}
	if t := pod.Status.StartTime; t != nil {
		p.StartTime = metrics.At(t.Time)
	}
	for i := range pod.Status.Conditions {
		if c := &pod.Status.Conditions[i]; c.Type == corev1.PodReady {
			p.Ready = podgroup.ReadyTrue
			if c.Status != corev1.ConditionTrue {
				p.Ready = podgroup.ParseReadiness(string(c.Status))
			}
			p.ReadyTransition = metrics.At(c.LastTransitionTime.Time)
			break
		}
	}
	containers := pod.Spec.Containers
	p.Containers = slices.Grow(p.Containers, len(containers))[:len(containers)]
	for i := range containers {
		if err := convertContainer(&p.Containers[i], &containers[i], pod.Status.ContainerStatuses); err != nil {
			return err.within(element("spec.containers", i) + ".resources.requests")
		}
	}
	inits := pod.Spec.InitContainers
	p.InitContainers = slices.Grow(p.InitContainers, len(inits))[:len(inits)]
	for i := range inits {
		c, policy := &p.InitContainers[i], inits[i].RestartPolicy
		c.Restarts = policy != nil && *policy == corev1.ContainerRestartPolicyAlways
		if err := convertContainer(&c.Container, &inits[i], pod.Status.InitContainerStatuses); err != nil {
			return err.within(element("spec.initContainers", i) + ".resources.requests")
		}
	}
	if err := podLevel(p, &pod.Spec); err != nil {
		return err
	}
	p.Resolve()
	return nil
}

// convertContainer fills c. An error has the resource as its path.
func convertContainer(c *podgroup.Container, from *corev1.Container, statuses []corev1.ContainerStatus) *Error {
	inForce := c.InForce
	c.Name, c.InForce = from.Name, nil
	if err := requests(&c.Requests, from.Resources.Requests); err != nil {
		return err
	}
	i := slices.IndexFunc(statuses, func(s corev1.ContainerStatus) bool { return s.Name == from.Name })
	// A status without any says nothing: a resize takes no request away.
	if i < 0 || statuses[i].Resources == nil || len(statuses[i].Resources.Requests) == 0 || sameAmounts(statuses[i].Resources.Requests, from.Resources.Requests) {
		return nil
	}
	if inForce == nil {
		inForce = new(podgroup.Requests)
	}
	c.InForce = inForce
	return requests(c.InForce, statuses[i].Resources.Requests)
}

// sameAmounts reports whether both lists have the same amounts.
func sameAmounts(a, b corev1.ResourceList) bool {
	if len(a) != len(b) {
		return false
	}
	for name, q := range a {
		if other, ok := b[name]; !ok || q.Cmp(other) != 0 {
			return false
		}
	}
	return true
}

func podLevel(p *podgroup.Pod, spec *corev1.PodSpec) *Error {
	if (spec.Resources == nil || len(spec.Resources.Requests) == 0) && len(spec.Overhead) == 0 {
		p.PodLevel = nil
		return nil
	}
	if p.PodLevel == nil {
		p.PodLevel = new(podgroup.PodLevel)
	}
	var whole corev1.ResourceList
	if spec.Resources != nil {
		whole = spec.Resources.Requests
	}
	if err := requests(&p.PodLevel.Requests, whole); err != nil {
		return err.within("spec.resources.requests")
	}
	if err := requests(&p.PodLevel.Overhead, spec.Overhead); err != nil {
		return err.within("spec.overhead")
	}
	return nil
}

// requests fills r from the list. It sorts the other resources by name. An
// error has the resource as its path.
func requests(r *podgroup.Requests, list corev1.ResourceList) *Error {
	*r = podgroup.Requests{Others: r.Others[:0]}
	rest := len(list)
	// Two look-ups are cheaper than a walk over the map.
	for _, name := range [...]corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		q, ok := list[name]
		if !ok {
			continue
		}
		rest--
		m := Milli(q)
		if m < 0 {
			return negative(name, m)
		}
		if name == corev1.ResourceCPU {
			r.CPU = podgroup.Requested(m)
		} else {
			r.Memory = podgroup.Requested(m)
		}
	}
	if rest == 0 {
		return nil
	}
	for name, q := range list {
		if name == corev1.ResourceCPU || name == corev1.ResourceMemory {
			continue
		}
		m := Milli(q)
		if m < 0 {
			return negative(name, m)
		}
		r.Others = append(r.Others, podgroup.ResourceRequest{Resource: string(name), Milli: m})
	}
	slices.SortFunc(r.Others, func(a, b podgroup.ResourceRequest) int { return strings.Compare(a.Resource, b.Resource) })
	return nil
}

func negative(name corev1.ResourceName, m metrics.Milli) *Error {
	return &Error{Field: "[" + string(name) + "]", Problem: m.String() + " is negative"}
}
