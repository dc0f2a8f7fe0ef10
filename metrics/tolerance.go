package metrics

// Tolerance is how far the usage ratio may be from 1 without a change of size,
// as fractions: 0.1 is 10%. Zero tolerates nothing. The flag
// --horizontal-pod-autoscaler-tolerance sets both (0.1 unless told), and
// spec.behavior sets each by itself (KEP-4951).
type Tolerance struct {
	// Down is for ratios below 1: less usage than the target.
	Down float64
	// Up is for ratios above 1.
	Up float64
}

// Symmetric returns the tolerance of f in both directions.
func Symmetric(f float64) Tolerance { return Tolerance{Down: f, Up: f} }

// Within reports whether ratio is so near to 1 that the size stays: both ends
// count. It is false for NaN.
func (t Tolerance) Within(ratio float64) bool {
	return 1.0-t.Down <= ratio && ratio <= 1.0+t.Up
}
