package metrics

// Tolerance is how far the usage ratio may be from 1 without a change of size.
// Both fields are fractions: 0.1 is 10%, and 0 tolerates nothing.
//
// The flag --horizontal-pod-autoscaler-tolerance sets both (default 0.1).
// spec.behavior can set each (KEP-4951).
type Tolerance struct {
	// Down is for ratios below 1, which scale down.
	Down float64
	// Up is for ratios above 1, which scale up.
	Up float64
	// If Rounded is set, Within compares |1-ratio| with the tolerance, as
	// releases up to 1.32 did. The subtraction rounds, so 1.1 is not within
	// 0.1.
	Rounded bool
}

// Symmetric returns a Tolerance of f in both directions.
func Symmetric(f float64) Tolerance { return Tolerance{Down: f, Up: f} }

// Within reports whether 1-Down <= ratio <= 1+Up. It is false for NaN.
func (t Tolerance) Within(ratio float64) bool {
	switch {
	case t.Rounded && ratio < 1:
		return 1.0-ratio <= t.Down
	case t.Rounded:
		return ratio-1.0 <= t.Up
	}
	return 1.0-t.Down <= ratio && ratio <= 1.0+t.Up
}
