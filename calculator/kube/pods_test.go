package kube_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"weak"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apitypes "k8s.io/apimachinery/pkg/types"

	"github.com/purehpa/hpa/calculator/kube"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// of returns a pod as the API server has it.
func of(name, uid, version string) *corev1.Pod {
	p := plainPod(name)
	p.UID, p.ResourceVersion = apitypes.UID(uid), version
	return p
}

// withPhase returns another object for the pod, at another version.
func withPhase(p *corev1.Pod, phase corev1.PodPhase, version string) *corev1.Pod {
	p = p.DeepCopy()
	p.Status.Phase, p.ResourceVersion = phase, version
	return p
}

// requireAs requires that c converts the pods as AppendPods does, and has their
// group.
func requireAs(t require.TestingT, c *kube.Pods, listed []*corev1.Pod) {
	want, problem := kube.AppendPods(nil, listed)
	got, err := c.Convert(listed)
	if problem != nil {
		require.Equal(t, problem, err)
		require.Nil(t, got)
		require.Empty(t, c.Group().Pods())
		return
	}
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(want, got, cmpopts.EquateEmpty()))
	require.True(t, c.Group().PreparedFrom(got))
	var group podgroup.Group
	group.Prepare(want)
	for _, resource := range []string{podgroup.CPU, podgroup.Memory} {
		q := podgroup.Query{Resource: resource, Requests: true}
		require.Equal(t, group.Count(noon, nil, &q), c.Group().Count(noon, nil, &q))
	}
}

// TestPodsSees says what counts as new. The object of before is changed behind
// the back of Pods to see whether it is converted again.
func TestPodsSees(t *testing.T) {
	for _, c := range []struct {
		name          string
		before, after [2]string // uid and resourceVersion
		sameObject    bool
		converted     bool
	}{
		{"same object", [2]string{"u1", "7"}, [2]string{"u1", "7"}, true, false},
		{"same object without either", [2]string{}, [2]string{}, true, false},
		{"copy", [2]string{"u1", "7"}, [2]string{"u1", "7"}, false, false},
		{"changed", [2]string{"u1", "7"}, [2]string{"u1", "8"}, false, true},
		{"replaced", [2]string{"u1", "7"}, [2]string{"u2", "7"}, false, true},
		{"copy without a uid", [2]string{"", "7"}, [2]string{"", "7"}, false, true},
		{"copy without a version", [2]string{"u1", ""}, [2]string{"u1", ""}, false, true},
	} {
		for _, moved := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/moved=%t", c.name, moved), func(t *testing.T) {
				var pods kube.Pods
				first, other := of("web-a", c.before[0], c.before[1]), of("web-b", "u9", "1")
				_, err := pods.Convert([]*corev1.Pod{first, other})
				require.NoError(t, err)

				next := first
				if !c.sameObject {
					next = of("web-a", c.after[0], c.after[1])
				}
				next.Status.Phase = corev1.PodFailed
				listed, at := []*corev1.Pod{next, other}, 0
				if moved {
					slices.Reverse(listed)
					at = 1
				}
				got, err := pods.Convert(listed)
				require.NoError(t, err)
				require.Equal(t, "web-a", got[at].Name)
				require.Equal(t, "web-b", got[1-at].Name)
				require.Equal(t, c.converted, got[at].Phase == podgroup.PhaseFailed)
			})
		}
	}
}

