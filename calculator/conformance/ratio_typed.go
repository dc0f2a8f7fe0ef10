//go:build !kubernetes132

package conformance

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	podmetrics "k8s.io/kubernetes/pkg/controller/podautoscaler/metrics"
	metricsapi "k8s.io/metrics/pkg/apis/metrics/v1beta1"
	metricsscheme "k8s.io/metrics/pkg/client/clientset/versioned/scheme"
	metricsclient "k8s.io/metrics/pkg/client/clientset/versioned/typed/metrics/v1beta1"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/kube"
	"github.com/purehpa/hpa/metrics"
)

// typedSync is what a sync has: pods from a lister, and the answer of the
// resource metrics API, which is decoded anew for each sync and sorted by name. A
// body is the answer before it is decoded, with its type.
type typedSync struct {
	pods        []*corev1.Pod
	list        *metricsapi.PodMetricsList
	body        []byte
	contentType string
}

// typedRatios returns the work from Kubernetes' types to a size, for pods of
// which few or many are others than those of the sync before. The syncs follow
// each other in a circle. There are few, since what a sync reads was just
// decoded or used, and is still in the processor's cache.
func typedRatios(n int) []Ratio {
	s, f := ratioStep(n, false), DefaultFlags()
	few := max(n/100, 1)
	cached := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	for _, p := range s.Pods {
		if err := cached.Add(p); err != nil {
			panic(err)
		}
	}
	lister := corelisters.NewPodLister(cached)
	var list []Ratio
	for _, c := range []struct {
		name  string
		syncs []typedSync
	}{
		{"none new", s.typed(2, func(int, []*corev1.Pod) {})},
		// In the order of client-go's lister, which is another one each time.
		{"none new, as listed", s.typed(2, func(_ int, pods []*corev1.Pod) {
			listed, err := lister.Pods(Namespace).List(labels.Everything())
			if err != nil || copy(pods, listed) != n {
				panic(err)
			}
		})},
		{fmt.Sprintf("%d new", few), s.typed(4, func(sync int, pods []*corev1.Pod) {
			// In the second half those of before come back.
			for i := sync % 2; i < n; i += n / few {
				if pods[i] = s.Pods[i]; sync < 2 {
					pods[i] = another(pods[i], n)
				}
			}
		})},
		{"all new", s.typed(2, func(_ int, pods []*corev1.Pod) {
			for i := range pods {
				pods[i] = another(pods[i], n)
			}
		})},
	} {
		list = append(list, Ratio{Name: fmt.Sprintf("cpu utilization from Kubernetes' types, pods=%d/%s", n, c.name), Upstream: upstreamTyped(s, f, c.syncs), Library: libraryTyped(s, f, c.syncs)})
	}
	for _, c := range []struct{ name, contentType string }{{"JSON", runtime.ContentTypeJSON}, {"protobuf", runtime.ContentTypeProtobuf}} {
		syncs := s.typed(2, func(int, []*corev1.Pod) {})
		for i := range syncs {
			syncs[i].encode(c.contentType)
		}
		list = append(list, Ratio{Name: fmt.Sprintf("cpu utilization from the wire, pods=%d/%s, none new", n, c.name), Upstream: upstreamTyped(s, f, syncs), Library: libraryTyped(s, f, syncs)})
	}
	return list
}

// encode makes the body of the answer, as an API server does.
func (s *typedSync) encode(contentType string) {
	info, _ := runtime.SerializerInfoForMediaType(metricsscheme.Codecs.SupportedMediaTypes(), contentType)
	body, err := runtime.Encode(metricsscheme.Codecs.WithoutConversion().EncoderForVersion(info.Serializer, metricsapi.SchemeGroupVersion), s.list)
	if err != nil {
		panic(err)
	}
	s.body, s.contentType = body, contentType
}

// decode returns the answer of the body, as the client of the API does.
func (s *typedSync) decode() (*metricsapi.PodMetricsList, error) {
	info, _ := runtime.SerializerInfoForMediaType(metricsscheme.Codecs.SupportedMediaTypes(), s.contentType)
	list := &metricsapi.PodMetricsList{}
	_, _, err := metricsscheme.Codecs.WithoutConversion().DecoderToVersion(info.Serializer, metricsapi.SchemeGroupVersion).Decode(s.body, nil, list)
	return list, err
}

// answer returns what the library reads.
func (s *typedSync) answer() kube.Answer {
	if s.body == nil {
		return kube.Answer{Resource: s.list}
	}
	return kube.Answer{Body: s.body}
}

