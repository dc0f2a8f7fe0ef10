package kube

import (
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
)

const autoscalerKind = "HorizontalPodAutoscaler"

// Spec returns what the spec asks for, sharing no memory with it. It fills in no
// defaults, which the API server has done for a HorizontalPodAutoscaler; for a
// spec in a resource of one's own, there is calculator.Spec.SetDefaults. It need
// not be valid.
//
// obj is the object that has the spec; it takes part in errors alone, and may be
// nil. The error is an *Error: a quantity that the library does not read, such
// as one with an exponent beyond int32.
func Spec(obj metav1.Object, spec *autoscalingv2.HorizontalPodAutoscalerSpec) (calculator.Spec, error) {
	if spec == nil {
		return calculator.Spec{}, (&Error{Field: "spec", Problem: "nil"}).of(autoscalerKind, obj)
	}
	out := calculator.Spec{
		ScaleTargetRef: reference(spec.ScaleTargetRef),
		MinReplicas:    clone32(spec.MinReplicas),
		MaxReplicas:    spec.MaxReplicas,
	}
	if spec.Metrics != nil {
		out.Metrics = make([]calculator.MetricSpec, len(spec.Metrics))
	}
	for i := range spec.Metrics {
		if err := metricSpec(&out.Metrics[i], &spec.Metrics[i]); err != nil {
			return calculator.Spec{}, err.within(element("spec.metrics", i)).of(autoscalerKind, obj)
		}
	}
	if b := spec.Behavior; b != nil {
		out.Behavior = new(behavior.Behavior)
		var err *Error
		if out.Behavior.ScaleUp, err = rules("spec.behavior.scaleUp", b.ScaleUp); err != nil {
			return calculator.Spec{}, err.of(autoscalerKind, obj)
		}
		if out.Behavior.ScaleDown, err = rules("spec.behavior.scaleDown", b.ScaleDown); err != nil {
			return calculator.Spec{}, err.of(autoscalerKind, obj)
		}
	}
	return out, nil
}

func metricSpec(out *calculator.MetricSpec, m *autoscalingv2.MetricSpec) *Error {
	out.Type = calculator.MetricSourceType(m.Type)
	var err *Error
	if s := m.Object; s != nil {
		out.Object = &calculator.ObjectMetricSource{DescribedObject: reference(s.DescribedObject), Metric: identifier(s.Metric)}
		if out.Object.Target, err = target(&s.Target); err != nil {
			return err.within("object")
		}
	}
	if s := m.Pods; s != nil {
		out.Pods = &calculator.PodsMetricSource{Metric: identifier(s.Metric)}
		if out.Pods.Target, err = target(&s.Target); err != nil {
			return err.within("pods")
		}
	}
	if s := m.Resource; s != nil {
		out.Resource = &calculator.ResourceMetricSource{Name: string(s.Name)}
		if out.Resource.Target, err = target(&s.Target); err != nil {
			return err.within("resource")
		}
	}
	if s := m.ContainerResource; s != nil {
		out.ContainerResource = &calculator.ContainerResourceMetricSource{Name: string(s.Name), Container: s.Container}
		if out.ContainerResource.Target, err = target(&s.Target); err != nil {
			return err.within("containerResource")
		}
	}
	if s := m.External; s != nil {
		out.External = &calculator.ExternalMetricSource{Metric: identifier(s.Metric)}
		if out.External.Target, err = target(&s.Target); err != nil {
			return err.within("external")
		}
	}
	return nil
}

func target(t *autoscalingv2.MetricTarget) (calculator.MetricTarget, *Error) {
	out := calculator.MetricTarget{
		Type:               calculator.MetricTargetType(t.Type),
		AverageUtilization: clone32(t.AverageUtilization),
	}
	var err *Error
	if out.Value, err = quantity("target.value", t.Value); err != nil {
		return out, err
	}
	out.AverageValue, err = quantity("target.averageValue", t.AverageValue)
	return out, err
}

func rules(field string, r *autoscalingv2.HPAScalingRules) (*behavior.Rules, *Error) {
	if r == nil {
		return nil, nil
	}
	out := &behavior.Rules{StabilizationWindowSeconds: clone32(r.StabilizationWindowSeconds)}
	if r.SelectPolicy != nil {
		out.SelectPolicy = behavior.SelectPolicy(*r.SelectPolicy)
	}
	if r.Policies != nil { // an empty list is not the same as none
		out.Policies = make([]behavior.Policy, len(r.Policies))
	}
	for i, p := range r.Policies {
		out.Policies[i] = behavior.Policy{Type: behavior.PolicyType(p.Type), Value: p.Value, PeriodSeconds: p.PeriodSeconds}
	}
	var err *Error
	out.Tolerance, err = quantity(field+".tolerance", r.Tolerance)
	return out, err
}

func reference(r autoscalingv2.CrossVersionObjectReference) calculator.CrossVersionObjectReference {
	return calculator.CrossVersionObjectReference{Kind: r.Kind, Name: r.Name, APIVersion: r.APIVersion}
}

func identifier(m autoscalingv2.MetricIdentifier) calculator.MetricIdentifier {
	return calculator.MetricIdentifier{Name: m.Name, Selector: selector(m.Selector)}
}

func clone32(p *int32) *int32 {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}
