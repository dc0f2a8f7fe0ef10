package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
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
	"k8s.io/metrics/pkg/client/custom_metrics"
	"k8s.io/metrics/pkg/client/external_metrics"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/kube"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// customVersion is the version that the API prefers, if it is there.
type customVersion struct{ *schema.GroupVersion }

func (v customVersion) PreferredVersion() (schema.GroupVersion, error) {
	if v.Version == "" {
		return schema.GroupVersion{}, errors.New("no custom metrics API")
	}
	return *v.GroupVersion, nil
}

func (customVersion) Invalidate() {}

// apiServer answers whatever is asked with the same.
type apiServer struct {
	code  int
	media string
	body  []byte
	asked []string // since this was emptied

	apis MetricsAPIs
	// The clients of Kubernetes' modules, which upstream asks with.
	resources resourceclient.PodMetricsInterface
	custom    custom_metrics.CustomMetricsClient
	external  external_metrics.ExternalMetricsClient
}

func newAPIServer(t testing.TB) *apiServer {
	s := &apiServer{code: http.StatusOK}
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, req *http.Request) {
		s.asked = append(s.asked, req.Method+" "+req.URL.String())
		rw.Header().Set("Content-Type", s.media)
		rw.WriteHeader(s.code)
		_, _ = rw.Write(s.body)
	}))
	t.Cleanup(server.Close)
	config := &rest.Config{Host: server.URL, QPS: -1}
	mapper := meta.NewDefaultRESTMapper([]schema.GroupVersion{corev1.SchemeGroupVersion, appsv1.SchemeGroupVersion})
	mapper.Add(corev1.SchemeGroupVersion.WithKind("Pod"), meta.RESTScopeNamespace)
	mapper.Add(appsv1.SchemeGroupVersion.WithKind("Deployment"), meta.RESTScopeNamespace)
	preferred := v1beta2.SchemeGroupVersion
	versions := customVersion{&preferred}
	var err error
	s.apis, err = NewMetricsAPIs(config, mapper, versions)
	require.NoError(t, err)
	resources, err := resourceclient.NewForConfig(config)
	require.NoError(t, err)
	s.resources = resources.PodMetricses("shop")
	s.custom = custom_metrics.NewForConfig(config, mapper, versions)
	s.external, err = external_metrics.NewForConfig(config)
	require.NoError(t, err)
	return s
}

// ask asks with the client of the metric's API, as upstream does.
func (s *apiServer) ask(m *autoscalingv2.MetricSpec) (a kube.Answer) {
	if m.Type == autoscalingv2.ResourceMetricSourceType {
		a.Resource, a.Err = s.resources.List(context.Background(), metav1.ListOptions{LabelSelector: "app=web"})
		return a
	}
	metric, namespaced := metricOf(m), s.custom.NamespacedMetrics("shop")
	selector, err := metav1.LabelSelectorAsSelector(metric.Selector)
	switch {
	case err != nil:
		a.Err = err
	case m.Type == autoscalingv2.PodsMetricSourceType:
		a.Pods, a.Err = namespaced.GetForObjects(schema.GroupKind{Kind: "Pod"}, app("web"), metric.Name, selector)
	case m.Type == autoscalingv2.ExternalMetricSourceType:
		a.External, a.Err = s.external.NamespacedMetrics("shop").List(metric.Name, selector)
	case m.Object.DescribedObject.Kind == "Namespace" && m.Object.DescribedObject.APIVersion != "apps/v1":
		a.Object, a.Err = s.custom.RootScopedMetrics().GetForObject(schema.GroupKind{Kind: "Namespace"}, "shop", metric.Name, selector)
	default:
		of := m.Object.DescribedObject
		a.Object, a.Err = namespaced.GetForObject(schema.FromAPIVersionAndKind(of.APIVersion, of.Kind).GroupKind(), of.Name, metric.Name, selector)
	}
	return a
}

func metricOf(m *autoscalingv2.MetricSpec) *autoscalingv2.MetricIdentifier {
	switch m.Type {
	case autoscalingv2.PodsMetricSourceType:
		return &m.Pods.Metric
	case autoscalingv2.ObjectMetricSourceType:
		return &m.Object.Metric
	}
	return &m.External.Metric
}

// requireSame asks the API about a metric in both ways: the requests and what is read
// are the same.
func (s *apiServer) requireSame(t testing.TB, m autoscaling.MetricSpec) {
	t.Helper()
	spec := autoscaling.NewSpec(1, 10, m)
	pods := []podgroup.Pod{{Name: "web-0"}, {Name: "web-1"}, {Name: "pod-0"}}
	asked, err := kube.APISpec(&spec)
	require.NoError(t, err)
	read := func(a kube.Answer) calculator.Reading {
		var readers kube.Readers
		all, err := readers.Read(&spec, pods, []kube.Answer{a})
		require.NoError(t, err)
		return all[0]
	}
	s.asked = nil
	want := read(s.ask(&asked.Metrics[0]))
	requests := s.asked
	s.asked = nil
	q := question{Question: Question{Namespace: "shop", Selector: app("web")}, ctx: context.Background(), apis: &s.apis}
	got := read(q.ask(&asked.Metrics[0]))
	require.Equal(t, requests, s.asked)
	require.Equal(t, fmt.Sprint(want.Err), fmt.Sprint(got.Err), "%s: %q", m.Type, s.body)
	want.Err, got.Err = nil, nil
	require.Equal(t, fmt.Sprintf("%+v", want), fmt.Sprintf("%+v", got), "%s: %q", m.Type, s.body)
}

