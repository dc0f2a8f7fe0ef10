package clustertest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	custommetrics "k8s.io/metrics/pkg/apis/custom_metrics/v1beta2"
	externalmetrics "k8s.io/metrics/pkg/apis/external_metrics/v1beta1"
	resourcemetrics "k8s.io/metrics/pkg/apis/metrics/v1beta1"
	"k8s.io/metrics/pkg/client/clientset/versioned/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// World is the kubelet, and the three metrics APIs behind the aggregator: it
// runs the pods of the namespaces, and shares their load out among them.
type World struct {
	client client.Client

	mu         sync.Mutex
	namespaces map[string]*Load
	pods       map[string][]corev1.Pod // of a namespace, by name
	apps       map[string][]string     // those of a namespace that ever had pods
	asked      map[string][]string     // what was answered about an app, by namespace and name
	refused    string                  // a group that cannot be discovered
}

// Load is what goes on in a namespace, the same for each of its apps.
type Load struct {
	CPU     int64         // milli-cores of all pods
	QPS     int64         // milli-requests a second of all pods
	Queue   int64         // milli-messages
	Silent  int           // how many pods there are no samples of, whichever there are
	Unready int           // how many of the pods that there are never became ready
	Fails   string        // the group of the metrics API that answers with an error
	Hangs   chan struct{} // answers wait until this is closed

	marked map[string][]string // which pods there were, by app
}

// NewWorld returns a world without namespaces.
func NewWorld(c client.Client) *World {
	return &World{client: c, namespaces: map[string]*Load{}, pods: map[string][]corev1.Pod{}, apps: map[string][]string{}, asked: map[string][]string{}}
}

// Simulate starts to run the pods of the namespace.
func (w *World) Simulate(namespace string) { w.Set(Load{}, namespace) }

// Set changes the load of namespaces, all at once.
func (w *World) Set(l Load, namespaces ...string) {
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
func (l *Load) among(n int, p *corev1.Pod) bool {
	i := slices.Index(l.marked[p.Labels["app"]], p.Name)
	return 0 <= i && i < n
}

// ready is whether the pod should be.
func (l *Load) ready(p *corev1.Pod) corev1.ConditionStatus {
	if l.among(l.Unready, p) {
		return corev1.ConditionFalse
	}
	return corev1.ConditionTrue
}

// runs reports whether the pod runs, and is as ready as it should be.
func (l *Load) runs(p *corev1.Pod) bool {
	return p.Status.Phase == corev1.PodRunning && len(p.Status.Conditions) > 0 && p.Status.Conditions[0].Status == l.ready(p)
}

// Settled returns what there is of each app of the namespace, or an error while
// that is about to change: pods come, go, or become what the load asks for.
func (w *World) Settled(ctx context.Context, namespace string) (map[string]string, error) {
	var deployments appsv1.DeploymentList
	var live corev1.PodList
	if err := errors.Join(w.client.List(ctx, &deployments, client.InNamespace(namespace)), w.client.List(ctx, &live, client.InNamespace(namespace))); err != nil {
		return nil, err
	}
	pods, ready, err := w.census(namespace, live.Items)
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	for i := range deployments.Items {
		d := &deployments.Items[i]
		n, s := *d.Spec.Replicas, &d.Status
		if s.ObservedGeneration != d.Generation || s.Replicas != n || pods[d.Name] != n || s.ReadyReplicas != ready[d.Name] {
			return nil, fmt.Errorf("deployment %s/%s has %d of %d pods", namespace, d.Name, pods[d.Name], n)
		}
		all[d.Name] = fmt.Sprintf("%d pods, %d ready", n, ready[d.Name])
	}
	return all, nil
}

// census counts the pods of each app. All run as the load asks for, and are
// what the metrics APIs know.
func (w *World) census(namespace string, live []corev1.Pod) (pods, ready map[string]int32, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	l, known := w.namespaces[namespace], map[types.UID]string{}
	for i := range w.pods[namespace] {
		known[w.pods[namespace][i].UID] = w.pods[namespace][i].ResourceVersion
	}
	pods, ready = map[string]int32{}, map[string]int32{}
	for i := range live {
		p := &live[i]
		if known[p.UID] != p.ResourceVersion || !l.runs(p) {
			return nil, nil, fmt.Errorf("pod %s/%s changes", namespace, p.Name)
		}
		pods[p.Labels["app"]]++
		if l.ready(p) == corev1.ConditionTrue {
			ready[p.Labels["app"]]++
		}
	}
	if len(known) != len(live) {
		return nil, nil, fmt.Errorf("pods of %s end", namespace)
	}
	return pods, ready, nil
}

// Refuse makes one group impossible to discover.
func (w *World) Refuse(group string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.refused = group
}

// Answers returns what was answered about an app since the last call.
func (w *World) Answers(namespace, app string) []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	key := namespace + "/" + app
	defer delete(w.asked, key)
	return w.asked[key]
}

