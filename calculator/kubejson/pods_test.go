package kubejson_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator/kubejson"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

func at(s string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		panic(err)
	}
	return t
}

func TestDecodePods(t *testing.T) {
	const doc = `{
	"apiVersion": "v1", "kind": "List", "metadata": {"resourceVersion": ""},
	"items": [{
		"apiVersion": "v1", "kind": "Pod",
		"metadata": {"name": "a", "namespace": "shop", "creationTimestamp": "2026-11-20T05:00:00Z"},
		"spec": {
			"containers": [
				{"name": "app", "resources": {"requests": {"memory": "256Mi", "cpu": "500m", "example.com/gpu": "2", "ephemeral-storage": "1Gi"}, "limits": {"cpu": "1"}}},
				{"name": "bare", "resources": {}},
				{"name": "fine", "resources": {"requests": {"cpu": "100001n", "memory": 0.0005}}}
			],
			"initContainers": [
				{"name": "once", "resources": {"requests": {"cpu": "2"}}},
				{"name": "sidecar", "restartPolicy": "Always", "resources": {"requests": {"cpu": "0"}}},
				{"name": "never", "restartPolicy": "Never"}
			],
			"resources": {"requests": {"cpu": "1500m"}},
			"overhead": {"memory": "64Mi"}
		},
		"status": {
			"phase": "Running", "startTime": "2026-11-20T05:00:01Z",
			"conditions": [
				{"type": "ContainersReady", "status": "False", "lastTransitionTime": "2026-11-20T05:00:02Z"},
				{"type": "Ready", "status": "True", "lastTransitionTime": "2026-11-20T07:00:03+02:00", "lastProbeTime": null},
				{"type": "Ready", "status": "False", "lastTransitionTime": "2026-11-20T05:00:04Z"}
			]
		}
	}, {
		"metadata": {"name": "b", "namespace": "shop", "deletionTimestamp": "2026-11-20T06:00:00Z"},
		"spec": {"containers": [{"name": "app"}], "overhead": {"cpu": "250m"}},
		"status": {"phase": "Pending", "startTime": null, "conditions": null}
	}, {
		"metadata": {"name": "c", "namespace": "shop", "deletionTimestamp": null},
		"spec": {"containers": null, "resources": {"requests": {}}, "overhead": {}},
		"status": {"phase": "Evicted", "conditions": [{"type": "Ready", "status": "Unknown", "lastTransitionTime": null}]}
	}]}`
	got, err := kubejson.DecodePods(nil, []byte(doc))
	require.NoError(t, err)
	want := []podgroup.Pod{{
		Name: "a",
		Containers: []podgroup.Container{
			{Name: "app", Requests: podgroup.Requests{
				CPU:    podgroup.Requested(500),
				Memory: podgroup.Requested(256 << 20 * 1000),
				Others: []podgroup.ResourceRequest{{Resource: "ephemeral-storage", Milli: 1 << 30 * 1000}, {Resource: "example.com/gpu", Milli: 2000}},
			}},
			{Name: "bare"},
			{Name: "fine", Requests: podgroup.Requests{CPU: podgroup.Requested(1), Memory: podgroup.Requested(1)}},
		},
		InitContainers: []podgroup.InitContainer{
			{Container: podgroup.Container{Name: "once", Requests: podgroup.Requests{CPU: podgroup.Requested(2000)}}},
			{Container: podgroup.Container{Name: "sidecar", Requests: podgroup.Requests{CPU: podgroup.Requested(0)}}, Restarts: true},
			{Container: podgroup.Container{Name: "never"}},
		},
		PodLevel: &podgroup.PodLevel{
			Requests: podgroup.Requests{CPU: podgroup.Requested(1500)},
			Overhead: podgroup.Requests{Memory: podgroup.Requested(64 << 20 * 1000)},
		},
		Phase:           podgroup.PhaseRunning,
		StartTime:       metrics.At(at("2026-11-20T05:00:01Z")),
		Ready:           podgroup.ReadyTrue,
		ReadyTransition: metrics.At(at("2026-11-20T05:00:03Z")),
	}, {
		Name:       "b",
		Containers: []podgroup.Container{{Name: "app"}},
		PodLevel:   &podgroup.PodLevel{Overhead: podgroup.Requests{CPU: podgroup.Requested(250)}},
		Phase:      podgroup.PhasePending,
		Deleted:    true,
	}, {
		Name:  "c",
		Phase: podgroup.PhaseUnknown,
		Ready: podgroup.ReadyUnknown,
	}}
	require.Empty(t, cmp.Diff(want, got))
}

