// Package kube connects package calculator with the types of Kubernetes' Go
// modules: k8s.io/api, k8s.io/apimachinery and k8s.io/metrics, without a client.
// It is for controllers, which have pods from a lister and answers from metrics
// clients, and want a decision and a status.
//
//	in                                            out
//	HorizontalPodAutoscalerSpec                   Spec             calculator.Spec
//	HorizontalPodAutoscalerStatus                 State            calculator.State
//	autoscaling/v1 Scale                          ObserveScale     sizes and selector
//	[]*corev1.Pod                                 AppendPods       []podgroup.Pod
//	PodMetrics, MetricValue, ExternalMetricValue  Reader           calculator.Reading
//	an error of a metrics client                  Unavailable      calculator.Reading
//	calculator.Decision                           UpdateStatus     HorizontalPodAutoscalerStatus
//	calculator.Decision                           RecordEvents     events
//	calculator.Spec                               APISpec          HorizontalPodAutoscalerSpec
//
// # A sync
//
//	spec, err := kube.Spec(hpa, &hpa.Spec)
//	obs := calculator.Observation{Readings: …}
//	selector := kube.ObserveScale(&obs, scale)
//	pods, err = kube.AppendPods(pods[:0], listed)
//	obs.Pods = pods
//	obs.Readings[i] = readers[i].Resource(pods, list.Items, corev1.ResourceCPU, "")
//	d := calculator.Decide(now, &settings, &spec, &obs, &state)
//	… write the scale, state.Applied or state.Failed …
//	err = kube.UpdateStatus(&hpa.Status, hpa.Generation, &d, &state)
//	kube.RecordEvents(recorder, hpa, &d)
//
// # Memory
//
// AppendPods, with a slice that held pods before, and a [Reader] that was used
// before allocate nothing for ordinary pods: the containers, their requests and
// the samples go where those of the last sync were. What they return is good
// until their next call. No object that is passed in is changed, not even the
// text that a quantity caches, so that objects of a shared cache are safe.
//
// # Amounts
//
// Quantities become milli-units, rounded up as Kubernetes rounds them, but
// saturating: resource.Quantity.MilliValue is 0 or wraps around beyond int64
// milli-units, such as for "9E".
//
// # Errors
//
// An [*Error] names the object, the field and the problem:
//
//	kube: Pod shop/web-a: spec.containers[0].resources.requests[cpu]: -1 is negative
//
// What a metrics API fails to answer is no error of this package, but a reading
// with an error, in the words of upstream's metrics clients
// (pkg/controller/podautoscaler/metrics).
package kube
