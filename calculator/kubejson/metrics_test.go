package kubejson_test

import (
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/kubejson"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

func podMetrics(t testing.TB, items ...string) kubejson.PodMetrics {
	t.Helper()
	m, err := kubejson.DecodePodMetrics([]byte(list("metrics.k8s.io/v1beta1", "PodMetricsList", items...)))
	require.NoError(t, err)
	return m
}

func TestPodMetricsReading(t *testing.T) {
	m := podMetrics(t,
		`{"metadata":{"name":"both"},"timestamp":"2026-11-20T05:00:00Z","window":"15.5s","containers":[{"name":"app","usage":{"cpu":"100000001n","memory":"1Ki"}},{"name":"log","usage":{"cpu":"7m","memory":"2Ki"}}]}`,
		`{"metadata":{"name":"half"},"timestamp":"2026-11-20T05:00:01Z","window":"30s","containers":[{"name":"app","usage":{"cpu":"1"}},{"name":"log","usage":{"memory":"3Ki"}}]}`,
		`{"metadata":{"name":"empty"},"timestamp":"2026-11-20T05:00:02Z","window":"1m","containers":[]}`,
		`{"metadata":{"name":"gone"},"timestamp":null,"window":null,"containers":[{"name":"app","usage":{"cpu":"0","memory":"0"}},{"name":"app","usage":{"cpu":"1"}}]}`,
		`{"metadata":{"name":"twice"},"containers":[{"name":"app","usage":{"cpu":"1"}}]}`,
		`{"metadata":{"name":"twice"},"containers":[{"name":"app","usage":{"cpu":"2"}}]}`,
	)
	pods := []podgroup.Pod{{Name: "empty"}, {Name: "none"}, {Name: "both"}, {Name: "half"}, {Name: "twice"}}
	s := func(v metrics.Milli, when string, w time.Duration) metrics.Sample {
		out := metrics.Sample{Value: v, Time: metrics.At(time.Time{}), Window: w, Present: true}
		if when != "" {
			out.Time = metrics.At(at(when))
		}
		return out
	}
	tests := []struct {
		resource, container string
		samples             []metrics.Sample
		strays              []metrics.Sample
	}{
		{"cpu", "", []metrics.Sample{{}, {}, s(101+7, "2026-11-20T05:00:00Z", 15500*time.Millisecond), {}, s(2000, "", 0)}, []metrics.Sample{s(1000, "", 0)}},
		{"memory", "", []metrics.Sample{{}, {}, s(3*1024*1000, "2026-11-20T05:00:00Z", 15500*time.Millisecond), {}, {}}, nil},
		{"cpu", "app", []metrics.Sample{{}, {}, s(101, "2026-11-20T05:00:00Z", 15500*time.Millisecond), s(1000, "2026-11-20T05:00:01Z", 30*time.Second), s(2000, "", 0)}, []metrics.Sample{s(0, "", 0)}},
		{"memory", "log", []metrics.Sample{{}, {}, s(2*1024*1000, "2026-11-20T05:00:00Z", 15500*time.Millisecond), s(3*1024*1000, "2026-11-20T05:00:01Z", 30*time.Second), {}}, nil},
		{"memory", "app", []metrics.Sample{{}, {}, s(1024*1000, "2026-11-20T05:00:00Z", 15500*time.Millisecond), {}, {}}, []metrics.Sample{s(0, "", 0)}},
		{"cpu", "other", make([]metrics.Sample, 5), nil},
		{"disk", "", make([]metrics.Sample, 5), nil},
	}
	for _, tt := range tests {
		t.Run(tt.resource+tt.container, func(t *testing.T) {
			r := m.Reading(pods, tt.resource, tt.container)
			require.NoError(t, r.Err)
			require.Equal(t, tt.samples, r.Samples)
			require.Equal(t, len(tt.strays), len(r.Strays))
			if len(tt.strays) > 0 {
				require.Equal(t, tt.strays, r.Strays)
			}
			require.Nil(t, r.Values)
		})
	}
	for _, none := range []kubejson.PodMetrics{{}, podMetrics(t)} {
		r := none.Reading(pods, "cpu", "")
		require.EqualError(t, r.Err, "no metrics returned from resource metrics API")
	}
}

// The sum over the containers is exact, and stops at the ends of int64.
func TestPodMetricsSum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Int64(), 1, 5).Draw(t, "values")
		var items []string
		want := new(big.Int)
		for i, v := range values {
			items = append(items, fmt.Sprintf(`{"name":"c%d","usage":{"cpu":"%dm"}}`, i, v))
			want.Add(want, big.NewInt(v))
		}
		doc := list("metrics.k8s.io/v1beta1", "PodMetricsList", `{"metadata":{"name":"a"},"containers":[`+strings.Join(items, ",")+`]}`)
		m, err := kubejson.DecodePodMetrics([]byte(doc))
		if err != nil {
			t.Fatal(err)
		}
		r := m.Reading([]podgroup.Pod{{Name: "a"}}, "cpu", "")
		for _, end := range []int64{math.MinInt64, math.MaxInt64} {
			if limit := big.NewInt(end); want.Cmp(limit)*limit.Sign() > 0 {
				want = limit
			}
		}
		if got := int64(r.Samples[0].Value); got != want.Int64() {
			t.Fatalf("got %d, want %d", got, want)
		}
	})
}

