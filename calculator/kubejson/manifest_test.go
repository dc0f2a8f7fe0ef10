package kubejson_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/kubejson"
	"github.com/purehpa/hpa/metrics"
)

// applied is a manifest with a bit of everything.
const applied = `{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","metadata":{"name":"web","labels":{"app":"web"},"creationTimestamp":null,` +
	`"ownerReferences":[{"kind":"App","controller":true}],"managedFields":[{"manager":"kubectl","fieldsV1":{"f:spec":{},"f:spec":{}}}]},` +
	`"spec":{"maxReplicas":3,` +
	`"metrics":[{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":60}}},` +
	`{"type":"Pods","pods":{"metric":{"name":"qps","selector":{"matchLabels":{"a":"b"}}},"target":{"type":"AverageValue","averageValue":"10"}}}],` +
	`"behavior":{"scaleUp":{"stabilizationWindowSeconds":0,"policies":[{"type":"Pods","value":4,"periodSeconds":15}]}}},"status":{"currentReplicas":2}}`

// Strict validation refuses in the API server's words and order; what cannot be
// decoded is refused before.
func TestDecodeManifest(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`"averageUtilization":60`, `"averageUtilization":60,"averageUtilisation":{"a":1}`, `unknown field "spec.metrics[0].resource.target.averageUtilisation"`},
		{`"name":"cpu"`, `"Name":7,"n\u0041me":"","name":"cpu"`, `unknown field "spec.metrics[0].resource.Name", unknown field "spec.metrics[0].resource.nAme"`},
		{`"a":"b"`, `"x.y/z":"","x.y/z":"","x.y\/z":""`, `duplicate field "spec.metrics[1].pods.metric.selector.matchLabels.x.y/z"`},
		{`"spec":{`, `"spec":{"typo":1,"minReplicas":1},"spec":{"typo":2,`, `unknown field "spec.typo", duplicate field "spec"`},
		{`"name":"web"`, `"nmae":"web"`, `unknown field "metadata.nmae"`},
		{`"kind":"App"`, `"kin":"App"`, `unknown field "metadata.ownerReferences[0].kin"`},
		{`"manager"`, `"Manager"`, `unknown field "metadata.managedFields[0].Manager"`},
		{`"currentReplicas"`, `"readyReplicas":1,"currentReplicas"`, `unknown field "status.readyReplicas"`},
		{`"type":"Pods"`, `"proposal":{},"type":"Pods"`, `unknown field "spec.metrics[1].proposal"`},
		{`"maxReplicas":3`, `"maxReplicas":3,"a\u0000\"":1`, `unknown field "spec.a\x00\""`},
		{`"name":"web",`, ``, `kubejson: horizontal pod autoscaler: metadata.name: missing`},
		{`autoscaling/v2"`, `autoscaling/v2beta2"`, `kubejson: horizontal pod autoscaler: apiVersion: wrong version "autoscaling/v2beta2"; autoscaling/v2 or autoscaling/v1 is supported; Kubernetes 1.26 and later do not serve "autoscaling/v2beta2"`},
		{`autoscaling/v2"`, `autoscaling/v3"`, `kubejson: horizontal pod autoscaler: apiVersion: wrong version "autoscaling/v3"; autoscaling/v2 or autoscaling/v1 is supported`},
		{`"apiVersion":"autoscaling/v2",`, ``, `kubejson: horizontal pod autoscaler: apiVersion: missing; autoscaling/v2 or autoscaling/v1 was expected`},
	} {
		text := strings.Replace(applied, c.old, c.new, 1)
		require.NotEqual(t, applied, text, c.old)
		_, err := kubejson.DecodeManifest([]byte(text))
		if strict, ok := err.(*kubejson.StrictError); ok {
			require.NotContains(t, c.want, "kubejson", text)
			c.want = "strict decoding error: " + c.want
			require.Equal(t, len(strict.Fields), strings.Count(c.want, "field"))
		}
		require.EqualError(t, err, c.want, text)
	}
	want, err := kubejson.DecodeAutoscaler([]byte(applied))
	require.NoError(t, err)
	for _, doc := range []string{applied, list("v1", "List", applied)} {
		got, err := kubejson.DecodeManifest([]byte(doc))
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	for _, doc := range []string{`null`, `[]`, `{}`, list("v1", "List", "null"), list("v1", "List", "7"), list("v1", "List"), applied + applied} {
		_, err := kubejson.DecodeManifest([]byte(doc))
		require.ErrorAs(t, err, new(*kubejson.Error), doc)
	}
}

