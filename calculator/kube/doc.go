// Package kube converts between the types of Kubernetes' Go modules
// (k8s.io/api, k8s.io/apimachinery, k8s.io/metrics) and those of package
// calculator. It has no client. It is for controllers, which have pods from a
// lister and answers from metrics clients.
//
//	Spec          autoscaling/v2 spec to autoscaling.HorizontalPodAutoscalerSpec
//	APISpec       the opposite
//	State         autoscaling/v2 status to calculator.State
//	ObserveScale  autoscaling/v1 Scale to sizes and selector
//	Pods          []*corev1.Pod to []podgroup.Pod, from sync to sync
//	AppendPods    the same, once
//	Readers       PodMetrics, MetricValue and ExternalMetricValue to calculator.Reading,
//	              or the bodies of such answers
//	UpdateStatus  calculator.Decision to autoscaling/v2 status
//	RecordEvents  calculator.Decision to events
//
// # A sync
//
//	spec, err := kube.Spec(hpa, &hpa.Spec)
//	var obs calculator.Observation
//	selector := kube.ObserveScale(&obs, scale)
//	obs.Pods, err = pods.Convert(listed)
//	obs.Group = pods.Group()
//	answers[0].Resource, answers[0].Err = podMetrics.List(ctx, metav1.ListOptions{LabelSelector: selector.String()})
//	obs.Readings, err = readers.Read(&spec, obs.Pods, answers)
//	d := calculator.Decide(now, &settings, &spec, &obs, &state)
//	… write the scale, state.Applied or state.Failed …
//	err = kube.UpdateStatus(&hpa.Status, hpa.Generation, &d, &state)
//	kube.RecordEvents(recorder, hpa, &d)
//
// Here hpa is a copy. Only UpdateStatus writes to an object.
//
// The [Pods] and the [Readers] are kept for the next sync. Most pods and most
// names of an answer are those of before, and these take little time.
//
// # Bodies of answers
//
// Most of the time of a sync is spent on decoding the answers of the metrics APIs.
// [Answer].Body takes one as it came, in JSON or in Kubernetes' protobuf, which is
// smaller:
//
//	answers[0].Body, answers[0].Err = metricsClient.RESTClient().Get().
//		Namespace(namespace).Resource("pods").VersionedParams(&options, scheme.ParameterCodec).
//		SetHeader("Accept", "application/vnd.kubernetes.protobuf, application/json").DoRaw(ctx)
//
// It is read to the same samples, and errors of the same text, as the decoded list.
// An answer as metrics-server and the adapters of the custom and external metrics APIs
// send it allocates nothing. One that is not ordinary (malformed, with a field twice,
// with an item without a name or a value, or with names that are not ASCII in JSON) is
// decoded by Kubernetes' codecs.
//
// Use bodies in a controller that asks for metrics itself, the types where a client
// or a cache has decoded them already, and calculator's own snapshots where nothing
// comes from an API server, as in a simulator.
//
// # Memory and goroutines
//
// A body may be reused once Readers.Read has returned.
//
// Pods are good until the next call of Pods.Convert, or until AppendPods gets
// their slice again, and readings until the next call of Readers.Read. All
// other results own their memory. AppendPods and Readers.Read allocate nothing
// for ordinary pods once their memory is long enough, and Pods.Convert nothing
// for pods that it has seen before.
//
// All functions may be called by many goroutines at once, with the same
// objects: they only read them, and do not even trigger a Quantity's string
// cache. So objects of an informer's cache are safe. A Pods, a Readers, and a
// slice given to AppendPods, is for one goroutine at a time.
//
// # Amounts
//
// Quantities become milli-units, rounded away from zero as Kubernetes rounds
// them and saturated at the ends of int64. Beyond them, such as for "9E",
// resource.Quantity.MilliValue is 0 or wraps around.
//
// # Errors
//
// An [*Error] names the object, the field and the problem:
//
//	kube: Pod shop/web-a: spec.containers[0].resources.requests[cpu]: -1 is negative
//
// If a metrics API has no answer, that is not an error here, but a reading with
// one, in the words of upstream's metrics clients
// (pkg/controller/podautoscaler/metrics).
//
// # Releases
//
// Decisions follow the release that calculator.Settings names, whatever the
// version of Kubernetes' modules. That of the cluster is in its discovery API:
//
//	version, err := discoveryClient.ServerVersion()
//	settings.Release, err = release.Parse(version.GitVersion)
//
// Without it, they are those of the newest release that the library knows.
//
// # Versions
//
// This package needs v0.33 of Kubernetes' modules or a later one. v0.33 is the
// first with a tolerance for each direction. No field that decides is newer. A
// condition's observedGeneration, new in v0.37, is not read; UpdateStatus
// leaves it as it is. Kubernetes 1.37 does not set it.
package kube
