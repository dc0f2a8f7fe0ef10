// Package kubejson reads what kubectl prints. It turns the JSON of Kubernetes'
// APIs into the inputs of package calculator, with the standard library alone.
//
// # Documents
//
//	DecodeAutoscaler       kubectl get hpa web -o json
//	DecodeManifest         what kubectl apply -f reads, as JSON
//	DecodeScale            kubectl get deployment web --subresource=scale -o json
//	DecodePods             kubectl get pods -l app=web -o json
//	DecodePodMetrics       kubectl get --raw '/apis/metrics.k8s.io/v1beta1/namespaces/shop/pods?labelSelector=app%3Dweb'
//	DecodeCustomMetrics    kubectl get --raw '/apis/custom.metrics.k8s.io/v1beta2/namespaces/shop/pods/*/qps?labelSelector=app%3Dweb'
//	                       kubectl get --raw /apis/custom.metrics.k8s.io/v1beta2/namespaces/shop/services/front/hits
//	DecodeExternalMetrics  kubectl get --raw '/apis/external.metrics.k8s.io/v1beta1/namespaces/shop/queue_depth?labelSelector=queue%3Dorders'
//
// Each reads one object, the list of its kind, or kubectl's List. Items may
// omit kind and version, as the API server does; if given, they must be right.
// Unknown fields are ignored, except by DecodeManifest and if Cluster.Strict is
// set. A null is the same as a missing field. The text is UTF-8, or UTF-16 with
// a byte order mark.
//
// Most callers should use [Cluster]. [Cluster.Add] reads a stream of documents,
// tells them apart by kind, and refuses those that do not belong together, such
// as a pod that the scale does not select. [Cluster.Observation] returns what
// calculator.Decide takes: a reading for each metric of the spec, errors
// included, as kube-controller-manager's metrics client (upstream's
// pkg/controller/podautoscaler/metrics) would return it.
//
//	var c kubejson.Cluster
//	if err := c.Add(stdin); err != nil { … }
//	settings, state := calculator.DefaultSettings(), c.Autoscaler.State()
//	obs := c.Observation()
//	d := calculator.Decide(c.Newest(), &settings, &c.Autoscaler.Spec, &obs, &state)
//
// To encode a spec or status, marshal the types of package autoscaling.
//
// # From sync to sync
//
// A [Reader] is for programs that ask the metrics APIs themselves, again and again. It
// reads the bodies of their answers, in JSON or in Kubernetes' protobuf, directly into
// readings. Each metric needs one of its own.
//
//	reading, err := reader.Resource(obs.Pods, body, "cpu", "")
//
// # Units
//
// Quantities become milli-units, rounded away from zero as Kubernetes rounds
// them and saturated at the ends of int64. Times are in UTC.
//
// # Errors
//
// Decoding never panics. Its error is an [*Error]: one line with the document,
// the path in it and the problem, and at most a short quote of the input:
//
//	kubejson: pods: items[3].spec.containers[0].resources.requests.cpu: -1 is negative
//	kubejson: pods: 1 of 5 is not selected by the scale's selector "app=web": "api-0"
//
// What strict validation refuses is a [*StrictError] of DecodeManifest; the
// *Error of a strict Cluster wraps one. It names up to 100 fields, in the API
// server's words and as long as they are:
//
//	strict decoding error: unknown field "spec.foo", duplicate field "spec.minReplicas"
//
// For a value of a wrong type in a manifest, the problem is the API server's
// text, too:
//
//	spec.maxReplicas: json: cannot unmarshal string into Go struct field HorizontalPodAutoscalerSpec.spec.maxReplicas of type int32
//
// Time and memory are linear in the input. For each byte of a large one,
// decoding pods allocates less than 20 bytes, and other documents less than
// 150. Decoding ends at the first item that is wrong.
//
// Decoding does not validate the spec. Use
// autoscaling.HorizontalPodAutoscalerSpec.Validate for that.
//
// # Sharing
//
// All functions are safe for concurrent use. Values may be shared between
// goroutines as long as none of them calls Add. A copy of a Cluster shares the
// documents; an Add to either does not show in the other. Results own their
// memory, except that an observation shares the Cluster's pods and that
// DecodePods returns dst, extended.
package kubejson
