package kubejson_test

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/kubejson"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// cluster decodes the spec's metrics and the answers; those of the custom and
// external metrics APIs are given as "name=value", or "" for an empty list.
func cluster(t testing.TB, specMetrics string, custom, external []string) *kubejson.Cluster {
	t.Helper()
	c := &kubejson.Cluster{}
	var err error
	c.Autoscaler, err = kubejson.DecodeAutoscaler([]byte(object("autoscaling/v2", "HorizontalPodAutoscaler",
		`"metadata":{"name":"web","namespace":"shop"},"spec":{"maxReplicas":9,"metrics":[`+specMetrics+`]},"status":{"currentReplicas":3}`)))
	require.NoError(t, err)
	c.Pods = []podgroup.Pod{{Name: "a"}, {Name: "b"}}
	for _, answer := range custom {
		var items []string
		if kind, rest, ok := strings.Cut(answer, "/"); ok {
			name, value, _ := strings.Cut(rest, "=")
			object, metric, _ := strings.Cut(name, ":")
			items = append(items, fmt.Sprintf(`{"describedObject":{"kind":%q,"name":%q},"metric":{"name":%q},"value":%q}`, kind, object, metric, value))
		}
		m, err := kubejson.DecodeCustomMetrics([]byte(list("custom.metrics.k8s.io/v1beta2", "MetricValueList", items...)))
		require.NoError(t, err)
		c.Custom = append(c.Custom, m)
	}
	for _, answer := range external {
		var items []string
		if name, value, ok := strings.Cut(answer, "="); ok {
			items = append(items, fmt.Sprintf(`{"metricName":%q,"value":%q}`, name, value))
		}
		m, err := kubejson.DecodeExternalMetrics([]byte(list("external.metrics.k8s.io/v1beta1", "ExternalMetricValueList", items...)))
		require.NoError(t, err)
		c.External = append(c.External, m)
	}
	return c
}

func podsMetric(metric, selector string) string {
	return fmt.Sprintf(`{"type":"Pods","pods":{"metric":{"name":%q,"selector":{"matchLabels":{"s":%q}}}}}`, metric, selector)
}

func objectMetric(kind, name, metric, selector string) string {
	return fmt.Sprintf(`{"type":"Object","object":{"describedObject":{"kind":%q,"name":%q},"metric":{"name":%q,"selector":{"matchLabels":{"s":%q}}}}}`, kind, name, metric, selector)
}

func externalMetric(metric, selector string) string {
	return fmt.Sprintf(`{"type":"External","external":{"metric":{"name":%q,"selector":{"matchLabels":{"s":%q}}}}}`, metric, selector)
}

// value is the one number of a reading, or its error.
func value(r calculator.Reading) string {
	switch {
	case r.Err != nil:
		return r.Err.Error()
	case len(r.Values) == 1:
		return r.Values[0].String()
	}
	return r.Samples[0].Value.String()
}

