package kubejson_test

import (
	"encoding/json"
	"fmt"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/kubejson"
)

// What kubectl printed, as short as it gets.
const (
	exampleAutoscaler = `{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler",
		"metadata":{"name":"web","namespace":"shop"},
		"spec":{
			"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"},
			"minReplicas":1,"maxReplicas":10,
			"metrics":[{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":50}}}]},
		"status":{"currentReplicas":2,"desiredReplicas":2}}`

	exampleScale = `{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"web","namespace":"shop"},
		"spec":{"replicas":2},"status":{"replicas":2,"selector":"app=web"}}`

	examplePods = `{"apiVersion":"v1","kind":"List","items":[
		{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-a","namespace":"shop","labels":{"app":"web"}},
		 "spec":{"containers":[{"name":"app","resources":{"requests":{"cpu":"500m"}}}]},
		 "status":{"phase":"Running","startTime":"2026-11-20T05:00:00Z","conditions":[{"type":"Ready","status":"True","lastTransitionTime":"2026-11-20T05:00:05Z"}]}},
		{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-b","namespace":"shop","labels":{"app":"web"}},
		 "spec":{"containers":[{"name":"app","resources":{"requests":{"cpu":"500m"}}}]},
		 "status":{"phase":"Running","startTime":"2026-11-20T05:00:00Z","conditions":[{"type":"Ready","status":"True","lastTransitionTime":"2026-11-20T05:00:07Z"}]}}]}`

	examplePodMetrics = `{"apiVersion":"metrics.k8s.io/v1beta1","kind":"PodMetricsList","items":[
		{"metadata":{"name":"web-a"},"timestamp":"2026-11-20T06:00:00Z","window":"15s","containers":[{"name":"app","usage":{"cpu":"437123456n"}}]},
		{"metadata":{"name":"web-b"},"timestamp":"2026-11-20T06:00:00Z","window":"15s","containers":[{"name":"app","usage":{"cpu":"463m"}}]}]}`

	exampleCustomMetrics = `{"apiVersion":"custom.metrics.k8s.io/v1beta2","kind":"MetricValueList","items":[
		{"describedObject":{"kind":"Pod","name":"web-a"},"metric":{"name":"qps"},"timestamp":"2026-11-20T06:00:00Z","value":"120"},
		{"describedObject":{"kind":"Pod","name":"web-b"},"metric":{"name":"qps"},"timestamp":"2026-11-20T06:00:00Z","value":"80500m"}]}`

	exampleExternalMetrics = `{"apiVersion":"external.metrics.k8s.io/v1beta1","kind":"ExternalMetricValueList","items":[
		{"metricName":"queue_depth","metricLabels":{"shard":"0"},"timestamp":"2026-11-20T06:00:00Z","value":"45"},
		{"metricName":"queue_depth","metricLabels":{"shard":"1"},"timestamp":"2026-11-20T06:00:00Z","value":"60500m"}]}`
)

// A decision on what a few commands printed one after another.
func Example() {
	var c kubejson.Cluster
	if err := c.Add([]byte(exampleAutoscaler + exampleScale + examplePods + examplePodMetrics)); err != nil {
		fmt.Println(err)
		return
	}
	settings, state := calculator.DefaultSettings(), c.Autoscaler.State()
	obs := c.Observation()
	d := calculator.Decide(c.Newest(), &settings, &c.Autoscaler.Spec, &obs, &state)
	fmt.Println(d.CurrentReplicas, "to", d.DesiredReplicas, "-", d.ReasonText())

	state.Applied(c.Newest(), &d)
	status, _ := json.Marshal(d.Status(&state).CurrentMetrics)
	fmt.Println(string(status))
	// Output:
	// 2 to 4 - cpu resource utilization (percentage of request) above target
	// [{"type":"Resource","resource":{"name":"cpu","current":{"averageValue":"450m","averageUtilization":90}}}]
}

func ExampleDecodePods() {
	pods, err := kubejson.DecodePods(nil, []byte(examplePods))
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range pods {
		request, _ := pods[i].Request("cpu", "")
		fmt.Println(pods[i].Name, pods[i].Phase, pods[i].Ready, request)
	}
	_, err = kubejson.DecodePods(pods, []byte(exampleScale))
	fmt.Println(err)
	// Output:
	// web-a Running True 500m
	// web-b Running True 500m
	// kubejson: pods: kind: wrong kind "Scale"; Pod, PodList or List was expected
}

func ExampleDecodeAutoscaler() {
	a, err := kubejson.DecodeAutoscaler([]byte(exampleAutoscaler))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(a.Namespace, a.Name, *a.Spec.MinReplicas, a.Spec.MaxReplicas, a.Status.CurrentReplicas)
	// Output: shop web 1 10 2
}

func ExampleDecodeScale() {
	s, err := kubejson.DecodeScale([]byte(exampleScale))
	fmt.Println(s.SpecReplicas, s.StatusReplicas, s.Selector, err)
	// Output: 2 2 app=web <nil>
}

func ExamplePodMetrics_Reading() {
	pods, _ := kubejson.DecodePods(nil, []byte(examplePods))
	m, err := kubejson.DecodePodMetrics([]byte(examplePodMetrics))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range m.Reading(pods, "cpu", "").Samples {
		fmt.Println(s.Value, s.Time, s.Window)
	}
	// A container that no pod has:
	fmt.Println(m.Reading(pods, "cpu", "proxy").Samples[0].Present)
	// Output:
	// 438m 2026-11-20T06:00:00Z 15s
	// 463m 2026-11-20T06:00:00Z 15s
	// false
}

func ExampleCustomMetrics_PodsReading() {
	pods, _ := kubejson.DecodePods(nil, []byte(examplePods))
	m, err := kubejson.DecodeCustomMetrics([]byte(exampleCustomMetrics))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range m.PodsReading(pods, "qps").Samples {
		fmt.Println(s.Value, s.Window)
	}
	fmt.Println(m.PodsReading(pods, "rps").Err)
	// Output:
	// 120 1m0s
	// 80500m 1m0s
	// no metrics returned from custom metrics API
}

func ExampleReader() {
	// One for each metric, kept from sync to sync.
	var cpu, depth kubejson.Reader

	pods, _ := kubejson.DecodePods(nil, []byte(examplePods))
	usage, err := cpu.Resource(pods, []byte(examplePodMetrics), "cpu", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range usage.Samples {
		fmt.Println(s.Value)
	}
	series, err := depth.External([]byte(exampleExternalMetrics))
	fmt.Println(series.Values, err)
	_, err = depth.External([]byte(`{"kind":"Status"}`))
	fmt.Println(err)
	// Output:
	// 438m
	// 463m
	// [45 60500m] <nil>
	// kubejson: external metrics: kind: wrong kind "Status"; ExternalMetricValue, ExternalMetricValueList or List was expected
}

func ExampleExternalMetrics_Reading() {
	m, err := kubejson.DecodeExternalMetrics([]byte(exampleExternalMetrics))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Reading("queue_depth").Values)
	// Output: [45 60500m]
}
