package wire_test

import (
	"encoding/binary"
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

// pod is a pod of an answer.
type pod struct {
	Name       string
	Seconds    int64
	Window     time.Duration
	Containers []container
}

type container struct {
	Name  string
	Usage map[string]string
}

func (p *pod) at() time.Time { return time.Unix(p.Seconds, 0).UTC() }

// inJSON returns an answer in JSON.
func inJSON(pods []pod) []byte {
	items := []any{}
	for _, p := range pods {
		containers := []any{}
		for _, c := range p.Containers {
			containers = append(containers, map[string]any{"name": c.Name, "usage": c.Usage})
		}
		items = append(items, map[string]any{
			"metadata":  map[string]any{"name": p.Name, "creationTimestamp": nil, "labels": map[string]string{"a\n": "b\"ü"}},
			"timestamp": p.at().Format(time.RFC3339), "window": p.Window.String(), "containers": containers,
		})
	}
	data, err := json.MarshalIndent(map[string]any{"apiVersion": "metrics.k8s.io/v1beta1", "kind": "PodMetricsList", "metadata": map[string]any{"resourceVersion": "7"}, "items": items}, "", " ")
	if err != nil {
		panic(err)
	}
	return data
}

// message, text and number append to a message in protobuf.
type message []byte

func (m message) text(field uint64, text []byte) message {
	return append(binary.AppendUvarint(binary.AppendUvarint(m, field<<3|2), uint64(len(text))), text...)
}

func (m message) number(field uint64, n int64) message {
	return binary.AppendUvarint(binary.AppendUvarint(m, field<<3), uint64(n))
}

// fixed appends bytes as a field of that wire type.
func (m message) fixed(field, wire uint64, bytes ...byte) message {
	return append(binary.AppendUvarint(m, field<<3|wire), bytes...)
}

func (m message) enveloped() []byte { return m.envelopedAs("metrics.k8s.io/v1beta1", "PodMetricsList") }

func (m message) envelopedAs(version, kind string) []byte {
	list := message{}.text(1, []byte(version)).text(2, []byte(kind))
	return append([]byte("k8s\x00"), message{}.text(1, list).text(2, m).text(3, nil).text(4, nil)...)
}

// inProtobuf returns an answer in protobuf.
func inProtobuf(pods []pod) []byte {
	list := message{}.text(1, message{}.text(2, []byte("7")))
	for _, p := range pods {
		metadata := message{}.text(1, []byte(p.Name)).text(3, []byte("shop")).number(7, 0).text(8, message{}.number(1, 5).number(2, 0)).text(11, message{}.text(1, []byte("a")).text(2, []byte("b")))
		m := message{}.text(1, metadata).text(2, message{}.number(1, p.Seconds)).text(3, message{}.number(1, int64(p.Window)))
		for _, c := range p.Containers {
			one := message{}.text(1, []byte(c.Name))
			for resource, amount := range c.Usage {
				one = one.text(2, message{}.text(1, []byte(resource)).text(2, message{}.text(1, []byte(amount))))
			}
			m = m.text(4, one)
		}
		list = list.text(2, m)
	}
	return list.enveloped()
}

// read reads a body.
func read(body []byte, resource, container string) (pods []wire.Pod, names []string, ordinary bool) {
	var a wire.Answer
	for a.PodMetrics(body, resource, container); a.Next(); {
		p := a.Pod
		names = append(names, string(p.Name))
		p.Name, p.Time = nil, p.Time.UTC()
		if !p.Measured {
			p.Usage = 0
		}
		pods = append(pods, p)
	}
	return pods, names, a.Ordinary()
}

// expected is what read should return, from the objects.
func expected(all []pod, resource, container string) (pods []wire.Pod, names []string) {
	for _, p := range all {
		u := wire.Pod{Time: p.at(), Window: p.Window}
		var sum metrics.Sum
		lacks := false
		for _, c := range p.Containers {
			if container != "" && (c.Name != container || u.Listed) {
				continue
			}
			u.Listed = true
			amount, ok := c.Usage[resource]
			if lacks = lacks || !ok; ok {
				sum.Add(metrics.MustParseMilli(amount))
			}
		}
		if u.Measured = u.Listed && !lacks; u.Measured {
			u.Usage = sum.Milli()
		}
		pods, names = append(pods, u), append(names, p.Name)
	}
	return pods, names
}

func TestReadsWhatIsThere(t *testing.T) {
	amounts := []string{"0", "7", "250m", "1n", "999999n", "1000001n", "5u", "1001u", "7k", "3M", "2G", "1T", "8E", "12Ki", "45Mi", "7Gi", "1Ti", "1.5", "3e2", "-1", "1234567890123456789", "999999999999999G"}
	windows := []time.Duration{0, time.Nanosecond, 15 * time.Second, 15_213_000_000, 61 * time.Second, 25*time.Hour + 30*time.Minute + 1, -time.Second, 1<<63 - 1}
	rapid.Check(t, func(t *rapid.T) {
		var pods []pod
		for i := range rapid.IntRange(0, 4).Draw(t, "pods") {
			p := pod{
				Name: fmt.Sprint("web-", i), Seconds: rapid.Int64Range(1, 253402300799).Draw(t, "at"),
				Window: rapid.SampledFrom(windows).Draw(t, "window"),
			}
			for range rapid.IntRange(0, 3).Draw(t, "containers") {
				c := container{Name: rapid.SampledFrom([]string{"app", "log"}).Draw(t, "name"), Usage: map[string]string{}}
				for _, resource := range []string{"cpu", "memory"} {
					if rapid.IntRange(0, 4).Draw(t, "has") > 0 {
						c.Usage[resource] = rapid.SampledFrom(amounts).Draw(t, resource)
					}
				}
				p.Containers = append(p.Containers, c)
			}
			pods = append(pods, p)
		}
		for _, container := range []string{"", "app", "none"} {
			want, names := expected(pods, "cpu", container)
			for _, body := range [][]byte{inJSON(pods), inProtobuf(pods)} {
				got, found, ordinary := read(body, "cpu", container)
				require.True(t, ordinary, "%q", body)
				require.Equal(t, names, found)
				require.Equal(t, want, got, "%q", body)
			}
		}
	})
}

const (
	start = `{"kind":"PodMetricsList","apiVersion":"metrics.k8s.io/v1beta1",`
	one   = `{"metadata":{"name":"web"},"timestamp":"2026-05-04T12:00:00Z","window":"15s","containers":[{"name":"app","usage":{"cpu":"1"}}]}`
)

// What is there besides does not matter, as long as it is JSON.
func TestSkipsWhatItDoesNotKnow(t *testing.T) {
	for _, more := range []string{
		`"x":1`, `"x":-0`, `"x":0.5`, `"x":-12.50E+7`, `"x":1e-3`, `"x":true`, `"x":false`, `"x":null`, `"x":""`, `"x":"\u00e4\"\\\/\b\f\n\r\t` + "ü" + `"`,
		`"x":[]`, `"x":{}`, "\"x\" :\t[ 1 , [ ] ,\r\n{ \"a\" : { } } ]", `"x":[` + strings.Repeat("[", 60) + strings.Repeat("]", 60) + `]`,
	} {
		for _, body := range []string{
			start + more + `,"items":[` + one + `]}`,
			start + `"metadata":{` + more + `,"selfLink":"/","continue":"x"},"items":[` + one + `]} ` + "\n",
			start + `"items":[{` + more + `,"kind":"PodMetrics",` + one[1:] + `]}`,
			start + `"items":[{"metadata":{` + more + `,"namespace":"a","uid":"1","name":"web","creationTimestamp":"2026-05-04T12:00:00Z"}` + strings.TrimPrefix(one, `{"metadata":{"name":"web"}`) + `]}`,
			start + `"items":[` + strings.Replace(one, `"name":"app"`, `"name":"app",`+more, 1) + `]}`,
		} {
			pods, names, ordinary := read([]byte(body), "cpu", "")
			require.True(t, ordinary, body)
			require.Equal(t, []string{"web"}, names)
			require.Equal(t, metrics.Milli(1000), pods[0].Usage)
		}
	}
	more := message{}.text(20, []byte("x")).number(21, 1<<40).fixed(22, 5, 1, 2, 3, 4).fixed(23, 1, 1, 2, 3, 4, 5, 6, 7, 8)
	usage := message{}.text(2, message{}.text(1, []byte("cpu")).text(2, message{}.text(1, []byte("1"))))
	pod := append(message{}.text(1, append(message{}.text(1, []byte("web")), more...)).text(4, append(usage, more...)), more...)
	_, names, ordinary := read(append(message{}.text(2, pod), more...).enveloped(), "cpu", "")
	require.True(t, ordinary)
	require.Equal(t, []string{"web"}, names)
}

// What is not as Kubernetes sends it is for a full decoder.
func TestLeavesWhatIsNotOrdinary(t *testing.T) {
	list := func(item string) string { return start + `"items":[` + item + `]}` }
	for _, body := range []string{
		``, ` `, `[]`, `"x"`, `{}`, `{"kind":"PodMetricsList","items":[]}`, `{"kind":"Status","apiVersion":"v1"}`, start + `"items":[]}x`, start + `"items":null}`, start + `"items":{}}`,
		start + `"kind":"PodMetricsList","items":[]}`, start + `"items":[],"items":[]}`, start + `"metadata":null,"items":[]}`, start + `"metadata":{"remainingItemCount":3},"items":[]}`, start + `"metadata":{"shardInfo":{}},"items":[]}`,
		start + `"metadata":{"continue":5},"items":[]}`, strings.Replace(start, "v1beta1", "v1alpha1", 1) + `"items":[]}`, start + `"\u0069tems":[]}`, start + `"items":[],}`,
		list(`null`), list(`5`), list(one + `,`), list(one + ` ` + one), list(one[:len(one)-1]), list(`{"metadata":{}` + one[1:]),
		list(`{"metadata":{"name":5}}`), list(`{"metadata":{"name":"a","name":"b"}}`), list(`{"metadata":{"name":"ü"}}`), list(`{"metadata":{"name":"a\n"}}`), list("{\"metadata\":{\"name\":\"a\n\"}}"), list(`{"metadata":{"name":"a`),
		list(`{"metadata":{"generation":1}}`), list(`{"metadata":{"finalizers":[]}}`), list(`{"metadata":{"creationTimestamp":"now"}}`), list(`{"metadata":{"creationTimestamp":nul}}`), list(`{"metadata":{"uid":5}}`),
		list(`{"metadata":{"labels":{"a":5}}}`), list(`{"metadata":{"labels":null}}`), list(`{"metadata":{},"metadata":{}}`),
		list(`{"timestamp":"2026-13-04T12:00:00Z"}`), list(`{"timestamp":"2026-02-30T12:00:00Z"}`), list(`{"timestamp":"2026-02-03T24:00:00Z"}`), list(`{"timestamp":"2026-02-03T12:60:00Z"}`), list(`{"timestamp":"2026-02-03T12:00:60Z"}`), list(`{"timestamp":5}`),
		list(`{"timestamp":"2026-05-04T12:00:00Z","timestamp":"2026-05-04T12:00:00Z"}`), list(`{"window":"15"}`), list(`{"window":"1s","window":"1s"}`), list(`{"window":15}`), list(`{"window":""}`),
		list(`{"containers":null}`), list(`{"containers":[],"containers":[]}`), list(`{"containers":[null]}`), list(`{"containers":[{"name":"a","name":"b"}]}`), list(`{"containers":[{"usage":{},"usage":{}}]}`), list(`{"containers":[{"usage":null}]}`),
		list(`{"containers":[{"usage":{"cpu":5}}]}`), list(`{"containers":[{"usage":{"cpu":""}}]}`), list(`{"containers":[{"usage":{"cpu":"1x"}}]}`), list(`{"containers":[{"usage":{"cpu":"1Xi"}}]}`), list(`{"containers":[{"usage":{"cpu":"1kk"}}]}`), list(`{"kind":5}`),
		start + `"x":01,"items":[]}`, start + `"x":-,"items":[]}`, start + `"x":1.,"items":[]}`, start + `"x":1e,"items":[]}`, start + `"x":tru,"items":[]}`, start + `"x":"\x","items":[]}`, start + `"x":"\u00g0","items":[]}`, start + `"x":"\`, start + `"x":"\u00`, start + `"x":"a`, start + "\"x\":\"\n\",\"items\":[]}",
		start + `"x":[` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `],"items":[]}`, start + `"x":{"a" 5},"items":[]}`, start + `"x":{5:5},"items":[]}`, start + `"x"`, start + `"x":n`,
	} {
		_, _, ordinary := read([]byte(body), "cpu", "")
		require.False(t, ordinary, body)
	}
	text := func(field uint64, text string) message { return message{}.text(field, []byte(text)) }
	item := func(m message) []byte { return message{}.text(2, m).enveloped() }
	usage := func(m message) []byte { return item(message{}.text(4, message{}.text(2, m))) }
	typed := message{}.text(1, []byte("metrics.k8s.io/v1beta1")).text(2, []byte("PodMetricsList"))
	for i, body := range [][]byte{
		[]byte("k8s\x00"), []byte("k8s\x00x"), append([]byte("k8s\x00"), message{}.text(1, typed)...), append([]byte("k8s\x00"), message{}.text(2, nil)...),
		append([]byte("k8s\x00"), message{}.text(1, typed).text(1, typed).text(2, nil)...), append([]byte("k8s\x00"), message{}.text(1, typed).text(2, nil).text(2, nil)...), append([]byte("k8s\x00"), message{}.number(1, 5).text(2, nil)...),
		append([]byte("k8s\x00"), message{}.text(1, text(1, "v1").text(2, []byte("Status"))).text(2, nil)...), append([]byte("k8s\x00"), message{}.text(1, append(typed, 0)).text(2, nil)...), append([]byte("k8s\x00"), message{}.text(1, typed.text(3, nil)).text(2, nil)...),
		message{0}.enveloped(), message{3}.enveloped(), message{1<<3 | 6}.enveloped(), message{1 << 3, 0xff}.enveloped(), message{5<<3 | 2, 9, 1}.enveloped(), message{5<<3 | 1, 1}.enveloped(), message{5<<3 | 5, 1}.enveloped(), message{0x80}.enveloped(),
		message{0xfa, 0xff, 0xff, 0xff, 0xff, 0x01, 0}.enveloped(),
		message{}.number(1, 1).enveloped(), message{}.number(2, 1).enveloped(), message{}.text(1, message{}.number(4, 1)).enveloped(), message{}.text(1, message{}.text(5, nil)).enveloped(), message{}.text(1, message{}.number(1, 1)).enveloped(), message{}.text(1, message{0}).enveloped(),
		item(message{0}), item(message{}.number(1, 1)), item(message{}.text(1, nil).text(1, nil)), item(message{}.text(1, text(1, "a").text(1, []byte("b")))), item(message{}.text(1, message{}.number(1, 1))), item(message{}.text(1, message{}.number(2, 1))),
		item(message{}.text(1, message{0})), item(message{}.text(1, message{}.text(7, nil))), item(message{}.text(1, message{}.text(8, message{0}))), item(message{}.text(1, message{}.number(8, 1))), item(message{}.text(1, message{}.text(9, nil))), item(message{}.text(1, message{}.text(11, message{}.number(1, 1)))),
		item(message{}.text(2, nil).text(2, nil)), item(message{}.text(2, message{0})), item(message{}.text(2, message{}.number(3, 1))), item(message{}.text(2, text(1, "a"))), item(message{}.text(3, nil).text(3, nil)), item(message{}.text(3, message{0})),
		item(message{}.text(4, message{0})), item(message{}.text(4, text(1, "a").text(1, []byte("b")))), item(message{}.text(4, message{}.number(1, 1))), item(message{}.text(4, message{}.number(2, 1))),
		usage(message{0}), usage(message{}.number(1, 1)), usage(text(3, "a")), usage(message{}.text(2, nil).text(2, nil)), usage(message{}.text(2, message{0})), usage(message{}.text(2, message{}.number(1, 1))), usage(message{}.text(2, text(2, "1"))), usage(message{}.text(2, text(1, "x"))),
	} {
		_, _, ordinary := read(body, "cpu", "")
		require.False(t, ordinary, "%d: %q", i, body)
	}
}

// Whatever a body is, reading it ends.
func FuzzRead(f *testing.F) {
	pods := []pod{{"web", 1777896000, 15 * time.Second, []container{{"app", map[string]string{"cpu": "1", "memory": "5Ki"}}}}}
	f.Add(inJSON(pods))
	f.Add(inProtobuf(pods))
	f.Fuzz(func(t *testing.T, body []byte) {
		pods, _, _ := read(body, "cpu", "")
		require.LessOrEqual(t, len(pods), len(body))
	})
}
