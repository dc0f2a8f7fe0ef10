// Package clustertest is a cluster for tests: a real etcd and kube-apiserver,
// and beside it Kubernetes' own HorizontalPodAutoscaler, Deployment and
// ReplicaSet controllers, which examples/controller/testcluster/build.sh
// builds. The kubelet and the metrics APIs are a [World] of the test's. Behind
// a [Turnstile], the test decides when each sync begins.
package clustertest
