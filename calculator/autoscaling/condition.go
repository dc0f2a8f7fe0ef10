package autoscaling

import (
	"encoding/json"
	"time"
)

// HorizontalPodAutoscalerConditionType names a condition of a status.
type HorizontalPodAutoscalerConditionType string

// The conditions that Kubernetes sets.
const (
	// ScalingActive: whether a size could be computed.
	ScalingActive HorizontalPodAutoscalerConditionType = "ScalingActive"
	// AbleToScale: whether the scale could be read and written, and what
	// stabilization did.
	AbleToScale HorizontalPodAutoscalerConditionType = "AbleToScale"
	// ScalingLimited: whether a bound or a policy limits the size.
	ScalingLimited HorizontalPodAutoscalerConditionType = "ScalingLimited"
	// ScaledToZero: whether the autoscaler itself scaled the target to zero,
	// and so may bring it back (KEP-2021).
	ScaledToZero HorizontalPodAutoscalerConditionType = "ScaledToZero"
)

// ExternalMetricFallbackActive: whether a metric that failed proposes its
// fallback (KEP-5679). No release up to 1.37 sets it.
const ExternalMetricFallbackActive HorizontalPodAutoscalerConditionType = "ExternalMetricFallbackActive"

// ConditionStatus is the status of a condition.
type ConditionStatus string

// The statuses of a condition.
const (
	ConditionTrue    ConditionStatus = "True"
	ConditionFalse   ConditionStatus = "False"
	ConditionUnknown ConditionStatus = "Unknown"
)

// HorizontalPodAutoscalerCondition is a condition of a status. It is a plain
// value. Its JSON is that of autoscaling/v2, where times are whole seconds.
type HorizontalPodAutoscalerCondition struct {
	Type   HorizontalPodAutoscalerConditionType `json:"type"`
	Status ConditionStatus                      `json:"status"`
	// LastTransitionTime is when Status last changed.
	LastTransitionTime time.Time `json:"lastTransitionTime"`
	// Reason is one word for why, such as "ReadyForNewScale".
	Reason string `json:"reason,omitempty"`
	// Message is Reason as a sentence.
	Message string `json:"message,omitempty"`
	// ObservedGeneration is carried along; Kubernetes 1.37 does not set it.
	// Zero means not set.
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
}

// Equal reports whether both conditions say the same, at the same moment.
func (c HorizontalPodAutoscalerCondition) Equal(d HorizontalPodAutoscalerCondition) bool {
	same := c.LastTransitionTime.Round(0).Equal(d.LastTransitionTime.Round(0))
	c.LastTransitionTime, d.LastTransitionTime = time.Time{}, time.Time{}
	return same && c == d
}

// MarshalJSON returns the condition as autoscaling/v2 has it. A zero time is
// null.
func (c HorizontalPodAutoscalerCondition) MarshalJSON() ([]byte, error) {
	var transition *time.Time
	if t := apiTime(c.LastTransitionTime); !t.IsZero() {
		transition = &t
	}
	type fields HorizontalPodAutoscalerCondition // without this method
	return json.Marshal(struct {
		Type               HorizontalPodAutoscalerConditionType `json:"type"`
		Status             ConditionStatus                      `json:"status"`
		LastTransitionTime *time.Time                           `json:"lastTransitionTime"`
		fields                                                  // those that follow
	}{c.Type, c.Status, transition, fields(c)})
}

// apiTime returns t as Kubernetes' API has it: whole seconds in UTC.
func apiTime(t time.Time) time.Time { return t.UTC().Truncate(time.Second) }
