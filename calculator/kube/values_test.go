package kube_test

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	custommetrics "k8s.io/metrics/pkg/apis/custom_metrics"
	"k8s.io/metrics/pkg/apis/custom_metrics/v1beta1"
	"k8s.io/metrics/pkg/apis/custom_metrics/v1beta2"
	externalmetrics "k8s.io/metrics/pkg/apis/external_metrics/v1beta1"
	customscheme "k8s.io/metrics/pkg/client/custom_metrics/scheme"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/kube"
	"github.com/purehpa/hpa/calculator/kubejson"
	"github.com/purehpa/hpa/podgroup"
)

// valueMetrics are metrics of the custom and external metrics APIs.
var valueMetrics = []autoscaling.MetricSpec{ofPods, ofObject, ofExternal}

// valuesBody returns a list as an adapter sends it.
func valuesBody(t require.TestingT, list runtime.Object, contentType string) []byte {
	s := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{v1beta1.AddToScheme, v1beta2.AddToScheme, externalmetrics.AddToScheme} {
		require.NoError(t, add(s))
	}
	codecs := serializer.NewCodecFactory(s)
	info, _ := runtime.SerializerInfoForMediaType(codecs.SupportedMediaTypes(), contentType)
	kinds, _, err := s.ObjectKinds(list)
	require.NoError(t, err)
	body, err := runtime.Encode(codecs.WithoutConversion().EncoderForVersion(info.Serializer, kinds[0].GroupVersion()), list)
	require.NoError(t, err)
	return body
}

// clientAnswer returns what the client of the metric's API returns for a body.
func clientAnswer(m autoscaling.MetricSpec, body []byte) (a kube.Answer) {
	if m.Type == autoscaling.ExternalMetricSourceType {
		contentType := runtime.ContentTypeJSON
		if bytes.HasPrefix(body, []byte("k8s\x00")) {
			contentType = runtime.ContentTypeProtobuf
		}
		// client-go's scheme does not know the type.
		codecs := serializer.NewCodecFactory(runtime.NewScheme())
		info, _ := runtime.SerializerInfoForMediaType(codecs.SupportedMediaTypes(), contentType)
		a.External = &externalmetrics.ExternalMetricValueList{}
		_, _, a.Err = codecs.WithoutConversion().DecoderToVersion(info.Serializer, nil).Decode(body, nil, a.External)
		return a
	}
	// A MetricConverter makes one codec factory of its own.
	codecs := serializer.NewCodecFactory(customscheme.Scheme)
	out, err := runtime.Decode(codecs.UniversalDecoder(v1beta2.SchemeGroupVersion, v1beta1.SchemeGroupVersion, custommetrics.SchemeGroupVersion), body)
	for _, v := range []schema.GroupVersion{custommetrics.SchemeGroupVersion, v1beta2.SchemeGroupVersion} {
		if err == nil {
			out, err = customscheme.Scheme.UnsafeConvertToVersion(out, v)
		}
	}
	if a.Err = err; err != nil {
		return a
	}
	list, ok := out.(*v1beta2.MetricValueList)
	switch {
	case !ok:
		a.Err = fmt.Errorf("the custom metrics API server didn't return MetricValueList, the type is %v", reflect.TypeOf(out))
	case m.Type == autoscaling.PodsMetricSourceType:
		a.Pods = list
	case len(list.Items) != 1:
		a.Err = fmt.Errorf("the custom metrics API server returned %v results when we asked for exactly one", len(list.Items))
	default:
		a.Object = &list.Items[0]
	}
	return a
}

