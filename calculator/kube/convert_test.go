package kube_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	resourcemetrics "k8s.io/metrics/pkg/apis/metrics/v1beta1"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/kube"
	"github.com/purehpa/hpa/calculator/kubejson"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

var noon = time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)

func amounts(pairs ...string) corev1.ResourceList {
	list := corev1.ResourceList{}
	for i := 0; i < len(pairs); i += 2 {
		list[corev1.ResourceName(pairs[i])] = resource.MustParse(pairs[i+1])
	}
	return list
}

func container(name string, requests corev1.ResourceList) corev1.Container {
	return corev1.Container{Name: name, Resources: corev1.ResourceRequirements{Requests: requests}}
}

// fullPod has everything that a pod can have: a sidecar, an init container,
// requests as a whole, overhead, and other resources.
func fullPod() *corev1.Pod {
	start, always := metav1.NewTime(noon.Add(-time.Hour)), corev1.ContainerRestartPolicyAlways
	sidecar := container("proxy", amounts("cpu", "100m", "memory", "64Mi"))
	sidecar.RestartPolicy = &always
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-a", DeletionTimestamp: &start},
		Spec: corev1.PodSpec{
			Containers:     []corev1.Container{container("app", amounts("cpu", "1500m", "example.com/gpu", "2", "example.com/disk", "1", "memory", "1.5Gi")), container("log", nil)},
			InitContainers: []corev1.Container{container("setup", amounts("cpu", "2")), sidecar},
			Resources:      &corev1.ResourceRequirements{Requests: amounts("memory", "3Gi")},
			Overhead:       amounts("cpu", "50m"),
		},
		Status: corev1.PodStatus{
			Phase:     corev1.PodRunning,
			StartTime: &start,
			// The requests of one container are not in force yet, those of
			// another are, in other words, and the third says nothing.
			ContainerStatuses: []corev1.ContainerStatus{
				{Name: "log", Resources: &corev1.ResourceRequirements{}},
				{Name: "app", Resources: &corev1.ResourceRequirements{Requests: amounts("cpu", "1", "example.com/gpu", "2", "example.com/disk", "1", "memory", "1536Mi")}},
			},
			InitContainerStatuses: []corev1.ContainerStatus{
				{Name: "setup"},
				{Name: "proxy", Resources: &corev1.ResourceRequirements{Requests: amounts("memory", "65536Ki", "cpu", "0.1")}},
			},
			Conditions: []corev1.PodCondition{
				{Type: corev1.ContainersReady, Status: corev1.ConditionFalse},
				{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(noon.Add(-time.Minute))},
				{Type: corev1.PodReady, Status: corev1.ConditionFalse},
			},
		},
	}
}

func plainPod(name string) *corev1.Pod {
	start := metav1.NewTime(noon.Add(-time.Hour))
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{container("app", amounts("cpu", "500m", "memory", "128Mi")), container("log", amounts("cpu", "10m", "memory", "16Mi"))}},
		Status: corev1.PodStatus{
			Phase:      corev1.PodRunning,
			StartTime:  &start,
			Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: start}},
		},
	}
}

// A start time that is there but zero is long ago, as it is to Kubernetes. One
// that is not there makes the pod unready.
func TestStartTimeThatIsZero(t *testing.T) {
	pods := []*corev1.Pod{plainPod("web-a"), plainPod("web-b")}
	pods[0].Status.StartTime = &metav1.Time{}
	pods[1].Status.StartTime = nil
	got, err := kube.AppendPods(nil, pods)
	require.NoError(t, err)
	var classes []podgroup.Class
	for i := range got {
		sample := metrics.NewSample(1, noon, time.Minute)
		classes = append(classes, podgroup.Classify(noon, &got[i], sample, podgroup.CPU, podgroup.DefaultReadinessSettings()).Class)
	}
	require.Equal(t, []podgroup.Class{podgroup.Ready, podgroup.Unready}, classes)
}

// TestAppendPodsAgainstJSON compares with the other way into the library.
func TestAppendPodsAgainstJSON(t *testing.T) {
	pods := []*corev1.Pod{
		fullPod(), plainPod("web-b"), {ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-c"}},
		{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-d"}, Spec: corev1.PodSpec{Resources: &corev1.ResourceRequirements{}}},
	}
	before, err := json.Marshal(pods)
	require.NoError(t, err)
	list, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "PodList", "items": pods})
	require.NoError(t, err)
	want, err := kubejson.DecodePods(nil, list)
	require.NoError(t, err)
	for i := range want {
		want[i].Resolve()
	}
	require.Equal(t, podgroup.Requested(1000), want[0].Containers[0].InForce.CPU)
	require.Nil(t, want[0].Containers[1].InForce)
	require.Nil(t, want[0].InitContainers[0].InForce)
	require.Nil(t, want[0].InitContainers[1].InForce, "the same in other words")

	var got []podgroup.Pod
	// In each order over the same memory: nothing of an earlier pod may show.
	for shift := range 2 * len(pods) {
		var shifted []*corev1.Pod
		var wanted []podgroup.Pod
		for i := range pods {
			j := (i + shift) % len(pods)
			shifted, wanted = append(shifted, pods[j]), append(wanted, want[j])
		}
		got, err = kube.AppendPods(got[:0], shifted)
		require.NoError(t, err)
		require.Equal(t, canonical(t, wanted), canonical(t, got), "shift %d", shift)
	}

	// Behind others, which stay.
	got, err = kube.AppendPods(got[:1], pods[1:])
	require.NoError(t, err)
	require.Len(t, got, len(pods))
	require.Equal(t, "web-b", got[1].Name)

	after, err := json.Marshal(pods)
	require.NoError(t, err)
	require.JSONEq(t, string(before), string(after), "the pods were changed")
}

