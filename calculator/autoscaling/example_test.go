package autoscaling_test

import (
	"encoding/json"
	"fmt"

	"github.com/purehpa/hpa/calculator/autoscaling"
)

func ExampleHorizontalPodAutoscalerSpec_SetDefaults() {
	var spec autoscaling.HorizontalPodAutoscalerSpec
	err := json.Unmarshal([]byte(`{
		"scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
		"maxReplicas": 10
	}`), &spec)
	if err != nil {
		fmt.Println(err)
		return
	}
	spec.SetDefaults()
	fmt.Println(*spec.MinReplicas, "to", spec.MaxReplicas)
	text, _ := json.Marshal(spec.Metrics[0])
	fmt.Println(string(text))
	// Output:
	// 1 to 10
	// {"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":80}}}
}

func ExampleHorizontalPodAutoscalerSpec_Validate() {
	var spec autoscaling.HorizontalPodAutoscalerSpec
	err := json.Unmarshal([]byte(`{
		"scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
		"minReplicas": 3,
		"maxReplicas": 2,
		"metrics": [{"type": "Pods", "pods": {
			"metric": {"name": "requests"},
			"target": {"type": "AverageValue", "averageValue": "-1"}
		}}]
	}`), &spec)
	if err != nil {
		fmt.Println(err)
		return
	}
	spec.SetDefaults()
	for _, e := range spec.Validate() {
		fmt.Println(e)
	}
	// Output:
	// spec.maxReplicas: Invalid value: 2: must be greater than or equal to `minReplicas`
	// spec.metrics[0].pods.target.averageValue: Invalid value: "-1": must be positive
}

func ExampleLabelSelector_String() {
	s := &autoscaling.LabelSelector{MatchLabels: map[string]string{"queue": "orders"}}
	fmt.Println(s)
	// Output:
	// &LabelSelector{MatchLabels:map[string]string{queue: orders,},MatchExpressions:[]LabelSelectorRequirement{},}
}

func ExampleLabelSelector_Problem() {
	s := &autoscaling.LabelSelector{MatchExpressions: []autoscaling.LabelSelectorRequirement{{
		Key: "queue", Operator: autoscaling.LabelSelectorOpIn,
	}}}
	fmt.Println(s.Problem())
	// Output:
	// values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty
}
