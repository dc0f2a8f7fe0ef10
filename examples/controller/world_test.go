package main

import (
	"cmp"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	custommetrics "k8s.io/metrics/pkg/apis/custom_metrics/v1beta2"
	externalmetrics "k8s.io/metrics/pkg/apis/external_metrics/v1beta1"
	resourcemetrics "k8s.io/metrics/pkg/apis/metrics/v1beta1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// world is the kubelet, and the three metrics APIs behind the aggregator: it
// runs the pods of the namespaces, and shares their load out among them.
type world struct {
	client client.Client

	mu         sync.Mutex
	namespaces map[string]*load
	pods       map[string][]corev1.Pod // of a namespace, by name
	since      map[string]time.Time    // when a pod, by UID, was first seen running
}

// load is what goes on in a namespace, for each app of it alike.
type load struct {
	cpu     int64 // milli-cores of all pods
	qps     int64 // milli-requests a second of all pods
	queue   int64 // milli-messages
	silent  int   // how many pods there are no samples of, whichever there are
	unready int   // how many of the pods that there are never became ready
	fails   string
	hangs   chan struct{} // answers wait until this is closed

	marked map[string][]string // which pods there were, by app
}

// settle is how long a pod runs before the metrics APIs tell of it, so that
// whoever lists the pods has seen it then.
const settle = 400 * time.Millisecond

// plateau is how long a size has to stand before the load changes again: until
// all pods have samples, and each controller has decided on these. A pod that is
// still missing would count as using its request on the way down.
const plateau = settle + 5*syncPeriod/2

func newWorld(c client.Client) *world {
	return &world{client: c, namespaces: map[string]*load{}, pods: map[string][]corev1.Pod{}, since: map[string]time.Time{}}
}

// simulate starts to run the pods of the namespace.
func (w *world) simulate(namespace string) { w.set(load{}, namespace) }

// set changes the load of namespaces, all at once.
func (w *world) set(l load, namespaces ...string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, ns := range namespaces {
		l := l
		l.marked = map[string][]string{}
		for _, p := range w.pods[ns] {
			l.marked[p.Labels["app"]] = append(l.marked[p.Labels["app"]], p.Name)
		}
		w.namespaces[ns] = &l
	}
}

// among reports whether the pod is one of the first n of its app when the load
// was set.
func (l *load) among(n int, p *corev1.Pod) bool {
	i := slices.Index(l.marked[p.Labels["app"]], p.Name)
	return 0 <= i && i < n
}

// running counts the pods of an app that run.
func (w *world) running(namespace, app string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := 0
	for i := range w.pods[namespace] {
		if p := &w.pods[namespace][i]; p.Labels["app"] == app && p.Status.Phase == corev1.PodRunning {
			n++
		}
	}
	return n
}

// kubelet runs pods until the context ends.
func (w *world) kubelet(ctx context.Context) {
	for ctx.Err() == nil {
		w.mu.Lock()
		loads := make(map[string]*load, len(w.namespaces))
		for ns, l := range w.namespaces {
			loads[ns] = l
		}
		w.mu.Unlock()
		for ns, l := range loads {
			w.runPods(ctx, ns, l)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func (w *world) runPods(ctx context.Context, namespace string, l *load) {
	var list corev1.PodList
	if err := w.client.List(ctx, &list, client.InNamespace(namespace)); err != nil {
		return // the next round tries again
	}
	items := slices.DeleteFunc(list.Items, func(p corev1.Pod) bool { return p.DeletionTimestamp != nil })
	for i := range items {
		p := &items[i]
		ready := corev1.ConditionTrue
		if l.among(l.unready, p) {
			ready = corev1.ConditionFalse
		}
		if p.Status.Phase == corev1.PodRunning && len(p.Status.Conditions) > 0 && p.Status.Conditions[0].Status == ready {
			continue
		}
		// Long past its initialization. One that is not ready changed within
		// its readiness delay, so it never was.
		started := metav1.NewTime(time.Now().Add(-time.Hour).Truncate(time.Second))
		p.Status.Phase, p.Status.StartTime = corev1.PodRunning, &started
		p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: ready, LastTransitionTime: metav1.NewTime(started.Add(10 * time.Second))}}
		_ = w.client.Status().Update(ctx, p) // the next round tries again
	}
	slices.SortFunc(items, func(a, b corev1.Pod) int { return cmp.Compare(a.Name, b.Name) })
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pods[namespace] = items
	for i := range items {
		if uid := string(items[i].UID); items[i].Status.Phase == corev1.PodRunning && w.since[uid].IsZero() {
			w.since[uid] = time.Now()
		}
	}
}

// serve starts the kubelet and the metrics APIs, and registers these.
func (w *world) serve(ctx context.Context) error {
	server := httptest.NewTLSServer(w)
	context.AfterFunc(ctx, server.Close)
	where, err := url.Parse(server.URL)
	if err != nil {
		return err
	}
	host, text, err := net.SplitHostPort(where.Host)
	if err != nil {
		return err
	}
	number, err := strconv.Atoi(text)
	if err != nil {
		return err
	}
	port := int64(number)
	err = w.client.Create(ctx, &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "metrics"},
		Spec:       corev1.ServiceSpec{Type: corev1.ServiceTypeExternalName, ExternalName: host},
	})
	if err != nil {
		return err
	}
	for group, version := range map[string]string{"metrics.k8s.io": "v1beta1", "custom.metrics.k8s.io": "v1beta2", "external.metrics.k8s.io": "v1beta1"} {
		err := w.client.Create(ctx, &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "apiregistration.k8s.io/v1",
			"kind":       "APIService",
			"metadata":   map[string]any{"name": version + "." + group},
			"spec": map[string]any{
				"group": group, "version": version,
				"service":               map[string]any{"namespace": "default", "name": "metrics", "port": port},
				"insecureSkipTLSVerify": true,
				"groupPriorityMinimum":  int64(100), "versionPriority": int64(100),
			},
		}})
		if err != nil {
			return err
		}
	}
	go w.kubelet(ctx)
	return nil
}

