package kube_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	resourcemetrics "k8s.io/metrics/pkg/apis/metrics/v1beta1"
	"k8s.io/metrics/pkg/client/clientset/versioned/scheme"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/kube"
	"github.com/purehpa/hpa/podgroup"
)

var contentTypes = []string{runtime.ContentTypeJSON, runtime.ContentTypeProtobuf}

// bodyOf returns a list as the API server sends it.
func bodyOf(t require.TestingT, list *resourcemetrics.PodMetricsList, contentType string) []byte {
	info, _ := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), contentType)
	body, err := runtime.Encode(scheme.Codecs.WithoutConversion().EncoderForVersion(info.Serializer, resourcemetrics.SchemeGroupVersion), list)
	require.NoError(t, err)
	return body
}

// decodedBy returns what the client of the metrics API returns for a body.
func decodedBy(body []byte) (a kube.Answer) {
	contentType := runtime.ContentTypeJSON
	if bytes.HasPrefix(body, []byte("k8s\x00")) {
		contentType = runtime.ContentTypeProtobuf
	}
	info, _ := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), contentType)
	a.Resource = &resourcemetrics.PodMetricsList{}
	out, _, err := scheme.Codecs.WithoutConversion().DecoderToVersion(info.Serializer, resourcemetrics.SchemeGroupVersion).Decode(body, nil, a.Resource)
	if status, ok := out.(*metav1.Status); err == nil && ok && status.Status != metav1.StatusSuccess {
		err = apierrors.FromObject(status)
	}
	a.Err = err
	return a
}

// bodyReaders keep their memory from one body to the next.
type bodyReaders struct{ typed, body reader }

// requireSame reads a body in both ways.
func (r *bodyReaders) requireSame(t require.TestingT, pods []podgroup.Pod, m autoscaling.MetricSpec, body []byte) {
	r.requireReads(t, pods, m, body, decodedBy(body))
}

// requireReads reads a body, and what a client returns for it.
func (r *bodyReaders) requireReads(t require.TestingT, pods []podgroup.Pod, m autoscaling.MetricSpec, body []byte, typed kube.Answer) {
	want := r.typed.read(m, pods, typed)
	got := r.body.read(m, pods, kube.Answer{Body: body})
	require.Equal(t, texts(want.Err), texts(got.Err), "%q", body)
	want.Err, got.Err = nil, nil
	require.Equal(t, fmt.Sprintf("%+v", want), fmt.Sprintf("%+v", got), "%q", body)
}

