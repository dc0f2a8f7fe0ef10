package main

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/metrics/pkg/apis/metrics/v1beta1"

	"github.com/purehpa/hpa/examples/internal/cluster/clustertest"
)

// scrapePeriod is how often metrics-server asks the kubelets.
const scrapePeriod = 15 * time.Second

// metricsAPI answers as metrics-server does, from memory.
type metricsAPI struct {
	namespaces map[string][]*app
	// moving makes each app's usage another one after each scrape, by up to 5 %
	// of its load.
	moving          atomic.Bool
	requests, bytes atomic.Int64
}

// set makes the apps those that there are metrics of.
func (m *metricsAPI) set(apps []*app) {
	m.namespaces = map[string][]*app{}
	for _, a := range apps {
		m.namespaces[a.namespace] = append(m.namespaces[a.namespace], a)
	}
}

// ServeHTTP answers the list of a namespace's pods, and which resources the
// groups have: those of custom and external metrics have none.
func (m *metricsAPI) ServeHTTP(rw http.ResponseWriter, req *http.Request) {
	parts := strings.Split(strings.Trim(req.URL.Path, "/"), "/")
	switch {
	case len(parts) == 3 && parts[0] == "apis":
		rw.Header().Set("Content-Type", runtime.ContentTypeJSON)
		_ = json.NewEncoder(rw).Encode(resourcesOf(parts[1], parts[2])) // the client went away
	case len(parts) == 6 && parts[1] == "metrics.k8s.io" && parts[3] == "namespaces" && parts[5] == "pods":
		m.answer(rw, req, parts[4])
	default:
		http.NotFound(rw, req)
	}
}

func resourcesOf(group, version string) metav1.APIResourceList {
	list := metav1.APIResourceList{
		TypeMeta:     metav1.TypeMeta{APIVersion: "v1", Kind: "APIResourceList"},
		GroupVersion: group + "/" + version, APIResources: []metav1.APIResource{},
	}
	if group == "metrics.k8s.io" {
		list.APIResources = append(list.APIResources, metav1.APIResource{Name: "pods", SingularName: "pod", Kind: "PodMetrics", Namespaced: true, Verbs: metav1.Verbs{"get", "list"}})
	}
	return list
}

func (m *metricsAPI) answer(rw http.ResponseWriter, req *http.Request, namespace string) {
	selector, err := labels.Parse(req.URL.Query().Get("labelSelector"))
	if err != nil {
		http.Error(rw, err.Error(), http.StatusBadRequest)
		return
	}
	m.requests.Add(1)
	m.bytes.Add(int64(clustertest.ServePodMetrics(rw, req, m.list(namespace, selector, time.Now()))))
}

// list returns the metrics of the pods as of the last scrape.
func (m *metricsAPI) list(namespace string, selector labels.Selector, now time.Time) *v1beta1.PodMetricsList {
	scraped := now.Truncate(scrapePeriod)
	list := &v1beta1.PodMetricsList{Items: []v1beta1.PodMetrics{}}
	for i, a := range m.namespaces[namespace] {
		if !selector.Matches(labels.Set(a.labels())) {
			continue
		}
		percent := int64(100)
		if m.moving.Load() {
			percent = movedPercent(scraped, i)
		}
		for p, name := range a.pods {
			list.Items = append(list.Items, v1beta1.PodMetrics{
				ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: a.labels(), CreationTimestamp: metav1.NewTime(now)},
				Timestamp:  metav1.NewTime(scraped),
				Window:     metav1.Duration{Duration: scrapePeriod},
				Containers: []v1beta1.ContainerMetrics{{Name: "app", Usage: usage(a.load.Load()*percent*1e4/podsPerApp, p)}},
			})
		}
	}
	return list
}

// movedPercent is from 95 to 105, and never twice the same in a row.
func movedPercent(scraped time.Time, app int) int64 {
	return 95 + (scraped.Unix()/int64(scrapePeriod.Seconds())*7+int64(app)*3)%11
}

// usage returns the usage of the app's p-th pod from the mean of all, in
// nano-cores. It is a little more or less than that by turns, so that it has as
// many digits as real ones, and the sum is exact.
func usage(mean int64, p int) corev1.ResourceList {
	const deviation = 123_457
	return corev1.ResourceList{
		"cpu":    *resource.NewScaledQuantity(mean+deviation*int64(1-p%2*2), resource.Nano),
		"memory": *resource.NewQuantity(187_654<<10, resource.BinarySI),
	}
}