// drawValues draws an answer of each type.
func drawValues(t *rapid.T) runtime.Object {
	var old v1beta1.MetricValueList
	var custom v1beta2.MetricValueList
	var external externalmetrics.ExternalMetricValueList
	text := rapid.SampledFrom([]string{"", "a", "qps", `"\`, "ä"})
	name := rapid.SampledFrom([]string{"qps", "qps", "hits", "", "é"})
	for range rapid.SampledFrom([]int{1, 1, 2, 0, 4}).Draw(t, "items") {
		ref := corev1.ObjectReference{Kind: "Pod", APIVersion: "/v1", Namespace: rapid.SampledFrom([]string{"", "shop", "shop", "other"}).Draw(t, "namespace")}
		ref.Name = rapid.SampledFrom([]string{"web-0", "web-1", "web-4", "gone", "", "wéb"}).Draw(t, "name")
		if rapid.IntRange(0, 4).Draw(t, "more") == 0 {
			ref.UID, ref.ResourceVersion, ref.FieldPath = "1-2", text.Draw(t, "version"), "x"
		}
		at := metav1.Time{}
		if s := rapid.SampledFrom([]int64{0, 1, 1777896000, 1777896015, -62135596800, 253402300799}).Draw(t, "timestamp"); s != 0 {
			at = metav1.Unix(s, 0)
		}
		var window *int64
		if rapid.Bool().Draw(t, "windowed") {
			s := rapid.SampledFrom([]int64{0, 30, -1, 300, 1 << 62, -1 << 63}).Draw(t, "window")
			window = &s
		}
		value := resource.MustParse(rapid.SampledFrom([]string{"0", "1", "250m", "1n", "1001u", "7k", "8E", "12Ki", "1.5", "3e2", "-1", "9223372036854775807", "999999999999999", "1234567890123456"}).Draw(t, "value"))
		var selector *metav1.LabelSelector
		if rapid.Bool().Draw(t, "selective") {
			selector = &metav1.LabelSelector{MatchLabels: rapid.MapOfN(text, text, 0, 2).Draw(t, "labels")}
			for range rapid.IntRange(0, 2).Draw(t, "expressions") {
				selector.MatchExpressions = append(selector.MatchExpressions, metav1.LabelSelectorRequirement{Key: "a", Operator: "In", Values: rapid.SliceOfN(text, 0, 2).Draw(t, "values")})
			}
		}
		metric := name.Draw(t, "metric")
		old.Items = append(old.Items, v1beta1.MetricValue{DescribedObject: ref, MetricName: metric, Timestamp: at, WindowSeconds: window, Value: value, Selector: selector})
		custom.Items = append(custom.Items, v1beta2.MetricValue{DescribedObject: ref, Metric: v1beta2.MetricIdentifier{Name: metric, Selector: selector}, Timestamp: at, WindowSeconds: window, Value: value})
		external.Items = append(external.Items, externalmetrics.ExternalMetricValue{MetricName: metric, MetricLabels: rapid.MapOfN(text, text, 0, 2).Draw(t, "series"), Timestamp: at, WindowSeconds: window, Value: value})
	}
	return rapid.SampledFrom([]runtime.Object{&old, &custom, &external}).Draw(t, "list")
}

// A body is read as the clients of the custom and external metrics APIs decode it,
// whatever is in it: the same samples and values, and errors of the same text.
func TestValuesBodyEqualsTyped(t *testing.T) {
	pods := bodyPods()
	rapid.Check(t, func(t *rapid.T) {
		var r bodyReaders
		for range 2 {
			body := valuesBody(t, drawValues(t), rapid.SampledFrom(contentTypes).Draw(t, "type"))
			switch rapid.IntRange(0, 9).Draw(t, "swap") {
			case 0:
				body = bytes.Replace(body, []byte("v1beta1"), []byte("v1beta2"), 1)
			case 1:
				body = bytes.ReplaceAll(body, []byte(`"window"`), []byte(`"windowSeconds"`))
			}
			body = changed(t, body)
			for _, m := range valueMetrics {
				r.requireReads(t, pods, m, body, clientAnswer(m, body))
			}
		}
	})
}

// A reader of kubejson that takes a body reads it as the clients decode it. It takes
// whatever adapters send, in both encodings.
func TestKubejsonReaderEqualsTyped(t *testing.T) {
	pods := bodyPods()
	same := func(t require.TestingT, m autoscaling.MetricSpec, body []byte) (err error) {
		var got calculator.Reading
		var r kubejson.Reader
		switch m.Type {
		case autoscaling.PodsMetricSourceType:
			got, err = r.Pods(pods, body)
		case autoscaling.ObjectMetricSourceType:
			got, err = r.Object(body)
		case autoscaling.ExternalMetricSourceType:
			got, err = r.External(body)
		}
		if err != nil {
			return err
		}
		want := new(reader).read(m, pods, clientAnswer(m, body))
		require.Equal(t, texts(want.Err), texts(got.Err), "%q", body)
		want.Err, got.Err = nil, nil
		require.Equal(t, fmt.Sprintf("%+v", want), fmt.Sprintf("%+v", got), "%q", body)
		return nil
	}
	rapid.Check(t, func(t *rapid.T) {
		list := drawValues(t)
		body := valuesBody(t, list, rapid.SampledFrom(contentTypes).Draw(t, "type"))
		for _, m := range valueMetrics {
			_ = same(t, m, body) // it says what it does not take
		}
	})
	for _, list := range valueLists(3) {
		for _, contentType := range contentTypes {
			require.NoError(t, same(t, metricOf(list), valuesBody(t, list, contentType)))
		}
	}
}

// Fields that are not known are skipped, which is right only if the codecs skip them,
// too. A release of Kubernetes' modules with new ones has to be looked at.
func TestValuesBodyKnowsEachField(t *testing.T) {
	for _, known := range []struct {
		of     any
		fields string
	}{
		{v1beta1.MetricValueList{}, " metadata items"},
		{v1beta2.MetricValueList{}, " metadata items"},
		{externalmetrics.ExternalMetricValueList{}, " metadata items"},
		{v1beta1.MetricValue{}, " describedObject metricName timestamp window value selector"},
		{v1beta2.MetricValue{}, " describedObject metric timestamp windowSeconds value"},
		{v1beta2.MetricIdentifier{}, "name selector"},
		{externalmetrics.ExternalMetricValue{}, " metricName metricLabels timestamp window value"},
		{corev1.ObjectReference{}, "kind namespace name uid apiVersion resourceVersion fieldPath"},
		{metav1.LabelSelector{}, "matchLabels matchExpressions"},
		{metav1.LabelSelectorRequirement{}, "key operator values"},
	} {
		requireFields(t, known.of, known.fields)
	}
}

func requireFields(t *testing.T, value any, fields string) {
	for of, i := reflect.TypeOf(value), 0; i < of.NumField(); i++ {
		name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
		require.Contains(t, strings.Split(fields, " "), name, of)
	}
}

// Answers that are no values are errors in the words of the clients.
func TestValuesBodyErrors(t *testing.T) {
	const list = `{"kind":"MetricValueList","apiVersion":"custom.metrics.k8s.io/v1beta2","metadata":{},"items":[`
	const status = `{"kind":"Status","apiVersion":"v1","status":"Failure","message":"no","code":503}`
	const custom = "unable to fetch metrics from custom metrics API: "
	for _, c := range []struct {
		m          autoscaling.MetricSpec
		body, want string
	}{
		{ofPods, list + `]}`, "no metrics returned from custom metrics API"},
		{ofObject, list + `]}`, custom + "the custom metrics API server returned 0 results when we asked for exactly one"},
		{ofExternal, `{"kind":"ExternalMetricValueList","apiVersion":"external.metrics.k8s.io/v1beta1","metadata":{},"items":[]}`, "no metrics returned from external metrics API"},
		{ofPods, status, custom + "the custom metrics API server didn't return MetricValueList, the type is *v1.Status"},
		{ofExternal, status, "no metrics returned from external metrics API"},
		{ofExternal, `{`, "unable to fetch metrics from external metrics API: couldn't get version/kind; json parse error: unexpected end of JSON input"},
	} {
		var r reader
		require.EqualError(t, r.read(c.m, nil, kube.Answer{Body: []byte(c.body)}).Err, c.want, c.body)
	}
}

func FuzzValuesBody(f *testing.F) {
	for _, list := range valueLists(2) {
		for _, contentType := range contentTypes {
			f.Add(valuesBody(f, list, contentType))
		}
	}
	pods := bodyPods()
	f.Fuzz(func(t *testing.T, body []byte) {
		if body == nil {
			t.Skip("no answer")
		}
		var r bodyReaders
		for _, m := range valueMetrics {
			r.requireReads(t, pods, m, body, clientAnswer(m, body))
		}
	})
}

// valueLists are what adapters send about so many pods or series.
func valueLists(n int) []runtime.Object {
	var old v1beta1.MetricValueList
	var custom v1beta2.MetricValueList
	var external externalmetrics.ExternalMetricValueList
	at, window := metav1.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC), int64(30)
	selector := &metav1.LabelSelector{MatchLabels: map[string]string{"path": "/"}}
	for i := range n {
		ref := corev1.ObjectReference{Kind: "Pod", Namespace: "shop", Name: fmt.Sprintf("web-%d", i), APIVersion: "/v1"}
		value := *resource.NewMilliQuantity(int64(123_456+i), resource.DecimalSI)
		old.Items = append(old.Items, v1beta1.MetricValue{DescribedObject: ref, MetricName: "qps", Timestamp: at, WindowSeconds: &window, Value: value})
		custom.Items = append(custom.Items, v1beta2.MetricValue{DescribedObject: ref, Metric: v1beta2.MetricIdentifier{Name: "qps", Selector: selector}, Timestamp: at, WindowSeconds: &window, Value: value})
		external.Items = append(external.Items, externalmetrics.ExternalMetricValue{MetricName: "depth", MetricLabels: map[string]string{"queue": fmt.Sprint(i)}, Timestamp: at, Value: value})
	}
	return []runtime.Object{&old, &custom, &external}
}

// metricOf returns the metric that a list answers.
func metricOf(list runtime.Object) autoscaling.MetricSpec {
	if _, ok := list.(*externalmetrics.ExternalMetricValueList); ok {
		return ofExternal
	}
	return ofPods
}

// Once its memory is long enough, reading an ordinary body allocates nothing.
func TestValuesBodyAllocatesNothing(t *testing.T) {
	var pods []podgroup.Pod
	for i := range 100 {
		pods = append(pods, podgroup.Pod{Name: fmt.Sprintf("web-%d", i)})
	}
	one, many := valueLists(1), valueLists(100)
	for _, contentType := range contentTypes {
		for i := range many {
			requireNoAllocations(t, metricOf(many[i]), pods, valuesBody(t, many[i], contentType))
		}
		requireNoAllocations(t, ofObject, pods, valuesBody(t, one[0], contentType))
		requireNoAllocations(t, ofObject, pods, valuesBody(t, one[1], contentType))
	}
}

func requireNoAllocations(t *testing.T, m autoscaling.MetricSpec, pods []podgroup.Pod, body []byte) {
	spec := autoscaling.NewSpec(1, 10, m)
	var r kube.Readers
	answers := []kube.Answer{{Body: body}}
	read := func() {
		readings, err := r.Read(&spec, pods, answers)
		require.NoError(t, err)
		require.NoError(t, readings[0].Err)
	}
	read()
	require.Zero(t, testing.AllocsPerRun(10, read), "%s", body)
}
