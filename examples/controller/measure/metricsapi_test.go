package main

import (
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/metrics/pkg/apis/metrics/v1beta1"
	"k8s.io/metrics/pkg/client/clientset/versioned/scheme"
)

func TestMetricsAPI(t *testing.T) {
	m := new(metricsAPI)
	m.set(newWorkload(nil, 4, 2).apps)
	const list = "/apis/metrics.k8s.io/v1beta1/namespaces/shop-1/pods"
	for _, accept := range []string{runtime.ContentTypeJSON, runtime.ContentTypeProtobuf + ",application/json"} {
		require.Len(t, ask(t, m, list, accept).Items, 2*podsPerApp)
		one := ask(t, m, list+"?labelSelector=app%3Dapp-1", accept)
		require.Len(t, one.Items, podsPerApp)
		require.Equal(t, "app-1", one.Items[0].Labels["app"])
		require.EqualValues(t, targetLoad*1e6, sum(one)) // exactly
	}
	require.EqualValues(t, 4, m.requests.Load())
	require.Empty(t, ask(t, m, "/apis/metrics.k8s.io/v1beta1/namespaces/none/pods", runtime.ContentTypeJSON).Items)
}

func TestMoving(t *testing.T) {
	m := new(metricsAPI)
	m.set(newWorkload(nil, 1, 1).apps)
	m.moving.Store(true)
	at, last := time.Unix(0, 0), int64(0)
	for range 20 {
		now := sum(m.list("shop-0", labels.Everything(), at))
		require.NotEqual(t, last, now)
		require.InDelta(t, targetLoad*1e6, now, targetLoad*1e6*0.05)
		require.Equal(t, now, sum(m.list("shop-0", labels.Everything(), at.Add(scrapePeriod-1))))
		at, last = at.Add(scrapePeriod), now
	}
}

func ask(t *testing.T, m *metricsAPI, url, accept string) *v1beta1.PodMetricsList {
	t.Helper()
	req := httptest.NewRequest("GET", url, nil)
	req.Header.Set("Accept", accept)
	rw := httptest.NewRecorder()
	m.ServeHTTP(rw, req)
	require.Contains(t, accept, rw.Header().Get("Content-Type"))
	list := new(v1beta1.PodMetricsList)
	require.NoError(t, runtime.DecodeInto(scheme.Codecs.UniversalDecoder(v1beta1.SchemeGroupVersion), rw.Body.Bytes(), list))
	return list
}

// sum returns the usage of all pods, in nano-cores.
func sum(list *v1beta1.PodMetricsList) (n int64) {
	for _, p := range list.Items {
		n += p.Containers[0].Usage.Cpu().ScaledValue(-9)
	}
	return n
}
