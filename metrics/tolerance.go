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
	// Distance has Within round the distance of the ratio from 1, as Kubernetes did
	// up to 1.32. In exact arithmetic that is the same. In floating point, 1.1 is
	// not within 0.1 then.
	Distance bool
}

// Symmetric returns a Tolerance of f in both directions.
func Symmetric(f float64) Tolerance { return Tolerance{Down: f, Up: f} }

// Within reports whether 1-Down <= ratio <= 1+Up. It is false for NaN.
func (t Tolerance) Within(ratio float64) bool {
	switch {
	case t.Distance && ratio < 1:
		return 1.0-ratio <= t.Down
	case t.Distance:
		return ratio-1.0 <= t.Up
	}
	return 1.0-t.Down <= ratio && ratio <= 1.0+t.Up
}