// sources are metrics of each API.
var sources = []autoscaling.MetricSpec{
	autoscaling.ResourceUtilizationMetric("cpu", 50),
	autoscaling.PodsAverageValueMetric("qps", metrics.MustParseQuantity("5")),
	autoscaling.ObjectValueMetric(autoscaling.CrossVersionObjectReference{Kind: "Pod", Name: "web-0"}, "qps", metrics.MustParseQuantity("5")),
	autoscaling.ExternalValueMetric("depth", metrics.MustParseQuantity("5")),
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

// TestAsksAsClients: the requests are those of the clients, and so are the errors.
func TestAsksAsClients(t *testing.T) {
	s, list := newAPIServer(t), []autoscaling.MetricSpec(nil)
	five := metrics.MustParseQuantity("5")
	for _, of := range []autoscaling.CrossVersionObjectReference{
		{Kind: "Pod", Name: "web-0"}, {Kind: "Deployment", APIVersion: "apps/v1", Name: "web"}, {Kind: "Namespace", Name: "other"}, {Kind: "Namespace", APIVersion: "v1", Name: "shop"},
		{Kind: "Secret", Name: "unknown"}, {Kind: "Pod"}, {Kind: "Pod", Name: "a/b"}, {Kind: "Namespace", APIVersion: "apps/v1", Name: "shop"},
	} {
		list = append(list, autoscaling.ObjectValueMetric(of, "qps", five))
	}
	list = append(list, sources...)
	list = append(list, autoscaling.PodsAverageValueMetric("a/b", five), autoscaling.ExternalValueMetric("a%b c", five))
	for _, selector := range []*autoscaling.LabelSelector{
		{MatchLabels: map[string]string{"path": "a", "b": ""}}, {}, {MatchExpressions: []autoscaling.LabelSelectorRequirement{{Key: "a", Operator: "NotIn", Values: []string{"x", "y"}}}},
		{MatchExpressions: []autoscaling.LabelSelectorRequirement{{Key: "a", Operator: "None"}}},
	} {
		for _, m := range []autoscaling.MetricSpec{sources[1], sources[2], sources[3]} {
			switch m.Type {
			case autoscaling.PodsMetricSourceType:
				of := *m.Pods
				of.Metric.Selector, m.Pods = selector, &of
			case autoscaling.ObjectMetricSourceType:
				of := *m.Object
				of.Metric.Selector, m.Object = selector, &of
			default:
				of := *m.External
				of.Metric.Selector, m.External = selector, &of
			}
			list = append(list, m)
		}
	}
	status := encoded(t, &metav1.Status{Status: metav1.StatusFailure, Message: "no", Code: 503, Reason: "ServiceUnavailable"}, runtime.ContentTypeJSON)
	for _, answer := range []struct {
		code  int
		media string
		body  []byte
	}{
		{200, "application/json", []byte(`{"kind":"MetricValueList","apiVersion":"custom.metrics.k8s.io/v1beta2","metadata":{},"items":[]}`)},
		{200, "application/json; charset=utf-8", []byte(`{}`)}, {200, "text/html", []byte("<html>")}, {200, "application/json", nil},
		{503, "application/json", status}, {404, "text/plain", []byte("404 page not found")}, {500, "application/json", []byte("oops")}, {403, "application/vnd.kubernetes.protobuf", []byte("x")},
	} {
		s.code, s.media, s.body = answer.code, answer.media, answer.body
		for _, m := range list {
			s.requireSame(t, m)
		}
	}
	s.code, s.media, s.body = 200, "application/json", []byte(`{}`)
	preferred := s.apis.versions.(customVersion)
	for _, v := range []schema.GroupVersion{v1beta1.SchemeGroupVersion, {}} {
		*preferred.GroupVersion = v
		s.requireSame(t, sources[1])
	}
}

// TestBodiesEqualClients: whatever body an API sends, it is read as the client of that
// API reads it, errors included.
func TestBodiesEqualClients(t *testing.T) {
	s, bodies := newAPIServer(t), apiBodies(t)
	for _, body := range bodies {
		s.requireEqual(t, body)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 4000 {
		s.requireEqual(t, damage(r, bodies))
	}
}

func (s *apiServer) requireEqual(t testing.TB, body []byte) {
	s.body, s.media = body, runtime.ContentTypeJSON
	if bytes.HasPrefix(body, []byte(magic)) {
		s.media = runtime.ContentTypeProtobuf
	}
	for _, m := range sources {
		s.requireSame(t, m)
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

func FuzzBodies(f *testing.F) {
	for _, body := range apiBodies(f) {
		f.Add(body)
	}
	s := newAPIServer(f)
	f.Fuzz(func(t *testing.T, body []byte) { s.requireEqual(t, body) })
}
