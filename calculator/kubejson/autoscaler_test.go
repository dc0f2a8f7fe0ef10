package kubejson_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/kubejson"
	"github.com/purehpa/hpa/metrics"
)

func TestDecodeAutoscaler(t *testing.T) {
	const doc = `{
	"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler",
	"metadata": {"name": "web", "namespace": "shop", "generation": 7, "creationTimestamp": "2026-11-20T07:00:00+02:00", "managedFields": [
		{"manager": "kubectl-create", "operation": "Update", "time": "2026-11-20T07:00:00+02:00", "fieldsV1": {"f:spec": {}}},
		{"manager": "kubectl-edit", "time": "2026-11-20T07:08:00+02:00"},
		{"manager": "kube-controller-manager", "subresource": "status", "time": "2026-11-20T07:10:00+02:00"},
		{"manager": "other", "subresource": "status", "time": "2026-11-20T07:09:00+02:00"},
		{"manager": "argocd", "time": null}]},
	"spec": {
		"scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
		"minReplicas": 2, "maxReplicas": 12,
		"metrics": [
			{"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 50}}},
			{"type": "Pods", "pods": {"metric": {"name": "qps"}, "target": {"type": "AverageValue", "averageValue": "1k"}}}
		],
		"behavior": {"scaleDown": {"stabilizationWindowSeconds": 60, "selectPolicy": "Disabled", "policies": [{"type": "Pods", "value": 4, "periodSeconds": 15}], "tolerance": "50m"}}
	},
	"status": {
		"observedGeneration": 6, "lastScaleTime": "2026-11-20T07:10:00+02:00", "currentReplicas": 5, "desiredReplicas": 6,
		"currentMetrics": [
			{"type": "Resource", "resource": {"name": "cpu", "current": {"averageUtilization": 60, "averageValue": "300m"}}},
			{"type": ""}
		],
		"conditions": [
			{"type": "AbleToScale", "status": "True", "reason": "ReadyForNewScale", "message": "m", "lastTransitionTime": "2026-11-20T03:11:00-02:00", "observedGeneration": 3},
			{"type": "ScaledToZero", "status": "Unknown", "lastTransitionTime": null}
		]
	}}`
	got, err := kubejson.DecodeAutoscaler([]byte(doc))
	require.NoError(t, err)
	p := func(n int32) *int32 { return &n }
	p64 := func(n int64) *int64 { return &n }
	conditions := []autoscaling.HorizontalPodAutoscalerCondition{
		{Type: "AbleToScale", Status: "True", Reason: "ReadyForNewScale", Message: "m",
			LastTransitionTime: at("2026-11-20T05:11:00Z"), ObservedGeneration: 3},
		{Type: "ScaledToZero", Status: "Unknown"},
	}
	want := kubejson.HorizontalPodAutoscaler{
		Namespace: "shop", Name: "web", Generation: 7, CreationTime: at("2026-11-20T05:00:00Z"),
		SpecWritten: at("2026-11-20T05:08:00Z"), StatusWritten: at("2026-11-20T05:10:00Z"),
		Spec: autoscaling.HorizontalPodAutoscalerSpec{
			ScaleTargetRef: autoscaling.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "web"},
			MinReplicas:    p(2),
			MaxReplicas:    12,
			Metrics: []autoscaling.MetricSpec{
				{Type: "Resource", Resource: &autoscaling.ResourceMetricSource{Name: "cpu", Target: autoscaling.MetricTarget{Type: "Utilization", AverageUtilization: p(50)}}},
				{Type: "Pods", Pods: &autoscaling.PodsMetricSource{Metric: autoscaling.MetricIdentifier{Name: "qps"}, Target: autoscaling.MetricTarget{Type: "AverageValue", AverageValue: metrics.MustParseQuantity("1k")}}},
			},
			Behavior: &behavior.Behavior{ScaleDown: &behavior.ScalingRules{
				StabilizationWindowSeconds: p(60),
				SelectPolicy:               "Disabled",
				Policies:                   []behavior.Policy{{Type: "Pods", Value: 4, PeriodSeconds: 15}},
				Tolerance:                  metrics.MustParseQuantity("50m"),
			}},
		},
		Status: autoscaling.HorizontalPodAutoscalerStatus{
			ObservedGeneration: p64(6), LastScaleTime: at("2026-11-20T05:10:00Z"), CurrentReplicas: 5, DesiredReplicas: 6,
			CurrentMetrics: []autoscaling.MetricStatus{
				{Type: "Resource", Resource: &autoscaling.ResourceMetricStatus{Name: "cpu", Current: autoscaling.MetricValueStatus{AverageValue: metrics.MustParseQuantity("300m"), AverageUtilization: p(60)}}},
				{},
			},
			Conditions: conditions,
		},
	}
	compare := []cmp.Option{
		cmp.Comparer(func(a, b metrics.Quantity) bool { return a == b }),
	}
	require.Empty(t, cmp.Diff(want, got, compare...))
	for _, when := range []time.Time{got.CreationTime, got.SpecWritten, got.StatusWritten, got.Status.LastScaleTime, got.Status.Conditions[0].LastTransitionTime} {
		require.Equal(t, time.UTC, when.Location())
	}

	state := got.State()
	require.Empty(t, cmp.Diff(conditions, state.Conditions, compare...))
	require.Equal(t, at("2026-11-20T05:10:00Z"), state.LastScaleTime)
	require.Equal(t, int32(6), state.DesiredReplicas)
	require.Zero(t, state.Recommendations.Len())
	state.Conditions[0].Status = "False"
	require.Equal(t, autoscaling.ConditionTrue, got.Status.Conditions[0].Status, "the state's conditions are its own")
}

