package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metricsv1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"

	"github.com/purehpa/hpa/examples/internal/cluster/clustertest"
)

// fakeAPI is an API server with autoscalers of Deployments, each of two pods,
// that counts what it is asked.
type fakeAPI struct {
	*httptest.Server
	// hangs is the path that gets no answer.
	hangs string
	all   []autoscalingv2.HorizontalPodAutoscaler
	mu    sync.Mutex
	asked map[string]int
}

// names are what differs between requests of one kind.
var names = regexp.MustCompile(`(namespaces|deployments|horizontalpodautoscalers)/[^/]+`)

func newFakeAPI(t *testing.T, namespaces, each int) *fakeAPI {
	f := &fakeAPI{asked: map[string]int{}}
	for n := range namespaces {
		for i := range each {
			a := autoscalingv2.HorizontalPodAutoscaler{Spec: clustertest.Limited(fmt.Sprintf("app-%d", i), 60)}
			a.Namespace, a.Name, a.UID = fmt.Sprintf("ns-%d", n), a.Spec.ScaleTargetRef.Name, "1"
			a.Spec.Metrics = a.Spec.Metrics[:1]
			f.all = append(f.all, a)
		}
	}
	f.Server = httptest.NewServer(f)
	t.Cleanup(f.Close)
	return f
}

func (f *fakeAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := r.URL.Path
	if f.hangs != "" && strings.HasPrefix(path, f.hangs) {
		<-r.Context().Done()
		return
	}
	f.mu.Lock()
	f.asked[names.ReplaceAllString(path, "$1/*")]++
	f.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	answer := f.answer(path)
	if answer == nil {
		w.WriteHeader(http.StatusNotFound)
		answer = metav1.Status{TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: "Failure", Reason: metav1.StatusReasonNotFound, Code: http.StatusNotFound}
	}
	_ = json.NewEncoder(w).Encode(answer)
}

func (f *fakeAPI) answer(path string) any {
	group := func(name, version string) metav1.APIGroup {
		v := metav1.GroupVersionForDiscovery{GroupVersion: name + "/" + version, Version: version}
		return metav1.APIGroup{Name: name, Versions: []metav1.GroupVersionForDiscovery{v}, PreferredVersion: v}
	}
	switch path {
	case "/version":
		return map[string]string{"gitVersion": "v1.37.1"}
	case "/api":
		return metav1.APIVersions{Versions: []string{"v1"}}
	case "/apis":
		return metav1.APIGroupList{Groups: []metav1.APIGroup{group("apps", "v1")}}
	case "/api/v1":
		return metav1.APIResourceList{GroupVersion: "v1"}
	case "/apis/apps/v1":
		return metav1.APIResourceList{GroupVersion: "apps/v1", APIResources: []metav1.APIResource{
			{Name: "deployments", Namespaced: true, Kind: "Deployment"},
			{Name: "deployments/scale", Namespaced: true, Group: "autoscaling", Version: "v1", Kind: "Scale"},
		}}
	case "/apis/authentication.k8s.io/v1/selfsubjectreviews":
		return authenticationv1.SelfSubjectReview{Status: authenticationv1.SelfSubjectReviewStatus{UserInfo: authenticationv1.UserInfo{Username: "jane"}}}
	case "/api/v1/namespaces":
		list := corev1.NamespaceList{}
		for i := range f.all {
			if name := f.all[i].Namespace; len(list.Items) == 0 || list.Items[len(list.Items)-1].Name != name {
				list.Items = append(list.Items, corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}})
			}
		}
		return list
	}
	parts := strings.Split(strings.Trim(path, "/"), "/")
	at := map[string]string{}
	for i := range len(parts) - 1 {
		at[parts[i]] = parts[i+1]
	}
	namespace, labels := at["namespaces"], map[string]string{"app": "any"}
	meta := func(name string) metav1.ObjectMeta {
		return metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: labels}
	}
	switch what := parts[len(parts)-1]; {
	case what == "scale":
		s := autoscalingv1.Scale{TypeMeta: metav1.TypeMeta{Kind: "Scale", APIVersion: "autoscaling/v1"}, ObjectMeta: meta(at["deployments"])}
		s.Spec.Replicas, s.Status.Replicas, s.Status.Selector = 2, 2, "app="+s.Name
		return s
	case strings.HasPrefix(path, "/apis/metrics.k8s.io/"):
		list := metricsv1.PodMetricsList{}
		for i := range 2 {
			list.Items = append(list.Items, metricsv1.PodMetrics{ObjectMeta: meta(fmt.Sprint("pod-", i)), Timestamp: metav1.Now(), Window: metav1.Duration{Duration: time.Minute},
				Containers: []metricsv1.ContainerMetrics{{Name: "app", Usage: corev1.ResourceList{"cpu": resource.MustParse("100m")}}}})
		}
		return list
	case what == "pods":
		list := corev1.PodList{}
		for i := range 2 {
			list.Items = append(list.Items, corev1.Pod{ObjectMeta: meta(fmt.Sprint("pod-", i)), Spec: corev1.PodSpec{Containers: []corev1.Container{{
				Name: "app", Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{"cpu": resource.MustParse("100m")}},
			}}}})
		}
		return list
	case what == "events":
		return corev1.EventList{}
	case at["leases"] != "":
		now := metav1.NewMicroTime(time.Now().Add(-time.Hour))
		return coordinationv1.Lease{Spec: coordinationv1.LeaseSpec{AcquireTime: &now}}
	case what == "deployments":
		list := appsv1.DeploymentList{}
		for _, a := range f.all {
			if namespace == "" || a.Namespace == namespace {
				list.Items = append(list.Items, appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: a.Namespace, Name: a.Name}, Spec: appsv1.DeploymentSpec{
					Replicas: new(int32(2)), Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": a.Name}},
				}})
			}
		}
		return list
	case at["deployments"] != "":
		return appsv1.Deployment{ObjectMeta: meta(at["deployments"])}
	case what == "horizontalpodautoscalers":
		list := autoscalingv2.HorizontalPodAutoscalerList{}
		for _, a := range f.all {
			if namespace == "" || a.Namespace == namespace {
				list.Items = append(list.Items, a)
			}
		}
		return list
	case at["horizontalpodautoscalers"] != "":
		for _, a := range f.all {
			if a.Namespace == namespace && a.Name == at["horizontalpodautoscalers"] {
				return a
			}
		}
	}
	return nil
}

