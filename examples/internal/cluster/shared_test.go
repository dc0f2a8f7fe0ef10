package cluster

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	resourcemetrics "k8s.io/metrics/pkg/apis/metrics/v1beta1"
	"k8s.io/metrics/pkg/client/clientset/versioned/scheme"

	"github.com/purehpa/hpa/calculator/kube"
	"github.com/purehpa/hpa/examples/internal/cluster/clustertest"
)

// podMetrics returns metrics of pods of the apps, by turns.
func podMetrics(pods int, apps ...string) *resourcemetrics.PodMetricsList {
	list := &resourcemetrics.PodMetricsList{ListMeta: metav1.ListMeta{ResourceVersion: "7"}}
	for i := range pods {
		list.Items = append(list.Items, resourcemetrics.PodMetrics{
			ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("pod-", i), Labels: labels.Set{"app": apps[i%len(apps)]}},
			Containers: []resourcemetrics.ContainerMetrics{{Name: "app", Usage: corev1.ResourceList{"cpu": *resource.NewMilliQuantity(int64(i), resource.DecimalSI)}}},
		})
	}
	return list
}

func encode(t testing.TB, list *resourcemetrics.PodMetricsList, accept string) []byte {
	rw := httptest.NewRecorder()
	clustertest.ServePodMetrics(rw, &http.Request{Header: http.Header{"Accept": {accept}}}, list)
	require.Equal(t, http.StatusOK, rw.Code)
	return rw.Body.Bytes()
}

func decode(body []byte) (*resourcemetrics.PodMetricsList, error) {
	list := new(resourcemetrics.PodMetricsList)
	return list, runtime.DecodeInto(scheme.Codecs.UniversalDecoder(resourcemetrics.SchemeGroupVersion), body, list)
}

func app(name string) labels.Selector { return labels.SelectorFromSet(labels.Set{"app": name}) }

// TestShared: those who ask since a time have one request, and each has its own pods'
// answer.
func TestShared(t *testing.T) {
	var requests int
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, req *http.Request) {
		requests++
		require.Empty(t, req.URL.Query().Get("labelSelector"))
		clustertest.ServePodMetrics(rw, req, podMetrics(10, "web", "db"))
	}))
	t.Cleanup(server.Close)
	apis, err := NewMetricsAPIs(&rest.Config{Host: server.URL}, nil, nil)
	require.NoError(t, err)
	ask := func(name string, since time.Time) *resourcemetrics.PodMetricsList {
		q := question{ctx: t.Context(), apis: &apis, Question: Question{Namespace: "shop", Selector: app(name), Since: since}}
		a := q.ofResources()
		require.NoError(t, a.Err)
		list, err := decode(a.Body)
		require.NoError(t, err)
		return list
	}
	since := time.Now()
	web, db := ask("web", since), ask("db", since)
	require.Equal(t, 1, requests)
	require.Equal(t, "7", web.ResourceVersion)
	for i := range 5 {
		require.Equal(t, fmt.Sprint("pod-", 2*i), web.Items[i].Name)
		require.Equal(t, fmt.Sprint("pod-", 2*i+1), db.Items[i].Name)
	}
	require.Empty(t, ask("none", since).Items)
	require.Equal(t, 1, requests)

	ask("web", time.Now())
	require.Equal(t, 2, requests, "an answer from before the sync")
}

