package kube

import (
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/autoscaling"
)

const autoscalerKind = "HorizontalPodAutoscaler"

// Spec converts a spec. The result shares no memory with it.
//
// Spec sets no defaults and does not validate. The API server does both for a
// HorizontalPodAutoscaler. For a spec in a custom resource, call SetDefaults
// and Validate of the result.
//
// obj is the object that has the spec. It is named in errors, and may be nil.
// The error is an *Error: a quantity that the library does not read, such as
// one with an exponent beyond int32.
func Spec(obj metav1.Object, spec *autoscalingv2.HorizontalPodAutoscalerSpec) (autoscaling.HorizontalPodAutoscalerSpec, error) {
	if spec == nil {
		return autoscaling.HorizontalPodAutoscalerSpec{}, (&Error{Field: "spec", Problem: "nil"}).of(autoscalerKind, obj)
	}
	var c converter
	out := autoscaling.HorizontalPodAutoscalerSpec{
		ScaleTargetRef: reference(spec.ScaleTargetRef),
		MinReplicas:    clone(spec.MinReplicas),
		MaxReplicas:    spec.MaxReplicas,
	}
	if spec.Metrics != nil {
		out.Metrics = make([]autoscaling.MetricSpec, len(spec.Metrics))
	}
	for i := range spec.Metrics {
		out.Metrics[i] = c.metricSpec(element("spec.metrics", i), &spec.Metrics[i])
	}
	if b := spec.Behavior; b != nil {
		out.Behavior = &behavior.Behavior{
			ScaleUp:   c.rules("spec.behavior.scaleUp", b.ScaleUp),
			ScaleDown: c.rules("spec.behavior.scaleDown", b.ScaleDown),
		}
	}
	if c.err != nil {
		return autoscaling.HorizontalPodAutoscalerSpec{}, c.err.of(autoscalerKind, obj)
	}
	return out, nil
}

func (c *converter) metricSpec(path string, m *autoscalingv2.MetricSpec) autoscaling.MetricSpec {
	out := autoscaling.MetricSpec{Type: autoscaling.MetricSourceType(m.Type)}
	if s := m.Object; s != nil {
		out.Object = &autoscaling.ObjectMetricSource{
			DescribedObject: reference(s.DescribedObject),
			Target:          c.target(path+".object.target", &s.Target),
			Metric:          identifier(s.Metric),
		}
	}
	if s := m.Pods; s != nil {
		out.Pods = &autoscaling.PodsMetricSource{Metric: identifier(s.Metric), Target: c.target(path+".pods.target", &s.Target)}
	}
	if s := m.Resource; s != nil {
		out.Resource = &autoscaling.ResourceMetricSource{Name: string(s.Name), Target: c.target(path+".resource.target", &s.Target)}
	}
	if s := m.ContainerResource; s != nil {
		out.ContainerResource = &autoscaling.ContainerResourceMetricSource{
			Name:      string(s.Name),
			Target:    c.target(path+".containerResource.target", &s.Target),
			Container: s.Container,
		}
	}
	if s := m.External; s != nil {
		out.External = &autoscaling.ExternalMetricSource{Metric: identifier(s.Metric), Target: c.target(path+".external.target", &s.Target)}
	}
	return out
}

func (c *converter) target(path string, t *autoscalingv2.MetricTarget) autoscaling.MetricTarget {
	return autoscaling.MetricTarget{
		Type:               autoscaling.MetricTargetType(t.Type),
		Value:              c.quantity(path, "value", t.Value),
		AverageValue:       c.quantity(path, "averageValue", t.AverageValue),
		AverageUtilization: clone(t.AverageUtilization),
	}
}

func (c *converter) rules(path string, r *autoscalingv2.HPAScalingRules) *behavior.ScalingRules {
	if r == nil {
		return nil
	}
	out := &behavior.ScalingRules{
		StabilizationWindowSeconds: clone(r.StabilizationWindowSeconds),
		Tolerance:                  c.quantity(path, "tolerance", r.Tolerance),
	}
	if r.SelectPolicy != nil {
		out.SelectPolicy = behavior.SelectPolicy(*r.SelectPolicy)
	}
	if r.Policies != nil { // an empty list is not the same as none
		out.Policies = make([]behavior.Policy, len(r.Policies))
	}
	for i, p := range r.Policies {
		out.Policies[i] = behavior.Policy{Type: behavior.PolicyType(p.Type), Value: p.Value, PeriodSeconds: p.PeriodSeconds}
	}
	return out
}

func reference(r autoscalingv2.CrossVersionObjectReference) autoscaling.CrossVersionObjectReference {
	return autoscaling.CrossVersionObjectReference{Kind: r.Kind, Name: r.Name, APIVersion: r.APIVersion}
}

func identifier(m autoscalingv2.MetricIdentifier) autoscaling.MetricIdentifier {
	return autoscaling.MetricIdentifier{Name: m.Name, Selector: selector(m.Selector)}
}

func clone(p *int32) *int32 {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}