func TestDecodePodsAppends(t *testing.T) {
	one := object("v1", "Pod", `"metadata":{"name":"a"}`)
	more := list("v1", "PodList", `{"metadata":{"name":"b"}}`, `{"metadata":{"name":"c"}}`)
	pods, err := kubejson.DecodePods(nil, []byte(one))
	require.NoError(t, err)
	pods, err = kubejson.DecodePods(pods, []byte(more))
	require.NoError(t, err)
	require.Equal(t, []podgroup.Pod{{Name: "a"}, {Name: "b"}, {Name: "c"}}, pods)

	same, err := kubejson.DecodePods(pods, []byte(list("v1", "PodList")))
	require.NoError(t, err)
	require.Equal(t, pods, same)
	same, err = kubejson.DecodePods(pods, []byte(`{"kind":"PodList","items":null,"apiVersion":"v1"}`))
	require.NoError(t, err)
	require.Equal(t, pods, same)
	same, err = kubejson.DecodePods(pods, []byte(`{"kind":"PodList","apiVersion":"v1"}`))
	require.NoError(t, err)
	require.Equal(t, pods, same)

	room := append(make([]podgroup.Pod, 0, 100), pods...)
	same, err = kubejson.DecodePods(room, []byte(list("v1", "PodList", `{"metadata":{"name":"d"}}`, `{"metadata":{"name":"b"}}`)))
	requireError(t, err)
	require.EqualError(t, err, `kubejson: pods: items[1].metadata.name: "b" is the name of another pod, too`)
	require.Equal(t, pods, same)
}

