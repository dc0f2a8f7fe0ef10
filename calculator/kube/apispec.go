package kube

import (
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
)

// APISpec is the way back from Spec: the spec as autoscaling/v2 has it, sharing
// no memory. An unset select policy stays unset. The error is an *Error.
func APISpec(spec *calculator.Spec) (autoscalingv2.HorizontalPodAutoscalerSpec, error) {
	var none autoscalingv2.HorizontalPodAutoscalerSpec
	if spec == nil {
		return none, &Error{Kind: autoscalerKind, Field: "spec", Problem: "nil"}
	}
	out := autoscalingv2.HorizontalPodAutoscalerSpec{
		ScaleTargetRef: apiReference(spec.ScaleTargetRef),
		MinReplicas:    clone32(spec.MinReplicas),
		MaxReplicas:    spec.MaxReplicas,
	}
	if spec.Metrics != nil {
		out.Metrics = make([]autoscalingv2.MetricSpec, len(spec.Metrics))
	}
	for i := range spec.Metrics {
		if err := apiMetricSpec(&out.Metrics[i], &spec.Metrics[i]); err != nil {
			return none, err.within(element("spec.metrics", i)).of(autoscalerKind, nil)
		}
	}
	if b := spec.Behavior; b != nil {
		out.Behavior = new(autoscalingv2.HorizontalPodAutoscalerBehavior)
		var err *Error
		if out.Behavior.ScaleUp, err = apiRules("spec.behavior.scaleUp", b.ScaleUp); err != nil {
			return none, err.of(autoscalerKind, nil)
		}
		if out.Behavior.ScaleDown, err = apiRules("spec.behavior.scaleDown", b.ScaleDown); err != nil {
			return none, err.of(autoscalerKind, nil)
		}
	}
	return out, nil
}

func apiMetricSpec(out *autoscalingv2.MetricSpec, m *calculator.MetricSpec) *Error {
	out.Type = autoscalingv2.MetricSourceType(m.Type)
	var err *Error
	if s := m.Object; s != nil {
		out.Object = &autoscalingv2.ObjectMetricSource{DescribedObject: apiReference(s.DescribedObject), Metric: apiIdentifier(s.Metric)}
		if out.Object.Target, err = apiTarget(&s.Target); err != nil {
			return err.within("object")
		}
	}
	if s := m.Pods; s != nil {
		out.Pods = &autoscalingv2.PodsMetricSource{Metric: apiIdentifier(s.Metric)}
		if out.Pods.Target, err = apiTarget(&s.Target); err != nil {
			return err.within("pods")
		}
	}
	if s := m.Resource; s != nil {
		out.Resource = &autoscalingv2.ResourceMetricSource{Name: corev1.ResourceName(s.Name)}
		if out.Resource.Target, err = apiTarget(&s.Target); err != nil {
			return err.within("resource")
		}
	}
	if s := m.ContainerResource; s != nil {
		out.ContainerResource = &autoscalingv2.ContainerResourceMetricSource{Name: corev1.ResourceName(s.Name), Container: s.Container}
		if out.ContainerResource.Target, err = apiTarget(&s.Target); err != nil {
			return err.within("containerResource")
		}
	}
	if s := m.External; s != nil {
		out.External = &autoscalingv2.ExternalMetricSource{Metric: apiIdentifier(s.Metric)}
		if out.External.Target, err = apiTarget(&s.Target); err != nil {
			return err.within("external")
		}
	}
	return nil
}

func apiTarget(t *calculator.MetricTarget) (autoscalingv2.MetricTarget, *Error) {
	out := autoscalingv2.MetricTarget{
		Type:               autoscalingv2.MetricTargetType(t.Type),
		AverageUtilization: clone32(t.AverageUtilization),
	}
	var err *Error
	if out.Value, err = apiQuantity("target.value", t.Value); err != nil {
		return out, err
	}
	out.AverageValue, err = apiQuantity("target.averageValue", t.AverageValue)
	return out, err
}

func apiRules(field string, r *behavior.Rules) (*autoscalingv2.HPAScalingRules, *Error) {
	if r == nil {
		return nil, nil
	}
	out := &autoscalingv2.HPAScalingRules{StabilizationWindowSeconds: clone32(r.StabilizationWindowSeconds)}
	if r.SelectPolicy != "" {
		s := autoscalingv2.ScalingPolicySelect(r.SelectPolicy)
		out.SelectPolicy = &s
	}
	if r.Policies != nil {
		out.Policies = make([]autoscalingv2.HPAScalingPolicy, len(r.Policies))
	}
	for i, p := range r.Policies {
		out.Policies[i] = autoscalingv2.HPAScalingPolicy{Type: autoscalingv2.HPAScalingPolicyType(p.Type), Value: p.Value, PeriodSeconds: p.PeriodSeconds}
	}
	var err *Error
	out.Tolerance, err = apiQuantity(field+".tolerance", r.Tolerance)
	return out, err
}

func apiReference(r calculator.CrossVersionObjectReference) autoscalingv2.CrossVersionObjectReference {
	return autoscalingv2.CrossVersionObjectReference{Kind: r.Kind, Name: r.Name, APIVersion: r.APIVersion}
}

func apiIdentifier(m calculator.MetricIdentifier) autoscalingv2.MetricIdentifier {
	return autoscalingv2.MetricIdentifier{Name: m.Name, Selector: apiSelector(m.Selector)}
}
