// Package autoscaling mirrors the API group autoscaling/v2 of Kubernetes: the
// spec and the status of a HorizontalPodAutoscaler, with their type names,
// JSON, defaults and validation. It needs none of Kubernetes' modules.
//
//	var spec autoscaling.HorizontalPodAutoscalerSpec
//	if err := json.Unmarshal(manifest, &spec); err != nil { … }
//	spec.SetDefaults()                       // as the API server does
//	if err := spec.Validate().Err(); err != nil { … }
//
// Or, without a manifest:
//
//	spec := autoscaling.NewSpec(2, 10, autoscaling.ResourceUtilizationMetric("cpu", 60))
//
// The scaling rules of spec.behavior are in package behavior. A zero field
// means what leaving it out means in Kubernetes.
//
// [MetricSpec.Resolve] returns what a metric of the spec means to the
// controller: which source it reads, and which of its targets counts.
//
// Specs and statuses are plain values. They may be read by many goroutines as
// long as none changes them.
package autoscaling
