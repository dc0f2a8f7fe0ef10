package kube

import (
	"slices"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/purehpa/hpa/calculator"
)

// State returns what the status tells of the past: the conditions, the time of
// the last scale and the desired size. Recommendations and scale events are not
// in it; as after a restart of kube-controller-manager, the state has none. A
// nil status is an empty one.
func State(status *autoscalingv2.HorizontalPodAutoscalerStatus) calculator.State {
	if status == nil {
		return calculator.State{}
	}
	st := calculator.State{DesiredReplicas: status.DesiredReplicas}
	if t := status.LastScaleTime; t != nil {
		st.LastScaleTime = t.UTC()
	}
	for i := range status.Conditions {
		c := &status.Conditions[i]
		st.Conditions = append(st.Conditions, calculator.Condition{
			Type:               calculator.ConditionType(c.Type),
			Status:             calculator.ConditionStatus(c.Status),
			Reason:             c.Reason,
			Message:            calculator.Text(c.Message),
			LastTransitionTime: c.LastTransitionTime.UTC(),
			ObservedGeneration: clone64(c.ObservedGeneration),
		})
	}
	return st
}

// UpdateStatus makes the status the one after the sync that d decided, of an
// object of that generation, and, if it rescales, after State.Applied or
// State.Failed. Conditions are merged by type: those that the autoscaler does not
// set stay, and new ones are appended. Times are whole seconds, as the API has
// them, so that a status that says the same is equal.
//
// Where the scale could not be read, nothing but the conditions changes, as in
// Kubernetes; where the input could not be decided on, nothing at all. The error
// is an *Error, and the status is as it was then.
func UpdateStatus(status *autoscalingv2.HorizontalPodAutoscalerStatus, generation int64, d *calculator.Decision, st *calculator.State) error {
	switch {
	case status == nil:
		return &Error{Kind: autoscalerKind, Field: "status", Problem: "nil"}
	case d == nil:
		return &Error{Kind: autoscalerKind, Field: "status", Problem: "nil decision"}
	case d.Zone == calculator.NoZone:
		// Empty where there was no decision at all.
		status.Conditions = mergeConditions(status.Conditions, d.Conditions)
		return nil
	}
	s := d.Status(st)
	var current []autoscalingv2.MetricStatus
	if s.CurrentMetrics != nil {
		current = make([]autoscalingv2.MetricStatus, len(s.CurrentMetrics))
	}
	for i := range s.CurrentMetrics {
		if err := metricStatus(&current[i], &s.CurrentMetrics[i]); err != nil {
			return err.within(element("status.currentMetrics", i)).of(autoscalerKind, nil)
		}
	}
	conditions := mergeConditions(status.Conditions, s.Conditions)
	*status = autoscalingv2.HorizontalPodAutoscalerStatus{
		ObservedGeneration: &generation,
		CurrentReplicas:    s.CurrentReplicas,
		DesiredReplicas:    s.DesiredReplicas,
		CurrentMetrics:     current,
		Conditions:         conditions,
	}
	if !s.LastScaleTime.IsZero() {
		t := apiTime(s.LastScaleTime)
		status.LastScaleTime = &t
	}
	return nil
}

// mergeConditions returns a copy of the conditions with those of from set.
func mergeConditions(into []autoscalingv2.HorizontalPodAutoscalerCondition, from []calculator.Condition) []autoscalingv2.HorizontalPodAutoscalerCondition {
	into = slices.Clone(into)
	for i := range from {
		c := autoscalingv2.HorizontalPodAutoscalerCondition{
			Type:               autoscalingv2.HorizontalPodAutoscalerConditionType(from[i].Type),
			Status:             corev1.ConditionStatus(from[i].Status),
			LastTransitionTime: apiTime(from[i].LastTransitionTime),
			Reason:             from[i].Reason,
			Message:            from[i].Message.String(),
			ObservedGeneration: clone64(from[i].ObservedGeneration),
		}
		at := slices.IndexFunc(into, func(old autoscalingv2.HorizontalPodAutoscalerCondition) bool { return old.Type == c.Type })
		if at < 0 {
			into = append(into, c)
			continue
		}
		into[at] = c
	}
	return into
}

func metricStatus(out *autoscalingv2.MetricStatus, m *calculator.MetricStatus) *Error {
	out.Type = autoscalingv2.MetricSourceType(m.Type)
	var err *Error
	if s := m.Object; s != nil {
		out.Object = &autoscalingv2.ObjectMetricStatus{Metric: apiIdentifier(s.Metric), DescribedObject: apiReference(s.DescribedObject)}
		if out.Object.Current, err = valueStatus(&s.Current); err != nil {
			return err.within("object")
		}
	}
	if s := m.Pods; s != nil {
		out.Pods = &autoscalingv2.PodsMetricStatus{Metric: apiIdentifier(s.Metric)}
		if out.Pods.Current, err = valueStatus(&s.Current); err != nil {
			return err.within("pods")
		}
	}
	if s := m.Resource; s != nil {
		out.Resource = &autoscalingv2.ResourceMetricStatus{Name: corev1.ResourceName(s.Name)}
		if out.Resource.Current, err = valueStatus(&s.Current); err != nil {
			return err.within("resource")
		}
	}
	if s := m.ContainerResource; s != nil {
		out.ContainerResource = &autoscalingv2.ContainerResourceMetricStatus{Name: corev1.ResourceName(s.Name), Container: s.Container}
		if out.ContainerResource.Current, err = valueStatus(&s.Current); err != nil {
			return err.within("containerResource")
		}
	}
	if s := m.External; s != nil {
		out.External = &autoscalingv2.ExternalMetricStatus{Metric: apiIdentifier(s.Metric)}
		if out.External.Current, err = valueStatus(&s.Current); err != nil {
			return err.within("external")
		}
	}
	return nil
}

func valueStatus(v *calculator.MetricValueStatus) (autoscalingv2.MetricValueStatus, *Error) {
	out := autoscalingv2.MetricValueStatus{AverageUtilization: clone32(v.AverageUtilization)}
	var err *Error
	if out.Value, err = apiQuantity("current.value", v.Value); err != nil {
		return out, err
	}
	out.AverageValue, err = apiQuantity("current.averageValue", v.AverageValue)
	return out, err
}

// apiTime returns t as Kubernetes' API has it: whole seconds.
func apiTime(t time.Time) metav1.Time {
	if t.IsZero() {
		return metav1.Time{}
	}
	return metav1.NewTime(t.UTC().Truncate(time.Second))
}

func clone64(p *int64) *int64 {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}
