package main

import (
	"fmt"
	"math/rand"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/apitesting/fuzzer"
	"k8s.io/apimachinery/pkg/api/resource"
	metafuzzer "k8s.io/apimachinery/pkg/apis/meta/fuzzer"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/cache"
	crcache "sigs.k8s.io/controller-runtime/pkg/cache"

	"github.com/purehpa/hpa/calculator/kube"
)

// TestTrim: a decision sees in any pod from the cache what it would see in the
// whole one.
func TestTrim(t *testing.T) {
	filler := fuzzer.FuzzerFor(metafuzzer.Funcs, rand.NewSource(1), serializer.NewCodecFactory(clientgoscheme.Scheme))
	converted := 0
	for range 1000 {
		var pod corev1.Pod
		filler.Fill(&pod)
		if c := pod.Status.Conditions; len(c) > 0 {
			c[len(c)/2].Type = corev1.PodReady
		}
		for i := range pod.Spec.InitContainers {
			pod.Spec.InitContainers[i].RestartPolicy = new(corev1.ContainerRestartPolicyAlways)
		}
		kept, err := trim(pod.DeepCopy())
		require.NoError(t, err)
		cached := kept.(*corev1.Pod)
		want, problem := kube.AppendPods(nil, []*corev1.Pod{&pod})
		got, err := kube.AppendPods(nil, []*corev1.Pod{cached})
		require.Equal(t, problem, err)
		require.Equal(t, want, got)
		require.Equal(t, pod.Labels, cached.Labels)
		require.Equal(t, []any{pod.UID, pod.ResourceVersion}, []any{cached.UID, cached.ResourceVersion})
		if err == nil {
			converted++
		}
	}
	require.Positive(t, converted)
	gone := cache.DeletedFinalStateUnknown{Key: "a/b"}
	kept, err := trim(gone)
	require.NoError(t, err)
	require.Equal(t, gone, kept)
}

// BenchmarkPodCache measures what a pod takes in the cache: as the API server
// sends it, without its managed fields, and as this controller keeps it.
func BenchmarkPodCache(b *testing.B) {
	for _, c := range []struct {
		name      string
		transform cache.TransformFunc
	}{
		{"whole", func(o any) (any, error) { return o, nil }},
		{"managed-fields-stripped", crcache.TransformStripManagedFields()},
		{"trimmed", trim},
	} {
		b.Run("pods="+c.name, func(b *testing.B) {
			const pods = 10_000
			data, err := typical().Marshal()
			require.NoError(b, err)
			for b.Loop() {
				store := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
				before := heap()
				for i := range pods {
					p := new(corev1.Pod)
					require.NoError(b, p.Unmarshal(data))
					p.Name = fmt.Sprintf("%s-%d", p.Name, i)
					kept, err := c.transform(p)
					require.NoError(b, err)
					require.NoError(b, store.Add(kept))
				}
				b.ReportMetric(float64(heap()-before)/pods, "B/pod")
				runtime.KeepAlive(store)
			}
		})
	}
}

func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// typical is a pod with a sidecar, as kubectl shows many.
func typical() *corev1.Pod {
	now, sized := metav1.NewTime(time.Now()), corev1.ResourceList{"cpu": resource.MustParse("100m"), "memory": resource.MustParse("128Mi")}
	p := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "production", Name: "web-5d9c7b8f6d", GenerateName: "web-5d9c7b8f6d-", UID: "0f8fad5b-d9cb-469f-a165-70867728950e", ResourceVersion: "123456789",
			CreationTimestamp: now, OwnerReferences: []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "web-5d9c7b8f6d", UID: "7c9e6679-7425-40de-944b-e07fc1f90ae7"}},
			Labels:      map[string]string{"app.kubernetes.io/name": "web", "app.kubernetes.io/instance": "production", "pod-template-hash": "5d9c7b8f6d"},
			Annotations: map[string]string{"checksum/config": strings.Repeat("0", 64), "prometheus.io/scrape": "true", "kubectl.kubernetes.io/restartedAt": "2026-01-01T00:00:00Z"},
			ManagedFields: []metav1.ManagedFieldsEntry{
				{Manager: "kube-controller-manager", Operation: "Update", APIVersion: "v1", Time: &now, FieldsV1: &metav1.FieldsV1{Raw: []byte(strings.Repeat(`{"f:spec":{}}`, 150))}},
				{Manager: "kubelet", Operation: "Update", APIVersion: "v1", Time: &now, Subresource: "status", FieldsV1: &metav1.FieldsV1{Raw: []byte(strings.Repeat(`{"f:status":{}}`, 100))}},
			},
		},
		Spec: corev1.PodSpec{
			NodeName: "node-1", ServiceAccountName: "web", SchedulerName: "default-scheduler", SecurityContext: &corev1.PodSecurityContext{},
			Volumes: []corev1.Volume{{Name: "kube-api-access", VolumeSource: corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{Sources: make([]corev1.VolumeProjection, 3)}}}},
		},
		Status: corev1.PodStatus{Phase: corev1.PodRunning, HostIP: "10.0.0.1", PodIP: "10.1.0.1", StartTime: &now, QOSClass: corev1.PodQOSBurstable},
	}
	for _, name := range []string{"app", "proxy"} {
		c := corev1.Container{
			Name: name, Image: "registry.example.com/team/" + name + ":v1.2.3", Args: []string{"--listen=:8080", "--log-level=info"},
			Ports: []corev1.ContainerPort{{Name: "http", ContainerPort: 8080}}, Resources: corev1.ResourceRequirements{Requests: sized, Limits: sized},
			LivenessProbe: new(corev1.Probe), ReadinessProbe: new(corev1.Probe),
			VolumeMounts: []corev1.VolumeMount{{Name: "kube-api-access", ReadOnly: true, MountPath: "/var/run/secrets/kubernetes.io/serviceaccount"}},
		}
		for i := range 10 {
			c.Env = append(c.Env, corev1.EnvVar{Name: fmt.Sprintf("SETTING_%d", i), Value: "a value of some length"})
		}
		p.Spec.Containers = append(p.Spec.Containers, c)
		p.Status.ContainerStatuses = append(p.Status.ContainerStatuses, corev1.ContainerStatus{
			Name: name, Ready: true, Image: c.Image, ImageID: c.Image + "@sha256:" + strings.Repeat("0", 64), ContainerID: "containerd://" + strings.Repeat("0", 64),
			State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: now}},
		})
	}
	for _, t := range []corev1.PodConditionType{corev1.PodReadyToStartContainers, corev1.PodInitialized, corev1.PodReady, corev1.ContainersReady, corev1.PodScheduled} {
		p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: t, Status: corev1.ConditionTrue, LastTransitionTime: now})
	}
	return p
}
