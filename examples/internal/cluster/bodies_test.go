package cluster

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/rest"
	"k8s.io/metrics/pkg/apis/custom_metrics/v1beta1"
	"k8s.io/metrics/pkg/apis/custom_metrics/v1beta2"
	externalmetrics "k8s.io/metrics/pkg/apis/external_metrics/v1beta1"
	resourcemetrics "k8s.io/metrics/pkg/apis/metrics/v1beta1"
	resourceclient "k8s.io/metrics/pkg/client/clientset/versioned/typed/metrics/v1beta1"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/kube"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// customVersion is the version that the API prefers.
type customVersion struct{}

func (customVersion) PreferredVersion() (schema.GroupVersion, error) {
	return v1beta2.SchemeGroupVersion, nil
}

func (customVersion) Invalidate() {}

// bodyServer answers whatever is asked with a body.
type bodyServer struct {
	body      []byte
	apis      MetricsAPIs
	resources resourceclient.PodMetricsInterface
}

func newBodyServer(t testing.TB) *bodyServer {
	s := new(bodyServer)
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		media := runtime.ContentTypeJSON
		if bytes.HasPrefix(s.body, []byte(magic)) {
			media = runtime.ContentTypeProtobuf
		}
		rw.Header().Set("Content-Type", media)
		_, _ = rw.Write(s.body)
	}))
	t.Cleanup(server.Close)
	config := &rest.Config{Host: server.URL, QPS: -1}
	mapper := meta.NewDefaultRESTMapper([]schema.GroupVersion{corev1.SchemeGroupVersion})
	mapper.Add(corev1.SchemeGroupVersion.WithKind("Pod"), meta.RESTScopeNamespace)
	var err error
	s.apis, err = NewMetricsAPIs(config, mapper, customVersion{})
	require.NoError(t, err)
	resources, err := resourceclient.NewForConfig(config)
	require.NoError(t, err)
	s.resources = resources.PodMetricses("shop")
	return s
}

// sources are metrics of each API, and what its client returns about them.
var sources = []struct {
	metric autoscaling.MetricSpec
	ask    func(*bodyServer) kube.Answer
}{
	{autoscaling.ResourceUtilizationMetric("cpu", 50), func(s *bodyServer) (a kube.Answer) {
		a.Resource, a.Err = s.resources.List(context.Background(), metav1.ListOptions{})
		return a
	}},
	{autoscaling.PodsAverageValueMetric("qps", metrics.MustParseQuantity("5")), func(s *bodyServer) (a kube.Answer) {
		a.Pods, a.Err = s.apis.Custom.NamespacedMetrics("shop").GetForObjects(schema.GroupKind{Kind: "Pod"}, labels.Everything(), "qps", labels.Everything())
		return a
	}},
	{autoscaling.ObjectValueMetric(autoscaling.CrossVersionObjectReference{Kind: "Pod", Name: "web-0"}, "qps", metrics.MustParseQuantity("5")), func(s *bodyServer) (a kube.Answer) {
		a.Object, a.Err = s.apis.Custom.NamespacedMetrics("shop").GetForObject(schema.GroupKind{Kind: "Pod"}, "web-0", "qps", labels.Everything())
		return a
	}},
	{autoscaling.ExternalValueMetric("depth", metrics.MustParseQuantity("5")), func(s *bodyServer) (a kube.Answer) {
		a.External, a.Err = s.apis.External.NamespacedMetrics("shop").List("depth", labels.Everything())
		return a
	}},
}

