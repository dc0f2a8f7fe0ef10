// Package conformance compares the library with Kubernetes itself: the real
// HorizontalController of k8s.io/kubernetes lives through random histories side
// by side with it, on a clock that stands still during each sync, and all that
// an API client sees of both must be the same: size, status, conditions with
// their messages and transition times, events and errors. Where the library
// deviates on purpose, the comparison has to name the deviation.
//
// It is a module of its own, for what it needs of Kubernetes is large.
package conformance
