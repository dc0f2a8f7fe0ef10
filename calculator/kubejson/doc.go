// Package kubejson reads what kubectl prints: it turns the JSON of Kubernetes'
// APIs into the inputs of package calculator, with the standard library alone.
//
// # Documents
//
//	DecodeAutoscaler       kubectl get hpa web -o json
//	DecodeScale            kubectl get deployment web --subresource=scale -o json
//	DecodePods             kubectl get pods -l app=web -o json
//	DecodePodMetrics       kubectl get --raw '/apis/metrics.k8s.io/v1beta1/namespaces/shop/pods?labelSelector=app%3Dweb'
//	DecodeCustomMetrics    kubectl get --raw '/apis/custom.metrics.k8s.io/v1beta2/namespaces/shop/pods/*/qps?labelSelector=app%3Dweb'
//	                       kubectl get --raw /apis/custom.metrics.k8s.io/v1beta2/namespaces/shop/services/front/hits
//	DecodeExternalMetrics  kubectl get --raw '/apis/external.metrics.k8s.io/v1beta1/namespaces/shop/queue_depth?labelSelector=queue%3Dorders'
//
// Each reads one object, the list of its kind, or kubectl's List. Items may
// leave out kind and version, as the API server does; where they stand, they
// must be right. Fields that the autoscaler does not look at are skipped, null
// is as good as nothing.
//
// [Cluster] puts the documents together: [Cluster.Observation] makes of them
// what calculator.Decide takes, with a reading for each metric of the spec as
// kube-controller-manager's metrics client (upstream's
// pkg/controller/podautoscaler/metrics) would have read it, errors included.
// [Cluster.Add] reads a stream of documents and tells them apart by kind.
//
//	var c kubejson.Cluster
//	if err := c.Add(stdin); err != nil { … }
//	settings, state := calculator.DefaultSettings(), c.Autoscaler.State()
//	obs := c.Observation()
//	d := calculator.Decide(c.Newest(), &settings, &c.Autoscaler.Spec, &obs, &state)
//
// The other way, calculator.Status and calculator.Spec encode themselves.
//
// # Units
//
// Quantities become milli-units, rounded away from zero as Kubernetes rounds
// them and saturating beyond int64. Times are in UTC.
//
// # Errors
//
// Whatever the bytes, nothing panics. What cannot be read is an [*Error]: one
// line that names the document, the place in it and the problem, and quotes
// little of it:
//
//	kubejson: pods: items[3].spec.containers[0].resources.requests.cpu: -1 is negative
//	kubejson: horizontal pod autoscaler: apiVersion: wrong version "autoscaling/v1"; autoscaling/v2 is supported
//
// That a document can be read does not make its spec valid; for that there is
// calculator.Spec.Validate.
package kubejson
