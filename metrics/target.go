package metrics

import "strconv"

// TargetType is the type of a metric's target, as in autoscaling/v2.
type TargetType string

const (
	// NoTarget is the type of the zero Target.
	NoTarget TargetType = ""
	// UtilizationTarget is a percentage of the pods' requests.
	UtilizationTarget TargetType = "Utilization"
	// AverageValueTarget is an amount per pod.
	AverageValueTarget TargetType = "AverageValue"
	// ValueTarget is an amount for all pods together.
	ValueTarget TargetType = "Value"
)

// Target is the value that a metric should have. The zero Target is not set.
// Targets are comparable.
type Target struct {
	typ    TargetType
	amount Milli
}

// Utilization returns a target of percent of the pods' requests. It must be at
// least 1 and may exceed 100.
func Utilization(percent int32) Target {
	return Target{typ: UtilizationTarget, amount: Milli(percent)}
}

// AverageValue returns a target of m milli-units per pod. It must be at least
// 1.
func AverageValue(m Milli) Target { return Target{typ: AverageValueTarget, amount: m} }

// Value returns a target of m milli-units for all pods together. It must be at
// least 1.
func Value(m Milli) Target { return Target{typ: ValueTarget, amount: m} }

// Type returns the target's type.
func (t Target) Type() TargetType { return t.typ }

// Percent returns the percentage of a UtilizationTarget, and 0 for other types.
func (t Target) Percent() int32 {
	if t.typ != UtilizationTarget {
		return 0
	}
	return int32(t.amount)
}

// Milli returns the amount of an AverageValueTarget or ValueTarget in
// milli-units, and 0 for other types.
func (t Target) Milli() Milli {
	if t.typ == UtilizationTarget {
		return 0
	}
	return t.amount
}

// Valid reports whether the target is set and positive.
func (t Target) Valid() bool { return t.typ != NoTarget && t.amount > 0 }

// String returns the target for people: "70%", "250m per pod", "3k" or
// "no target".
func (t Target) String() string {
	switch t.typ {
	case UtilizationTarget:
		return strconv.FormatInt(int64(t.amount), 10) + "%"
	case AverageValueTarget:
		return t.amount.String() + " per pod"
	case ValueTarget:
		return t.amount.String()
	}
	return "no target"
}
