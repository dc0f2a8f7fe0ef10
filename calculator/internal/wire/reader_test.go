package wire_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/internal/wire"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

var readerPods = []podgroup.Pod{{Name: "web-1"}, {Name: "web-0"}}

func TestReaderResource(t *testing.T) {
	pods := []pod{
		{"gone", 40, time.Second, []container{{"app", map[string]string{"cpu": "4"}}}},
		{"web-0", 50, 15 * time.Second, []container{{"app", map[string]string{"cpu": "1"}}, {"log", map[string]string{"cpu": "500m"}}}},
		{"web-1", 60, time.Second, []container{{"app", map[string]string{"memory": "5"}}}},
	}
	sample := func(value metrics.Milli, at int64, window time.Duration) metrics.Sample {
		return metrics.NewSample(value, time.Unix(at, 0), window)
	}
	var r wire.Reader
	for _, body := range [][]byte{inJSON(pods), inProtobuf(pods)} {
		for container, want := range map[string]calculator.Reading{
			"":    {Samples: []metrics.Sample{{}, sample(1500, 50, 15*time.Second)}, Strays: []metrics.Sample{sample(4000, 40, time.Second)}},
			"log": {Samples: []metrics.Sample{{}, sample(500, 50, 15*time.Second)}, WithoutContainer: "gone"},
		} {
			got, ordinary := r.Resource(readerPods, body, "cpu", container)
			require.True(t, ordinary)
			got.Strays = append([]metrics.Sample(nil), got.Strays...) // nil if there are none
			require.Equal(t, want, got)
		}
	}
	none, ordinary := r.Resource(readerPods, inJSON(nil), "cpu", "")
	require.True(t, ordinary)
	require.Equal(t, calculator.Reading{Err: wire.ErrNoResource}, none)
}

func TestReaderValues(t *testing.T) {
	var r wire.Reader
	ofPods := func(body []byte) (calculator.Reading, bool) { return r.Pods(readerPods, body) }
	one, two := metricValue{"web-0", "5", 50, 30}, metricValue{"gone", "7", 60, -1}
	for _, l := range valueLists {
		check := func(want calculator.Reading, read func([]byte) (calculator.Reading, bool), values ...metricValue) {
			t.Helper()
			var items []string
			var messages []message
			for _, v := range values {
				items, messages = append(items, l.item(v)), append(messages, l.message(v))
			}
			for _, body := range [][]byte{l.inJSON(items...), l.inProtobuf(messages...)} {
				got, ordinary := read(body)
				require.True(t, ordinary, "%s", body)
				got.Strays = append([]metrics.Sample(nil), got.Strays...) // nil if there are none
				require.Equal(t, want, got)
			}
		}
		if l.kind != customBeta1.kind {
			check(calculator.Reading{Values: []metrics.Milli{5000, 7000}}, r.External, one, two)
			check(calculator.Reading{Err: wire.ErrNoExternal}, r.External)
			continue
		}
		check(calculator.Reading{
			Samples: []metrics.Sample{{}, metrics.NewSample(5000, time.Unix(50, 0), 30*time.Second)},
			Strays:  []metrics.Sample{metrics.NewSample(7000, time.Unix(60, 0), time.Minute)},
		}, ofPods, one, two)
		check(calculator.Reading{Err: wire.ErrNoCustom}, ofPods)
		check(calculator.Reading{Values: []metrics.Milli{5000}}, r.Object, one)
		check(calculator.Reading{Err: wire.Unavailable("custom", wire.NotOne(2))}, r.Object, one, two)
		check(calculator.Reading{Err: wire.Unavailable("custom", wire.NotOne(0))}, r.Object)
	}
	require.EqualError(t, wire.Unavailable("custom", wire.NotOne(2)), "unable to fetch metrics from custom metrics API: the custom metrics API server returned 2 results when we asked for exactly one")
}
