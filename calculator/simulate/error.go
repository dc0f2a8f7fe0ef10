package simulate

import "fmt"

// InputError is an argument that cannot be simulated with.
type InputError struct {
	// Field is the argument's path, such as "scenario.duration".
	Field string
	// Problem is what is wrong with it.
	Problem string
}

// Error returns both.
func (e *InputError) Error() string { return "simulate: " + e.Field + ": " + e.Problem }

func inputErrorf(field, format string, args ...any) error {
	return &InputError{Field: field, Problem: fmt.Sprintf(format, args...)}
}
