// Package cluster asks a cluster what the HorizontalPodAutoscaler's controller
// asks it: the scale of a target, and the metrics of its pods. It is what the
// examples that talk to a cluster share. Package calculator/kube turns the
// answers into an observation.
package cluster
