package kubejson_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/purehpa/hpa/calculator/kubejson"
)

func podMetricsOf(n int) []byte {
	items := make([]string, n)
	for i := range items {
		items[i] = fmt.Sprintf(`{"metadata":{"name":"web-%d"},"timestamp":"2026-11-20T06:00:00Z","window":"15s","containers":[{"name":"app","usage":{"cpu":"437123456n","memory":"1Ki"}}]}`, i)
	}
	return []byte(list("metrics.k8s.io/v1beta1", "PodMetricsList", items...))
}

func valuesOf(n int) []byte {
	items := make([]string, n)
	for i := range items {
		items[i] = fmt.Sprintf(`{"describedObject":{"kind":"Pod","namespace":"shop","name":"web-%d","apiVersion":"/v1"},"metric":{"name":"qps"},"timestamp":"2026-11-20T06:00:00Z","value":"120"}`, i)
	}
	return []byte(list("custom.metrics.k8s.io/v1beta2", "MetricValueList", items...))
}

func BenchmarkDecodePodMetrics(b *testing.B) {
	for _, n := range []int{10, 1000} {
		doc := podMetricsOf(n)
		b.Run(fmt.Sprintf("pods=%d", n), func(b *testing.B) {
			b.SetBytes(int64(len(doc)))
			for b.Loop() {
				if _, err := kubejson.DecodePodMetrics(doc); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkDecodeCustomMetrics(b *testing.B) {
	for _, n := range []int{10, 1000} {
		doc := valuesOf(n)
		b.Run(fmt.Sprintf("pods=%d", n), func(b *testing.B) {
			b.SetBytes(int64(len(doc)))
			for b.Loop() {
				if _, err := kubejson.DecodeCustomMetrics(doc); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkDecodeAutoscaler(b *testing.B) {
	for b.Loop() {
		if _, err := kubejson.DecodeAutoscaler([]byte(exampleAutoscaler)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAdd(b *testing.B) {
	doc := []byte(strings.Join([]string{exampleAutoscaler, exampleScale, examplePods, examplePodMetrics, exampleCustomMetrics, exampleExternalMetrics}, "\n"))
	b.SetBytes(int64(len(doc)))
	for b.Loop() {
		var c kubejson.Cluster
		if err := c.Add(doc); err != nil {
			b.Fatal(err)
		}
		c.Observation()
	}
}

func BenchmarkDecodeRequests(b *testing.B) {
	for _, n := range []int{1000, 10_000} {
		doc := podRequesting(n)
		b.Run(fmt.Sprintf("resources=%d", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := kubejson.DecodePods(nil, doc); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkObservation(b *testing.B) {
	for _, n := range []int{100, 1000} {
		c := clusterOfMetrics(b, n)
		b.Run(fmt.Sprintf("metrics=%d", 2*n), func(b *testing.B) {
			for b.Loop() {
				c.Observation()
			}
		})
	}
}
