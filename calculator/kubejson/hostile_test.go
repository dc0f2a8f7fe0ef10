package kubejson_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator/kubejson"
	"github.com/purehpa/hpa/metrics"
)

// hostile are shapes of documents that nobody should have written. Each is what
// stands before, between and after the copies of a part, with a number for #.
var hostile = []struct{ name, before, part, comma, after string }{
	{"resources", `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"containers":[{"name":"a","resources":{"requests":{`, `"r#":1`, ",", `}}}]}}`},
	{"containers", `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"containers":[`, `{"name":"#"}`, ",", `]}}`},
	{"init containers", `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"initContainers":[`, `{"name":"#"}`, ",", `]}}`},
	{"containers with requests", `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"containers":[`, `{"name":"#","resources":{"requests":{"a":1}}}`, ",", `]}}`},
	{"containers without names", `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"containers":[`, `{}`, ",", `]}}`},
	{"a container of another type", `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"containers":[`, `{}`, ",", `,3]}}`},
	{"conditions", `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"status":{"conditions":[`, `{}`, ",", `]}}`},
	{"labels", `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","labels":{`, `"#":""`, ",", `}}}`},
	{"unknown fields", `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},`, `"#":[]`, ",", `}`},
	{"nesting", `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"x":[`, strings.Repeat("[", 9000) + strings.Repeat("]", 9000), ",", `]}`},
	{"a long string", `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"status":{"phase":"`, `\u0001`, "", `"}}`},
	{"pods", `{"apiVersion":"v1","kind":"PodList","items":[`, `{"metadata":{"name":"#"}}`, ",", `]}`},
	{"pods with labels", `{"apiVersion":"v1","kind":"PodList","items":[`, `{"metadata":{"name":"#","labels":{"a":"b"}}}`, ",", `]}`},
	{"pods with containers", `{"apiVersion":"v1","kind":"PodList","items":[`, `{"metadata":{"name":"#"},"spec":{"containers":[{"name":"a"}]}}`, ",", `]}`},
	{"pods without names", `{"apiVersion":"v1","kind":"PodList","items":[`, `{}`, ",", `]}`},
	{"documents of pods", "", `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"#"}}`, "", ""},
	{"documents without pods", "", `{"apiVersion":"v1","kind":"List"}`, "", ""},
	{"metrics", `{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","metadata":{"name":"a"},"spec":{"metrics":[`,
		`{"type":"Pods","pods":{"metric":{"name":"#"}}}`, ",", `]}}`},
	{"match labels", `{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","metadata":{"name":"a"},"spec":{"metrics":[{"type":"Pods","pods":{"metric":{"name":"m","selector":{"matchLabels":{`,
		`"#":""`, ",", `}}}}}]}}`},
	{"match expressions", `{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","metadata":{"name":"a"},"spec":{"metrics":[{"type":"Pods","pods":{"metric":{"name":"m","selector":{"matchExpressions":[`,
		`{"key":"#"}`, ",", `]}}}}]}}`},
	{"empty match expressions", hpaWith + `"spec":{"metrics":[{"type":"Pods","pods":{"metric":{"name":"m","selector":{"matchExpressions":[`, `{}`, ",", `]}}}}]}}`},
	{"values", hpaWith + `"spec":{"metrics":[{"type":"Pods","pods":{"metric":{"name":"m","selector":{"matchExpressions":[{"values":[`, `""`, ",", `]}]}}}}]}}`},
	{"empty metrics", hpaWith + `"spec":{"metrics":[`, `{}`, ",", `]}}`},
	{"metrics that are numbers", hpaWith + `"spec":{"metrics":[`, `0`, ",", `]}}`},
	{"quantities before a number", hpaWith + `"spec":{"metrics":[{"pods":{"target":{`, `"value":"1"`, ",", `}}},0]}}`},
	{"current metrics", hpaWith + `"status":{"currentMetrics":[`, `{}`, ",", `]}}`},
	{"conditions of an autoscaler", hpaWith + `"status":{"conditions":[`, `{}`, ",", `]}}`},
	{"annotations", hpaWith[:len(hpaWith)-2] + `,"annotations":{`, `"#":""`, ",", `}}}`},
	{"annotations that are there twice", hpaWith[:len(hpaWith)-2] + `,"annotations":{`, `"":""`, ",", `}}}`},
	{"owners", hpaWith[:len(hpaWith)-2] + `,"ownerReferences":[`, `{}`, ",", `]}}`},
	{"managed fields", hpaWith[:len(hpaWith)-2] + `,"managedFields":[`, `{}`, ",", `]}}`},
	{"unknown fields of an autoscaler", hpaWith, `"#":0`, ",", `}`},
	{"unknown fields of metrics", hpaWith + `"spec":{"metrics":[`, `{"a":0}`, ",", `]}}`},
	{"metrics in an annotation", strings.Replace(hpaWith[:len(hpaWith)-2], "/v2", "/v1", 1) + `,"annotations":{"autoscaling.alpha.kubernetes.io/metrics":"[`, `{}`, ",", `]"}}}`},
	{"policies", hpaWith + `"spec":{"behavior":{"scaleUp":{"policies":[`, `{}`, ",", `]}}}}`},
	{"autoscalers", `{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscalerList","items":[`, `{"metadata":{"name":"#"}}`, ",", `]}`},
	{"pod metrics", `{"apiVersion":"metrics.k8s.io/v1beta1","kind":"PodMetricsList","items":[`, `{"metadata":{"name":"#"}}`, ",", `]}`},
	{"containers of pod metrics", `{"apiVersion":"metrics.k8s.io/v1beta1","kind":"PodMetrics","metadata":{"name":"a"},"containers":[`, `{}`, ",", `]}`},
	{"usage", `{"apiVersion":"metrics.k8s.io/v1beta1","kind":"PodMetrics","metadata":{"name":"a"},"containers":[{"name":"a","usage":{`, `"#":1`, ",", `}}]}`},
	{"external metrics", `{"apiVersion":"external.metrics.k8s.io/v1beta1","kind":"ExternalMetricValueList","items":[`, `{"metricName":"a","value":1}`, ",", `]}`},
	{"custom metrics", `{"apiVersion":"custom.metrics.k8s.io/v1beta2","kind":"MetricValueList","items":[`, `{"describedObject":{"name":"a"},"metric":{"name":"a"},"value":1}`, ",", `]}`},
}