// A status that nobody should have written becomes a state that can be encoded.
func TestStateOfBadStatus(t *testing.T) {
	condition := func(t string, status autoscaling.ConditionStatus) autoscaling.HorizontalPodAutoscalerCondition {
		return autoscaling.HorizontalPodAutoscalerCondition{Type: autoscaling.HorizontalPodAutoscalerConditionType(t), Status: status}
	}
	long := strings.Repeat("x", 255)
	a := kubejson.HorizontalPodAutoscaler{Status: autoscaling.HorizontalPodAutoscalerStatus{
		DesiredReplicas: -1,
		Conditions: []autoscaling.HorizontalPodAutoscalerCondition{
			condition("AbleToScale", "true"), condition("AbleToScale", "True"), condition("AbleToScale", "False"),
			condition("", "True"), condition(long, "Unknown"), condition(long+"x", "True"), condition("ScaledToZero", ""),
		},
	}}
	state := a.State()
	require.Equal(t, calculator.State{
		Conditions: []autoscaling.HorizontalPodAutoscalerCondition{condition("AbleToScale", "True"), condition(long, "Unknown")},
	}, state)
	_, err := state.MarshalBinary()
	require.NoError(t, err)
	_, err = state.MarshalJSON()
	require.NoError(t, err)

	a = kubejson.HorizontalPodAutoscaler{}
	for i := range calculator.MaxConditions + 1 {
		a.Status.Conditions = append(a.Status.Conditions, condition(fmt.Sprint(i), "True"))
	}
	state = a.State()
	require.Equal(t, a.Status.Conditions[:calculator.MaxConditions], state.Conditions)
	_, err = state.MarshalBinary()
	require.NoError(t, err)
}

// A recorded status and spec encode as they were.
func TestStatusRoundTrip(t *testing.T) {
	for name, data := range scenes(t, "hpa.json") {
		a, err := kubejson.DecodeAutoscaler(data)
		require.NoError(t, err, name)
		var recorded struct {
			Status json.RawMessage
			Spec   json.RawMessage
		}
		require.NoError(t, json.Unmarshal(data, &recorded))
		var status autoscaling.HorizontalPodAutoscalerStatus
		require.NoError(t, json.Unmarshal(recorded.Status, &status))
		encoded, err := json.Marshal(a.Status)
		require.NoError(t, err)
		again, err := json.Marshal(status)
		require.NoError(t, err)
		require.Equal(t, string(again), string(encoded), name)
		// The controller leaves out a size of zero.
		require.JSONEq(t, string(recorded.Status), string(encoded), name)
		spec, err := json.Marshal(a.Spec)
		require.NoError(t, err)
		require.JSONEq(t, string(recorded.Spec), string(spec), name)
	}
}

func TestDecodeAutoscalerLists(t *testing.T) {
	one := object("autoscaling/v2", "HorizontalPodAutoscaler", `"metadata":{"name":"web"},"spec":{"maxReplicas":3}`)
	a, err := kubejson.DecodeAutoscaler([]byte(list("v1", "List", one)))
	require.NoError(t, err)
	require.Equal(t, int32(3), a.Spec.MaxReplicas)
	require.True(t, a.CreationTime.IsZero() && a.Status.LastScaleTime.IsZero())

	_, err = kubejson.DecodeAutoscaler([]byte(list("v1", "List")))
	require.EqualError(t, err, "kubejson: horizontal pod autoscaler: items: 0 autoscalers; one was expected")
	_, err = kubejson.DecodeAutoscaler([]byte(list("v1", "List", one, one)))
	require.EqualError(t, err, "kubejson: horizontal pod autoscaler: items: 2 autoscalers; one was expected")
}