func TestObservationAnswers(t *testing.T) {
	const (
		noResource = "unable to fetch metrics from resource metrics API: no answer given"
		noCustom   = "unable to fetch metrics from custom metrics API: no answer given"
		noExternal = "unable to fetch metrics from external metrics API: no answer given"
		noneCustom = "no metrics returned from custom metrics API"
		noneObject = "unable to fetch metrics from custom metrics API: the custom metrics API server returned 0 results when we asked for exactly one"
		noneExt    = "no metrics returned from external metrics API"
	)
	tests := []struct {
		name             string
		metrics          []string
		custom, external []string
		want             []string
	}{
		{"nothing given", []string{
			`{"type":"Resource","resource":{"name":"cpu"}}`, `{"type":"ContainerResource","containerResource":{"name":"cpu","container":"app"}}`,
			podsMetric("qps", ""), objectMetric("Service", "front", "hits", ""), externalMetric("queue", ""),
		}, nil, nil, []string{noResource, noResource, noCustom, noCustom, noExternal}},
		{"no metrics", nil, []string{"Pod/a:qps=1"}, []string{"queue=1"}, nil},
		{"malformed metrics", []string{`{"type":"Pods"}`, `{"type":"Resource","pods":{}}`, `{"type":"x"}`}, nil, nil, []string{
			"unable to fetch metrics from metrics API: no answer given", "unable to fetch metrics from metrics API: no answer given", "unable to fetch metrics from metrics API: no answer given"}},
		{"found by name", []string{podsMetric("rps", ""), podsMetric("qps", ""), externalMetric("b", ""), externalMetric("a", "")},
			[]string{"Pod/a:qps=1", "Pod/a:rps=2"}, []string{"a=1", "b=2"}, []string{"2", "1", "2", "1"}},
		{"other names", []string{podsMetric("qps", ""), externalMetric("b", "")}, []string{"Pod/a:rps=2"}, []string{"a=1"}, []string{noCustom, noExternal}},
		{"found by object", []string{objectMetric("Service", "back", "hits", ""), objectMetric("Service", "front", "hits", ""), objectMetric("Namespace", "x", "hits", ""), podsMetric("hits", "")},
			[]string{"Service/front:hits=1", "Service/back:hits=2", "Pod/a:hits=3", "Namespace/shop:hits=4"}, nil, []string{"2", "1", "4", "3"}},
		{"other objects", []string{objectMetric("Service", "front", "hits", ""), podsMetric("hits", "")},
			[]string{"Ingress/front:hits=1", "Service/back:hits=2"}, nil, []string{noCustom, noCustom}},
		{"selectors in order", []string{externalMetric("queue", "x"), externalMetric("queue", "y"), externalMetric("queue", "x"), externalMetric("queue", "z")},
			nil, []string{"queue=1", "queue=2"}, []string{"1", "2", "1", noExternal}},
		{"selectors of pods", []string{podsMetric("qps", "x"), podsMetric("qps", "y"), objectMetric("Pod", "a", "qps", "x")},
			[]string{"Pod/a:qps=1", "Pod/a:qps=2"}, nil, []string{"1", "2", "1"}},
		{"selectors of objects", []string{objectMetric("Service", "front", "hits", "x"), objectMetric("Service", "front", "hits", "y")},
			[]string{"Service/front:hits=1", "Service/front:hits=2"}, nil, []string{"1", "2"}},
		{"empty answers", []string{podsMetric("qps", ""), objectMetric("Service", "front", "hits", ""), externalMetric("queue", "")},
			[]string{""}, []string{""}, []string{noneCustom, noneObject, noneExt}},
		{"empty answers come last", []string{podsMetric("qps", ""), podsMetric("rps", ""), externalMetric("queue", ""), externalMetric("more", "")},
			[]string{"", "Pod/a:qps=1"}, []string{"", "more=2"}, []string{"1", noneCustom, noneExt, "2"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			obs := cluster(t, strings.Join(tt.metrics, ","), tt.custom, tt.external).Observation()
			var got []string
			for _, r := range obs.Readings {
				got = append(got, value(r))
			}
			require.Equal(t, tt.want, got)
		})
	}
	obs := cluster(t, externalMetric("queue", ""), nil, nil).Observation()
	var none *kubejson.NoAnswerError
	require.ErrorAs(t, obs.Readings[0].Err, &none)
	require.Equal(t, "external metrics", none.API)
}

func TestObservationResources(t *testing.T) {
	c := cluster(t, `{"type":"ContainerResource","containerResource":{"name":"memory","container":"log"}},{"type":"Resource","resource":{"name":"cpu"}}`, nil, nil)
	m := podMetrics(t, `{"metadata":{"name":"b"},"containers":[{"name":"app","usage":{"cpu":"1"}},{"name":"log","usage":{"cpu":"2","memory":"3"}}]}`)
	c.PodMetrics = &m
	obs := c.Observation()
	require.Equal(t, []metrics.Sample{{}, {Value: 3000, Time: metrics.At(time.Time{}), Present: true}}, obs.Readings[0].Samples)
	require.Equal(t, []metrics.Sample{{}, {Value: 3000, Time: metrics.At(time.Time{}), Present: true}}, obs.Readings[1].Samples)
	c.PodMetrics = &kubejson.PodMetrics{}
	obs = c.Observation()
	require.EqualError(t, obs.Readings[0].Err, "no metrics returned from resource metrics API")
}