// A value of a wrong type is refused in the API server's words, at its path.
// Its decoding goes on after most of them, not after quantities and times.
func TestDecodeManifestWrongType(t *testing.T) {
	const json = "json: cannot unmarshal "
	for _, c := range []struct{ old, new, path, want string }{
		{`"maxReplicas":3`, `"maxReplicas":"many","typo":1`, "spec.maxReplicas", json + "string into Go struct field HorizontalPodAutoscalerSpec.spec.maxReplicas of type int32"},
		{`"maxReplicas":3`, `"maxReplicas":1.5,"minReplicas":""`, "spec.maxReplicas", json + "number 1.5 into Go struct field HorizontalPodAutoscalerSpec.spec.maxReplicas of type int32"},
		{`"maxReplicas":3`, `"maxReplicas":3,"minReplicas":3000000000`, "spec.minReplicas", json + "number 3000000000 into Go struct field HorizontalPodAutoscalerSpec.spec.minReplicas of type int32"},
		{`"maxReplicas":3`, `"maxReplicas":1` + strings.Repeat("0", 50), "spec.maxReplicas", json + "number 1" + strings.Repeat("0", 39) + "... into Go struct field HorizontalPodAutoscalerSpec.spec.maxReplicas of type int32"},
		{`"type":"Resource"`, `"type":7`, "spec.metrics[0].type", json + "number into Go struct field MetricSpec.spec.metrics.type of type v2.MetricSourceType"},
		{`"type":"Utilization"`, `"type":true`, "spec.metrics[0].resource.target.type", json + "bool into Go struct field MetricTarget.spec.metrics.resource.target.type of type v2.MetricTargetType"},
		{`"name":"cpu"`, `"name":[]`, "spec.metrics[0].resource.name", json + "array into Go struct field ResourceMetricSource.spec.metrics.resource.name of type v1.ResourceName"},
		{`"metrics":[{`, `"metrics":[7,{`, "spec.metrics[0]", json + "number into Go struct field HorizontalPodAutoscalerSpec.spec.metrics of type v2.MetricSpec"},
		{`"policies":[`, `"policies":{},"x":[`, "spec.behavior.scaleUp.policies", json + "object into Go struct field HPAScalingRules.spec.behavior.scaleUp.policies of type []v2.HPAScalingPolicy"},
		{`"a":"b"`, `"a b":1`, `spec.metrics[1].pods.metric.selector.matchLabels["a b"]`, json + "number into Go struct field LabelSelector.spec.metrics.pods.metric.selector.matchLabels of type string"},
		{`"labels":{"app":"web"}`, `"labels":[]`, "metadata.labels", json + "array into Go struct field ObjectMeta.metadata.labels of type map[string]string"},
		{`"controller":true`, `"controller":"yes"`, "metadata.ownerReferences[0].controller", json + "string into Go struct field OwnerReference.metadata.ownerReferences.controller of type bool"},
		{`"currentReplicas":2`, `"observedGeneration":9223372036854775808`, "status.observedGeneration", json + "number 9223372036854775808 into Go struct field HorizontalPodAutoscalerStatus.status.observedGeneration of type int64"},
		{`"10"`, `"ten","value":"1"`, "spec.metrics[1].pods.target.averageValue", metrics.QuantityMalformed.String()},
		{`"averageUtilization":60`, `"averageUtilization":"60","value":{},"averageValue":"1mm"`, "spec.metrics[0].resource.target.value", metrics.QuantityMalformed.String()},
		{`"10"`, `"1e99999999999"`, "spec.metrics[1].pods.target.averageValue", `not a quantity: "1e99999999999": exponent is out of range`},
		{`"creationTimestamp":null`, `"creationTimestamp":7`, "metadata.creationTimestamp", json + "number into Go struct field ObjectMeta.metadata.creationTimestamp of type string"},
		{`"currentReplicas":2`, `"lastScaleTime":"now"`, "status.lastScaleTime", `parsing time "now" as "2006-01-02T15:04:05Z07:00": cannot parse "now" as "2006"`},
		{`"currentReplicas":2`, `"lastScaleTime":"` + strings.Repeat("0", 50) + `"`, "status.lastScaleTime", `found "` + strings.Repeat("0", 40) + `"... where a time in RFC 3339 was expected`},
		{`"currentReplicas":2`, `"lastScaleTime":"2026-05-04T12:00:00\u005a"`, "status.lastScaleTime", `found "2026-05-04T12:00:00Z" where a time in RFC 3339 was expected`},
	} {
		text := strings.Replace(applied, c.old, c.new, 1)
		require.NotEqual(t, applied, text, c.old)
		_, err := kubejson.DecodeManifest([]byte(text))
		require.Equal(t, &kubejson.Error{Document: "horizontal pod autoscaler", Path: c.path, Problem: c.want}, err)
		strict := kubejson.Cluster{Strict: true}
		require.EqualError(t, strict.Add([]byte(list("v1", "List", text))), "kubejson: document 1, horizontal pod autoscaler: items[0]."+c.path+": "+c.want)
	}
	_, err := kubejson.DecodeManifest([]byte(list("v1", "List", strings.Replace(applied, `"autoscaling/v2"`, "2", 1))))
	require.EqualError(t, err, "kubejson: horizontal pod autoscaler: items[0].apiVersion: found 2 where a string was expected")
}

