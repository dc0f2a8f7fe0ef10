package main

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// trim leaves of a pod what a decision needs. The cache holds every pod of the
// cluster, and most of a pod is environment, volumes and the like.
func trim(object any) (any, error) {
	p, ok := object.(*corev1.Pod)
	if !ok {
		return object, nil // the last known of one that was deleted
	}
	ready := slices.DeleteFunc(p.Status.Conditions, func(c corev1.PodCondition) bool { return c.Type != corev1.PodReady })
	*p = corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: p.Namespace, Name: p.Name, UID: p.UID, ResourceVersion: p.ResourceVersion,
			Labels: p.Labels, DeletionTimestamp: p.DeletionTimestamp,
		},
		Spec: corev1.PodSpec{
			Containers: containers(p.Spec.Containers), InitContainers: containers(p.Spec.InitContainers),
			Resources: p.Spec.Resources, Overhead: p.Spec.Overhead,
		},
		Status: corev1.PodStatus{Phase: p.Status.Phase, StartTime: p.Status.StartTime, Conditions: slices.Clone(ready)},
	}
	return p, nil
}

func containers(all []corev1.Container) []corev1.Container {
	all = slices.Clone(all)
	for i, c := range all {
		all[i] = corev1.Container{Name: c.Name, RestartPolicy: c.RestartPolicy, Resources: corev1.ResourceRequirements{Requests: c.Resources.Requests}}
	}
	return all
}