func TestObservationSizes(t *testing.T) {
	c := cluster(t, "", nil, nil)
	obs := c.Observation()
	require.Equal(t, "shop", obs.Namespace)
	require.Equal(t, []int32{3, 3}, []int32{obs.SpecReplicas, obs.StatusReplicas})
	require.Equal(t, c.Pods, obs.Pods)
	require.Nil(t, obs.SelectorError)

	c.Scale = &kubejson.Scale{SpecReplicas: 4, StatusReplicas: 5, Selector: "app=web"}
	obs = c.Observation()
	require.Equal(t, []int32{4, 5}, []int32{obs.SpecReplicas, obs.StatusReplicas})
	require.Nil(t, obs.SelectorError)

	c.Scale.Selector = ""
	require.EqualError(t, c.Observation().SelectorError, "selector is required")
}

func TestNewest(t *testing.T) {
	hour := func(h int) string { return fmt.Sprintf("2026-11-20T%02d:00:00Z", h) }
	// Each place in turn is the newest.
	for newest := range 9 {
		when := func(place int) string {
			if place == newest {
				return hour(12)
			}
			return hour(place)
		}
		var c kubejson.Cluster
		require.NoError(t, c.Add([]byte(
			object("autoscaling/v2", "HorizontalPodAutoscaler", fmt.Sprintf(
				`"metadata":{"name":"web","creationTimestamp":%q},"status":{"lastScaleTime":%q,"conditions":[{"lastTransitionTime":%q}]}`, when(0), when(1), when(2)))+
				object("v1", "Pod", fmt.Sprintf(`"metadata":{"name":"a","deletionTimestamp":%q},"status":{"startTime":%q,"conditions":[{"type":"Ready","lastTransitionTime":%q}]}`, hour(23), when(3), when(4)))+
				list("metrics.k8s.io/v1beta1", "PodMetricsList", fmt.Sprintf(`{"metadata":{"name":"a"},"timestamp":%q}`, when(5)))+
				list("custom.metrics.k8s.io/v1beta1", "MetricValueList", fmt.Sprintf(`{"metricName":"m","describedObject":{"name":"a"},"value":"1","timestamp":%q}`, when(6)))+
				list("external.metrics.k8s.io/v1beta1", "ExternalMetricValueList", fmt.Sprintf(`{"metricName":"m","value":"1","timestamp":%q}`, when(7))))))
		want := at(hour(12))
		if newest == 8 {
			want = at(hour(7))
		}
		require.Equal(t, want, c.Newest(), newest)
	}
	require.True(t, (&kubejson.Cluster{}).Newest().IsZero())
	c := &kubejson.Cluster{Autoscaler: kubejson.HorizontalPodAutoscaler{CreationTime: time.Date(2026, 1, 1, 2, 0, 0, 0, time.FixedZone("", 7200))}}
	require.Equal(t, at("2026-01-01T00:00:00Z"), c.Newest())
}

// Each scene decodes by kind, in any order, as by its decoders.
func TestAddScenes(t *testing.T) {
	files := scenes(t, "*.json")
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	forwards, backwards := map[string][]byte{}, map[string][]byte{}
	for _, name := range names {
		scene := path.Dir(name)
		forwards[scene] = append(append(forwards[scene], files[name]...), '\n')
		backwards[scene] = append(append([]byte{}, files[name]...), backwards[scene]...)
	}
	require.Len(t, forwards, 10)
	for scene := range forwards {
		var c, d kubejson.Cluster
		require.NoError(t, c.Add(forwards[scene]), scene)
		require.NoError(t, d.Add(backwards[scene]), scene)
		require.Equal(t, c.Observation(), d.Observation(), scene)
		require.Equal(t, scene, c.Autoscaler.Namespace)
		require.NotNil(t, c.Scale)
		require.Equal(t, int(c.Scale.StatusReplicas), len(c.Pods), scene)
		require.Equal(t, 2026, c.Newest().Year())
	}
}

