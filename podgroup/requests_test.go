package podgroup_test

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

func TestRequestsSetAndOf(t *testing.T) {
	var r podgroup.Requests
	names := []string{"cpu", "memory", "ephemeral-storage", "hugepages-2Mi", "example.com/gpu"}
	for _, name := range names {
		require.Equal(t, podgroup.Request{}, r.For(name), name)
	}
	for i, name := range names {
		r.Set(name, metrics.Milli(i)) // 0 is a request
	}
	for i, name := range names {
		require.Equal(t, podgroup.Requested(metrics.Milli(i)), r.For(name), name)
	}
	for i, name := range names {
		r.Set(name, metrics.Milli(10+i))
	}
	for i, name := range names {
		require.Equal(t, podgroup.Request{Milli: metrics.Milli(10 + i), Set: true}, r.For(name), name)
	}
	require.Len(t, r.Others, 3)
	require.Equal(t, podgroup.Request{}, r.For(""))
	require.Equal(t, podgroup.Requested(10), r.CPU)
	require.Equal(t, podgroup.Requested(11), r.Memory)
}

func TestRequest(t *testing.T) {
	type m = map[string]int64
	app := apiContainer{name: "app", requests: m{"cpu": 250, "memory": 1000}}
	proxy := apiContainer{name: "proxy", requests: m{"cpu": 50}}
	setup := apiContainer{name: "setup", requests: m{"cpu": 900}}
	sidecar := apiContainer{name: "sidecar", restarts: true, requests: m{"cpu": 100, "memory": 10}}
	silent := apiContainer{name: "silent", restarts: true}

	for _, tt := range []struct {
		name                string
		pod                 apiPod
		resource, container string
		want                metrics.Milli
		err                 string
	}{
		{"one container", apiPod{containers: []apiContainer{app}}, "cpu", "", 250, ""},
		{"two containers", apiPod{containers: []apiContainer{app, proxy}}, "cpu", "", 300, ""},
		{"one lacks the request", apiPod{containers: []apiContainer{app, proxy}}, "memory", "", 0, "missing request for memory in container proxy of Pod web"},
		{"no containers", apiPod{}, "cpu", "", 0, ""},
		{"an init container does not count", apiPod{containers: []apiContainer{app}, init: []apiContainer{setup}}, "cpu", "", 250, ""},
		{"nor lack the request", apiPod{containers: []apiContainer{app}, init: []apiContainer{setup}}, "memory", "", 1000, ""},
		{"one that restarts does", apiPod{containers: []apiContainer{app}, init: []apiContainer{setup, sidecar}}, "cpu", "", 350, ""},
		{"and lacks the request", apiPod{containers: []apiContainer{app}, init: []apiContainer{setup, silent}}, "cpu", "", 0, "missing request for cpu in container silent of Pod web"},
		{"the one at fault is named", apiPod{containers: []apiContainer{app}, init: []apiContainer{{name: "plain"}, sidecar, silent}}, "cpu", "", 0, "missing request for cpu in container silent of Pod web"},
		{"containers complain first", apiPod{containers: []apiContainer{proxy}, init: []apiContainer{silent}}, "memory", "", 0, "missing request for memory in container proxy of Pod web"},

		{"a container by name", apiPod{containers: []apiContainer{app, proxy}}, "cpu", "proxy", 50, ""},
		{"without the request", apiPod{containers: []apiContainer{app, proxy}}, "memory", "proxy", 0, "missing request for memory in container proxy of Pod web"},
		{"not there", apiPod{containers: []apiContainer{app, proxy}}, "cpu", "db", 0, "container db not found in Pod web"},
		{"an init container by name", apiPod{init: []apiContainer{setup}}, "cpu", "setup", 0, "container setup not found in Pod web"},
		{"one that restarts by name", apiPod{init: []apiContainer{setup, sidecar}}, "cpu", "sidecar", 100, ""},
		{"one that restarts without the request", apiPod{init: []apiContainer{silent}}, "cpu", "silent", 0, "missing request for cpu in container silent of Pod web"},
		{"by name, whatever the pod requests", apiPod{containers: []apiContainer{app}, whole: m{"cpu": 7}, overheads: m{"cpu": 5}}, "cpu", "app", 250, ""},

		{"overhead alone does not count", apiPod{containers: []apiContainer{app}, overheads: m{"cpu": 5}}, "cpu", "", 250, ""},
		{"empty pod-level requests do not count", apiPod{containers: []apiContainer{app}, whole: m{}}, "cpu", "", 250, ""},
		{"nor those of other resources", apiPod{containers: []apiContainer{app}, whole: m{"ephemeral-storage": 7}, overheads: m{"cpu": 5}}, "cpu", "", 250, ""},
		{"pod-level requests", apiPod{containers: []apiContainer{app}, whole: m{"cpu": 7}}, "cpu", "", 7, ""},
		{"of zero", apiPod{containers: []apiContainer{app}, whole: m{"cpu": 0}}, "cpu", "", 0, ""},
		{"with overhead", apiPod{containers: []apiContainer{app}, whole: m{"cpu": 7}, overheads: m{"cpu": 5}}, "cpu", "", 12, ""},
		{"of another resource", apiPod{containers: []apiContainer{app}, whole: m{"cpu": 7}, overheads: m{"memory": 5}}, "memory", "", 1005, ""},
		{"of huge pages", apiPod{containers: []apiContainer{app, proxy}, whole: m{"hugepages-2Mi": 7}}, "memory", "", 1000, ""},
		{"of huge pages themselves", apiPod{containers: []apiContainer{app}, whole: m{"hugepages-2Mi": 7}}, "hugepages-2Mi", "", 7, ""},
		{"overhead is a request", apiPod{containers: []apiContainer{proxy}, whole: m{"cpu": 7}, overheads: m{"memory": 5}}, "memory", "", 5, ""},
		{"nobody requests it", apiPod{containers: []apiContainer{proxy}, whole: m{"cpu": 7}}, "memory", "", 0, "missing pod-level request for memory in Pod web"},
		{"others at pod level count for nothing", apiPod{whole: m{"cpu": 7, "ephemeral-storage": 9}}, "ephemeral-storage", "", 0, "missing pod-level request for ephemeral-storage in Pod web"},
		{"others come from the containers", apiPod{containers: []apiContainer{{name: "a", requests: m{"ephemeral-storage": 3}}}, whole: m{"cpu": 7, "ephemeral-storage": 9}}, "ephemeral-storage", "", 3, ""},

		// The aggregate over the containers, beside pod-level memory.
		{"an init container needs more", apiPod{containers: []apiContainer{app}, init: []apiContainer{setup}, whole: m{"memory": 7}}, "cpu", "", 900, ""},
		{"beside a sidecar before it", apiPod{containers: []apiContainer{app}, init: []apiContainer{sidecar, setup}, whole: m{"memory": 7}}, "cpu", "", 1000, ""},
		{"not beside one after it", apiPod{containers: []apiContainer{app}, init: []apiContainer{setup, sidecar}, whole: m{"memory": 7}}, "cpu", "", 900, ""},
		{"running needs more", apiPod{containers: []apiContainer{app, app, app, app}, init: []apiContainer{setup, sidecar}, whole: m{"memory": 7}}, "cpu", "", 1100, ""},
		{"a request at the start alone", apiPod{containers: []apiContainer{silent}, init: []apiContainer{setup}, whole: m{"memory": 7}}, "cpu", "", 900, ""},

		{"the largest sum", apiPod{containers: []apiContainer{{requests: m{"cpu": math.MaxInt64 - 1}}, {requests: m{"cpu": 1}}}}, "cpu", "", math.MaxInt64, ""},
		{"beyond the largest sum", apiPod{containers: []apiContainer{{requests: m{"cpu": math.MaxInt64}}, {requests: m{"cpu": 1}}}}, "cpu", "", math.MaxInt64, ""},
		{"beyond it the other way round", apiPod{containers: []apiContainer{{requests: m{"cpu": 1}}, {requests: m{"cpu": math.MaxInt64}}}}, "cpu", "", math.MaxInt64, ""},
		{"beyond it by overhead", apiPod{whole: m{"cpu": math.MaxInt64}, overheads: m{"cpu": 1}}, "cpu", "", math.MaxInt64, ""},
		{"the smallest sum", apiPod{containers: []apiContainer{{requests: m{"cpu": math.MinInt64 + 1}}, {requests: m{"cpu": -1}}}}, "cpu", "", math.MinInt64, ""},
		{"beyond the smallest sum", apiPod{containers: []apiContainer{{requests: m{"cpu": math.MinInt64}}, {requests: m{"cpu": -1}}}}, "cpu", "", math.MinInt64, ""},
		{"twice the smallest", apiPod{containers: []apiContainer{{requests: m{"cpu": math.MinInt64}}, {requests: m{"cpu": math.MinInt64}}}}, "cpu", "", math.MinInt64, ""},
		{"both signs", apiPod{containers: []apiContainer{{requests: m{"cpu": math.MinInt64}}, {requests: m{"cpu": math.MaxInt64}}}}, "cpu", "", -1, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.pod.name = "web"
			p := tt.pod.pod()
			for _, resolved := range []string{"not resolved", "resolved"} {
				m, err := p.Request(tt.resource, tt.container)
				require.Equal(t, tt.want, m, resolved)
				if tt.err == "" {
					require.NoError(t, err, resolved)
				} else {
					require.EqualError(t, err, tt.err, resolved)
				}
				p.Resolve()
			}
		})
	}
}