// There are at most as many fields as the API server lists.
func TestDecodeManifestListsAHundred(t *testing.T) {
	var b strings.Builder
	for i := range 150 {
		fmt.Fprintf(&b, `"x%d":0,`, i)
	}
	_, err := kubejson.DecodeManifest([]byte(strings.Replace(applied, `"maxReplicas"`, b.String()+`"maxReplicas"`, 1)))
	var strict *kubejson.StrictError
	require.ErrorAs(t, err, &strict)
	require.Len(t, strict.Fields, 100)
	require.Equal(t, kubejson.StrictField{Path: "spec.x99", Problem: "unknown field"}, strict.Fields[99])
}

// An autoscaler of autoscaling/v1 has other metrics and its rules in
// annotations. TestManifests in calculator/conformance compares the conversion
// with Kubernetes'.
func TestDecodeManifestV1(t *testing.T) {
	decode := func(annotations, spec string) (kubejson.HorizontalPodAutoscaler, error) {
		return kubejson.DecodeManifest([]byte(object("autoscaling/v1", "HorizontalPodAutoscaler",
			`"metadata":{"name":"web","annotations":{`+annotations+`}},"spec":{`+spec+`},"status":{"observedGeneration":2,"currentReplicas":3,"desiredReplicas":4,"lastScaleTime":"2026-05-04T12:00:00Z"}`)))
	}
	a, err := decode(`"a":"b"`, `"scaleTargetRef":{"kind":"Deployment","name":"web"},"minReplicas":2,"maxReplicas":5,"targetCPUUtilizationPercentage":60`)
	require.NoError(t, err)
	want := autoscaling.NewSpec(2, 5, autoscaling.ResourceUtilizationMetric("cpu", 60))
	want.ScaleTargetRef = autoscaling.CrossVersionObjectReference{Kind: "Deployment", Name: "web"}
	require.Equal(t, want, a.Spec)
	require.Equal(t, [3]int64{2, 3, 4}, [3]int64{*a.Status.ObservedGeneration, int64(a.Status.CurrentReplicas), int64(a.Status.DesiredReplicas)})
	require.Equal(t, 2026, a.Status.LastScaleTime.Year())

	const others, rules = "autoscaling.alpha.kubernetes.io/metrics", "autoscaling.alpha.kubernetes.io/behavior"
	annotation := func(name, text string) string { return strconv.Quote(name) + ":" + strconv.Quote(text) }
	a, err = decode(annotation(others, `[
		{"type":"Resource","resource":{"name":"memory","targetAverageValue":"1Gi"}},
		{"type":"ContainerResource","containerResource":{"name":"cpu","container":"app","targetAverageUtilization":70}},
		{"type":"Pods","pods":{"metricName":"qps","targetAverageValue":"10","selector":{"matchLabels":{"a":"b"}}}},
		{"type":"Pods","pods":{"metricName":"qps"}},
		{"type":"Object","object":{"target":{"kind":"Service","name":"front"},"metricName":"hits","targetValue":"10"}},
		{"type":"Object","object":{"metricName":"hits","targetValue":"0","averageValue":"10"}},
		{"type":"Object","object":{"metricName":"hits","targetValue":"5","averageValue":"10"}},
		{"type":"External","external":{"metricName":"queue","metricSelector":{},"targetValue":"10"}},
		{"type":"External","external":{"metricName":"queue","targetAverageValue":"10"}}]`)+","+
		annotation(rules, `{"ScaleUp":{"StabilizationWindowSeconds":30,"Policies":[{"Type":"Pods","Value":3,"PeriodSeconds":60}]},"ScaleDown":null}`),
		`"targetCPUUtilizationPercentage":60`)
	require.NoError(t, err)
	require.Len(t, a.Spec.Metrics, 10)
	require.Equal(t, "10", a.Spec.Metrics[2].Pods.Target.AverageValue.String())
	require.Equal(t, "0", a.Spec.Metrics[3].Pods.Target.AverageValue.String())
	require.Equal(t, "", a.Spec.Metrics[5].Object.Target.Value.String())
	require.Equal(t, "5", a.Spec.Metrics[6].Object.Target.Value.String())
	require.Equal(t, int32(30), *a.Spec.Behavior.ScaleUp.StabilizationWindowSeconds)
	require.Equal(t, int32(60), a.Spec.Behavior.ScaleUp.Policies[0].PeriodSeconds)

	for text, want := range map[string]string{
		annotation(others, `{`):                                     `metrics"]: not JSON: unexpected end of JSON input`,
		annotation(others, ``):                                      `metrics"]: not JSON: unexpected end of JSON input`,
		annotation(others, `{}`):                                    `metrics"]: found an object where a list was expected`,
		annotation(others, ` [7]`):                                  `metrics"]: [0]: found 7 where an object was expected`,
		annotation(others, `[{"pods":{"targetAverageValue":"x"}}]`): `metrics"]: [0].pods.targetAverageValue: not a quantity: "x": `,
		annotation(rules, `{"ScaleUp":[]}`):                         `behavior"]: ScaleUp: found a list where an object was expected`,
		annotation(rules, `{}`):                                     ``,
		annotation(others, `null`):                                  ``,
	} {
		a, err := decode(text, `"maxReplicas":1`)
		if want == "" {
			require.NoError(t, err)
			require.Nil(t, a.Spec.Behavior)
			require.Nil(t, a.Spec.Metrics)
			continue
		}
		require.ErrorContains(t, err, `kubejson: horizontal pod autoscaler: metadata.annotations["autoscaling.alpha.kubernetes.io/`+want)
	}
	_, err = decode(annotation(others, `{`), `"metrics":[],"behavior":{}`)
	require.EqualError(t, err, `strict decoding error: unknown field "spec.metrics", unknown field "spec.behavior"`)
}
