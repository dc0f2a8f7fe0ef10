package clustertest

import (
	"testing"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Namespace creates one, whose pods run.
func (c *Cluster) Namespace(t testing.TB, name string) {
	t.Helper()
	require.NoError(t, c.Client.Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}))
	c.World.Simulate(name)
}

// Deployment creates one whose pods request 100 milli-cores.
func (c *Cluster) Deployment(t testing.TB, namespace, name string, replicas int32) {
	t.Helper()
	labels := map[string]string{"app": name}
	require.NoError(t, c.Client.Create(t.Context(), &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
		Spec: appsv1.DeploymentSpec{
			Replicas: &replicas,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec: corev1.PodSpec{Containers: []corev1.Container{{
					Name: "app", Image: "app",
					Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{"cpu": resource.MustParse("100m")}},
				}}},
			},
		},
	}))
}

// Size is what the Deployment is asked to be.
func (c *Cluster) Size(t testing.TB, namespace, name string) int32 {
	t.Helper()
	var d appsv1.Deployment
	require.NoError(t, c.Client.Get(t.Context(), client.ObjectKey{Namespace: namespace, Name: name}, &d))
	return *d.Spec.Replicas
}