func TestDecodePodsErrors(t *testing.T) {
	pod := func(rest string) string { return `{"metadata":{"name":"b"},` + rest + `}` }
	tests := []struct{ item, path, problem string }{
		{`{}`, "metadata.name", "missing"},
		{`null`, "metadata.name", "missing"},
		{`{"metadata":{"name":""}}`, "metadata.name", "missing"},
		{`{"metadata":{"name":"a"}}`, "metadata.name", `"a" is the name of another pod, too`},
		{`{"metadata":{"name":"` + strings.Repeat("a", 41) + `","namespace":7}}`, "metadata.namespace", "found 7 where a string was expected"},
		{`{"metadata":{"name":"b","namespace":"other"}}`, "metadata.namespace", `wrong namespace "other"; "shop" was expected`},
		{pod(`"metadata":{"labels":[]}`), "metadata.labels", "found a list where an object was expected"},
		{pod(`"metadata":{"labels":{"b":null,"a":1}}`), "metadata.labels.a", "found 1 where a string was expected"},
		{pod(`"spec":{"containers":[{"name":"app"},{}]}`), "spec.containers[1].name", "missing"},
		{pod(`"spec":{"initContainers":[{"name":""}]}`), "spec.initContainers[0].name", "missing"},
		{pod(`"metadata":{"name":5}`), "metadata.name", "found 5 where a string was expected"},
		{pod(`"metadata":{"deletionTimestamp":"soon"}`), "metadata.deletionTimestamp", `found "soon" where a time in RFC 3339 was expected`},
		{pod(`"spec":[]`), "spec", "found a list where an object was expected"},
		{pod(`"spec":{"containers":{}}`), "spec.containers", "found an object where a list was expected"},
		{pod(`"spec":{"containers":[{"name":true}]}`), "spec.containers[0].name", "found true where a string was expected"},
		{pod(`"spec":{"containers":[{},{"resources":{"requests":[]}}]}`), "spec.containers[1].resources.requests", "found a list where an object was expected"},
		{pod(`"spec":{"containers":[{},{"resources":{"requests":{"cpu":"5q"}}}]}`), "spec.containers[1].resources.requests.cpu", `not a quantity: "5q": `},
		{pod(`"spec":{"containers":[{"resources":{"requests":{"cpu":{}}}}]}`), "spec.containers[0].resources.requests.cpu", `found an object where a quantity was expected`},
		{pod(`"spec":{"containers":[{"resources":{"requests":{"cpu":true}}}]}`), "spec.containers[0].resources.requests.cpu", `found true where a quantity was expected`},
		{pod(`"spec":{"containers":[{"resources":{"requests":{"cpu":"` + strings.Repeat("9", 5000) + `x"}}}]}`), "spec.containers[0].resources.requests.cpu", `not a quantity: "` + strings.Repeat("9", 40) + `"...: `},
		{pod(`"spec":{"containers":[{"resources":{"requests":{"example.com/gpu":"-1"}}}]}`), `spec.containers[0].resources.requests["example.com/gpu"]`, `-1 is negative`},
		{pod(`"spec":{"containers":[{"resources":{"requests":{"cpu":"-1n"}}}]}`), `spec.containers[0].resources.requests.cpu`, `-1n is negative`},
		{pod(`"spec":{"initContainers":[{},{"resources":{"requests":{"cpu":"-1m"}}}]}`), "spec.initContainers[1].resources.requests.cpu", `-1m is negative`},
		{pod(`"spec":{"resources":{"requests":{"cpu":"-1m"}}}`), "spec.resources.requests.cpu", `-1m is negative`},
		{pod(`"spec":{"overhead":{"":"-1m"}}`), `spec.overhead[""]`, `-1m is negative`},
		{pod(`"spec":{"overhead":{"` + strings.Repeat("a", 5000) + `":"x"}}`), `spec.overhead["` + strings.Repeat("a", 40) + `"...]`, `not a quantity: "x": `},
		{pod(`"status":{"startTime":5}`), "status.startTime", "found 5 where a time in RFC 3339 was expected"},
		{pod(`"status":{"startTime":` + strings.Repeat("5", 5000) + `}`), "status.startTime", "found " + strings.Repeat("5", 40) + "... where a time in RFC 3339 was expected"},
		{pod(`"spec":{"containers":[{"name":"a"}]},"status":{"startTime":"2026-11-20T05:00:00Z","phase":3}`), "status.phase", "found 3 where a string was expected"},
		{pod(`"status":{"phase":[]}`), "status.phase", "found a list where a string was expected"},
		{pod(`"status":{"conditions":[{"type":"Ready"},{"lastTransitionTime":"x\ny"}]}`), "status.conditions[1].lastTransitionTime", `found "x\ny" where a time in RFC 3339 was expected`},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			doc := list("v1", "PodList", `{"metadata":{"name":"a","namespace":"shop"}}`, tt.item)
			dst := []podgroup.Pod{{Name: "before"}}
			pods, err := kubejson.DecodePods(dst, []byte(doc))
			requireError(t, err)
			var e *kubejson.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, "items[1]."+tt.path, e.Path)
			require.True(t, strings.HasPrefix(e.Problem, tt.problem), e.Problem)
			require.Equal(t, []podgroup.Pod{{Name: "before"}}, pods)
		})
	}
	t.Run("single", func(t *testing.T) {
		_, err := kubejson.DecodePods(nil, []byte(object("v1", "Pod", `"metadata":{"name":"a"},"spec":{"overhead":{"cpu":"-1"}}`)))
		require.EqualError(t, err, "kubejson: pods: spec.overhead.cpu: -1 is negative")
	})
}

// Of several requests for a resource the last one counts, as encoding/json has
// it.
func TestRepeatedRequest(t *testing.T) {
	pods, err := kubejson.DecodePods(nil, []byte(object("v1", "Pod",
		`"metadata":{"name":"a"},"spec":{"containers":[{"name":"app","resources":{"requests":{"b":"1","cpu":"1","a":"2","b":"3","cpu":"4","\u0061":"5"}}}]}`)))
	require.NoError(t, err)
	require.Equal(t, podgroup.Requests{
		CPU:    podgroup.Requested(4000),
		Others: []podgroup.ResourceRequest{{Resource: "a", Milli: 5000}, {Resource: "b", Milli: 3000}},
	}, pods[0].Containers[0].Requests)
}

