// Package conformance compares the library with Kubernetes itself. The real
// HorizontalController of k8s.io/kubernetes and package calculator run the same
// random histories. The clock stands still during each sync. All that an API
// client sees must be equal: size, status, conditions with messages and
// transition times, events and errors. A deviation on purpose must have a name.
//
// It is a module of its own because it needs most of Kubernetes.
package conformance
