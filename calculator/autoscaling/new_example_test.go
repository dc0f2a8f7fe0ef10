package autoscaling_test

import (
	"encoding/json"
	"fmt"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
)

// The busier of two metrics decides on 2 to 10 replicas.
func ExampleNewSpec() {
	spec := autoscaling.NewSpec(2, 10,
		autoscaling.ResourceUtilizationMetric("cpu", 60),
		autoscaling.PodsAverageValueMetric("requests_per_second", metrics.MustParseQuantity("100")),
	)
	spec.Behavior = behavior.Default()
	for _, m := range spec.Metrics {
		fmt.Println(m.Type)
	}
	// Output:
	// Resource
	// Pods
}

// Without metrics, a spec gets Kubernetes' default one.
func ExampleNewSpec_defaults() {
	spec := autoscaling.NewSpec(1, 3)
	resource := spec.Metrics[0].Resource
	fmt.Println(*spec.MinReplicas, spec.MaxReplicas, resource.Name, *resource.Target.AverageUtilization)
	// Output: 1 3 cpu 80
}

func ExampleResourceUtilizationMetric() {
	text, _ := json.Marshal(autoscaling.ResourceUtilizationMetric("cpu", 60))
	fmt.Println(string(text))
	// Output: {"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":60}}}
}

func ExampleResourceAverageValueMetric() {
	text, _ := json.Marshal(autoscaling.ResourceAverageValueMetric("memory", metrics.MustParseQuantity("512Mi")))
	fmt.Println(string(text))
	// Output: {"type":"Resource","resource":{"name":"memory","target":{"type":"AverageValue","averageValue":"512Mi"}}}
}

// The sidecars of the pods do not count.
func ExampleContainerResourceUtilizationMetric() {
	text, _ := json.Marshal(autoscaling.ContainerResourceUtilizationMetric("cpu", "app", 60))
	fmt.Println(string(text))
	// Output: {"type":"ContainerResource","containerResource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":60},"container":"app"}}
}

func ExampleContainerResourceAverageValueMetric() {
	text, _ := json.Marshal(autoscaling.ContainerResourceAverageValueMetric("cpu", "app", metrics.MustParseQuantity("250m")))
	fmt.Println(string(text))
	// Output: {"type":"ContainerResource","containerResource":{"name":"cpu","target":{"type":"AverageValue","averageValue":"250m"},"container":"app"}}
}

func ExamplePodsAverageValueMetric() {
	text, _ := json.Marshal(autoscaling.PodsAverageValueMetric("requests_per_second", metrics.MustParseQuantity("100")))
	fmt.Println(string(text))
	// Output: {"type":"Pods","pods":{"metric":{"name":"requests_per_second"},"target":{"type":"AverageValue","averageValue":"100"}}}
}

// The median latency of an Ingress should be 200 ms.
func ExampleObjectValueMetric() {
	web := autoscaling.CrossVersionObjectReference{APIVersion: "networking.k8s.io/v1", Kind: "Ingress", Name: "web"}
	text, _ := json.MarshalIndent(autoscaling.ObjectValueMetric(web, "latency_seconds", metrics.MustParseQuantity("200m")), "", "  ")
	fmt.Println(string(text))
	// Output:
	// {
	//   "type": "Object",
	//   "object": {
	//     "describedObject": {
	//       "kind": "Ingress",
	//       "name": "web",
	//       "apiVersion": "networking.k8s.io/v1"
	//     },
	//     "target": {
	//       "type": "Value",
	//       "value": "200m"
	//     },
	//     "metric": {
	//       "name": "latency_seconds"
	//     }
	//   }
	// }
}

// Each pod should serve 100 of the requests per second that an Ingress
// receives.
func ExampleObjectAverageValueMetric() {
	web := autoscaling.CrossVersionObjectReference{APIVersion: "networking.k8s.io/v1", Kind: "Ingress", Name: "web"}
	m := autoscaling.ObjectAverageValueMetric(web, "requests_per_second", metrics.MustParseQuantity("100"))
	fmt.Println(m.Type, m.Object.DescribedObject.Name, m.Object.Target.Type, m.Object.Target.AverageValue)
	// Output: Object web AverageValue 100
}

// The oldest message in a queue should wait for 30 seconds.
func ExampleExternalValueMetric() {
	text, _ := json.Marshal(autoscaling.ExternalValueMetric("oldest_message_seconds", metrics.MustParseQuantity("30")))
	fmt.Println(string(text))
	// Output: {"type":"External","external":{"metric":{"name":"oldest_message_seconds"},"target":{"type":"Value","value":"30"}}}
}

// Each pod should have 50 messages of a queue to work on. A selector names the
// queue.
func ExampleExternalAverageValueMetric() {
	m := autoscaling.ExternalAverageValueMetric("messages_ready", metrics.MustParseQuantity("50"))
	m.External.Metric.Selector = &autoscaling.LabelSelector{MatchLabels: map[string]string{"queue": "orders"}}
	text, _ := json.Marshal(m)
	fmt.Println(string(text))
	// Output: {"type":"External","external":{"metric":{"name":"messages_ready","selector":{"matchLabels":{"queue":"orders"}}},"target":{"type":"AverageValue","averageValue":"50"}}}
}

// A forecast proposes a size beside the cpu utilization. The larger size
// counts.
func ExampleProposalMetric() {
	spec := autoscaling.NewSpec(2, 10, autoscaling.ResourceUtilizationMetric("cpu", 60), autoscaling.ProposalMetric("forecast"))
	fmt.Println(spec.Metrics[1].Type, spec.Metrics[1].Proposal.Name)
	// Output: Proposal forecast
}