func TestRequestErrorNamesItsFields(t *testing.T) {
	pod := podgroup.Pod{Name: "web", Containers: []podgroup.Container{{Name: "app"}}}
	for _, tt := range []struct {
		resource, container string
		want                podgroup.RequestError
	}{
		{"cpu", "", podgroup.RequestError{Pod: "web", Container: "app", Resource: "cpu"}},
		{"cpu", "app", podgroup.RequestError{Pod: "web", Container: "app", Resource: "cpu"}},
		{"gpu", "db", podgroup.RequestError{Pod: "web", Container: "db", Resource: "gpu", NoContainer: true}},
	} {
		_, err := pod.Request(tt.resource, tt.container)
		var e *podgroup.RequestError
		require.True(t, errors.As(err, &e))
		require.Equal(t, tt.want, *e)
	}
}

func TestResolve(t *testing.T) {
	var p podgroup.Pod
	p.Resolve()
	require.Equal(t, podgroup.Requested(0), p.CPU, "the sum over no containers")
	require.Equal(t, podgroup.Requested(0), p.Memory)

	p.Containers = []podgroup.Container{{Name: "app"}}
	p.Containers[0].Requests.Set("cpu", 250)
	m, err := p.Request("cpu", "")
	require.NoError(t, err)
	require.Zero(t, m, "not resolved again yet")
	p.Resolve()
	require.Equal(t, podgroup.Requested(250), p.CPU)
	require.Equal(t, podgroup.Request{}, p.Memory)

	p.Containers = append(p.Containers, podgroup.Container{Name: "proxy"})
	p.Resolve()
	require.Equal(t, podgroup.Request{}, p.CPU, "the new one lacks it")
}

