package kubejson_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/kubejson"
	"github.com/purehpa/hpa/podgroup"
)

// What a Reader reads directly equals what the decoders read.
func TestReaderEqualsDecoders(t *testing.T) {
	pods := []podgroup.Pod{{Name: "web-0"}, {Name: "web-1"}, {Name: "web-2"}}
	rapid.Check(t, func(t *rapid.T) {
		var usage, custom, series []string
		name := ""
		for range rapid.IntRange(0, 4).Draw(t, "items") {
			name = rapid.SampledFrom([]string{"web-0", "web-1", "gone", ""}).Draw(t, "name")
			namespace := rapid.SampledFrom([]string{"shop", "shop", "shop", "other"}).Draw(t, "namespace")
			amount := rapid.SampledFrom([]string{`"1"`, `"250m"`, `"1n"`, `"12Ki"`, `"-1"`, `5`, `"x"`}).Draw(t, "amount")
			window := rapid.SampledFrom([]string{``, `"windowSeconds":30,`, `"windowSeconds":null,`, `"window":40,`}).Draw(t, "window")
			usage = append(usage, fmt.Sprintf(`{"metadata":{"name":%q,"namespace":%q},"timestamp":"2026-05-04T12:00:00Z","window":"15s","containers":[{"name":"app","usage":{"cpu":%s}}]}`, name, namespace, amount))
			custom = append(custom, fmt.Sprintf(`{"describedObject":{"kind":"Pod","name":%q,"namespace":%q},"metric":{"name":"qps","selector":null},"timestamp":"2026-05-04T12:00:00Z",%s"value":%s}`, name, namespace, window, amount))
			series = append(series, fmt.Sprintf(`{"metricName":"qps","metricLabels":null,"timestamp":"2026-05-04T12:00:00Z",%s"value":%s}`, window, amount))
		}
		list := func(kind, version string, items []string) []byte {
			return []byte(`{"kind":"` + kind + `","apiVersion":"` + version + `","metadata":{},"items":[` + strings.Join(items, ",") + `]}`)
		}
		same := func(got, want any, err, wantErr error) {
			require.Equal(t, wantErr, err)
			if err == nil {
				require.Equal(t, fmt.Sprintf("%+v", want), fmt.Sprintf("%+v", got))
			}
		}
		var r kubejson.Reader
		body := list("PodMetricsList", "metrics.k8s.io/v1beta1", usage)
		m, wantErr := kubejson.DecodePodMetrics(body)
		got, err := r.Resource(pods, body, "cpu", "")
		same(got, m.Reading(pods, "cpu", ""), err, wantErr)
		body = list("MetricValueList", "custom.metrics.k8s.io/v1beta2", custom)
		c, wantErr := kubejson.DecodeCustomMetrics(body)
		got, err = r.Pods(pods, body)
		same(got, c.PodsReading(pods, "qps"), err, wantErr)
		got, err = r.Object(body)
		if wantErr != nil || len(custom) == 1 {
			same(got, c.ObjectReading(autoscaling.CrossVersionObjectReference{Kind: "Pod", Name: name}, "qps"), err, wantErr)
		} else {
			require.NoError(t, err)
			require.EqualError(t, got.Err, fmt.Sprintf("unable to fetch metrics from custom metrics API: the custom metrics API server returned %d results when we asked for exactly one", len(custom)))
		}
		body = list("ExternalMetricValueList", "external.metrics.k8s.io/v1beta1", series)
		e, wantErr := kubejson.DecodeExternalMetrics(body)
		got, err = r.External(body)
		same(got, e.Reading("qps"), err, wantErr)
	})
}

func TestReaderErrors(t *testing.T) {
	var r kubejson.Reader
	_, err := r.External([]byte("k8s\x00x"))
	require.EqualError(t, err, "kubejson: external metrics: protobuf that is malformed, of another type, or not as Kubernetes encodes it")
	for _, body := range []string{``, `{`, `k8s`, "k8s\x00", `{"kind":"Status","apiVersion":"v1"}`} {
		for name, read := range map[string]func([]byte) (calculator.Reading, error){
			"pod metrics":      func(b []byte) (calculator.Reading, error) { return r.Resource(nil, b, "cpu", "") },
			"custom metrics":   func(b []byte) (calculator.Reading, error) { return r.Pods(nil, b) },
			"external metrics": r.External,
		} {
			_, err := read([]byte(body))
			require.ErrorAs(t, err, new(*kubejson.Error), body)
			require.ErrorContains(t, err, "kubejson: "+name+": ", body)
		}
		_, err := r.Object([]byte(body))
		require.ErrorAs(t, err, new(*kubejson.Error), body)
	}
}

// Once its memory is long enough, reading an ordinary answer allocates nothing.
func TestReaderAllocatesNothing(t *testing.T) {
	pods := []podgroup.Pod{{Name: "web-0"}}
	list := func(kind, version, item string) []byte {
		return fmt.Appendf(nil, `{"kind":%q,"apiVersion":%q,"metadata":{},"items":[{%s,"timestamp":"2026-05-04T12:00:00Z"}]}`, kind, version, item)
	}
	usage := list("PodMetricsList", "metrics.k8s.io/v1beta1", `"metadata":{"name":"web-0"},"window":"15s","containers":[{"name":"app","usage":{"cpu":"5"}}]`)
	custom := list("MetricValueList", "custom.metrics.k8s.io/v1beta2", `"describedObject":{"name":"web-0"},"metric":{"name":"qps","selector":null},"value":"5"`)
	external := list("ExternalMetricValueList", "external.metrics.k8s.io/v1beta1", `"metricName":"depth","metricLabels":{"queue":"a"},"value":"5"`)
	var resource, ofPods, object, series kubejson.Reader
	require.Zero(t, testing.AllocsPerRun(10, func() {
		if r, err := resource.Resource(pods, usage, "cpu", ""); err != nil || r.Samples[0].Value != 5000 {
			t.Fatal(r, err)
		}
		if r, err := ofPods.Pods(pods, custom); err != nil || r.Samples[0].Value != 5000 {
			t.Fatal(r, err)
		}
		if r, err := object.Object(custom); err != nil || r.Values[0] != 5000 {
			t.Fatal(r, err)
		}
		if r, err := series.External(external); err != nil || r.Values[0] != 5000 {
			t.Fatal(r, err)
		}
	}))
}