// Running counts the pods of an app that run.
func (w *World) Running(namespace, app string) int {
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
func (w *World) kubelet(ctx context.Context) {
	for ctx.Err() == nil {
		w.mu.Lock()
		loads := make(map[string]*Load, len(w.namespaces))
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

func (w *World) runPods(ctx context.Context, namespace string, l *Load) {
	var list corev1.PodList
	if err := w.client.List(ctx, &list, client.InNamespace(namespace)); err != nil {
		return // the next round tries again
	}
	items := slices.DeleteFunc(list.Items, func(p corev1.Pod) bool { return p.DeletionTimestamp != nil })
	for i := range items {
		p := &items[i]
		if l.runs(p) {
			continue
		}
		// Long past its initialization. One that is not ready changed within
		// its readiness delay, so it never was.
		started := metav1.NewTime(time.Now().Add(-time.Hour).Truncate(time.Second))
		p.Status.Phase, p.Status.StartTime = corev1.PodRunning, &started
		p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: l.ready(p), LastTransitionTime: metav1.NewTime(started.Add(10 * time.Second))}}
		_ = w.client.Status().Update(ctx, p) // the next round tries again
	}
	slices.SortFunc(items, func(a, b corev1.Pod) int { return cmp.Compare(a.Name, b.Name) })
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pods[namespace] = items
	for i := range items {
		if app := items[i].Labels["app"]; !slices.Contains(w.apps[namespace], app) {
			w.apps[namespace] = append(w.apps[namespace], app)
		}
	}
}

// metricsGroups are the metrics APIs, and their versions.
var metricsGroups = map[string]string{"metrics.k8s.io": "v1beta1", "custom.metrics.k8s.io": "v1beta2", "external.metrics.k8s.io": "v1beta1"}

// APIService names the registration of a metrics API.
func APIService(group string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apiregistration.k8s.io/v1",
		"kind":       "APIService",
		"metadata":   map[string]any{"name": metricsGroups[group] + "." + group},
	}}
}

// Serve starts the kubelet and the metrics APIs, and registers these.
func (w *World) Serve(ctx context.Context) error {
	if err := serveMetrics(ctx, w.client, w); err != nil {
		return err
	}
	go w.kubelet(ctx)
	return nil
}