// why runs why against the server.
func (f *fakeAPI) why(t *testing.T, args ...string) commandResult {
	t.Helper()
	return as(t, "", append([]string{"why", "--server=" + f.URL}, args...)...)
}

// A list asks for the scale, the pods and the metrics of each autoscaler, and
// for everything else once.
func TestRequests(t *testing.T) {
	f := newFakeAPI(t, 3, 10)
	r := f.why(t, "-A")
	require.Equal(t, statusOK, r.status, r.err)
	require.Empty(t, r.err)
	require.Equal(t, 31, strings.Count(r.out, "\n"), r.out)
	require.Equal(t, map[string]int{
		"/version": 1, "/api": 1, "/apis": 1, "/api/v1": 1, "/apis/apps/v1": 1,
		"/apis/autoscaling/v2/horizontalpodautoscalers": 1, "/apis/apps/v1/deployments": 1, "/api/v1/events": 1,
		"/apis/coordination.k8s.io/v1/namespaces/*/leases/kube-controller-manager": 1,
		"/apis/apps/v1/namespaces/*/deployments/*/scale":                           30,
		"/api/v1/namespaces/*/pods":                                                30,
		"/apis/metrics.k8s.io/v1beta1/namespaces/*/pods":                           30,
	}, f.asked)

	f = newFakeAPI(t, 1, 30)
	r = f.why(t, "app-3", "-n", "ns-0")
	require.Equal(t, statusOK, r.status, r.err)
	require.Equal(t, 1, f.asked["/apis/apps/v1/namespaces/*/deployments/*/scale"], "one of 30")
	total := 0
	for path, n := range f.asked {
		if strings.Contains(path, "namespaces") {
			total += n
		}
	}
	require.Equal(t, 8, total, f.asked)
}

// A metrics API that hangs does not keep what is known. Of many autoscalers,
// the first ones wait for it alone.
func TestHangingMetrics(t *testing.T) {
	f := newFakeAPI(t, 1, 40)
	f.hangs = "/apis/metrics.k8s.io"
	began := time.Now()
	r := f.why(t, "app-3", "-n", "ns-0", "--metrics-timeout=200ms")
	require.Equal(t, statusCluster, r.status)
	require.Contains(t, r.err, "no answer within --metrics-timeout, 200ms")
	require.Equal(t, 1, strings.Count(r.err, "\n"), r.err)
	require.Contains(t, r.out, "\nWhat is known so far\n  size             2\n  pods             2\n")
	r = f.why(t, "-A", "--metrics-timeout=200ms")
	require.Equal(t, statusOK, r.status)
	require.Equal(t, 40, strings.Count(r.out, "no answer within --metrics-timeout, 200ms"), r.out)
	require.Less(t, time.Since(began), 5*time.Second)
}

// What does not answer for a while is named, once.
func TestProgress(t *testing.T) {
	var said []string
	r := &requests{slow: func(what string) { said = append(said, what) }}
	r.warn(apiOf("/apis/metrics.k8s.io/v1beta1/namespaces/shop/pods"))
	r.warn(apiOf("/apis/metrics.k8s.io/v1beta1/namespaces/other/pods"))
	r.warn(apiOf("/version"))
	require.Equal(t, []string{"waiting for metrics.k8s.io", "waiting for the API server"}, said)
}
