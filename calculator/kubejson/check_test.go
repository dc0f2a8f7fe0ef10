package kubejson_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/kubejson"
	"github.com/purehpa/hpa/podgroup"
)

func labelledPod(name, labels string) string {
	return object("v1", "Pod", fmt.Sprintf(`"metadata":{"name":%q,"labels":{%s}}`, name, labels))
}

func scaleOf(selector string) string {
	return object("autoscaling/v1", "Scale", fmt.Sprintf(`"status":{"selector":%q}`, selector))
}

func TestAddChecksTheSelector(t *testing.T) {
	web, api := labelledPod("web-0", `"app":"web"`), labelledPod("api-0", `"app":"api"`)
	bare := object("v1", "Pod", `"metadata":{"name":"bare"}`)
	for _, tt := range []struct{ name, first, second, text string }{
		{"selected", scaleOf("app=web"), web, ""},
		{"no selector", scaleOf(""), api, ""},
		{"no scale", web, api, ""},
		{"a selector that cannot be parsed", scaleOf("app in web"), api, ""},
		{"scale first", scaleOf("app=web"), web + api, `1 of 2 is not selected by the scale's selector "app=web": "api-0"`},
		{"pods first", web + api, scaleOf("app=web"), `1 of 2 is not selected by the scale's selector "app=web": "api-0"`},
		{"null labels", scaleOf("!app"), object("v1", "Pod", `"metadata":{"name":"a","labels":null}`), ""},
		{"escaped labels", scaleOf("app=web,b="), labelledPod("web-0", `"\u0061pp":"w\u0065b","b":null`), ""},
		{"no labels", web, bare + scaleOf("app=web"), `1 of 2 is not selected by the scale's selector "app=web": "bare"`},
		{"many", scaleOf("app!=api"), web + api + labelledPod("api-1", `"app":"api"`) + labelledPod("api-2", `"app":"api"`) +
			labelledPod("api-3", `"app":"api"`) + labelledPod("api-4", `"app":"api"`) + labelledPod("api-5", `"app":"api"`),
			`6 of 7 are not selected by the scale's selector "app!=api": "api-0", "api-1", "api-2", "api-3", "api-4", and 1 more`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var c kubejson.Cluster
			require.NoError(t, c.Add([]byte(tt.first)))
			before := c
			err := c.Add([]byte(tt.second))
			if tt.text == "" {
				require.NoError(t, err)
				return
			}
			requireError(t, err)
			require.EqualError(t, err, "kubejson: pods: "+tt.text)
			require.Equal(t, before, c)
		})
	}
	// What is known of pods that were not read is what the caller knows.
	c := kubejson.Cluster{Pods: []podgroup.Pod{{Name: "mine"}}}
	require.NoError(t, c.Add([]byte(scaleOf("app=web")+web)))
	require.Len(t, c.Pods, 2)
}

// Add accepts the pods if the selector matches the labels of all.
func TestPropertySelectedPods(t *testing.T) {
	word := rapid.SampledFrom([]string{"a", "b", "c"})
	rapid.Check(t, func(rt *rapid.T) {
		selector := rapid.SampledFrom([]string{"a=b", "a!=b,c", "!a", "b in (a,c),a", "a notin (b,c)"}).Draw(rt, "selector")
		parsed, err := autoscaling.ParseLabelSelector(selector)
		require.NoError(rt, err)
		docs, want := scaleOf(selector), true
		for i, labels := range rapid.SliceOfN(rapid.MapOfN(word, word, 0, 3), 0, 4).Draw(rt, "pods") {
			var members []string
			for k, v := range labels {
				members = append(members, fmt.Sprintf("%q:%q", k, v))
			}
			docs += labelledPod(fmt.Sprint(i), strings.Join(members, ","))
			want = want && parsed.Matches(labels)
		}
		require.Equal(rt, want, new(kubejson.Cluster).Add([]byte(docs)) == nil)
	})
}

func TestObservationOfABadSelector(t *testing.T) {
	c := cluster(t, "", nil, nil)
	c.Scale = &kubejson.Scale{Selector: "a in b"}
	require.Equal(t, &calculator.SelectorError{
		Reason: calculator.SelectorInvalid, Selector: "a in b", Problem: "unable to parse requirement: found 'b' expected: '('",
	}, c.Observation().SelectorError)
}

