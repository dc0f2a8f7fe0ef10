package kubejson

import (
	"encoding/json"
	"reflect"
	"strings"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
)

const (
	versionV1 = "autoscaling/v1"

	// The annotations in which autoscaling/v1 has what it has no fields for.
	metricsAnnotation  = "autoscaling.alpha.kubernetes.io/metrics"
	behaviorAnnotation = "autoscaling.alpha.kubernetes.io/behavior"
)

// autoscalerV1 is an autoscaler of autoscaling/v1.
type autoscalerV1 struct {
	typeMeta
	Metadata wholeMeta `json:"metadata"`
	Spec     specV1    `json:"spec"`
	Status   statusV1  `json:"status"`
}

type specV1 struct {
	ScaleTargetRef                 autoscaling.CrossVersionObjectReference `json:"scaleTargetRef"`
	MinReplicas                    *int32                                  `json:"minReplicas"`
	MaxReplicas                    int32                                   `json:"maxReplicas"`
	TargetCPUUtilizationPercentage *int32                                  `json:"targetCPUUtilizationPercentage"`
}

type statusV1 struct {
	ObservedGeneration              *int64    `json:"observedGeneration"`
	LastScaleTime                   time.Time `json:"lastScaleTime"`
	CurrentReplicas                 int32     `json:"currentReplicas"`
	DesiredReplicas                 int32     `json:"desiredReplicas"`
	CurrentCPUUtilizationPercentage *int32    `json:"currentCPUUtilizationPercentage"`
}

// metricV1 is a metric of the annotation.
type metricV1 struct {
	Type              autoscaling.MetricSourceType `json:"type"`
	Object            *sourceV1                    `json:"object"`
	Pods              *sourceV1                    `json:"pods"`
	Resource          *sourceV1                    `json:"resource"`
	ContainerResource *sourceV1                    `json:"containerResource"`
	External          *sourceV1                    `json:"external"`
}

// sourceV1 has the fields of all sources.
type sourceV1 struct {
	Name                     string                                  `json:"name"`
	Container                string                                  `json:"container"`
	Target                   autoscaling.CrossVersionObjectReference `json:"target"`
	MetricName               string                                  `json:"metricName"`
	Selector                 *autoscaling.LabelSelector              `json:"selector"`
	MetricSelector           *autoscaling.LabelSelector              `json:"metricSelector"`
	TargetValue              metrics.Quantity                        `json:"targetValue"`
	AverageValue             metrics.Quantity                        `json:"averageValue"`
	TargetAverageValue       metrics.Quantity                        `json:"targetAverageValue"`
	TargetAverageUtilization *int32                                  `json:"targetAverageUtilization"`
}

// convert converts as upstream's
// Convert_v1_HorizontalPodAutoscaler_To_autoscaling_HorizontalPodAutoscaler.
func (in *autoscalerV1) convert(out *autoscaler) *Error {
	spec, status := &in.Spec, &in.Status
	*out = autoscaler{typeMeta: in.typeMeta, Metadata: in.Metadata}
	out.Spec.ScaleTargetRef, out.Spec.MinReplicas, out.Spec.MaxReplicas = spec.ScaleTargetRef, spec.MinReplicas, spec.MaxReplicas
	out.Status.ObservedGeneration, out.Status.LastScaleTime = status.ObservedGeneration, status.LastScaleTime
	out.Status.CurrentReplicas, out.Status.DesiredReplicas = status.CurrentReplicas, status.DesiredReplicas

	var others counted[metricV1]
	var rules behavior.Behavior // its names are Go's in the annotation, in other letter case
	if err := in.annotation(metricsAnnotation, &others); err != nil {
		return err
	}
	if err := in.annotation(behaviorAnnotation, &rules); err != nil {
		return err
	}
	if rules != (behavior.Behavior{}) {
		out.Spec.Behavior = &rules
	}
	if len(others) > 0 {
		out.Spec.Metrics = make([]autoscaling.MetricSpec, len(others), len(others)+1)
	}
	for i := range others {
		out.Spec.Metrics[i] = others[i].convert()
	}
	if percent := spec.TargetCPUUtilizationPercentage; percent != nil {
		out.Spec.Metrics = append(out.Spec.Metrics, autoscaling.ResourceUtilizationMetric("cpu", *percent))
	}
	return nil
}

// annotation decodes an annotation, if there is one.
func (in *autoscalerV1) annotation(name string, into any) *Error {
	text := []byte(in.Metadata.Annotations[name])
	if _, ok := in.Metadata.Annotations[name]; !ok {
		return nil
	}
	err := json.Unmarshal(text, into)
	if err == nil {
		return nil
	}
	problem := "not JSON: " + err.Error()
	if json.Valid(text) {
		e := misfit(text, reflect.TypeOf(into).Elem(), place{})
		problem = strings.TrimLeft(e.Path+": "+e.Problem, ".: ")
	}
	return errorAt(".metadata.annotations"+keyStep(name), "%s", problem)
}

func (in *metricV1) convert() autoscaling.MetricSpec {
	out := autoscaling.MetricSpec{Type: in.Type}
	if s := in.Object; s != nil {
		target := autoscaling.MetricTarget{Type: autoscaling.ValueMetricType, Value: required(s.TargetValue)}
		if s.AverageValue.IsSet() {
			target = autoscaling.MetricTarget{Type: autoscaling.AverageValueMetricType, AverageValue: s.AverageValue}
			if s.TargetValue.Sign() != 0 {
				target.Value = s.TargetValue
			}
		}
		out.Object = &autoscaling.ObjectMetricSource{DescribedObject: s.Target, Metric: s.metric(s.Selector), Target: target}
	}
	if s := in.Pods; s != nil {
		out.Pods = &autoscaling.PodsMetricSource{Metric: s.metric(s.Selector), Target: autoscaling.MetricTarget{
			Type: autoscaling.AverageValueMetricType, AverageValue: required(s.TargetAverageValue),
		}}
	}
	if s := in.Resource; s != nil {
		out.Resource = &autoscaling.ResourceMetricSource{Name: s.Name, Target: s.resourceTarget()}
	}
	if s := in.ContainerResource; s != nil {
		out.ContainerResource = &autoscaling.ContainerResourceMetricSource{Name: s.Name, Container: s.Container, Target: s.resourceTarget()}
	}
	if s := in.External; s != nil {
		target := autoscaling.MetricTarget{Type: autoscaling.AverageValueMetricType, Value: s.TargetValue, AverageValue: s.TargetAverageValue}
		if s.TargetValue.IsSet() {
			target.Type = autoscaling.ValueMetricType
		}
		out.External = &autoscaling.ExternalMetricSource{Metric: s.metric(s.MetricSelector), Target: target}
	}
	return out
}

func (s *sourceV1) metric(selector *autoscaling.LabelSelector) autoscaling.MetricIdentifier {
	return autoscaling.MetricIdentifier{Name: s.MetricName, Selector: selector}
}

// resourceTarget returns the target of a resource of pods.
func (s *sourceV1) resourceTarget() autoscaling.MetricTarget {
	target := autoscaling.MetricTarget{
		Type: autoscaling.AverageValueMetricType, AverageUtilization: s.TargetAverageUtilization, AverageValue: s.TargetAverageValue,
	}
	if s.TargetAverageUtilization != nil {
		target.Type = autoscaling.UtilizationMetricType
	}
	return target
}

// required returns a quantity that autoscaling/v1 cannot leave out.
func required(q metrics.Quantity) metrics.Quantity {
	if !q.IsSet() {
		return metrics.MustParseQuantity("0")
	}
	return q
}