func TestAddAddsUp(t *testing.T) {
	var c kubejson.Cluster
	pod := func(name string) string {
		return object("v1", "Pod", fmt.Sprintf(`"metadata":{"name":%q}`, name))
	}
	usage := func(name string) string {
		return list("metrics.k8s.io/v1beta1", "PodMetricsList", fmt.Sprintf(`{"metadata":{"name":%q},"containers":[{"name":"app","usage":{"cpu":"1"}}]}`, name))
	}
	require.Nil(t, c.Pods)
	require.NoError(t, c.Add([]byte(list("v1", "List"))))
	require.NotNil(t, c.Pods)
	require.Empty(t, c.Pods)
	require.NoError(t, c.Add([]byte(pod("a")+pod("b")+usage("a"))))
	require.NoError(t, c.Add([]byte(list("v1", "List", pod("c"))+usage("c"))))
	require.Equal(t, []podgroup.Pod{{Name: "a"}, {Name: "b"}, {Name: "c"}}, c.Pods)
	one := metrics.Sample{Value: 1000, Time: metrics.At(time.Time{}), Present: true}
	require.Equal(t, []metrics.Sample{one, {}, one}, c.PodMetrics.Reading(c.Pods, "cpu", "").Samples)
	external := list("external.metrics.k8s.io/v1beta1", "ExternalMetricValueList")
	custom := list("custom.metrics.k8s.io/v1beta1", "MetricValueList")
	require.NoError(t, c.Add([]byte(external+custom+external)))
	require.Len(t, c.External, 2)
	require.Len(t, c.Custom, 1)
}

// The version of the API server is told by both commands that print it, and is
// one.
func TestAddVersion(t *testing.T) {
	const raw = `{"major":"1","minor":"32","gitVersion":"v1.32.13","platform":"linux/amd64"}`
	for _, doc := range []string{raw, `{"clientVersion":{"gitVersion":"v1.34.0"},"kustomizeVersion":"v5","serverVersion":` + raw + `}`} {
		var c kubejson.Cluster
		require.NoError(t, c.Add([]byte(doc)))
		require.Equal(t, "v1.32.13", c.Version)
		require.NoError(t, c.Add([]byte(raw+object("v1", "Pod", `"metadata":{"name":"a"}`))))
		err := c.Add([]byte(object("v1", "Pod", `"metadata":{"name":"b"}`) + `{"gitVersion":"v1.33.0"}`))
		require.EqualError(t, err, `kubejson: document 2, version: "v1.33.0"; there is already "v1.32.13"`)
		require.Equal(t, "v1.32.13", c.Version)
		require.Len(t, c.Pods, 1)
	}
	var c kubejson.Cluster
	require.ErrorContains(t, c.Add([]byte(`{"clientVersion":{"gitVersion":"v1.34.0"}}`)), "kind: missing")
	require.ErrorContains(t, c.Add([]byte(`{"gitVersion":7}`)), "kind: missing")
}

// Adding to a copy of a Cluster leaves the other one as it was.
func TestAddToCopies(t *testing.T) {
	pods := func(names ...string) []byte {
		var docs string
		for _, name := range names {
			docs += object("v1", "Pod", fmt.Sprintf(`"metadata":{"name":%q}`, name)) +
				object("metrics.k8s.io/v1beta1", "PodMetrics", fmt.Sprintf(`"metadata":{"name":%q},"containers":[{"name":"app","usage":{"cpu":"1"}}]`, name)) +
				list("custom.metrics.k8s.io/v1beta2", "MetricValueList", fmt.Sprintf(`{"describedObject":{"kind":"Pod","name":%q},"metric":{"name":%q},"value":"1"}`, name, name)) +
				list("external.metrics.k8s.io/v1beta1", "ExternalMetricValueList", fmt.Sprintf(`{"metricName":%q,"value":"1"}`, name))
		}
		return []byte(docs)
	}
	added := func(names ...string) kubejson.Cluster {
		var c kubejson.Cluster
		require.NoError(t, c.Add(pods(names...)))
		return c
	}
	a := added("1", "2", "3")
	b := a
	require.NoError(t, a.Add(pods("a")))
	require.NoError(t, b.Add(pods("b")))
	require.Equal(t, added("1", "2", "3", "a"), a)
	require.Equal(t, added("1", "2", "3", "b"), b)
}