func TestPodsAfterAnError(t *testing.T) {
	var c kube.Pods
	a, b := of("web-a", "u1", "1"), of("web-b", "u2", "1")
	requireAs(t, &c, []*corev1.Pod{a, b})
	negative := withPhase(b, corev1.PodRunning, "2")
	negative.Spec.Containers[1] = container("log", amounts("cpu", "-1"))
	foreign := of("web-c", "u3", "1")
	foreign.Namespace = "other"
	other := withPhase(negative, corev1.PodRunning, "1")
	other.Name, other.UID = "web-e", "u6"
	for _, bad := range [][]*corev1.Pod{{a, negative}, {a, other}, {other, b}, {b, nil}, {nil, a}, {b, foreign, a}, {foreign, b}, {of("", "u4", "1")}, {a, of("web-d", "u5", "1"), negative, b}} {
		requireAs(t, &c, bad)
		requireAs(t, &c, []*corev1.Pod{b, a})
		requireAs(t, &c, bad)
		requireAs(t, &c, bad)
		requireAs(t, &c, []*corev1.Pod{a, b})
	}
	// What could be converted stays, behind the back as above.
	requireAs(t, &c, []*corev1.Pod{a, negative})
	a.Status.Phase = corev1.PodFailed
	got, err := c.Convert([]*corev1.Pod{a, b})
	require.NoError(t, err)
	require.Equal(t, podgroup.PhaseRunning, got[0].Phase)
}

// TestPodsLetsGo: of pods that are gone, and of objects that others have taken
// the place of, nothing is kept.
func TestPodsLetsGo(t *testing.T) {
	var c kube.Pods
	list := func(first, n int, version string) (pods []*corev1.Pod) {
		for i := first; i < first+n; i++ {
			pods = append(pods, of("web-"+strconv.Itoa(i), "u"+strconv.Itoa(i), version))
		}
		return pods
	}
	var objects []weak.Pointer[corev1.Pod]
	var containers []weak.Pointer[podgroup.Container]
	step := func(listed []*corev1.Pod) {
		t.Helper()
		requireAs(t, &c, listed)
		runtime.GC()
		for i := range objects {
			require.Nil(t, objects[i].Value(), i)
		}
		objects = objects[:0]
		for _, p := range listed {
			objects = append(objects, weak.Make(p))
		}
	}
	step(list(0, 100, "1"))
	step(list(0, 100, "2"))
	step(list(0, 100, "2")) // copies take their objects' places
	moved := list(0, 100, "2")
	slices.Reverse(moved)
	step(moved)
	step(append(list(50, 50, "3"), list(0, 50, "2")...))
	for i := range 50 {
		containers = append(containers, weak.Make(&c.Group().Pods()[50+i].Containers[0]))
	}
	step(list(50, 50, "3"))
	for _, p := range containers {
		require.Nil(t, p.Value(), "the memory of what has gone")
	}
	runtime.KeepAlive(&c)
}

