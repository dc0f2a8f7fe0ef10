package field_test

import (
	"errors"
	"fmt"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/behavior/field"
)

// A form shows each problem beside its field.
func ExampleErrorList() {
	rules := behavior.ScalingRules{
		SelectPolicy: "Mean",
		Policies:     []behavior.Policy{{Type: behavior.PodsPolicy, PeriodSeconds: 60}},
	}
	for _, e := range rules.Validate("scaleUp") {
		fmt.Println(e.Field)
		fmt.Println(" ", e.Problem())
	}
	// Output:
	// scaleUp.selectPolicy
	//   Unsupported value: "Mean": supported values: "Disabled", "Max", "Min"
	// scaleUp.policies[0].value
	//   Invalid value: 0: must be greater than zero
}

// A list without problems is not a nil error, but its Err is.
func ExampleErrorList_Err() {
	rules := behavior.Default().ScaleDown
	if err := rules.Validate("scaleDown").Err(); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("valid")
	// Output: valid
}

// Callers that have only an error find the first problem in it.
func ExampleError() {
	rules := behavior.ScalingRules{Policies: []behavior.Policy{{Type: behavior.PodsPolicy, PeriodSeconds: 60}}}
	err := rules.Validate("scaleUp").Err()

	var e *field.Error
	if errors.As(err, &e) {
		fmt.Println(e.Field, e.Type == field.ErrorTypeInvalid, e.BadValue)
	}
	// Output: scaleUp.policies[0].value true 0
}