func TestAddErrors(t *testing.T) {
	hpa := object("autoscaling/v2", "HorizontalPodAutoscaler", `"metadata":{"name":"web"}`)
	scale := object("autoscaling/v1", "Scale", `"spec":{}`)
	pod := object("v1", "Pod", `"metadata":{"name":"a"}`)
	tests := []struct{ name, doc, text string }{
		{"nothing", " \n", "input: empty"},
		{"no JSON", "\n\nNAME  READY\n", `document 1: not JSON, at line 3, column 1: it begins with "NAME  READY"`},
		{"no JSON behind JSON", pod + "\nNAME  READY\n", `document 2: not JSON, at line 2, column 1: it begins with "NAME  READY"`},
		{"bad JSON behind JSON", pod + "\n{\"a\":x}", `document 2: not JSON, at line 2, column 6: invalid character 'x'`},
		{"odd space", pod + "\u00a0", `document 2: not JSON, at line 1, column`},
		{"truncated", scale + pod[:30], "document 2: cut short: the JSON value does not end"},
		{"list", "[]", "document 1, object: found a list where an object was expected"},
		{"a number among items behind space", "\n " + list("v1", "List", "7"), `document 1, object: items[0]: found 7 where an object was expected`},
		{"no kind", "{}", "document 1, object: kind: missing; HorizontalPodAutoscaler, Scale, Pod, "},
		{"unknown kind", pod + object("v1", "Service", `"a":1`), `document 2, object: kind: wrong kind "Service"; HorizontalPodAutoscaler, Scale, Pod, `},
		{"unknown kind of an item", list("v1", "List", object("v1", "Service", `"a":1`)), `document 1, object: items[0].kind: wrong kind "Service"; `},
		{"no kind of an item", list("v1", "List", "{}"), `document 1, object: items[0].kind: missing; `},
		{"unknown kind of a later item", list("v1", "List", pod, hpa, object("v1", "Service", `"a":1`)), `document 1, object: items[2].kind: wrong kind "Service"; `},
		{"no kind of a later item", list("v1", "List", pod, hpa, "null", pod), `document 1, object: items[2].kind: missing; `},
		{"a later item", list("v1", "List", pod, hpa, pod), `document 1, pods: items[2].metadata.name: "a" is the name of another pod, too`},
		{"a number among items", list("v1", "List", pod, "7", hpa), `document 1, object: items[1]: found 7 where an object was expected`},
		{"wrong version of a List", list("v2", "List", pod), `document 1, list: apiVersion: wrong version "v2"; v1 is supported`},
		{"wrong version of a PodList", list("v2", "PodList", pod), `document 1, pods: apiVersion: wrong version "v2"; v1 is supported`},
		{"an autoscaler twice", hpa + hpa, `horizontal pod autoscaler: metadata.name: "web" is the name of another autoscaler, too`},
		{"two scales", scale + pod + scale, "document 3, scale: there is one already"},
		{"a list of two scales", list("v1", "List", scale, scale), "document 1, scale: there is one already"},
		{"a pod twice", pod + pod, `document 2, pods: metadata.name: "a" is the name of another pod, too`},
		{"bad autoscaler", object("autoscaling/v1", "HorizontalPodAutoscaler", `"a":1`), "document 1, horizontal pod autoscaler: apiVersion: wrong version"},
		{"bad scale", object("autoscaling/v2", "Scale", `"a":1`), "document 1, scale: apiVersion: wrong version"},
		{"bad pod metrics", object("v1", "PodMetrics", `"a":1`), "document 1, pod metrics: apiVersion: wrong version"},
		{"bad custom metrics", object("v1", "MetricValueList", `"a":1`), "document 1, custom metrics: apiVersion: wrong version"},
		{"bad external metrics", object("v1", "ExternalMetricValueList", `"a":1`), "document 1, external metrics: apiVersion: wrong version"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var c kubejson.Cluster
			err := c.Add([]byte(tt.doc))
			requireError(t, err)
			require.Contains(t, err.Error(), "kubejson: "+tt.text)
			require.Zero(t, c)
		})
	}
	// What was there stays.
	var c, before kubejson.Cluster
	docs := []byte(hpa + pod + list("metrics.k8s.io/v1beta1", "PodMetricsList", `{"metadata":{"name":"a"}}`))
	require.NoError(t, c.Add(docs))
	require.NoError(t, before.Add(docs))
	require.Error(t, c.Add([]byte(object("v1", "Pod", `"metadata":{"name":"b"}`)+list("metrics.k8s.io/v1beta1", "PodMetricsList", `{"metadata":{"name":"c"}}`)+scale+"x")))
	require.Equal(t, before, c)
}