// A request of null is the same as one that is left out.
func TestNullRequest(t *testing.T) {
	pods, err := kubejson.DecodePods(nil, []byte(object("v1", "Pod",
		`"metadata":{"name":"a"},"spec":{"containers":[{"name":"app","resources":{"requests":{"cpu":null,"memory":"0"}}}]}`)))
	require.NoError(t, err)
	_, err = pods[0].Request("cpu", "")
	require.Error(t, err)
	m, err := pods[0].Request("memory", "")
	require.NoError(t, err)
	require.Zero(t, m)
}

// scenes are recorded cluster states, by folder and file.
func scenes(t testing.TB, pattern string) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("..", "..", "examples", "explain", "testdata", "dumps", "*", pattern))
	require.NoError(t, err)
	require.NotEmpty(t, names)
	files := map[string][]byte{}
	for _, name := range names {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		files[filepath.Base(filepath.Dir(name))+"/"+filepath.Base(name)] = data
	}
	return files
}

func TestRecordedPods(t *testing.T) {
	want := map[string]int{
		"at-maximum": 6, "disabled-down": 7, "down-window": 8, "external-and-failing": 4, "no-request": 2,
		"object-value": 7, "pods-metric": 5, "scaled-to-zero": 0, "unready-up": 6, "within-tolerance": 4,
	}
	for name, data := range scenes(t, "pods.json") {
		pods, err := kubejson.DecodePods(nil, data)
		require.NoError(t, err, name)
		require.Len(t, pods, want[filepath.Dir(name)], name)
		for i := range pods {
			app := pods[i].Containers[0]
			require.Equal(t, "app", app.Name)
			require.Equal(t, podgroup.Requests{CPU: podgroup.Requested(500), Memory: podgroup.Requested(256 << 20 * 1000)}, app.Requests)
			require.Nil(t, pods[i].PodLevel)
		}
	}
}

func BenchmarkDecodePods(b *testing.B) {
	for _, n := range []int{10, 1000} {
		var items []string
		for i := range n {
			items = append(items, fmt.Sprintf(`{"metadata":{"name":"web-%d","labels":{"app":"web"}},"spec":{"containers":[{"name":"app","resources":{"requests":{"cpu":"500m","memory":"256Mi"}}}]},"status":{"phase":"Running","startTime":"2026-11-20T05:00:01Z","conditions":[{"type":"Ready","status":"True","lastTransitionTime":"2026-11-20T05:00:03Z"}]}}`, i))
		}
		doc := []byte(list("v1", "PodList", items...))
		b.Run(fmt.Sprintf("pods=%d", n), func(b *testing.B) {
			b.SetBytes(int64(len(doc)))
			for b.Loop() {
				if _, err := kubejson.DecodePods(nil, doc); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// The requests in force are those of the status, where they are other ones.
func TestRequestsInForce(t *testing.T) {
	pods, err := kubejson.DecodePods(nil, []byte(`{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"},
		"spec": {
			"resources": {"requests": {"cpu": "2"}},
			"containers": [
				{"name": "app", "resources": {"requests": {"cpu": "1", "memory": "1Gi"}}},
				{"name": "log", "resources": {"requests": {"cpu": "100m"}}},
				{"name": "new"}],
			"initContainers": [{"name": "proxy", "restartPolicy": "Always", "resources": {"requests": {"cpu": "1"}}}]},
		"status": {
			"resources": {"requests": {"cpu": "1500m"}},
			"containerStatuses": [
				{"name": "log", "resources": {"requests": {"cpu": "0.1"}}},
				{"name": "app", "resources": {"requests": {"cpu": "500m", "memory": "1Gi"}}},
				{"name": "new"}],
			"initContainerStatuses": [{"name": "proxy", "resources": {"requests": {}}}]}}`))
	require.NoError(t, err)
	p := &pods[0]
	require.Equal(t, podgroup.Requested(500), p.Containers[0].InForce.CPU)
	require.Nil(t, p.Containers[1].InForce, "the same in other words")
	require.Nil(t, p.Containers[2].InForce)
	require.Nil(t, p.InitContainers[0].InForce, "not reported")
	require.Equal(t, podgroup.Requested(1500), p.PodLevel.InForce.CPU)
}