func TestDecodePodMetricsErrors(t *testing.T) {
	for _, tt := range []struct{ item, text string }{
		{`{}`, "items[0].metadata.name: missing"},
		{`{"metadata":{"name":"a"},"timestamp":"x"}`, `items[0].timestamp: found "x" where a time in RFC 3339 was expected`},
		{`{"metadata":{"name":"a"},"window":15}`, `items[0].window: found 15 where a duration such as "15s" was expected`},
		{`{"metadata":{"name":"a"},"window":"15"}`, `items[0].window: found "15" where a duration such as "15s" was expected`},
		{`{"metadata":{"name":"a"},"containers":[{"usage":{"cpu":"x"}}]}`, `items[0].containers[0].usage.cpu: not a quantity: "x": `},
	} {
		m, err := kubejson.DecodePodMetrics([]byte(list("metrics.k8s.io/v1beta1", "PodMetricsList", tt.item)))
		requireError(t, err)
		require.Contains(t, err.Error(), "kubejson: pod metrics: "+tt.text)
		require.Zero(t, m)
	}
}

func TestCustomMetricsReading(t *testing.T) {
	tests := []struct{ version, name, window string }{
		{"custom.metrics.k8s.io/v1beta1", `"metricName":"qps"`, "window"},
		{"custom.metrics.k8s.io/v1beta2", `"metric":{"name":"qps"}`, "windowSeconds"},
	}
	for _, tt := range tests {
		t.Run(tt.version, func(t *testing.T) {
			value := func(kind, name, rest string) string {
				return fmt.Sprintf(`{"describedObject":{"kind":%q,"name":%q,"namespace":"shop"},%s,%s}`, kind, name, tt.name, rest)
			}
			m, err := kubejson.DecodeCustomMetrics([]byte(list(tt.version, "MetricValueList",
				value("Pod", "a", `"timestamp":"2026-11-20T05:00:00Z","value":"1500100u"`),
				value("Pod", "b", fmt.Sprintf(`"timestamp":null,%q:30,"value":"2"`, tt.window)),
				value("Pod", "gone", fmt.Sprintf(`%q:0,"value":3`, tt.window)),
				value("Service", "front", `"value":"-7"`),
				value("Service", "back", `"value":"8"`),
				value("Service", "back", `"value":"9"`),
				value("Namespace", "shop", `"value":"10"`),
				value("Pod", "long", fmt.Sprintf(`%q:9223372036854775807,"value":"0"`, tt.window)),
				value("Pod", "short", fmt.Sprintf(`%q:-9223372036854775808,"value":"0"`, tt.window)),
				strings.Replace(value("Pod", "other", `"value":"4"`), "qps", "rps", 1),
				value("Pod", "b", `"value":"5"`),
			)))
			require.NoError(t, err)
			pods := []podgroup.Pod{{Name: "b"}, {Name: "other"}, {Name: "a"}, {Name: "long"}, {Name: "short"}}
			r := m.PodsReading(pods, "qps")
			most := time.Duration(math.MaxInt64 / int64(time.Second) * int64(time.Second))
			require.NoError(t, r.Err)
			require.Equal(t, []metrics.Sample{
				{Value: 5000, Time: metrics.At(time.Time{}), Window: metrics.DefaultWindow, Present: true},
				{},
				{Value: 1501, Time: metrics.At(at("2026-11-20T05:00:00Z")), Window: time.Minute, Present: true},
				{Time: metrics.At(time.Time{}), Window: most, Present: true},
				{Time: metrics.At(time.Time{}), Window: -most, Present: true},
			}, r.Samples)
			require.Equal(t, []metrics.Sample{{Value: 3000, Time: metrics.At(time.Time{}), Present: true}}, r.Strays)

			r = m.PodsReading(pods, "rps")
			require.Equal(t, metrics.Milli(4000), r.Samples[1].Value)
			require.Empty(t, r.Strays)
			require.EqualError(t, m.PodsReading(pods, "nothing").Err, "no metrics returned from custom metrics API")

			ref := func(kind, name string) autoscaling.CrossVersionObjectReference {
				return autoscaling.CrossVersionObjectReference{Kind: kind, Name: name, APIVersion: "v1"}
			}
			require.Equal(t, calculator.Reading{Values: []metrics.Milli{-7000}}, m.ObjectReading(ref("Service", "front"), "qps"))
			require.Equal(t, calculator.Reading{Values: []metrics.Milli{10000}}, m.ObjectReading(ref("Namespace", "any"), "qps"))
			const exactly = "unable to fetch metrics from custom metrics API: the custom metrics API server returned %d results when we asked for exactly one"
			require.EqualError(t, m.ObjectReading(ref("Service", "back"), "qps").Err, fmt.Sprintf(exactly, 2))
			require.EqualError(t, m.ObjectReading(ref("Service", "side"), "qps").Err, fmt.Sprintf(exactly, 0))
			require.EqualError(t, m.ObjectReading(ref("Service", "front"), "rps").Err, fmt.Sprintf(exactly, 0))
		})
	}
	none, err := kubejson.DecodeCustomMetrics([]byte(list("custom.metrics.k8s.io/v1beta2", "MetricValueList")))
	require.NoError(t, err)
	require.EqualError(t, none.PodsReading(nil, "qps").Err, "no metrics returned from custom metrics API")
}

