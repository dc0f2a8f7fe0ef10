package behavior_test

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/behavior/field"
)

func ExampleBehavior_SetDefaults() {
	b := behavior.Behavior{
		ScaleDown: &behavior.ScalingRules{
			Policies: []behavior.Policy{{Type: behavior.PodsPolicy, Value: 1, PeriodSeconds: 60}},
		},
	}
	b.SetDefaults()
	text, _ := json.MarshalIndent(b.ScaleUp, "", "  ")
	fmt.Println(string(text))
	text, _ = json.Marshal(b.ScaleDown)
	fmt.Println(string(text))
	// Output:
	// {
	//   "stabilizationWindowSeconds": 0,
	//   "selectPolicy": "Max",
	//   "policies": [
	//     {
	//       "type": "Pods",
	//       "value": 4,
	//       "periodSeconds": 15
	//     },
	//     {
	//       "type": "Percent",
	//       "value": 100,
	//       "periodSeconds": 15
	//     }
	//   ]
	// }
	// {"selectPolicy":"Max","policies":[{"type":"Pods","value":1,"periodSeconds":60}]}
}

func ExampleDefaultScaleUp() {
	for _, p := range behavior.DefaultScaleUp().Policies {
		fmt.Println(p.Value, p.Type, "in", p.PeriodSeconds, "seconds")
	}
	// Output:
	// 4 Pods in 15 seconds
	// 100 Percent in 15 seconds
}

func ExampleDefaultScaleDown() {
	r := behavior.DefaultScaleDown()
	fmt.Println(r.Policies[0].Value, r.Policies[0].Type, "in", r.Policies[0].PeriodSeconds, "seconds")
	fmt.Println("the controller's flag decides on the window:", r.StabilizationWindowSeconds == nil)
	// Output:
	// 100 Percent in 15 seconds
	// the controller's flag decides on the window: true
}

func ExampleBehavior_Validate() {
	window := int32(3601)
	b := behavior.Behavior{
		ScaleUp: &behavior.ScalingRules{
			StabilizationWindowSeconds: &window,
			Policies:                   []behavior.Policy{{Type: "Nodes", Value: 0, PeriodSeconds: 1800}},
		},
	}
	for _, e := range b.Validate() {
		fmt.Println(e)
	}
	// Output:
	// spec.behavior.scaleUp.stabilizationWindowSeconds: Invalid value: 3601: must be less than or equal to 3600
	// spec.behavior.scaleUp.policies[0].type: Unsupported value: "Nodes": supported values: "Percent", "Pods"
	// spec.behavior.scaleUp.policies[0].value: Invalid value: 0: must be greater than zero
}

func ExampleScalingRules_Validate() {
	r := behavior.ScalingRules{SelectPolicy: "Median", Policies: behavior.DefaultScaleUp().Policies}
	fmt.Println(r.Validate("rules").Err())
	// Output:
	// rules.selectPolicy: Unsupported value: "Median": supported values: "Disabled", "Max", "Min"
}

func ExampleBehavior_Problem() {
	b := behavior.Behavior{ScaleUp: &behavior.ScalingRules{}}
	fmt.Println(b.Problem())
	b.SetDefaults()
	fmt.Println(b.Problem() == nil)
	// Output:
	// spec.behavior.scaleUp.selectPolicy: Required value: must be set, which SetDefaults does
	// true
}

func ExampleBehavior_Validate_list() {
	r := behavior.ScalingRules{Policies: []behavior.Policy{{Type: behavior.PodsPolicy, Value: -1, PeriodSeconds: -1}}}
	err := r.Validate("scaleUp").Err()
	fmt.Println(err)
	var first *field.Error
	if errors.As(err, &first) {
		fmt.Println(first.Field, "is", first.BadValue)
	}
	// Output:
	// [scaleUp.policies[0].value: Invalid value: -1: must be greater than zero, scaleUp.policies[0].periodSeconds: Invalid value: -1: must be greater than zero]
	// scaleUp.policies[0].value is -1
}