func TestAddChecksNamespaces(t *testing.T) {
	docs := map[string]func(namespace string) string{
		"horizontal pod autoscaler: metadata": func(ns string) string {
			return object("autoscaling/v2", "HorizontalPodAutoscaler", `"metadata":{"name":"web","namespace":"`+ns+`"}`)
		},
		"scale: metadata": func(ns string) string { return object("autoscaling/v1", "Scale", `"metadata":{"namespace":"`+ns+`"}`) },
		"pods: items[0].metadata": func(ns string) string {
			return list("v1", "PodList", `{"metadata":{"name":"pod-`+ns+`","namespace":"`+ns+`"}}`)
		},
		"pod metrics: metadata": func(ns string) string {
			return object("metrics.k8s.io/v1beta1", "PodMetrics", `"metadata":{"name":"a","namespace":"`+ns+`"}`)
		},
		"custom metrics: items[0].describedObject": func(ns string) string {
			return list("custom.metrics.k8s.io/v1beta2", "MetricValueList", `{"metric":{"name":"m"},"value":"1","describedObject":{"kind":"Pod","name":"a","namespace":"`+ns+`"}}`)
		},
	}
	for first, doc := range docs {
		for second, other := range docs {
			if first == second {
				continue
			}
			var c kubejson.Cluster
			require.NoError(t, c.Add([]byte(doc("a")+other(""))), second)
			require.Equal(t, "a", c.Namespace)
			require.Equal(t, "a", c.Observation().Namespace)
			requireWrong := func(err error) {
				requireError(t, err)
				require.EqualError(t, err, "kubejson: document 1, "+second+`.namespace: wrong namespace "b"; "a" was expected`)
			}
			requireWrong(c.Add([]byte(other("b"))))
			requireWrong((&kubejson.Cluster{Namespace: "a"}).Add([]byte(other("b"))))
			requireWrong((&kubejson.Cluster{Autoscaler: kubejson.HorizontalPodAutoscaler{Namespace: "a"}}).Add([]byte(other("b"))))
		}
	}
}

func TestChoose(t *testing.T) {
	autoscaler := func(name, target string) string {
		return object("autoscaling/v2", "HorizontalPodAutoscaler", fmt.Sprintf(`"metadata":{"name":%q},"spec":{"scaleTargetRef":{"name":%q}}`, name, target))
	}
	var c kubejson.Cluster
	require.EqualError(t, c.Choose(""), "kubejson: horizontal pod autoscaler: not found in the documents")
	require.NoError(t, c.Add([]byte(autoscaler("web", "front"))))
	require.Equal(t, "web", c.Autoscaler.Name)
	require.NoError(t, c.Choose(""))
	require.NoError(t, c.Add([]byte(autoscaler("api", "api"))))
	require.Empty(t, c.Autoscaler.Name)
	require.Len(t, c.Autoscalers, 2)
	require.EqualError(t, c.Choose(""), `kubejson: horizontal pod autoscaler: there are 2: "web", "api"`)
	require.EqualError(t, c.Choose("db"), `kubejson: horizontal pod autoscaler: there is no "db" among "web", "api"`)
	require.NoError(t, c.Choose("api"))
	require.Equal(t, "api", c.Autoscaler.Name)

	// An Add to a copy does not show.
	first, second := c, c
	require.NoError(t, first.Add([]byte(autoscaler("db", "db"))))
	require.NoError(t, second.Add([]byte(autoscaler("mail", "mail"))))
	require.NoError(t, first.Choose("db"))
	require.Error(t, second.Choose("db"))

	// An autoscaler that was chosen stays so until another one is read.
	require.NoError(t, c.Add([]byte(object("v1", "Pod", `"metadata":{"name":"a"}`))))
	require.Equal(t, "api", c.Autoscaler.Name)
	scale := object("autoscaling/v1", "Scale", `"metadata":{"name":"front"}`)
	require.EqualError(t, c.Add([]byte(scale)), `kubejson: scale: metadata.name: "front", but the autoscaler's target is "api"`)
	require.NoError(t, c.Choose("web"))
	require.NoError(t, c.Add([]byte(scale)))
	require.EqualError(t, c.Choose("api"), `kubejson: scale: metadata.name: "front", but the autoscaler's target is "api"`)
	require.Equal(t, "web", c.Autoscaler.Name)
}

// The items of a List are decoded by kind, as documents of their own are.
func TestMixedList(t *testing.T) {
	docs := []string{
		object("autoscaling/v2", "HorizontalPodAutoscaler", `"metadata":{"name":"web"}`),
		labelledPod("a", ""), labelledPod("b", ""),
		object("autoscaling/v1", "Scale", `"spec":{"replicas":3}`),
		object("metrics.k8s.io/v1beta1", "PodMetrics", `"metadata":{"name":"a"}`),
		labelledPod("c", `"x":"]},{\"kind\":\"Scale\""`),
		object("custom.metrics.k8s.io/v1beta2", "MetricValue", `"metric":{"name":"m"},"describedObject":{"kind":"Pod","name":"a"},"value":"1"`),
		object("external.metrics.k8s.io/v1beta1", "ExternalMetricValue", `"metricName":"q","value":"1"`),
	}
	rapid.Check(t, func(rt *rapid.T) {
		shuffled := rapid.Permutation(docs).Draw(rt, "docs")
		space := rapid.SampledFrom([]string{"", " ", "\n\t"}).Draw(rt, "space")
		items := space + strings.Join(shuffled, space+","+space) + space
		var one, several kubejson.Cluster
		require.NoError(rt, several.Add([]byte(strings.Join(shuffled, ""))))
		require.NoError(rt, one.Add([]byte(list("v1", "List", items))))
		require.Equal(rt, several, one)
	})
}
