package behavior

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/purehpa/hpa/metrics"
)

// Behavior holds the scaling rules of both directions: spec.behavior of a
// HorizontalPodAutoscaler, whose JSON it reads and writes (KEP-853).
//
// A nil *Behavior has no rules. A scale-up may then at most double the size, or
// reach 4, and only the controller's flag holds back a scale-down. A Behavior
// without rules has the default ones instead.
type Behavior struct {
	// ScaleUp holds the rules for scaling up; nil stands for [DefaultScaleUp].
	ScaleUp *ScalingRules `json:"scaleUp,omitempty"`
	// ScaleDown holds the rules for scaling down; nil stands for
	// [DefaultScaleDown].
	ScaleDown *ScalingRules `json:"scaleDown,omitempty"`
}

// ScalingRules are the scaling rules of one direction.
type ScalingRules struct {
	// StabilizationWindowSeconds is how far back past recommendations count, in
	// seconds, 0 to [MaxStabilizationWindowSeconds]. Zero means no
	// stabilization. Nil stands for 0 when scaling up, and for the controller's
	// flag when scaling down; see [Behavior.Windows].
	StabilizationWindowSeconds *int32 `json:"stabilizationWindowSeconds,omitempty"`
	// SelectPolicy chooses among the policies' limits; empty stands for
	// [SelectMax]. An empty string in JSON does, too, although the API server
	// refuses it.
	SelectPolicy SelectPolicy `json:"selectPolicy,omitempty"`
	// Policies limit how much the size may change within their periods. Nil
	// stands for the direction's default policies; an empty list that is not
	// nil is invalid.
	Policies []Policy `json:"policies,omitempty"`
	// Tolerance is the fraction by which the usage ratio may differ from 1 in
	// this direction without a change, such as 0.1 for 10 percent (KEP-4951).
	// It must not be negative. Not set stands for the controller's flag; see
	// [Behavior.Tolerance].
	Tolerance metrics.Quantity `json:"tolerance,omitzero"`
}

// SelectPolicy selects one of the policies' limits.
type SelectPolicy string

// The select policies of autoscaling/v2.
const (
	// SelectMax selects the policy that allows the largest change.
	SelectMax SelectPolicy = "Max"
	// SelectMin selects the policy that allows the smallest change.
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

// Policy limits how much the size may change within a period: 4 pods in 60
// seconds, for example.
type Policy struct {
	Type PolicyType `json:"type"`
	// Value is the change allowed, in pods or in percent; at least 1.
	Value int32 `json:"value"`
	// PeriodSeconds is how far back from now the period reaches, in seconds, 1
	// to [MaxPeriodSeconds].
	PeriodSeconds int32 `json:"periodSeconds"`
}

func (p *Policy) period() time.Duration { return time.Duration(p.PeriodSeconds) * time.Second }

// GoString returns the JSON of the rules, so that tests print what they say
// rather than pointers.
func (b *Behavior) GoString() string {
	text, err := json.Marshal(b)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// Clone returns a deep copy; nil for nil.
func (b *Behavior) Clone() *Behavior {
	if b == nil {
		return nil
	}
	return &Behavior{ScaleUp: b.ScaleUp.Clone(), ScaleDown: b.ScaleDown.Clone()}
}

// Clone returns a deep copy; nil for nil.
func (r *ScalingRules) Clone() *ScalingRules {
	if r == nil {
		return nil
	}
	c := *r
	if r.StabilizationWindowSeconds != nil {
		seconds := *r.StabilizationWindowSeconds
		c.StabilizationWindowSeconds = &seconds
	}
	c.Policies = slices.Clone(r.Policies)
	return &c
}