// serveMetrics serves the metrics APIs until the context ends, and registers
// them.
func serveMetrics(ctx context.Context, c client.Client, h http.Handler) error {
	server := httptest.NewTLSServer(h)
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
	err = c.Create(ctx, &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "metrics"},
		Spec:       corev1.ServiceSpec{Type: corev1.ServiceTypeExternalName, ExternalName: host},
	})
	if err != nil {
		return err
	}
	for group, version := range metricsGroups {
		s := APIService(group)
		s.Object["spec"] = map[string]any{
			"group": group, "version": version,
			"service":               map[string]any{"namespace": "default", "name": "metrics", "port": port},
			"insecureSkipTLSVerify": true,
			"groupPriorityMinimum":  int64(100), "versionPriority": int64(100),
		}
		if err := c.Create(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// ServeHTTP answers as the three metrics APIs do.
func (w *World) ServeHTTP(rw http.ResponseWriter, req *http.Request) {
	parts := strings.Split(strings.Trim(req.URL.Path, "/"), "/")
	if len(parts) == 3 && parts[0] == "apis" {
		w.mu.Lock()
		refused := w.refused == parts[1]
		w.mu.Unlock()
		if refused {
			http.Error(rw, "refused", http.StatusServiceUnavailable)
			return
		}
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
	l := Load{}
	if set := w.namespaces[namespace]; set != nil {
		l = *set
	}
	var heard []corev1.Pod
	silent := map[string]int{}
	for _, p := range w.pods[namespace] {
		if p.Status.Phase == corev1.PodRunning && selector.Matches(labels.Set(p.Labels)) {
			if app := p.Labels["app"]; silent[app] < l.Silent {
				silent[app]++
				continue
			}
			heard = append(heard, p)
		}
	}
	apps := slices.Clone(w.apps[namespace])
	w.mu.Unlock()
	if l.Hangs != nil {
		select {
		case <-l.Hangs:
		case <-req.Context().Done():
			return
		}
	}
	note := func(format string, args ...any) { w.note(namespace, selector, fmt.Sprintf(format, args...)) }
	if l.Fails == group {
		note("%s fails", group)
		answer(rw, http.StatusInternalServerError, metav1.Status{
			TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: metav1.StatusFailure,
			Code: http.StatusInternalServerError, Reason: metav1.StatusReasonInternalError, Message: "the metrics are lost",
		})
		return
	}
	// Shared out among the pods of the app that there are samples of.
	of := map[string]int64{}
	for _, p := range heard {
		of[p.Labels["app"]]++
	}
	share := func(all int64, p *corev1.Pod) resource.Quantity {
		return *resource.NewMilliQuantity(all/of[p.Labels["app"]], resource.DecimalSI)
	}
	now := metav1.Now()
	switch group {
	case "metrics.k8s.io":
		list := resourcemetrics.PodMetricsList{TypeMeta: metav1.TypeMeta{APIVersion: "metrics.k8s.io/v1beta1", Kind: "PodMetricsList"}, Items: []resourcemetrics.PodMetrics{}}
		for _, p := range heard {
			list.Items = append(list.Items, resourcemetrics.PodMetrics{
				ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: p.Name, Labels: p.Labels},
				Timestamp:  now, Window: metav1.Duration{Duration: time.Second},
				Containers: []resourcemetrics.ContainerMetrics{{Name: "app", Usage: corev1.ResourceList{"cpu": share(l.CPU, &p)}}},
			})
		}
		if selector.Empty() {
			for _, app := range apps {
				w.note(namespace, labels.SelectorFromSet(labels.Set{"app": app}), fmt.Sprintf("%d pods use %dm", of[app], l.CPU))
			}
		} else {
			note("%d pods use %dm", len(heard), l.CPU)
		}
		ServePodMetrics(rw, req, &list)
	case "custom.metrics.k8s.io":
		note("%d pods serve %dm", len(heard), l.QPS)
		list := custommetrics.MetricValueList{TypeMeta: metav1.TypeMeta{APIVersion: "custom.metrics.k8s.io/v1beta2", Kind: "MetricValueList"}, Items: []custommetrics.MetricValue{}}
		for _, p := range heard {
			list.Items = append(list.Items, custommetrics.MetricValue{
				DescribedObject: corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: namespace, Name: p.Name},
				Metric:          custommetrics.MetricIdentifier{Name: "qps"},
				Timestamp:       now, Value: share(l.QPS, &p),
			})
		}
		answer(rw, http.StatusOK, list)
	case "external.metrics.k8s.io":
		note("%dm wait", l.Queue)
		answer(rw, http.StatusOK, externalmetrics.ExternalMetricValueList{
			TypeMeta: metav1.TypeMeta{APIVersion: "external.metrics.k8s.io/v1beta1", Kind: "ExternalMetricValueList"},
			Items:    []externalmetrics.ExternalMetricValue{{MetricName: "queue", Timestamp: now, Value: *resource.NewMilliQuantity(l.Queue, resource.DecimalSI)}},
		})
	}
}

// note keeps what is answered about the app, or the queue of its name.
func (w *World) note(namespace string, selector labels.Selector, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, label := range []string{"app", "queue"} {
		if name, ok := selector.RequiresExactMatch(label); ok {
			key := namespace + "/" + name
			w.asked[key] = append(w.asked[key], text)
		}
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

// ServePodMetrics answers in protobuf if the client accepts that, as metrics-server
// does, and returns how many bytes that were.
func ServePodMetrics(rw http.ResponseWriter, req *http.Request, list *resourcemetrics.PodMetricsList) int {
	media := runtime.ContentTypeJSON
	if strings.Contains(req.Header.Get("Accept"), runtime.ContentTypeProtobuf) {
		media = runtime.ContentTypeProtobuf
	}
	info, _ := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), media)
	body, err := runtime.Encode(scheme.Codecs.EncoderForVersion(info.Serializer, resourcemetrics.SchemeGroupVersion), list)
	if err != nil {
		http.Error(rw, err.Error(), http.StatusInternalServerError)
		return 0
	}
	rw.Header().Set("Content-Type", media)
	_, _ = rw.Write(body) // the client went away
	return len(body)
}

func answer(rw http.ResponseWriter, code int, body any) {
	rw.Header().Set("Content-Type", "application/json")
	rw.WriteHeader(code)
	_ = json.NewEncoder(rw).Encode(body) // the client went away
}
