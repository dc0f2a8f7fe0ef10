package kube

import (
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/autoscaling"
)

// APISpec is the opposite of [Spec]. The result shares no memory with the spec.
// An empty select policy becomes nil. The error is an *Error.
func APISpec(spec *autoscaling.HorizontalPodAutoscalerSpec) (autoscalingv2.HorizontalPodAutoscalerSpec, error) {
	if spec == nil {
		return autoscalingv2.HorizontalPodAutoscalerSpec{}, &Error{Kind: autoscalerKind, Field: "spec", Problem: "nil"}
	}
	var c converter
	out := autoscalingv2.HorizontalPodAutoscalerSpec{
		ScaleTargetRef: apiReference(spec.ScaleTargetRef),
		MinReplicas:    clone(spec.MinReplicas),
		MaxReplicas:    spec.MaxReplicas,
	}
	if spec.Metrics != nil {
		out.Metrics = make([]autoscalingv2.MetricSpec, len(spec.Metrics))
	}
	for i := range spec.Metrics {
		out.Metrics[i] = c.apiMetricSpec(element("spec.metrics", i), &spec.Metrics[i])
	}
	if b := spec.Behavior; b != nil {
		out.Behavior = &autoscalingv2.HorizontalPodAutoscalerBehavior{
			ScaleUp:   c.apiRules("spec.behavior.scaleUp", b.ScaleUp),
			ScaleDown: c.apiRules("spec.behavior.scaleDown", b.ScaleDown),
		}
	}
	if c.err != nil {
		return autoscalingv2.HorizontalPodAutoscalerSpec{}, c.err.of(autoscalerKind, nil)
	}
	return out, nil
}

func (c *converter) apiMetricSpec(path string, m *autoscaling.MetricSpec) autoscalingv2.MetricSpec {
	out := autoscalingv2.MetricSpec{Type: autoscalingv2.MetricSourceType(m.Type)}
	if s := m.Object; s != nil {
		out.Object = &autoscalingv2.ObjectMetricSource{
			DescribedObject: apiReference(s.DescribedObject),
			Target:          c.apiTarget(path+".object.target", &s.Target),
			Metric:          apiIdentifier(s.Metric),
		}
	}
	if s := m.Pods; s != nil {
		out.Pods = &autoscalingv2.PodsMetricSource{Metric: apiIdentifier(s.Metric), Target: c.apiTarget(path+".pods.target", &s.Target)}
	}
	if s := m.Resource; s != nil {
		out.Resource = &autoscalingv2.ResourceMetricSource{
			Name:   corev1.ResourceName(s.Name),
			Target: c.apiTarget(path+".resource.target", &s.Target),
		}
	}
	if s := m.ContainerResource; s != nil {
		out.ContainerResource = &autoscalingv2.ContainerResourceMetricSource{
			Name:      corev1.ResourceName(s.Name),
			Target:    c.apiTarget(path+".containerResource.target", &s.Target),
			Container: s.Container,
		}
	}
	if s := m.External; s != nil {
		out.External = &autoscalingv2.ExternalMetricSource{Metric: apiIdentifier(s.Metric), Target: c.apiTarget(path+".external.target", &s.Target)}
	}
	return out
}

func (c *converter) apiTarget(path string, t *autoscaling.MetricTarget) autoscalingv2.MetricTarget {
	return autoscalingv2.MetricTarget{
		Type:               autoscalingv2.MetricTargetType(t.Type),
		Value:              c.apiQuantity(path, "value", t.Value),
		AverageValue:       c.apiQuantity(path, "averageValue", t.AverageValue),
		AverageUtilization: clone(t.AverageUtilization),
	}
}

func (c *converter) apiRules(path string, r *behavior.ScalingRules) *autoscalingv2.HPAScalingRules {
	if r == nil {
		return nil
	}
	out := &autoscalingv2.HPAScalingRules{
		StabilizationWindowSeconds: clone(r.StabilizationWindowSeconds),
		Tolerance:                  c.apiQuantity(path, "tolerance", r.Tolerance),
	}
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
	return out
}

func apiReference(r autoscaling.CrossVersionObjectReference) autoscalingv2.CrossVersionObjectReference {
	return autoscalingv2.CrossVersionObjectReference{Kind: r.Kind, Name: r.Name, APIVersion: r.APIVersion}
}

func apiIdentifier(m autoscaling.MetricIdentifier) autoscalingv2.MetricIdentifier {
	return autoscalingv2.MetricIdentifier{Name: m.Name, Selector: apiSelector(m.Selector)}
}