// apiBodies are what the APIs may send, and a few things that they should not.
func apiBodies(t testing.TB) (bodies [][]byte) {
	var old v1beta1.MetricValueList
	var custom v1beta2.MetricValueList
	var external externalmetrics.ExternalMetricValueList
	at, window := metav1.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC), int64(30)
	selector := &metav1.LabelSelector{MatchLabels: labels.Set{"a": "b"}, MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "a", Operator: "In", Values: []string{"b"}}}}
	for n := range 3 {
		for _, list := range []runtime.Object{podMetrics(n, "web"), &old, &custom, &external, &metav1.Status{Status: metav1.StatusFailure, Message: "no", Code: 503}, &metav1.Status{Status: metav1.StatusSuccess}} {
			bodies = append(bodies, encoded(t, list, runtime.ContentTypeJSON), encoded(t, list, runtime.ContentTypeProtobuf))
		}
		ref := corev1.ObjectReference{Kind: "Pod", Namespace: "shop", Name: fmt.Sprint("web-", n), APIVersion: "/v1"}
		value := *resource.NewMilliQuantity(int64(1500+n), resource.DecimalSI)
		old.Items = append(old.Items, v1beta1.MetricValue{DescribedObject: ref, MetricName: "qps", Timestamp: at, WindowSeconds: &window, Value: value, Selector: selector})
		custom.Items = append(custom.Items, v1beta2.MetricValue{DescribedObject: ref, Metric: v1beta2.MetricIdentifier{Name: "qps", Selector: selector}, Timestamp: at, WindowSeconds: &window, Value: value})
		external.Items = append(external.Items, externalmetrics.ExternalMetricValue{MetricName: "depth", MetricLabels: labels.Set{"queue": "a"}, Timestamp: at, Value: value})
	}
	// Windows of the other version, none, and values without a value.
	for _, change := range [][2]string{{`"window":`, `"windowSeconds":`}, {`"windowSeconds":30`, `"window":30`}, {`"window":30`, `"window":null`}, {`"value":"1501m"`, `"x":1`}, {`"window":30`, `"window":"30"`}} {
		for _, list := range []runtime.Object{&old, &custom, &external} {
			bodies = append(bodies, bytes.ReplaceAll(encoded(t, list, runtime.ContentTypeJSON), []byte(change[0]), []byte(change[1])))
		}
	}
	for _, text := range []string{`{}`, `[]`, `null`, `{"kind":"PodMetricsList"}`, `{"kind":"Pod","apiVersion":"v1"}`, `{"kind":"MetricValue","apiVersion":"custom.metrics.k8s.io/v1beta2"}`, `{"items":[]}`, "k8s\x00"} {
		bodies = append(bodies, []byte(text))
	}
	return bodies
}

func encoded(t testing.TB, list runtime.Object, media string) []byte {
	s := runtime.NewScheme()
	metav1.AddToGroupVersion(s, schema.GroupVersion{Version: "v1"})
	for _, add := range []func(*runtime.Scheme) error{v1beta1.AddToScheme, v1beta2.AddToScheme, externalmetrics.AddToScheme, resourcemetrics.AddToScheme} {
		require.NoError(t, add(s))
	}
	codecs := serializer.NewCodecFactory(s)
	info, _ := runtime.SerializerInfoForMediaType(codecs.SupportedMediaTypes(), media)
	kinds, _, err := s.ObjectKinds(list)
	require.NoError(t, err)
	body, err := runtime.Encode(codecs.WithoutConversion().EncoderForVersion(info.Serializer, kinds[0].GroupVersion()), list)
	require.NoError(t, err)
	return body
}

// TestBodiesEqualClients: whatever body an API sends, it is read as what the client of
// that API makes of it, be it an error.
func TestBodiesEqualClients(t *testing.T) {
	s, bodies := newBodyServer(t), apiBodies(t)
	for _, body := range bodies {
		s.requireEqual(t, body)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 4000 {
		s.requireEqual(t, damage(r, bodies))
	}
}

// damage returns one of the bodies, cut, with another byte or with a part of another.
func damage(r *rand.Rand, bodies [][]byte) []byte {
	body, other := bytes.Clone(bodies[r.IntN(len(bodies))]), bodies[r.IntN(len(bodies))]
	if len(body) == 0 {
		return body
	}
	i, n := r.IntN(len(body)), min(r.IntN(20), len(other))
	switch r.IntN(3) {
	case 0:
		return body[:i]
	case 1:
		body[i] ^= 1 << r.IntN(8)
		return body
	}
	return append(body[:i], append(bytes.Clone(other[:n]), body[i:]...)...)
}

func (s *bodyServer) requireEqual(t testing.TB, body []byte) {
	s.body = body
	if len(body) == 0 {
		return // no answer
	}
	pods := []podgroup.Pod{{Name: "web-0"}, {Name: "web-1"}, {Name: "pod-0"}}
	for _, source := range sources {
		spec := autoscaling.NewSpec(1, 10, source.metric)
		read := func(a kube.Answer) calculator.Reading {
			var readers kube.Readers
			all, err := readers.Read(&spec, pods, []kube.Answer{a})
			require.NoError(t, err)
			return all[0]
		}
		want, got := read(source.ask(s)), read(kube.Answer{Body: body})
		require.Equal(t, fmt.Sprint(want.Err), fmt.Sprint(got.Err), "%s: %q", source.metric.Type, body)
		want.Err, got.Err = nil, nil
		require.Equal(t, fmt.Sprintf("%+v", want), fmt.Sprintf("%+v", got), "%s: %q", source.metric.Type, body)
	}
}

func FuzzBodies(f *testing.F) {
	for _, body := range apiBodies(f) {
		f.Add(body)
	}
	s := newBodyServer(f)
	f.Fuzz(func(t *testing.T, body []byte) { s.requireEqual(t, body) })
}
