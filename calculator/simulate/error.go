package simulate

import (
	"fmt"

	"github.com/purehpa/hpa/behavior/field"
)

const mustNotBeNegative = "must not be negative"

// negative returns the error of a value that must not be negative and prints
// better than it encodes, such as a duration.
func negative(path string, v fmt.Stringer) error {
	return field.Invalid(path, v.String(), mustNotBeNegative)
}
