package calculator

import (
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// Observation is what one sync sees of the world.
type Observation struct {
	// Namespace is the namespace of the autoscaler and its target. Only texts
	// use it.
	Namespace string
	// SpecReplicas is spec.replicas of the scale: the current size.
	SpecReplicas int32
	// StatusReplicas is status.replicas of the scale: the number of pods that
	// exist.
	StatusReplicas int32
	// Pods are those that the scale's selector lists.
	Pods []podgroup.Pod
	// Group was prepared from Pods by a caller that decides on the same pods
	// more than once, or is nil.
	Group *podgroup.Group
	// Calibration is the share of SpecReplicas that Pods and StatusReplicas
	// count, for pods that are spread over several clusters, as in Karmada's
	// FederatedHPA: 0.5 means that half of the pods can be seen. Sizes computed
	// from those pods, or from the value of an object that they serve, are
	// divided by it. An External value is taken for that of all pods, so for
	// its average, only StatusReplicas is divided. 0 means all pods, as 1 does.
	Calibration float64
	// Readings are what the metrics APIs answered, one for each metric of the
	// spec, in its order. Where no metric is computed, they are not read and
	// may be left out.
	Readings []Reading
	// ScaleError is why the scale could not be read; nil if it was. Nothing
	// else is read then. A *ScaleError, also a wrapped one, has a reason of its
	// own.
	ScaleError error
	// SelectorError is what is wrong with the scale's selector, or nil. If it
	// is set, no metric is computed.
	SelectorError *SelectorError
}

// Reading is what a metrics API answered for one metric. The zero Reading is no
// answer: for a metric of pods a failure, and for an Object or External metric
// an invalid observation.
type Reading struct {
	// Err is why there is no answer. Nothing else is read then. A *Failure,
	// such as that of a function for one metric, is the failure of the metric
	// as it is.
	Err error
	// Proposed is a proposal of the caller's; nil if the library computes it.
	// Nothing else is read then.
	Proposed *Proposed
	// WithoutContainer, for a ContainerResource source, is the name of the
	// first pod, as the API listed them, whose metrics do not have the
	// container; "" if all have it. Its sample is missing. Up to Kubernetes
	// 1.32 it fails the metric.
	WithoutContainer string
	// Samples, for Resource, ContainerResource and Pods sources, belong to the
	// observation's pods by index; see podgroup.Aligner, also for pods of
	// several clusters. There are as many as pods, or none at all.
	Samples []metrics.Sample
	// Strays are samples of pods that are not listed, for the same sources.
	Strays []metrics.Sample
	// Values, in milli-units, are the one value of an Object source, or the
	// series of an External source. An empty slice is an answer without series,
	// which Kubernetes adds up to 0; nil is no answer.
	Values []metrics.Milli
}