func TestRequestWithoutContainers(t *testing.T) {
	p := podgroup.Pod{Name: "web", CPU: podgroup.Requested(250), Memory: podgroup.Requested(7)}
	for resource, want := range map[string]metrics.Milli{"cpu": 250, "memory": 7, "gpu": 0} {
		m, err := p.Request(resource, "")
		require.NoError(t, err)
		require.Equal(t, want, m, resource)
	}
	_, err := p.Request("cpu", "app")
	require.EqualError(t, err, "container app not found in Pod web")
}

func TestRequestAgainstReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for _, p := range apiPods().Draw(t, "pods") {
			pod := p.pod()
			resource := rapid.SampledFrom([]string{"cpu", "memory", "ephemeral-storage", "hugepages-2Mi", ""}).Draw(t, "resource")
			container := rapid.SampledFrom([]string{"", "", "", "a", "b", "init-a", "init-b"}).Draw(t, "container")
			want, complaint := p.request(resource, container, podgroup.Options{})
			for range 2 {
				m, err := pod.Request(resource, container)
				if complaint == "" {
					require.NoError(t, err)
				} else {
					require.EqualError(t, err, complaint)
				}
				require.Equal(t, milli(want), m)
				pod.Resolve()
			}
		}
	})
}

func TestRequestsEqual(t *testing.T) {
	gpu := []podgroup.ResourceRequest{{Resource: "gpu", Milli: 1000}}
	a := &podgroup.Requests{CPU: podgroup.Requested(1), Others: gpu}
	for _, b := range []*podgroup.Requests{nil, {}, {CPU: podgroup.Requested(1)}, {CPU: podgroup.Requested(1), Memory: podgroup.Requested(0), Others: gpu}} {
		require.False(t, a.Equal(b), "%+v", b)
		require.False(t, b.Equal(a), "%+v", b)
		require.True(t, b.Equal(b), "%+v", b)
	}
	require.True(t, a.Equal(&podgroup.Requests{CPU: podgroup.Requested(1), Others: gpu}))
}