func TestDecodeAutoscalerErrors(t *testing.T) {
	tests := []struct{ rest, text string }{
		{`"spec":{}`, "metadata.name: missing"},
		{`"metadata":{"generation":1.5}`, "metadata.generation: found 1.5 where a whole number of 64 bits was expected"},
		{`"metadata":{"name":"web","creationTimestamp":0}`, "metadata.creationTimestamp: found 0 where a time in RFC 3339 was expected"},
		{`"metadata":{"name":"web","managedFields":[{},{"time":"x"}]}`, `metadata.managedFields[1].time: found "x" where a time in RFC 3339 was expected`},
		{`"metadata":{"name":"web","managedFields":{}}`, `metadata.managedFields: found an object where a list was expected`},
		{`"spec":{"maxReplicas":"3"}`, `spec.maxReplicas: found "3" where a whole number of 32 bits was expected`},
		{`"spec":{"maxReplicas":2147483648}`, `spec.maxReplicas: found 2147483648 where a whole number of 32 bits was expected`},
		{`"spec":{"minReplicas":-2147483649}`, `spec.minReplicas: found -2147483649 where a whole number of 32 bits was expected`},
		{`"spec":{"metrics":[{"type":"Resource"},{"resource":{"target":{"averageUtilization":"x"}}}]}`,
			`spec.metrics[1].resource.target.averageUtilization: found "x" where a whole number of 32 bits was expected`},
		{`"spec":{"metrics":[{"pods":{"target":{"averageValue":"1kk"}}}]}`, `spec.metrics[0].pods.target.averageValue: not a quantity: "1kk": `},
		{`"spec":{"metrics":[{"external":{"metric":{"selector":{"matchLabels":{"a":1}}}}}]}`, `spec.metrics[0].external.metric.selector.matchLabels.a: found 1 where a string was expected`},
		{`"spec":{"behavior":{"scaleUp":{"policies":[{"value":[]}]}}}`, `spec.behavior.scaleUp.policies[0].value: found a list where a whole number of 32 bits was expected`},
		{`"status":3`, `status: found 3 where an object was expected`},
		{`"status":{"observedGeneration":"1"}`, `status.observedGeneration: found "1" where a whole number of 64 bits was expected`},
		{`"status":{"lastScaleTime":7}`, `status.lastScaleTime: found 7 where a time in RFC 3339 was expected`},
		{`"status":{"conditions":{}}`, `status.conditions: found an object where a list was expected`},
		{`"status":{"conditions":[{},{"status":true}]}`, `status.conditions[1].status: found true where a string was expected`},
		{`"status":{"conditions":[{"lastTransitionTime":"yesterday"}]}`, `status.conditions[0].lastTransitionTime: found "yesterday" where a time in RFC 3339 was expected`},
		{`"status":{"currentMetrics":[{"resource":{"current":{"averageValue":"--1"}}}]}`, `status.currentMetrics[0].resource.current.averageValue: not a quantity: "--1": `},
	}
	for _, tt := range tests {
		_, err := kubejson.DecodeAutoscaler([]byte(object("autoscaling/v2", "HorizontalPodAutoscaler", tt.rest)))
		requireError(t, err)
		require.Contains(t, err.Error(), "kubejson: horizontal pod autoscaler: "+tt.text)
	}
	for _, version := range []string{"autoscaling/v1", "autoscaling/v2beta2"} {
		_, err := kubejson.DecodeAutoscaler([]byte(object(version, "HorizontalPodAutoscaler", `"metadata":{"name":"web"}`)))
		require.EqualError(t, err, `kubejson: horizontal pod autoscaler: apiVersion: wrong version "`+version+`"; autoscaling/v2 is supported; kubectl get hpa.v2.autoscaling NAME -o json prints it`)
		_, err = kubejson.DecodeAutoscaler([]byte(list(version, "HorizontalPodAutoscalerList")))
		require.ErrorContains(t, err, "; kubectl get hpa.v2.autoscaling NAME -o json prints it")
	}
}

func TestDecodeScale(t *testing.T) {
	s, err := kubejson.DecodeScale([]byte(object("autoscaling/v1", "Scale",
		`"metadata":{"name":"web","namespace":"shop"},"spec":{"replicas":4},"status":{"replicas":5,"selector":"app=web"}`)))
	require.NoError(t, err)
	require.Equal(t, kubejson.Scale{Namespace: "shop", Name: "web", SpecReplicas: 4, StatusReplicas: 5, Selector: "app=web"}, s)

	s, err = kubejson.DecodeScale([]byte(list("v1", "List", object("autoscaling/v1", "Scale", `"spec":{},"status":{"replicas":0}`))))
	require.NoError(t, err)
	require.Equal(t, kubejson.Scale{}, s)

	for _, tt := range []struct{ rest, text string }{
		{`"spec":{"replicas":-1}`, "spec.replicas: -1 is negative"},
		{`"status":{"replicas":-2147483648}`, "status.replicas: -2147483648 is negative"},
		{`"spec":{"replicas":2147483648}`, "spec.replicas: found 2147483648 where a whole number of 32 bits was expected"},
		{`"status":{"selector":"` + strings.Repeat("a", 4097) + `"}`, "status.selector: longer than 4096 bytes"},
		{`"status":{"selector":{}}`, "status.selector: found an object where a string was expected"},
	} {
		s, err := kubejson.DecodeScale([]byte(object("autoscaling/v1", "Scale", tt.rest)))
		requireError(t, err)
		require.EqualError(t, err, "kubejson: scale: "+tt.text)
		require.Zero(t, s)
	}
	_, err = kubejson.DecodeScale([]byte(list("v1", "List")))
	require.EqualError(t, err, "kubejson: scale: items: 0 scales; one was expected")
	_, err = kubejson.DecodeScale([]byte(list("autoscaling/v1", "ScaleList", `{"spec":{"replicas":-1}}`)))
	require.EqualError(t, err, "kubejson: scale: items[0].spec.replicas: -1 is negative")
}