func TestDecodeCustomMetricsErrors(t *testing.T) {
	for _, tt := range []struct{ item, text string }{
		{`{"describedObject":{"name":"a"},"value":"1"}`, "items[0].metric.name: missing"},
		{`{"metric":{"name":"qps"},"value":"1"}`, "items[0].describedObject.name: missing"},
		{`{"metric":{"name":"qps"},"describedObject":{"name":"a"}}`, "items[0].value: missing"},
		{`{"metric":{"name":"qps"},"describedObject":{"name":"a"},"value":"one"}`, `items[0].value: not a quantity: "one": `},
		{`{"windowSeconds":"60"}`, `items[0].windowSeconds: found "60" where a whole number of 64 bits was expected`},
		{`{"window":1.5}`, `items[0].window: found 1.5 where a whole number of 64 bits was expected`},
		{`{"timestamp":"now"}`, `items[0].timestamp: found "now" where a time in RFC 3339 was expected`},
	} {
		m, err := kubejson.DecodeCustomMetrics([]byte(list("custom.metrics.k8s.io/v1beta2", "MetricValueList", tt.item)))
		requireError(t, err)
		require.Contains(t, err.Error(), "kubejson: custom metrics: "+tt.text)
		require.Zero(t, m)
	}
}

func TestExternalMetricsReading(t *testing.T) {
	m, err := kubejson.DecodeExternalMetrics([]byte(list("external.metrics.k8s.io/v1beta1", "ExternalMetricValueList",
		`{"metricName":"queue","metricLabels":{"shard":"0"},"timestamp":"2026-11-20T05:00:00Z","value":"1n"}`,
		`{"metricName":"other","metricLabels":null,"timestamp":null,"value":"7"}`,
		`{"metricName":"queue","window":60,"value":-2}`,
	)))
	require.NoError(t, err)
	require.Equal(t, calculator.Reading{Values: []metrics.Milli{1, -2000}}, m.Reading("queue"))
	require.Equal(t, calculator.Reading{Values: []metrics.Milli{7000}}, m.Reading("other"))
	require.EqualError(t, m.Reading("nothing").Err, "no metrics returned from external metrics API")
	none, err := kubejson.DecodeExternalMetrics([]byte(list("external.metrics.k8s.io/v1beta1", "ExternalMetricValueList")))
	require.NoError(t, err)
	require.EqualError(t, none.Reading("queue").Err, "no metrics returned from external metrics API")

	for _, tt := range []struct{ item, text string }{
		{`{"value":"1"}`, "items[0].metricName: missing"},
		{`{"metricName":"queue"}`, "items[0].value: missing"},
		{`{"metricName":"queue","value":null}`, "items[0].value: missing"},
		{`{"metricName":"queue","value":[]}`, "items[0].value: found a list where a quantity was expected"},
	} {
		m, err := kubejson.DecodeExternalMetrics([]byte(list("external.metrics.k8s.io/v1beta1", "ExternalMetricValueList", tt.item)))
		requireError(t, err)
		require.EqualError(t, err, "kubejson: external metrics: "+tt.text)
		require.Zero(t, m)
	}
}