func texts(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// bodyMetrics read all containers, or one.
var bodyMetrics = []autoscaling.MetricSpec{
	autoscaling.ResourceUtilizationMetric("cpu", 60), autoscaling.ResourceUtilizationMetric("memory", 60),
	autoscaling.ContainerResourceUtilizationMetric("cpu", "app", 60), autoscaling.ContainerResourceUtilizationMetric("memory", "log", 60),
}

func bodyPods() (pods []podgroup.Pod) {
	for i := range 5 {
		pods = append(pods, podgroup.Pod{Name: fmt.Sprintf("web-%d", i)})
	}
	return pods
}

// drawPodMetrics draws what a metrics API may send for a pod.
func drawPodMetrics(t *rapid.T) (m resourcemetrics.PodMetrics) {
	text := rapid.SampledFrom([]string{"", "a", "web", `"\`, "ä", "\n\u2028<"})
	m.Name = rapid.SampledFrom([]string{"web-0", "web-1", "web-2", "web-3", "web-4", "gone", "", `web-"0"`, "wéb"}).Draw(t, "name")
	m.Namespace = text.Draw(t, "namespace")
	m.Labels = rapid.MapOfN(text, text, 0, 2).Draw(t, "labels")
	m.Annotations = rapid.MapOfN(text, text, 0, 2).Draw(t, "annotations")
	seconds := rapid.SampledFrom([]int64{0, 1, 951868799, 1772323200, 1777896000, 1777896015, -62135596800, 253402300799})
	if s := seconds.Draw(t, "created"); s != 0 {
		m.CreationTimestamp = metav1.Unix(s, 0)
	}
	if rapid.IntRange(0, 9).Draw(t, "more") == 0 {
		m.Generation, m.Finalizers = 3, []string{"x"}
		m.SelfLink, m.UID, m.ResourceVersion = "/x", "1-2", "7"
	}
	if s := seconds.Draw(t, "timestamp"); s != 0 {
		m.Timestamp = metav1.Unix(s, 0)
	}
	m.Window.Duration = time.Duration(rapid.SampledFrom([]int64{0, 15e9, 15_213_000_000, -1, 90e9, 1<<63 - 1}).Draw(t, "window"))
	amount := rapid.SampledFrom([]string{
		"0", "1", "250m", "1n", "999999n", "1000001n", "123456789n", "5u", "1001u", "7k", "3M", "2G", "1T", "1P", "8E", "12345Ki", "456Mi", "7Gi", "1Ti", "1Pi", "1Ei",
		"1.5", "0.0001", "3e2", "-1", "-1500u", "9223372036854775807", "999999999999999", "1234567890123456", "9000000000000000m", "9007199254740993",
	})
	for range rapid.SampledFrom([]int{1, 1, 2, 0, 3}).Draw(t, "containers") {
		c := resourcemetrics.ContainerMetrics{Name: rapid.SampledFrom([]string{"app", "log", "", "é"}).Draw(t, "container"), Usage: corev1.ResourceList{}}
		for _, r := range []corev1.ResourceName{"cpu", "memory", "gpu", "ö"} {
			if rapid.IntRange(0, 4).Draw(t, "lacks") > 0 && (r == "cpu" || r == "memory" || rapid.IntRange(0, 9).Draw(t, "has") == 0) {
				c.Usage[r] = resource.MustParse(amount.Draw(t, string(r)))
			}
		}
		m.Containers = append(m.Containers, c)
	}
	return m
}

// changed changes a body in a way that a client may or may not take.
func changed(t *rapid.T, body []byte) []byte {
	at := func(label string) int { return rapid.IntRange(0, len(body)).Draw(t, label) }
	switch rapid.IntRange(0, 9).Draw(t, "change") {
	case 0:
		return body[:at("cut")]
	case 1, 2:
		body = bytes.Clone(body)
		if i := at("flip"); i < len(body) {
			body[i] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
		}
		return body
	case 3:
		i := at("insert")
		return append(append(bytes.Clone(body[:i]), rapid.SliceOfN(rapid.Byte(), 1, 3).Draw(t, "bytes")...), body[i:]...)
	case 4:
		i, j := at("from"), at("to")
		i, j = min(i, j), max(i, j)
		return append(bytes.Clone(body[:j]), body[i:]...)
	case 5:
		var spaced bytes.Buffer
		if json.Indent(&spaced, body, "\t", "  ") == nil {
			return spaced.Bytes()
		}
	case 6:
		more := rapid.SampledFrom([]string{
			`{"new":[1,-2.5e+3,0,true,false,null,{"a":"\u00e4\n","a":""},[[]]],`, `{"name":"other",`, `{"Name":5,`, `{"usage":null,`, `{"items":null,`, `{"kind":"Status",`, `{"window":5,`,
			`{"deletionTimestamp":"x",`, `{"labels":{"a":5},`, `{"cpu":5,`, `{"memory":" 7 ",`, `{"cpu":"1x",`, `{"timestamp":"2026-02-30T00:00:00Z",`, `{"timestamp":"2026-05-04T12:00:00.5+02:00",`,
		}).Draw(t, "member")
		n := bytes.Count(body, []byte("{"))
		if n == 0 {
			break
		}
		for k, i := rapid.IntRange(0, n-1).Draw(t, "object"), 0; ; k-- {
			i += bytes.IndexByte(body[i:], '{')
			if k == 0 {
				return append(append(bytes.Clone(body[:i]), more...), body[i+1:]...)
			}
			i++
		}
	}
	return body
}

// A body is read as the client of the API decodes it, whatever is in it: the same
// samples, and errors of the same text.
func TestResourceBodyEqualsTyped(t *testing.T) {
	pods := bodyPods()
	rapid.Check(t, func(t *rapid.T) {
		var r bodyReaders
		for range 2 {
			list := resourcemetrics.PodMetricsList{Items: rapid.SliceOfN(rapid.Custom(drawPodMetrics), 0, 5).Draw(t, "pods")}
			if rapid.IntRange(0, 4).Draw(t, "part") == 0 {
				left := int64(3)
				list.Continue, list.ResourceVersion = "next", "7"
				list.RemainingItemCount = rapid.SampledFrom([]*int64{nil, &left}).Draw(t, "left")
			}
			body := changed(t, bodyOf(t, &list, rapid.SampledFrom(contentTypes).Draw(t, "type")))
			for _, m := range bodyMetrics {
				r.requireSame(t, pods, m, body)
			}
		}
	})
}

// Fields that are not known are skipped, which is right only if the codecs skip them,
// too. A release of Kubernetes' modules with new ones has to be looked at.
func TestResourceBodyKnowsEachField(t *testing.T) {
	for _, known := range []struct {
		of     any
		fields string
	}{
		{resourcemetrics.PodMetricsList{}, " metadata items"},
		{resourcemetrics.PodMetrics{}, " metadata timestamp window containers"},
		{resourcemetrics.ContainerMetrics{}, "name usage"},
		{metav1.TypeMeta{}, "kind apiVersion"},
		{metav1.ListMeta{}, "selfLink resourceVersion continue remainingItemCount shardInfo"},
		{metav1.ObjectMeta{}, "name generateName namespace selfLink uid resourceVersion generation creationTimestamp deletionTimestamp deletionGracePeriodSeconds labels annotations ownerReferences finalizers managedFields"},
	} {
		requireFields(t, known.of, known.fields)
	}
}

// A body goes with metrics that an API is asked for, and not with another field.
func TestResourceBodyErrors(t *testing.T) {
	var r kube.Readers
	spec := autoscaling.NewSpec(1, 10, bodyMetrics[0])
	_, err := r.Read(&spec, nil, []kube.Answer{{Body: []byte("{}"), Resource: usageList(1)}})
	require.EqualError(t, err, "kube: answers[0].body: there is a resource field, too")
	spec = autoscaling.NewSpec(1, 10, autoscaling.MetricSpec{Type: "Proposal", Proposal: &autoscaling.ProposalMetricSource{Name: "forecast"}})
	_, err = r.Read(&spec, nil, []kube.Answer{{Body: []byte("{}")}})
	require.EqualError(t, err, `kube: answers[0].body: the metric is of type "Proposal"`)
}

func FuzzResourceBody(f *testing.F) {
	list := usageList(3)
	for _, contentType := range contentTypes {
		f.Add(bodyOf(f, list, contentType))
	}
	f.Add([]byte(`{"kind":"Status","apiVersion":"v1","status":"Failure","message":"no","code":503}`))
	pods := bodyPods()
	f.Fuzz(func(t *testing.T, body []byte) {
		if body == nil {
			t.Skip("no answer")
		}
		var r bodyReaders
		for _, m := range bodyMetrics {
			r.requireSame(t, pods, m, body)
		}
	})
}

// usageList is what metrics-server sends for so many pods.
func usageList(n int) *resourcemetrics.PodMetricsList {
	list := &resourcemetrics.PodMetricsList{}
	now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	for i := range n {
		m := resourcemetrics.PodMetrics{
			ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("web-%d", i), Namespace: "shop", CreationTimestamp: metav1.NewTime(now), Labels: map[string]string{"app": "web", "pod-template-hash": "5d8c7f9b6d"}},
			Timestamp:  metav1.NewTime(now.Add(-time.Duration(i%15) * time.Second)), Window: metav1.Duration{Duration: 15*time.Second + time.Duration(i%1000)*time.Millisecond},
		}
		for _, name := range []string{"app", "log"} {
			m.Containers = append(m.Containers, resourcemetrics.ContainerMetrics{Name: name, Usage: corev1.ResourceList{
				"cpu":    *resource.NewScaledQuantity(int64(123_456_789+i), resource.Nano),
				"memory": *resource.NewQuantity(int64(12_345+i)<<10, resource.BinarySI),
			}})
		}
		list.Items = append(list.Items, m)
	}
	return list
}

// Once its memory is long enough, reading an ordinary body allocates nothing.
func TestResourceBodyAllocatesNothing(t *testing.T) {
	list := usageList(100)
	var pods []podgroup.Pod
	for i := range list.Items {
		pods = append(pods, podgroup.Pod{Name: list.Items[i].Name})
	}
	for _, contentType := range contentTypes {
		body := bodyOf(t, list, contentType)
		for _, m := range bodyMetrics {
			spec := autoscaling.NewSpec(1, 10, m)
			var r kube.Readers
			answers := []kube.Answer{{Body: body}}
			read := func() []calculator.Reading {
				readings, err := r.Read(&spec, pods, answers)
				require.NoError(t, err)
				return readings
			}
			require.Len(t, read()[0].Samples, 100)
			require.Zero(t, testing.AllocsPerRun(10, func() { read() }), "%s, %v", contentType, m.Resolve())
		}
	}
}

func BenchmarkResourceBody(b *testing.B) {
	for _, n := range []int{10, 100, 1000} {
		list := usageList(n)
		var pods []podgroup.Pod
		for i := range list.Items {
			pods = append(pods, podgroup.Pod{Name: list.Items[i].Name})
		}
		spec := autoscaling.NewSpec(1, 10, bodyMetrics[0])
		for _, contentType := range contentTypes {
			body := bodyOf(b, list, contentType)
			for name, answer := range map[string]func() kube.Answer{
				"body":  func() kube.Answer { return kube.Answer{Body: body} },
				"typed": func() kube.Answer { return decodedBy(body) },
			} {
				b.Run(fmt.Sprintf("pods=%d/%s/%s", n, contentType, name), func(b *testing.B) {
					var r kube.Readers
					b.SetBytes(int64(len(body)))
					b.ReportAllocs()
					for b.Loop() {
						if readings, err := r.Read(&spec, pods, []kube.Answer{answer()}); err != nil || readings[0].Err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}
