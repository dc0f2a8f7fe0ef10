package kube

import (
	"slices"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/release"
)

// State returns [calculator.StateFromStatus] of the status. A nil status is an
// empty one.
func State(status *autoscalingv2.HorizontalPodAutoscalerStatus) calculator.State {
	if status == nil {
		return calculator.State{}
	}
	own := autoscaling.HorizontalPodAutoscalerStatus{DesiredReplicas: status.DesiredReplicas}
	if t := status.LastScaleTime; t != nil {
		own.LastScaleTime = t.UTC()
	}
	for i := range status.Conditions {
		c := &status.Conditions[i]
		own.Conditions = append(own.Conditions, autoscaling.HorizontalPodAutoscalerCondition{
			Type:               autoscaling.HorizontalPodAutoscalerConditionType(c.Type),
			Status:             autoscaling.ConditionStatus(c.Status),
			LastTransitionTime: c.LastTransitionTime.UTC(),
			Reason:             c.Reason,
			Message:            c.Message,
		})
	}
	return calculator.StateFromStatus(&own)
}

// UpdateStatus changes the status to that after the sync of d. Call it after
// State.Applied or State.Failed, if d rescales. The generation is that of the
// object whose spec was decided on.
//
// Of the conditions, it sets those that Kubernetes' controller sets, by type.
// The others stay. Times are whole seconds, as in the API, so that equal
// statuses compare equal.
//
// If the scale could not be read, only the conditions change, as in Kubernetes.
// If the input was invalid, nothing does. On an error, which is an *Error, the
// status is unchanged.
func UpdateStatus(status *autoscalingv2.HorizontalPodAutoscalerStatus, generation int64, d *calculator.Decision, st *calculator.State) error {
	switch {
	case status == nil:
		return &Error{Kind: autoscalerKind, Field: "status", Problem: "nil"}
	case d == nil:
		return &Error{Kind: autoscalerKind, Field: "status", Problem: "nil decision"}
	case d.Zone == calculator.NoZone:
		// d.Conditions are empty if the input was invalid.
		status.Conditions = mergeConditions(status.Conditions, d.Conditions)
		return nil
	}
	var c converter
	s := d.Status(st)
	out := autoscalingv2.HorizontalPodAutoscalerStatus{
		CurrentReplicas: s.CurrentReplicas,
		DesiredReplicas: s.DesiredReplicas,
		Conditions:      mergeConditions(status.Conditions, s.Conditions),
	}
	quirks := d.Release.Quirks()
	if !quirks.Has(release.NoObservedGeneration) {
		out.ObservedGeneration = &generation
	}
	if quirks.Has(release.NoScaleToZero) && st.Condition(autoscaling.ScaledToZero) == nil {
		out.Conditions = slices.DeleteFunc(out.Conditions, func(c autoscalingv2.HorizontalPodAutoscalerCondition) bool {
			return c.Type == autoscalingv2.HorizontalPodAutoscalerConditionType(autoscaling.ScaledToZero)
		})
	}
	if !s.LastScaleTime.IsZero() {
		t := apiTime(s.LastScaleTime)
		out.LastScaleTime = &t
	}
	if s.CurrentMetrics != nil {
		out.CurrentMetrics = make([]autoscalingv2.MetricStatus, len(s.CurrentMetrics))
	}
	for i := range s.CurrentMetrics {
		out.CurrentMetrics[i] = c.metricStatus(element("status.currentMetrics", i), &s.CurrentMetrics[i])
	}
	if c.err != nil {
		return c.err.of(autoscalerKind, nil)
	}
	*status = out
	return nil
}

// mergeConditions returns a copy of the conditions with those of Kubernetes'
// controller set to from's. Fields that the controller does not set stay, as
// does what k8s.io/api calls observedGeneration since v0.37.
func mergeConditions(into []autoscalingv2.HorizontalPodAutoscalerCondition, from []autoscaling.HorizontalPodAutoscalerCondition) []autoscalingv2.HorizontalPodAutoscalerCondition {
	into = slices.Clone(into)
	for i := range from {
		c := &from[i]
		switch c.Type {
		case autoscaling.ScalingActive, autoscaling.AbleToScale, autoscaling.ScalingLimited, autoscaling.ScaledToZero:
		default:
			continue // the status may have a newer one than the state
		}
		t := autoscalingv2.HorizontalPodAutoscalerConditionType(c.Type)
		at := slices.IndexFunc(into, func(old autoscalingv2.HorizontalPodAutoscalerCondition) bool { return old.Type == t })
		if at < 0 {
			at = len(into)
			into = append(into, autoscalingv2.HorizontalPodAutoscalerCondition{Type: t})
		}
		into[at].Status = corev1.ConditionStatus(c.Status)
		into[at].LastTransitionTime = apiTime(c.LastTransitionTime)
		into[at].Reason, into[at].Message = c.Reason, c.Message
	}
	return into
}

func (c *converter) metricStatus(path string, m *autoscaling.MetricStatus) autoscalingv2.MetricStatus {
	out := autoscalingv2.MetricStatus{Type: autoscalingv2.MetricSourceType(m.Type)}
	if s := m.Object; s != nil {
		out.Object = &autoscalingv2.ObjectMetricStatus{
			Metric:          apiIdentifier(s.Metric),
			Current:         c.valueStatus(path+".object.current", &s.Current),
			DescribedObject: apiReference(s.DescribedObject),
		}
	}
	if s := m.Pods; s != nil {
		out.Pods = &autoscalingv2.PodsMetricStatus{Metric: apiIdentifier(s.Metric), Current: c.valueStatus(path+".pods.current", &s.Current)}
	}
	if s := m.Resource; s != nil {
		out.Resource = &autoscalingv2.ResourceMetricStatus{
			Name:    corev1.ResourceName(s.Name),
			Current: c.valueStatus(path+".resource.current", &s.Current),
		}
	}
	if s := m.ContainerResource; s != nil {
		out.ContainerResource = &autoscalingv2.ContainerResourceMetricStatus{
			Name:      corev1.ResourceName(s.Name),
			Current:   c.valueStatus(path+".containerResource.current", &s.Current),
			Container: s.Container,
		}
	}
	if s := m.External; s != nil {
		out.External = &autoscalingv2.ExternalMetricStatus{Metric: apiIdentifier(s.Metric), Current: c.valueStatus(path+".external.current", &s.Current)}
	}
	return out
}

func (c *converter) valueStatus(path string, v *autoscaling.MetricValueStatus) autoscalingv2.MetricValueStatus {
	return autoscalingv2.MetricValueStatus{
		Value:              c.apiQuantity(path, "value", v.Value),
		AverageValue:       c.apiQuantity(path, "averageValue", v.AverageValue),
		AverageUtilization: clone(v.AverageUtilization),
	}
}

// apiTime returns t as in the API: whole seconds.
func apiTime(t time.Time) metav1.Time {
	if t.IsZero() {
		return metav1.Time{}
	}
	return metav1.NewTime(t.UTC().Truncate(time.Second))
}