// ServeHTTP answers as the three metrics APIs do.
func (w *world) ServeHTTP(rw http.ResponseWriter, req *http.Request) {
	parts := strings.Split(strings.Trim(req.URL.Path, "/"), "/")
	if len(parts) == 3 && parts[0] == "apis" {
		answer(rw, http.StatusOK, resources(parts[1], parts[2]))
		return
	}
	if len(parts) < 6 || parts[3] != "namespaces" {
		http.NotFound(rw, req)
		return
	}
	group, namespace := parts[1], parts[4]
	selector, err := labels.Parse(req.URL.Query().Get("labelSelector"))
	if err != nil {
		http.Error(rw, err.Error(), http.StatusBadRequest)
		return
	}
	w.mu.Lock()
	l := load{}
	if set := w.namespaces[namespace]; set != nil {
		l = *set
	}
	var heard []corev1.Pod
	silent := map[string]int{}
	for _, p := range w.pods[namespace] {
		since := w.since[string(p.UID)]
		if !since.IsZero() && time.Since(since) >= settle && selector.Matches(labels.Set(p.Labels)) {
			if app := p.Labels["app"]; silent[app] < l.silent {
				silent[app]++
				continue
			}
			heard = append(heard, p)
		}
	}
	w.mu.Unlock()
	if l.hangs != nil {
		select {
		case <-l.hangs:
		case <-req.Context().Done():
			return
		}
	}
	if l.fails == group {
		answer(rw, http.StatusInternalServerError, metav1.Status{
			TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: metav1.StatusFailure,
			Code: http.StatusInternalServerError, Reason: metav1.StatusReasonInternalError, Message: "the metrics are lost",
		})
		return
	}
	// Shared out among the pods that there are samples of.
	share := func(all int64) resource.Quantity {
		return *resource.NewMilliQuantity(all/int64(max(len(heard), 1)), resource.DecimalSI)
	}
	now := metav1.Now()
	switch group {
	case "metrics.k8s.io":
		list := resourcemetrics.PodMetricsList{TypeMeta: metav1.TypeMeta{APIVersion: "metrics.k8s.io/v1beta1", Kind: "PodMetricsList"}, Items: []resourcemetrics.PodMetrics{}}
		for _, p := range heard {
			list.Items = append(list.Items, resourcemetrics.PodMetrics{
				ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: p.Name},
				Timestamp:  now, Window: metav1.Duration{Duration: time.Second},
				Containers: []resourcemetrics.ContainerMetrics{{Name: "app", Usage: corev1.ResourceList{"cpu": share(l.cpu)}}},
			})
		}
		answer(rw, http.StatusOK, list)
	case "custom.metrics.k8s.io":
		list := custommetrics.MetricValueList{TypeMeta: metav1.TypeMeta{APIVersion: "custom.metrics.k8s.io/v1beta2", Kind: "MetricValueList"}, Items: []custommetrics.MetricValue{}}
		for _, p := range heard {
			list.Items = append(list.Items, custommetrics.MetricValue{
				DescribedObject: corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: namespace, Name: p.Name},
				Metric:          custommetrics.MetricIdentifier{Name: "qps"},
				Timestamp:       now, Value: share(l.qps),
			})
		}
		answer(rw, http.StatusOK, list)
	case "external.metrics.k8s.io":
		answer(rw, http.StatusOK, externalmetrics.ExternalMetricValueList{
			TypeMeta: metav1.TypeMeta{APIVersion: "external.metrics.k8s.io/v1beta1", Kind: "ExternalMetricValueList"},
			Items:    []externalmetrics.ExternalMetricValue{{MetricName: "queue", Timestamp: now, Value: *resource.NewMilliQuantity(l.queue, resource.DecimalSI)}},
		})
	}
}

func resources(group, version string) metav1.APIResourceList {
	list := metav1.APIResourceList{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "APIResourceList"}, GroupVersion: group + "/" + version}
	r := metav1.APIResource{Namespaced: true, Verbs: metav1.Verbs{"get", "list"}}
	switch group {
	case "metrics.k8s.io":
		r.Name, r.SingularName, r.Kind = "pods", "pod", "PodMetrics"
	case "custom.metrics.k8s.io":
		r.Name, r.Kind = "pods/qps", "MetricValueList"
	case "external.metrics.k8s.io":
		r.Name, r.Kind = "queue", "ExternalMetricValueList"
	}
	list.APIResources = []metav1.APIResource{r}
	return list
}

func answer(rw http.ResponseWriter, code int, body any) {
	rw.Header().Set("Content-Type", "application/json")
	rw.WriteHeader(code)
	_ = json.NewEncoder(rw).Encode(body) // the client went away
}
