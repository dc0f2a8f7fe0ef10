package behavior

import (
	"slices"

	"github.com/purehpa/hpa/metrics"
)

// Behavior holds the scaling rules of both directions, spec.behavior of a
// HorizontalPodAutoscaler (KEP-853). It reads and writes the JSON of
// autoscaling/v2.
//
// A nil *Behavior means no rules at all: the controller then stabilizes the way
// down by its own flag and limits the way up to twice the size. That differs
// from a Behavior of default rules.
type Behavior struct {
	// ScaleUp holds the rules for the way up; nil stands for [DefaultScaleUp].
	ScaleUp *Rules `json:"scaleUp,omitempty"`
	// ScaleDown holds the rules for the way down; nil stands for [DefaultScaleDown].
	ScaleDown *Rules `json:"scaleDown,omitempty"`
}

// Rules are the scaling rules of one direction.
type Rules struct {
	// StabilizationWindowSeconds is how long, in seconds, past recommendations
	// are held against the present one, 0 to [MaxStabilizationWindowSeconds].
	// Zero means no stabilization. Nil means not set: 0 on the way up, the
	// controller's downscale stabilization on the way down.
	StabilizationWindowSeconds *int32 `json:"stabilizationWindowSeconds,omitempty"`
	// SelectPolicy chooses among the policies' limits; empty stands for
	// [SelectMax]. An empty text in JSON is not set either, where the API server
	// calls it an unsupported value.
	SelectPolicy SelectPolicy `json:"selectPolicy,omitempty"`
	// Policies limit how much the size may change within their periods. A nil
	// list stands for the direction's default policies; an empty list that is not
	// nil stays empty and is invalid.
	Policies []Policy `json:"policies,omitempty"`
	// Tolerance is the fraction by which the usage ratio may differ from 1 in this
	// direction without a change in size (KEP-4951), 0.1 for 10 percent; not
	// negative. Not set means the controller's tolerance.
	Tolerance metrics.Quantity `json:"tolerance,omitzero"`
}

// SelectPolicy says which of the policies' limits applies.
type SelectPolicy string

// The select policies of autoscaling/v2.
const (
	// SelectMax applies the policy that allows the largest change.
	SelectMax SelectPolicy = "Max"
	// SelectMin applies the policy that allows the smallest change.
	SelectMin SelectPolicy = "Min"
	// SelectDisabled forbids any change in the direction.
	SelectDisabled SelectPolicy = "Disabled"
)

// PolicyType says what the value of a [Policy] counts.
type PolicyType string

// The policy types of autoscaling/v2.
const (
	// PodsPolicy counts pods.
	PodsPolicy PolicyType = "Pods"
	// PercentPolicy counts percent of the size at the start of the period.
	PercentPolicy PolicyType = "Percent"
)

// Policy limits the change in size within a period.
type Policy struct {
	// Type says whether Value counts pods or percent.
	Type PolicyType `json:"type"`
	// Value is the change allowed within the period, in pods or in percent; at
	// least 1.
	Value int32 `json:"value"`
	// PeriodSeconds is the length of the period that looks back from now, in
	// seconds, 1 to [MaxPeriodSeconds].
	PeriodSeconds int32 `json:"periodSeconds"`
}

// Clone returns a deep copy; nil for nil.
func (b *Behavior) Clone() *Behavior {
	if b == nil {
		return nil
	}
	return &Behavior{ScaleUp: b.ScaleUp.Clone(), ScaleDown: b.ScaleDown.Clone()}
}

// Clone returns a deep copy; nil for nil. A nil list of policies stays nil and
// an empty one empty.
func (r *Rules) Clone() *Rules {
	if r == nil {
		return nil
	}
	c := *r
	if r.StabilizationWindowSeconds != nil {
		c.StabilizationWindowSeconds = new(int32)
		*c.StabilizationWindowSeconds = *r.StabilizationWindowSeconds
	}
	c.Policies = slices.Clone(r.Policies)
	return &c
}