// another returns a pod like p with a name at any place among those of n pods.
func another(p *corev1.Pod, n int) *corev1.Pod {
	p = p.DeepCopy()
	p.Name = fmt.Sprintf("web-7d4b9c6f5-%05d-%08x", rand.IntN(n), rand.Uint32())
	return p
}

// typed returns n syncs. Each has the pods of the one before after the change.
func (s *Step) typed(n int, change func(sync int, pods []*corev1.Pod)) []typedSync {
	syncs, pods := make([]typedSync, n), s.Pods
	for i := range syncs {
		pods = slices.Clone(pods)
		change(i, pods)
		syncs[i] = typedSync{pods: pods, list: s.typedMetrics(pods)}
	}
	return syncs
}

// typedMetrics returns what the API has of the pods, at 70% of their cpu
// request.
func (s *Step) typedMetrics(pods []*corev1.Pod) *metricsapi.PodMetricsList {
	list := &metricsapi.PodMetricsList{}
	for _, p := range pods {
		list.Items = append(list.Items, metricsapi.PodMetrics{
			ObjectMeta: metav1.ObjectMeta{Name: string([]byte(p.Name)), Namespace: Namespace},
			Timestamp:  metav1.Time{Time: s.Now.Add(-10 * time.Second)},
			Window:     metav1.Duration{Duration: 15 * time.Second},
			Containers: []metricsapi.ContainerMetrics{{Name: "app", Usage: corev1.ResourceList{
				corev1.ResourceCPU:    *resource.NewScaledQuantity(350_000_000+rand.Int64N(6_000_000), resource.Nano),
				corev1.ResourceMemory: *resource.NewQuantity(200<<20+rand.Int64N(1<<20), resource.BinarySI),
			}}},
		})
	}
	slices.SortFunc(list.Items, func(a, b metricsapi.PodMetrics) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// typedAPI is the resource metrics API in one sync.
type typedAPI struct {
	metricsclient.PodMetricsInterface
	sync *typedSync
}

func (a *typedAPI) PodMetricses(string) metricsclient.PodMetricsInterface { return a }

func (a *typedAPI) List(context.Context, metav1.ListOptions) (*metricsapi.PodMetricsList, error) {
	if a.sync.body == nil {
		return a.sync.list, nil
	}
	return a.sync.decode()
}

func upstreamTyped(s *Step, f Flags, syncs []typedSync) func(*testing.B) {
	return func(b *testing.B) {
		u, one := NewUpstream(f), *s
		u.step = &one
		api := new(typedAPI)
		calc := newCalculator(podmetrics.NewRESTMetricsClient(api, nil, nil), (*podLister)(u), &f)
		tolerances := upstreamTolerances(metrics.Symmetric(f.Tolerance))
		everything := labels.Everything()
		b.ReportAllocs()
		b.ResetTimer()
		for i := range b.N {
			sync := &syncs[i%len(syncs)]
			one.Pods, api.sync = sync.pods, sync
			if n, _, _, _, err := calc.GetResourceReplicas(u.ctx, s.SpecReplicas, ratioTarget, corev1.ResourceCPU, tolerances, Namespace, everything, ""); err != nil || n <= s.SpecReplicas {
				b.Fatal(n, err)
			}
		}
	}
}

func libraryTyped(s *Step, f Flags, syncs []typedSync) func(*testing.B) {
	return func(b *testing.B) {
		var pods kube.Pods
		var readers kube.Readers
		spec := autoscaling.NewSpec(1, math.MaxInt32, autoscaling.ResourceUtilizationMetric(string(corev1.ResourceCPU), ratioTarget))
		m := calculator.PodMetric{
			Resource: string(corev1.ResourceCPU), CurrentReplicas: s.SpecReplicas,
			Tolerance: metrics.Symmetric(f.Tolerance), ReadinessSettings: f.Settings().ReadinessSettings,
		}
		run := func(sync *typedSync) {
			var err error
			if m.Pods, err = pods.Convert(sync.pods); err != nil {
				b.Fatal(err)
			}
			m.Group = pods.Group()
			readings, err := readers.Read(&spec, m.Pods, []kube.Answer{sync.answer()})
			if err != nil {
				b.Fatal(err)
			}
			m.Samples, m.Strays = readings[0].Samples, readings[0].Strays
			if p, err := calculator.ProposeResourceUtilization(s.Now, &m, ratioTarget); err != nil || p.Replicas <= s.SpecReplicas || len(m.Strays) > 0 {
				b.Fatal(p, err)
			}
		}
		for i := range syncs {
			run(&syncs[i])
		}
		b.ReportAllocs()
		b.ResetTimer()
		for i := range b.N {
			run(&syncs[i%len(syncs)])
		}
	}
}