const hpaWith = `{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","metadata":{"name":"a"},`

// hostileDocument returns one of about n bytes.
func hostileDocument(before, part, comma, after string, n int) []byte {
	var b strings.Builder
	b.WriteString(before)
	for i := 0; b.Len() < n; i++ {
		if i > 0 {
			b.WriteString(comma)
		}
		b.WriteString(strings.ReplaceAll(part, "#", fmt.Sprint(i)))
	}
	b.WriteString(after)
	return []byte(b.String())
}

// clusterOfContainers has n containers of one pod in the answer, and a
// ContainerResource metric for each.
func clusterOfContainers(t testing.TB, n int) *kubejson.Cluster {
	t.Helper()
	var specs, containers []string
	for i := range n {
		specs = append(specs, fmt.Sprintf(`{"type":"ContainerResource","containerResource":{"name":"cpu","container":"c%d"}}`, i))
		containers = append(containers, fmt.Sprintf(`{"name":"c%d","usage":{"cpu":"%d"}}`, i, i))
	}
	c := cluster(t, strings.Join(specs, ","), nil, nil)
	m := podMetrics(t, `{"metadata":{"name":"a"},"containers":[`+strings.Join(containers, ",")+`]}`)
	c.PodMetrics = &m
	return c
}

// Each metric finds its container at sizes where comparing all with all would
// take minutes.
func TestManyContainersAndMetrics(t *testing.T) {
	const n = 100_000
	obs := clusterOfContainers(t, n).Observation()
	for i := range n {
		require.Equal(t, metrics.Milli(1000*i), obs.Readings[i].Samples[0].Value)
	}
}

// The time and the memory for each byte do not grow with the input.
func BenchmarkHostile(b *testing.B) {
	for _, h := range hostile {
		for n := 10_000; n <= 10_000_000; n *= 10 {
			doc := hostileDocument(h.before, h.part, h.comma, h.after, n)
			b.Run(fmt.Sprintf("%s/bytes=%d", strings.ReplaceAll(h.name, " ", "-"), n), func(b *testing.B) {
				b.SetBytes(int64(len(doc)))
				memory := 0.0
				for b.Loop() {
					memory += allocated(func() {
						if strings.Contains(h.before, `"v1"`) {
							_, _ = kubejson.DecodePods(nil, doc)
							return
						}
						var c kubejson.Cluster
						_ = c.Add(doc)
						c.Observation()
					})
				}
				b.ReportMetric(memory/float64(b.N)/float64(len(doc)), "B/byte")
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(doc)), "ns/byte")
			})
		}
	}
	for _, n := range []int{100, 1000, 10_000, 100_000} {
		c := clusterOfContainers(b, n)
		b.Run(fmt.Sprintf("containers-and-metrics/metrics=%d", n), func(b *testing.B) {
			for b.Loop() {
				c.Observation()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/metric")
		})
	}
}
