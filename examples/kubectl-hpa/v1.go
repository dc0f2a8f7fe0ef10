package main

import (
	"encoding/json"
	"fmt"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The annotations in which autoscaling/v1 has what it has no fields for.
const (
	metricsAnnotation  = "autoscaling.alpha.kubernetes.io/metrics"
	behaviorAnnotation = "autoscaling.alpha.kubernetes.io/behavior"
)

// fromV1 converts an autoscaler as the API server does
// (Convert_v1_HorizontalPodAutoscaler_To_autoscaling_HorizontalPodAutoscaler).
// An annotation that cannot be read, which the API server ignores, is an error.
func fromV1(in *autoscalingv1.HorizontalPodAutoscaler) (*autoscalingv2.HorizontalPodAutoscaler, error) {
	out := &autoscalingv2.HorizontalPodAutoscaler{
		TypeMeta:   metav1.TypeMeta{APIVersion: "autoscaling/v2", Kind: "HorizontalPodAutoscaler"},
		ObjectMeta: in.ObjectMeta,
		Spec: autoscalingv2.HorizontalPodAutoscalerSpec{
			ScaleTargetRef: autoscalingv2.CrossVersionObjectReference(in.Spec.ScaleTargetRef),
			MinReplicas:    in.Spec.MinReplicas,
			MaxReplicas:    in.Spec.MaxReplicas,
		},
		Status: autoscalingv2.HorizontalPodAutoscalerStatus{
			ObservedGeneration: in.Status.ObservedGeneration,
			LastScaleTime:      in.Status.LastScaleTime,
			CurrentReplicas:    in.Status.CurrentReplicas,
			DesiredReplicas:    in.Status.DesiredReplicas,
		},
	}
	var others []autoscalingv1.MetricSpec
	if err := annotation(in, metricsAnnotation, &others); err != nil {
		return nil, err
	}
	for i := range others {
		out.Spec.Metrics = append(out.Spec.Metrics, metricFromV1(&others[i]))
	}
	if percent := in.Spec.TargetCPUUtilizationPercentage; percent != nil {
		out.Spec.Metrics = append(out.Spec.Metrics, autoscalingv2.MetricSpec{
			Type:     autoscalingv2.ResourceMetricSourceType,
			Resource: &autoscalingv2.ResourceMetricSource{Name: "cpu", Target: targetFromV1(percent, nil)},
		})
	}
	// Its keys are in other capitals, which encoding/json ignores.
	var behavior autoscalingv2.HorizontalPodAutoscalerBehavior
	if err := annotation(in, behaviorAnnotation, &behavior); err != nil {
		return nil, err
	}
	if behavior != (autoscalingv2.HorizontalPodAutoscalerBehavior{}) {
		out.Spec.Behavior = &behavior
	}
	return out, nil
}

// annotation decodes an annotation, if there is one.
func annotation(in *autoscalingv1.HorizontalPodAutoscaler, name string, into any) error {
	text, ok := in.Annotations[name]
	if !ok {
		return nil
	}
	if err := json.Unmarshal([]byte(text), into); err != nil {
		return fmt.Errorf("metadata.annotations[%s]: %w", name, err)
	}
	return nil
}

func metricFromV1(in *autoscalingv1.MetricSpec) autoscalingv2.MetricSpec {
	out := autoscalingv2.MetricSpec{Type: autoscalingv2.MetricSourceType(in.Type)}
	metric := func(name string, selector *metav1.LabelSelector) autoscalingv2.MetricIdentifier {
		return autoscalingv2.MetricIdentifier{Name: name, Selector: selector}
	}
	if m := in.Object; m != nil {
		target := autoscalingv2.MetricTarget{Type: autoscalingv2.ValueMetricType, Value: &m.TargetValue}
		if m.AverageValue != nil {
			target = targetFromV1(nil, m.AverageValue)
			if !m.TargetValue.IsZero() {
				target.Value = &m.TargetValue
			}
		}
		out.Object = &autoscalingv2.ObjectMetricSource{
			DescribedObject: autoscalingv2.CrossVersionObjectReference(m.Target), Metric: metric(m.MetricName, m.Selector), Target: target,
		}
	}
	if m := in.Pods; m != nil {
		out.Pods = &autoscalingv2.PodsMetricSource{Metric: metric(m.MetricName, m.Selector), Target: targetFromV1(nil, &m.TargetAverageValue)}
	}
	if m := in.Resource; m != nil {
		out.Resource = &autoscalingv2.ResourceMetricSource{Name: m.Name, Target: targetFromV1(m.TargetAverageUtilization, m.TargetAverageValue)}
	}
	if m := in.ContainerResource; m != nil {
		out.ContainerResource = &autoscalingv2.ContainerResourceMetricSource{
			Name: m.Name, Container: m.Container, Target: targetFromV1(m.TargetAverageUtilization, m.TargetAverageValue),
		}
	}
	if m := in.External; m != nil {
		target := targetFromV1(nil, m.TargetAverageValue)
		if target.Value = m.TargetValue; m.TargetValue != nil {
			target.Type = autoscalingv2.ValueMetricType
		}
		out.External = &autoscalingv2.ExternalMetricSource{Metric: metric(m.MetricName, m.MetricSelector), Target: target}
	}
	return out
}

// targetFromV1 is the target of a metric of pods.
func targetFromV1(utilization *int32, average *resource.Quantity) autoscalingv2.MetricTarget {
	target := autoscalingv2.MetricTarget{Type: autoscalingv2.AverageValueMetricType, AverageUtilization: utilization, AverageValue: average}
	if utilization != nil {
		target.Type = autoscalingv2.UtilizationMetricType
	}
	return target
}
