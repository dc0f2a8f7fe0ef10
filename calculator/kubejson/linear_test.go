package kubejson_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator/kubejson"
	"github.com/purehpa/hpa/metrics"
)

// allocated returns the bytes that f allocates.
func allocated(f func()) float64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc - before.TotalAlloc)
}

// A document of its own for each pod costs memory in proportion.
func TestAddIsLinearInDocuments(t *testing.T) {
	add := func(n int) func() {
		var docs strings.Builder
		for i := range n {
			docs.WriteString(object("v1", "Pod", fmt.Sprintf(`"metadata":{"name":"web-%d"}`, i)))
			docs.WriteString(object("metrics.k8s.io/v1beta1", "PodMetrics", fmt.Sprintf(`"metadata":{"name":"web-%d"}`, i)))
		}
		return func() {
			var c kubejson.Cluster
			require.NoError(t, c.Add([]byte(docs.String())))
			require.Len(t, c.Pods, n)
		}
	}
	require.Less(t, allocated(add(8000)), 6*allocated(add(2000)), "four times as many")
}

// So do metrics that have an answer each.
func TestObservationIsLinear(t *testing.T) {
	observe := func(n int) func() {
		var specs, custom []string
		for i := range n {
			specs = append(specs, podsMetric(fmt.Sprint("m", i), ""))
			custom = append(custom, fmt.Sprintf("Pod/a:m%d=1", i))
		}
		c := cluster(t, strings.Join(specs, ","), custom, nil)
		return func() { c.Observation() }
	}
	require.Less(t, allocated(observe(4000)), 6*allocated(observe(1000)), "four times as many")
}

// What follows a wrong item is not decoded.
func TestDecodePodsStopsAtWrongItem(t *testing.T) {
	decode := func(n int) float64 {
		item := `{"metadata":{"name":"a"},"spec":{"containers":[{"name":"app"}]}}`
		doc := []byte(list("v1", "PodList", strings.TrimSuffix(`{},`+strings.Repeat(item+",", n), ",")))
		return testing.AllocsPerRun(10, func() {
			_, err := kubejson.DecodePods(nil, doc)
			require.EqualError(t, err, "kubejson: pods: items[0].metadata.name: missing")
		})
	}
	require.InDelta(t, decode(10), decode(1000), 20)
}

// podRequesting returns a pod that requests n resources, the last name first.
func podRequesting(n int) []byte {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf(`"r%06d":"1"`, n-1-i)
	}
	return []byte(object("v1", "Pod", `"metadata":{"name":"a"},"spec":{"containers":[{"name":"app","resources":{"requests":{`+strings.Join(names, ",")+`}}}]}`))
}

// clusterOfMetrics returns one with n Pods metrics told apart by name and n
// External metrics told apart by selector, the answers of the former in
// reverse.
func clusterOfMetrics(t testing.TB, n int) *kubejson.Cluster {
	t.Helper()
	var specs, custom, external []string
	for i := range n {
		specs = append(specs, podsMetric(fmt.Sprint("m", i), ""), externalMetric("queue", fmt.Sprint(i)))
		custom = append(custom, fmt.Sprintf("Pod/a:m%d=%d", n-1-i, n-1-i))
		external = append(external, fmt.Sprintf("queue=%d", i))
	}
	return cluster(t, strings.Join(specs, ","), custom, external)
}

// Each finds its own at sizes where comparing all with all would take minutes.
// That it takes no longer than it should is for BenchmarkDecodeRequests and
// BenchmarkObservation to show: ten times the input, some ten times the time.
func TestLargeInputs(t *testing.T) {
	const n = 100_000
	pods, err := kubejson.DecodePods(nil, podRequesting(n))
	require.NoError(t, err)
	others := pods[0].Containers[0].Requests.Others
	require.Len(t, others, n)
	require.Equal(t, "r000000", others[0].Resource)
	require.Equal(t, "r099999", others[n-1].Resource)

	const m = 3000
	obs := clusterOfMetrics(t, m).Observation()
	for i := range m {
		want := metrics.Milli(1000 * i)
		require.Equal(t, want, obs.Readings[2*i].Samples[0].Value)
		require.Equal(t, []metrics.Milli{want}, obs.Readings[2*i+1].Values)
	}
}
