package lint_test

import (
	"fmt"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/lint"
)

func ExampleLint() {
	spec := autoscaling.NewSpec(1, 10, autoscaling.ResourceUtilizationMetric("cpu", 95))
	settings := calculator.DefaultSettings()
	found, err := lint.Lint(&settings, &spec, lint.DefaultFacts())
	if err != nil {
		panic(err)
	}
	for _, f := range found {
		fmt.Println(f)
		for _, m := range f.Case {
			fmt.Println(" ", m)
		}
	}
	// Output:
	// spec.metrics[0].resource.target.averageUtilization: NoHeadroom: utilization of 100% is within tolerance: the size is unchanged while pods use all that they request
	//   after 0s, 1 replica: metric 1 reads 100% and proposes 1; unchanged
}