// canonical makes nil and empty slices the same.
func canonical(t *testing.T, pods []podgroup.Pod) string {
	t.Helper()
	text, err := json.Marshal(pods)
	require.NoError(t, err)
	var all []map[string]any
	require.NoError(t, json.Unmarshal(text, &all))
	text, err = json.MarshalIndent(all, "", " ")
	require.NoError(t, err)
	return strings.ReplaceAll(string(text), "null", "[]")
}

func TestAppendPodsErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		edit func(*corev1.Pod)
		want string
	}{
		{"name", func(p *corev1.Pod) { p.Name = "" }, "kube: Pod: metadata.name: missing"},
		{"namespace", func(p *corev1.Pod) { p.Namespace = "other" }, `kube: Pod other/web-b: metadata.namespace: the first pod is in "shop"; an autoscaler has pods of one namespace`},
		{"cpu", func(p *corev1.Pod) { p.Spec.Containers[1] = container("log", amounts("cpu", "-1")) }, "kube: Pod shop/web-b: spec.containers[1].resources.requests[cpu]: -1 is negative"},
		{"other", func(p *corev1.Pod) {
			p.Spec.InitContainers = []corev1.Container{container("setup", amounts("example.com/gpu", "-1m"))}
		}, "kube: Pod shop/web-b: spec.initContainers[0].resources.requests[example.com/gpu]: -1m is negative"},
		{"whole", func(p *corev1.Pod) {
			p.Spec.Resources = &corev1.ResourceRequirements{Requests: amounts("memory", "-2Gi")}
		}, "kube: Pod shop/web-b: spec.resources.requests[memory]: -2147483648 is negative"},
		{"overhead", func(p *corev1.Pod) { p.Spec.Overhead = amounts("cpu", "-1n") }, "kube: Pod shop/web-b: spec.overhead[cpu]: -1m is negative"},
	} {
		t.Run(c.name, func(t *testing.T) {
			first, bad := plainPod("web-a"), plainPod("web-b")
			c.edit(bad)
			dst := []podgroup.Pod{{Name: "before"}}
			got, err := kube.AppendPods(dst, []*corev1.Pod{first, bad})
			require.EqualError(t, err, c.want)
			require.ErrorAs(t, err, new(*kube.Error))
			require.Equal(t, dst, got)
		})
	}
	_, err := kube.AppendPods(nil, []*corev1.Pod{plainPod("web-a"), nil})
	require.EqualError(t, err, "kube: Pod: pods[1]: nil")
}

// fleet returns n pods as a lister has them, and their metrics.
func fleet(n int) ([]*corev1.Pod, []resourcemetrics.PodMetrics) {
	pods := make([]*corev1.Pod, n)
	list := make([]resourcemetrics.PodMetrics, n)
	for i := range pods {
		pods[i] = plainPod(fmt.Sprintf("web-%05d", i))
		list[i] = resourcemetrics.PodMetrics{
			ObjectMeta: metav1.ObjectMeta{Name: pods[i].Name},
			Timestamp:  metav1.NewTime(noon),
			Window:     metav1.Duration{Duration: 15 * time.Second},
			Containers: []resourcemetrics.ContainerMetrics{
				{Name: "app", Usage: amounts("cpu", "437123456n", "memory", "100Mi")},
				{Name: "log", Usage: amounts("cpu", "3m", "memory", "8Mi")},
			},
		}
	}
	return pods, list
}

func TestNoAllocation(t *testing.T) {
	pods, list := fleet(100)
	full := fullPod()
	full.Spec.Containers[0].Resources.Requests["memory"] = resource.MustParse("1536Mi") // as the API server writes 1.5Gi
	pods = append(pods, full)
	var dst []podgroup.Pod
	var r kube.Readers
	spec, answers := everyMetric(list)
	convert := func() {
		var err error
		dst, err = kube.AppendPods(dst[:0], pods)
		require.NoError(t, err)
		_, err = r.Read(&spec, dst, answers)
		require.NoError(t, err)
	}
	convert()
	require.Zero(t, testing.AllocsPerRun(10, convert))
}

func BenchmarkAppendPods(b *testing.B) {
	for _, n := range []int{10, 1000} {
		b.Run(fmt.Sprintf("pods=%d", n), func(b *testing.B) {
			pods, _ := fleet(n)
			var dst []podgroup.Pod
			b.ReportAllocs()
			for b.Loop() {
				dst, _ = kube.AppendPods(dst[:0], pods)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/pod")
		})
	}
}

func BenchmarkReaders(b *testing.B) {
	for _, n := range []int{10, 1000} {
		b.Run(fmt.Sprintf("pods=%d", n), func(b *testing.B) {
			pods, list := fleet(n)
			dst, err := kube.AppendPods(nil, pods)
			require.NoError(b, err)
			var r kube.Readers
			spec := autoscaling.NewSpec(1, 10, autoscaling.ResourceUtilizationMetric("cpu", 60))
			answers := []kube.Answer{{Resource: &resourcemetrics.PodMetricsList{Items: list}}}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := r.Read(&spec, dst, answers); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/pod")
		})
	}
}
