package metrics

import "strconv"

// TargetType says what a Target aims at.
type TargetType uint8

// The three types of target of autoscaling/v2, and the zero value that is none.
const (
	// NoTarget is the type of the zero Target.
	NoTarget TargetType = iota
	// UtilizationTarget aims at a percentage of the pods' requests.
	UtilizationTarget
	// AverageValueTarget aims at an amount for each pod.
	AverageValueTarget
	// ValueTarget aims at an amount for the whole.
	ValueTarget
)

// String returns the word that autoscaling/v2 uses: "Utilization",
// "AverageValue" or "Value".
func (t TargetType) String() string {
	switch t {
	case NoTarget:
		return ""
	case UtilizationTarget:
		return "Utilization"
	case AverageValueTarget:
		return "AverageValue"
	case ValueTarget:
		return "Value"
	}
	return "TargetType(" + strconv.Itoa(int(t)) + ")"
}

// MarshalText returns the word of String.
func (t TargetType) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads what MarshalText writes. The error is a *WordError.
func (t *TargetType) UnmarshalText(text []byte) error {
	return parseWord(t, "metrics.TargetType", text, TargetType.String)
}

// Target is what a metric should come to. The zero Target is not set.
type Target struct {
	typ    TargetType
	amount Milli
}

// Utilization aims at percent hundredths of what the pods request. It is
// meaningful from 1 on; more than 100 is fine.
func Utilization(percent int32) Target {
	return Target{typ: UtilizationTarget, amount: Milli(percent)}
}

// AverageValue aims at m milli-units for each pod. It is meaningful from 1 on.
func AverageValue(m Milli) Target { return Target{typ: AverageValueTarget, amount: m} }

// Value aims at m milli-units for all. It is meaningful from 1 on.
func Value(m Milli) Target { return Target{typ: ValueTarget, amount: m} }

// Type returns what the target aims at.
func (t Target) Type() TargetType { return t.typ }

// Percent returns the aim of a UtilizationTarget, and 0 for the others.
func (t Target) Percent() int32 {
	if t.typ != UtilizationTarget {
		return 0
	}
	return int32(t.amount)
}

// Milli returns the aim of an AverageValueTarget or a ValueTarget in
// milli-units, and 0 for the others.
func (t Target) Milli() Milli {
	if t.typ == UtilizationTarget {
		return 0
	}
	return t.amount
}

// Valid reports whether the target is set and positive. With one that is not,
// no ratio is defined.
func (t Target) Valid() bool { return t.typ != NoTarget && t.amount > 0 }

// String returns the aim for people: "70%", "250m for each pod" or "3k".
func (t Target) String() string {
	switch t.typ {
	case UtilizationTarget:
		return strconv.FormatInt(int64(t.amount), 10) + "%"
	case AverageValueTarget:
		return t.amount.String() + " for each pod"
	case ValueTarget:
		return t.amount.String()
	}
	return "no target"
}
