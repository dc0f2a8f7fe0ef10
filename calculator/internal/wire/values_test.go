package wire_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator/internal/wire"
	"github.com/purehpa/hpa/metrics"
)

// valueList is a list of values in one version of its API.
type valueList struct {
	kind, version string
	begin         func(*wire.Answer, []byte)
}

var (
	customBeta1 = valueList{"MetricValueList", "custom.metrics.k8s.io/v1beta1", (*wire.Answer).CustomMetrics}
	customBeta2 = valueList{"MetricValueList", "custom.metrics.k8s.io/v1beta2", (*wire.Answer).CustomMetrics}
	external    = valueList{"ExternalMetricValueList", "external.metrics.k8s.io/v1beta1", (*wire.Answer).ExternalMetrics}
	valueLists  = []valueList{customBeta1, customBeta2, external}
)

// metricValue is a value of an answer. It has no window if that is less than 0.
type metricValue struct {
	Name    string
	Value   string
	Seconds int64
	Window  int64
}

func (l valueList) inJSON(items ...string) []byte {
	return []byte(`{"kind":"` + l.kind + `","apiVersion":"` + l.version + `","metadata":{},"items":[` + strings.Join(items, ",") + `]}`)
}

func (l valueList) inProtobuf(items ...message) []byte {
	list := message{}
	for _, item := range items {
		list = list.text(2, item)
	}
	return list.envelopedAs(l.version, l.kind)
}

