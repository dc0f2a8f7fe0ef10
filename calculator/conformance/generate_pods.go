package conformance

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// drawPods lists about as many pods as the status says, up to a few dozen. Most
// of the last step's pods stay.
func (w *World) drawPods(s *Step) {
	d := w.dice
	n := int(min(s.StatusReplicas, 30))
	if one(d, 8) {
		n = max(n+between(d, -2, 2), 0)
	}
	if one(d, 60) {
		n = 0
	}
	if one(d, 3) {
		w.pods = w.pods[:0]
	}
	w.pods = append([]*corev1.Pod(nil), w.pods[:min(n, len(w.pods))]...)
	if len(w.pods) > 0 && one(d, 2) {
		i := d.Roll(len(w.pods))
		w.pods[i] = w.drawPod(podNames[i], s.Now, false)
	}
	healthy := one(d, 2)
	for i := len(w.pods); i < n; i++ {
		w.pods = append(w.pods, w.drawPod(podNames[i], s.Now, healthy))
	}
	s.Pods = w.pods
}

func (w *World) drawPod(name string, now time.Time, healthy bool) *corev1.Pod {
	d := w.dice
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: Namespace, Labels: podLabels}}
	p.Status.Phase = corev1.PodRunning
	whole := now.Truncate(time.Second)
	// Old enough for any period, or right at the edge of one.
	start := whole.Add(-time.Hour - time.Duration(d.Roll(3600))*time.Second)
	f := &w.flags
	if !healthy {
		switch d.Roll(4) {
		case 1:
			start = whole.Add(-f.CPUInitializationPeriod + time.Duration(between(d, -1, 1))*time.Second)
		case 2:
			start = whole.Add(-time.Duration(d.Roll(400)) * time.Second)
		}
	}
	ready := start.Add(time.Duration(d.Roll(20)) * time.Second)
	status := corev1.ConditionTrue
	if !healthy {
		switch d.Roll(4) {
		case 1:
			ready = start.Add(f.InitialReadinessDelay + time.Duration(between(d, -1, 1))*time.Second)
		case 2:
			ready = whole.Add(-time.Duration(d.Roll(120)) * time.Second)
		}
		status = pick(d, corev1.ConditionTrue, corev1.ConditionTrue, corev1.ConditionTrue, corev1.ConditionTrue, corev1.ConditionFalse, corev1.ConditionFalse, corev1.ConditionUnknown)
		if one(d, 4) {
			p.Status.Phase = pick(d, corev1.PodRunning, corev1.PodPending, corev1.PodFailed, corev1.PodSucceeded, corev1.PodUnknown, "")
		}
		if one(d, 16) {
			p.DeletionTimestamp = &metav1.Time{Time: whole.Add(30 * time.Second)}
		}
	}
	if healthy || !one(d, 16) {
		p.Status.StartTime = &metav1.Time{Time: start}
	}
	if w.wide && !healthy && one(d, 30) {
		p.Status.StartTime = &metav1.Time{} // JSON has no such time
	}
	if healthy || !one(d, 16) {
		p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: status, LastTransitionTime: metav1.Time{Time: ready}}}
		if one(d, 16) {
			p.Status.Conditions = append([]corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionFalse}}, p.Status.Conditions...)
		}
	}
	w.drawRequests(p, healthy)
	if w.wide {
		w.drawStranger(p)
	}
	return p
}

// drawStranger gives some pods another owner, and others a resize that is under
// way. Kubernetes looks at neither.
func (w *World) drawStranger(p *corev1.Pod) {
	d := w.dice
	switch d.Roll(16) {
	case 14:
		p.OwnerReferences = []metav1.OwnerReference{{APIVersion: "batch/v1", Kind: "Job", Name: "batch", UID: "1"}}
	case 15:
		p.Status.ContainerStatuses = []corev1.ContainerStatus{
			{Name: p.Spec.Containers[0].Name, Resources: &corev1.ResourceRequirements{Requests: w.drawList(true)}},
		}
	}
}

func (w *World) drawRequests(p *corev1.Pod, healthy bool) {
	d := w.dice
	add := func(name string) corev1.Container {
		c := corev1.Container{Name: name}
		c.Resources.Requests = w.drawList(healthy)
		return c
	}
	p.Spec.Containers = []corev1.Container{add("app")}
	if w.shape&1 != 0 || one(d, 12) {
		p.Spec.Containers = append(p.Spec.Containers, add("sidecar"))
	}
	if w.shape&2 != 0 {
		c := add("log")
		c.RestartPolicy = ptr(corev1.ContainerRestartPolicyAlways)
		p.Spec.InitContainers = append(p.Spec.InitContainers, c)
	}
	if w.shape&4 != 0 {
		c := add("init")
		if one(d, 4) {
			c.RestartPolicy = ptr(corev1.ContainerRestartPolicyAlways)
		}
		p.Spec.InitContainers = append(p.Spec.InitContainers, c)
	}
	if w.shape&8 != 0 {
		list := w.drawList(false)
		if one(d, 4) {
			list = corev1.ResourceList{"example.com/gpu": requested[1]}
		}
		requestAsWhole(p, list)
	}
	if w.shape&16 != 0 {
		p.Spec.Overhead = w.drawList(healthy)
	}
}

func (w *World) drawList(healthy bool) corev1.ResourceList {
	d := w.dice
	list := corev1.ResourceList{}
	cpu, memory := requested[d.Roll(len(requested))], bytesOf[d.Roll(len(bytesOf))]
	switch {
	case w.mood == Huge && one(d, 3):
		cpu, memory = giants[d.Roll(len(giants))], giants[d.Roll(len(giants))]
	case w.zeroRequests || one(d, 200) && w.wide:
		cpu, memory = zero, zero
	}
	if healthy || !one(d, 40) {
		list[corev1.ResourceCPU] = cpu
	}
	if healthy || !one(d, 40) {
		list[corev1.ResourceMemory] = memory
	}
	if one(d, 16) {
		list[pick[corev1.ResourceName](d, "ephemeral-storage", "hugepages-2Mi", "example.com/gpu")] = bytesOf[d.Roll(len(bytesOf))]
	}
	return list
}