// TestSharedWait: whoever comes while an answer is asked for waits for it, but not
// longer than its own context. An error is that of all.
func TestSharedWait(t *testing.T) {
	var s shared
	asked, release := make(chan bool, 9), make(chan kube.Answer)
	all := func(ctx context.Context) kube.Answer {
		asked <- true
		a := <-release
		require.NoError(t, ctx.Err())
		return a
	}
	since := time.Now()
	ctx, cancel := context.WithCancel(t.Context())
	first := make(chan kube.Answer)
	go func() {
		a, ok := s.ask(ctx, "shop", app("web"), since, all)
		require.True(t, ok)
		first <- a
	}()
	<-asked
	cancel()
	require.ErrorIs(t, (<-first).Err, context.Canceled)

	var wait sync.WaitGroup
	lost := errors.New("the metrics are lost")
	for range 3 {
		wait.Go(func() {
			a, ok := s.ask(t.Context(), "shop", app("db"), since, all)
			require.True(t, ok)
			require.Equal(t, kube.Answer{Err: lost}, a)
		})
	}
	release <- kube.Answer{Err: lost}
	wait.Wait()
	require.Empty(t, asked, "more than one request")
}

// TestSharedUseless: nothing is shared if the answer cannot be divided, and sharing ends
// when less than half of its pods were asked about.
func TestSharedUseless(t *testing.T) {
	unlabeled := podMetrics(4, "web")
	for i := range unlabeled.Items {
		unlabeled.Items[i].Labels = nil
	}
	for name, c := range map[string]struct {
		body          []byte
		shared, again bool
	}{
		"all of interest":  {encode(t, podMetrics(8, "web"), runtime.ContentTypeProtobuf), true, true},
		"half of interest": {encode(t, podMetrics(8, "web", "job"), runtime.ContentTypeProtobuf), true, true},
		"less":             {encode(t, podMetrics(9, "job", "web"), runtime.ContentTypeProtobuf), true, false},
		"none":             {encode(t, podMetrics(0, "web"), runtime.ContentTypeProtobuf), true, true},
		"JSON":             {encode(t, podMetrics(8, "web"), runtime.ContentTypeJSON), false, false},
		"without labels":   {encode(t, unlabeled, runtime.ContentTypeProtobuf), false, false},
		"cut":              {encode(t, podMetrics(8, "web"), runtime.ContentTypeProtobuf)[:50], false, false},
	} {
		var s shared
		requests := 0
		ask := func() bool {
			_, ok := s.ask(t.Context(), "shop", app("web"), time.Now(), func(context.Context) kube.Answer {
				requests++
				return kube.Answer{Body: c.body}
			})
			return ok
		}
		require.Equal(t, c.shared, ask(), name)
		require.Equal(t, c.again, ask(), name)
		require.Equal(t, 1+map[bool]int{true: 1}[c.again], requests, name)
	}
}

// FuzzDivide: the answer about selected pods is the whole answer with the other pods
// removed.
func FuzzDivide(f *testing.F) {
	f.Add(encode(f, podMetrics(5, "web", "db"), runtime.ContentTypeProtobuf), "app=web")
	f.Add(encode(f, podMetrics(3, "web"), runtime.ContentTypeProtobuf), "app!=web")
	f.Add(encode(f, podMetrics(0, "web"), runtime.ContentTypeProtobuf), "app in (web, db), !tier")
	f.Add(encode(f, podMetrics(2, "web"), runtime.ContentTypeJSON), "app=web")
	f.Add([]byte("k8s\x00"), "")
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 { // damaged
		body := encode(f, podMetrics(2, "web", "db"), runtime.ContentTypeProtobuf)
		body[r.IntN(len(body))] = byte(r.Uint32())
		f.Add(body[:r.IntN(len(body)+1)], "app=web")
	}
	f.Fuzz(func(t *testing.T, body []byte, text string) {
		selector, err := labels.Parse(text)
		if err != nil {
			t.Skip(err)
		}
		divided, err := divide(body)
		want, decodeErr := decode(body)
		if err != nil || decodeErr != nil {
			return // asked for again, or the reader's error
		}
		got, n, err := divided.about(selector)
		require.NoError(t, err)
		items := want.Items
		want.Items = nil
		for _, item := range items {
			if selector.Matches(labels.Set(item.Labels)) {
				want.Items = append(want.Items, item)
			}
		}
		require.Len(t, want.Items, n)
		list, err := decode(got)
		require.NoError(t, err)
		require.Equal(t, want, list)
	})
}