// item returns a value in JSON, as adapters send it.
func (l valueList) item(v metricValue) string {
	item := map[string]any{"timestamp": time.Unix(v.Seconds, 0).UTC().Format(time.RFC3339), "value": v.Value}
	selector := map[string]any{"matchLabels": map[string]string{"a": "b"}, "matchExpressions": []any{map[string]any{"key": "a", "operator": "In", "values": []string{"b"}}}}
	window := "window"
	switch l.version {
	case customBeta2.version:
		item["metric"], window = map[string]any{"name": "qps", "selector": selector}, "windowSeconds"
	case customBeta1.version:
		item["metricName"], item["selector"] = "qps", selector
	default:
		item["metricName"], item["metricLabels"] = "qps", map[string]string{"queue": "a"}
	}
	if l.kind == customBeta1.kind {
		item["describedObject"] = map[string]string{"kind": "Pod", "namespace": "shop", "name": v.Name, "apiVersion": "/v1"}
	}
	if v.Window >= 0 {
		item[window] = v.Window
	}
	data, err := json.Marshal(item)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// message returns a value in protobuf.
func (l valueList) message(v metricValue) (m message) {
	label := message{}.text(1, []byte("a")).text(2, []byte("b"))
	selector := message{}.text(1, label).text(2, message{}.text(1, []byte("a")).text(2, []byte("In")).text(3, []byte("b")))
	if l.kind == customBeta1.kind {
		m = m.text(1, message{}.text(1, []byte("Pod")).text(2, []byte("shop")).text(3, []byte(v.Name)).text(5, []byte("/v1")))
	}
	switch l.version {
	case customBeta2.version:
		m = m.text(2, message{}.text(1, []byte("qps")).text(2, selector))
	case customBeta1.version:
		m = m.text(2, []byte("qps")).text(6, selector)
	default:
		m = m.text(1, []byte("qps")).text(2, label)
	}
	m = m.text(3, message{}.number(1, v.Seconds))
	if v.Window >= 0 {
		m = m.number(4, v.Window)
	}
	return m.text(5, message{}.text(1, []byte(v.Value)))
}

func (l valueList) read(body []byte) (values []wire.Value, names []string, ordinary bool) {
	var a wire.Answer
	for l.begin(&a, body); a.Next(); {
		v := a.Value
		names = append(names, string(v.Name))
		v.Name, v.Time = nil, v.Time.UTC()
		values = append(values, v)
	}
	return values, names, a.Ordinary()
}

func TestReadsValues(t *testing.T) {
	amounts := []string{"0", "7", "250m", "1n", "1001u", "7k", "8E", "12Ki", "1.5", "3e2", "-1", "1234567890123456789"}
	rapid.Check(t, func(t *rapid.T) {
		l := rapid.SampledFrom(valueLists).Draw(t, "list")
		var want []wire.Value
		var names, items []string
		var messages []message
		for i := range rapid.IntRange(0, 4).Draw(t, "values") {
			v := metricValue{
				fmt.Sprint("web-", i), rapid.SampledFrom(amounts).Draw(t, "value"), rapid.Int64Range(1, 253402300799).Draw(t, "at"),
				rapid.SampledFrom([]int64{-1, 0, 30, 1<<63 - 1}).Draw(t, "window"),
			}
			window := metrics.DefaultWindow
			switch {
			case v.Window > 1e9:
				window = 9223372036 * time.Second
			case v.Window >= 0:
				window = time.Duration(v.Window) * time.Second
			}
			items, messages = append(items, l.item(v)), append(messages, l.message(v))
			want = append(want, wire.Value{Value: metrics.MustParseMilli(v.Value), Time: time.Unix(v.Seconds, 0).UTC(), Window: window})
			if l.kind != customBeta1.kind {
				v.Name = ""
			}
			names = append(names, v.Name)
		}
		for _, body := range [][]byte{l.inJSON(items...), l.inProtobuf(messages...)} {
			got, found, ordinary := l.read(body)
			require.True(t, ordinary, "%q", body)
			require.Equal(t, names, found)
			require.Equal(t, want, got, "%q", body)
		}
	})
}

// A field that the type of the list does not have in its version is not read as if it
// had it.
func TestLeavesFieldsOfOtherVersions(t *testing.T) {
	v := metricValue{"web", "5", 1777896000, -1}
	own := map[string]string{
		"describedObject": customBeta1.version + " " + customBeta2.version,
		"metric":          customBeta2.version,
		"metricName":      customBeta1.version + " " + external.version,
		"metricLabels":    external.version,
		"selector":        customBeta1.version,
		"window":          customBeta1.version + " " + external.version,
		"windowSeconds":   customBeta2.version,
	}
	value := map[string]string{
		"describedObject": `{"name":"web"}`, "metric": `{"name":"qps"}`, "metricName": `"qps"`, "metricLabels": `{}`,
		"selector": `{}`, "window": `5`, "windowSeconds": `5`,
	}
	for _, l := range valueLists {
		for field, versions := range own {
			if strings.Contains(versions, l.version) {
				continue
			}
			body := l.inJSON(`{"` + field + `":` + value[field] + `,` + l.item(v)[1:])
			_, _, ordinary := l.read(body)
			require.False(t, ordinary, "%s", body)
		}
		for _, other := range valueLists {
			if other.kind != l.kind {
				_, _, ordinary := l.read(other.inJSON(other.item(v)))
				require.False(t, ordinary)
				_, _, ordinary = l.read(other.inProtobuf(other.message(v)))
				require.False(t, ordinary)
			}
		}
	}
	for _, l := range []valueList{customBeta2, external} {
		_, _, ordinary := l.read(l.inProtobuf(l.message(v).text(6, nil)))
		require.False(t, ordinary, "a selector")
	}
	_, _, ordinary := customBeta1.read([]byte(strings.Replace(string(customBeta1.inJSON(customBeta1.item(v))), `"apiVersion":"custom.metrics.k8s.io/v1beta1",`, "", 1)))
	require.False(t, ordinary, "no version before the items")
}

// What is not as adapters send it is for a full decoder.
func TestLeavesValuesThatAreNotOrdinary(t *testing.T) {
	v := metricValue{"web", "5", 1777896000, 30}
	for _, l := range valueLists {
		for _, change := range [][2]string{
			{`"metricName":"qps"`, `"metricName":""`}, {`"metricName":"qps"`, `"x":1`}, {`"metricName":"qps"`, `"metricName":"a","metricName":"b"`},
			{`"name":"qps"`, `"name":""`}, {`"name":"qps"`, `"x":1`}, {`"metric":{`, `"metric":{},"metric":{`}, {`"metric":{`, `"metric":{"selector":5,`},
			{`"name":"web"`, `"name":""`}, {`"name":"web"`, `"name":"a","name":"b"`}, {`"kind":"Pod"`, `"kind":5`}, {`"describedObject":{`, `"describedObject":{},"describedObject":{`},
			{`"value":"5"`, `"value":5`}, {`"value":"5"`, `"value":""`}, {`"value":"5"`, `"x":1`}, {`"value":"5"`, `"value":"5","value":"5"`},
			{`"window":30`, `"window":"30"`}, {`"window":30`, `"window":1.5`}, {`"window":30`, `"window":30,"window":30`}, {`"windowSeconds":30`, `"windowSeconds":12345678901234567890`},
			{`"matchLabels":{"a":"b"}`, `"matchLabels":{"a":5}`}, {`"matchExpressions":[{`, `"matchExpressions":[5,{`}, {`"operator":"In"`, `"operator":5`}, {`"values":["b"]`, `"values":[5]`}, {`"values":["b"]`, `"values":null`},
			{`"metricLabels":{"queue":"a"}`, `"metricLabels":{"queue":5}`}, {`"timestamp":"2026`, `"timestamp":"x2026`}, {`"timestamp":"2026`, `"timestamp":"2026-05-04T12:00:00Z","timestamp":"2026`},
		} {
			item := l.item(v)
			if !strings.Contains(item, change[0]) {
				continue
			}
			body := l.inJSON(strings.Replace(item, change[0], change[1], 1))
			_, _, ordinary := l.read(body)
			require.False(t, ordinary, "%s", body)
		}
		ok := l.message(v)
		for i, m := range []message{
			{}, {0}, message{}.number(1, 1), message{}.number(2, 1), append(ok, message{}.number(3, 1)...), append(ok, message{}.text(3, nil)...), append(ok, message{}.text(4, nil)...),
			append(ok, message{}.number(4, 1)...), append(ok, message{}.number(5, 1)...), append(ok, message{}.text(5, nil)...), append(ok, message{}.number(6, 1)...), append(ok, 0),
			l.message(metricValue{"web", "x", 1, 1}), ok[:len(ok)-1], append(l.message(metricValue{"web", "5", 1, -1}), message{}.text(4, nil)...),
		} {
			_, _, ordinary := l.read(l.inProtobuf(m))
			require.False(t, ordinary, "%s, %d: %q", l.version, i, m)
		}
	}
	for _, m := range []message{
		message{}.number(1, 1), message{0}, message{}.text(1, message{}.number(1, 1)), message{}.text(2, message{}.number(1, 1)),
	} {
		body := message{}.text(1, message{}.text(3, []byte("web"))).text(2, []byte("qps")).text(5, message{}.text(1, []byte("5")))
		_, _, ordinary := customBeta1.read(customBeta1.inProtobuf(body.text(6, m)))
		require.False(t, ordinary, "selector %q", m)
		body = message{}.text(1, message{}.text(3, []byte("web"))).text(2, message{}.text(1, []byte("qps")).text(2, m)).text(5, message{}.text(1, []byte("5")))
		_, _, ordinary = customBeta2.read(customBeta2.inProtobuf(body))
		require.False(t, ordinary, "selector %q", m)
		body = message{}.text(1, []byte("qps")).text(2, message{}.number(1, 1)).text(5, message{}.text(1, []byte("5")))
		_, _, ordinary = external.read(external.inProtobuf(body))
		require.False(t, ordinary)
	}
	two := func(a, b string) []byte {
		return customBeta1.inJSON(customBeta1.item(v), strings.Replace(customBeta1.item(v), `"namespace":"`+a+`"`, `"namespace":"`+b+`"`, 1))
	}
	_, _, ordinary := customBeta1.read(two("shop", "shop"))
	require.True(t, ordinary)
	_, _, ordinary = customBeta1.read(two("shop", "other"))
	require.False(t, ordinary, "two namespaces")
}