// TestMemoryIsBounded: neither names that were nor a listing that was long are
// kept.
func TestMemoryIsBounded(t *testing.T) {
	var c kube.Pods
	var r reader
	used := func() int {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	sync := func(round, n int, long string) {
		listed, list := fleet(n)
		for i, p := range listed {
			p.Name = fmt.Sprintf("%s%d-%d", long, round, i)
			list[i].Name = p.Name
		}
		converted, err := c.Convert(listed)
		require.NoError(t, err)
		reading := r.Resource(converted, list, corev1.ResourceCPU, "")
		require.Empty(t, reading.Strays)
		require.True(t, reading.Samples[n-1].Present)
	}
	before := used()
	for round := range 300 {
		sync(round, 20-round%2*10, strings.Repeat("x", 4096))
	}
	require.Less(t, used()-before, 1_000_000, "of 18 MB of names")

	c, r = kube.Pods{}, reader{}
	before = used()
	sync(0, 20_000, "")
	r = reader{}
	sync(1, 20, "")
	require.Less(t, used()-before, 1_000_000, "of 20,000 pods")
	runtime.KeepAlive(&c)
}

func TestPodsAllocatesNothing(t *testing.T) {
	listed, _ := fleet(100)
	for i, p := range listed {
		p.UID, p.ResourceVersion = apitypes.UID("u"+strconv.Itoa(i)), "1"
	}
	copies := make([]*corev1.Pod, len(listed))
	for i, p := range listed {
		copies[i] = p.DeepCopy()
	}
	var c kube.Pods
	sync := func() {
		pods, err := c.Convert(listed)
		require.NoError(t, err)
		require.True(t, c.Group().PreparedFrom(pods))
	}
	sync()
	require.Zero(t, testing.AllocsPerRun(10, sync), "the same objects")
	require.Zero(t, testing.AllocsPerRun(10, func() {
		listed, copies = copies, listed
		sync()
	}), "copies")
	require.Zero(t, testing.AllocsPerRun(10, func() {
		rand.Shuffle(len(listed), func(i, j int) { listed[i], listed[j] = listed[j], listed[i] })
		sync()
	}), "another order")
}

// Copies in the order of before leave the group as it was prepared.
func TestPodsKeepsTheGroup(t *testing.T) {
	var c kube.Pods
	a, b := of("web-a", "u1", "1"), of("web-b", "u2", "1")
	before, err := c.Convert([]*corev1.Pod{a, b})
	require.NoError(t, err)
	group := c.Group()
	// A pod changed behind the back shows whether the group is prepared again.
	before[1].Phase = podgroup.PhasePending
	_, err = c.Convert([]*corev1.Pod{a.DeepCopy(), b.DeepCopy()})
	require.NoError(t, err)
	require.Same(t, group, c.Group())
	count := func() podgroup.Tally {
		samples := []metrics.Sample{{Present: true}, {Present: true}}
		return c.Group().Count(noon, samples, &podgroup.Query{Resource: podgroup.Memory})
	}
	require.Equal(t, 2, count().Ready)
	_, err = c.Convert([]*corev1.Pod{withPhase(a, corev1.PodPending, "2"), b})
	require.NoError(t, err)
	require.Zero(t, count().Ready)
}

func BenchmarkPods(b *testing.B) {
	for _, n := range []int{10, 1000} {
		for _, share := range []int{0, 1, 100} {
			b.Run(fmt.Sprintf("pods=%d/new=%d%%", n, share), func(b *testing.B) {
				listed, _ := fleet(n)
				copies, _ := fleet(n)
				if share == 0 {
					copies = listed
				} else {
					for i := range copies {
						if i*share%100 >= share {
							copies[i] = listed[i]
						}
					}
				}
				var c kube.Pods
				b.ReportAllocs()
				for b.Loop() {
					if _, err := c.Convert(listed); err != nil {
						b.Fatal(err)
					}
					c.Group()
					listed, copies = copies, listed
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/pod")
			})
		}
	}
}

// Owned is asked once for each pod, and again for one that changed.
func TestPodsOwned(t *testing.T) {
	asked := map[string]int{}
	pods := kube.Pods{Owned: func(p *corev1.Pod) bool {
		asked[p.Name]++
		return len(p.OwnerReferences) > 0
	}}
	mine, other := plainPod("web-a"), plainPod("web-b")
	mine.OwnerReferences = []metav1.OwnerReference{{Name: "web"}}
	for range 3 {
		got, err := pods.Convert([]*corev1.Pod{mine, other})
		require.NoError(t, err)
		require.False(t, got[0].Foreign)
		require.True(t, got[1].Foreign)
	}
	require.Equal(t, map[string]int{"web-a": 1, "web-b": 1}, asked)
	adopted := other.DeepCopy()
	adopted.OwnerReferences = mine.OwnerReferences
	adopted.ResourceVersion = "another"
	got, err := pods.Convert([]*corev1.Pod{adopted, mine})
	require.NoError(t, err)
	require.False(t, got[0].Foreign)
	require.Equal(t, map[string]int{"web-a": 1, "web-b": 2}, asked)

	// Another namespace begins anew, with the same question.
	foreign := plainPod("web-b")
	foreign.Namespace = "other"
	got, err = pods.Convert([]*corev1.Pod{foreign})
	require.NoError(t, err)
	require.True(t, got[0].Foreign)
}
