package calculator

import (
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// Observation is what one sync sees of the world.
type Observation struct {
	// Namespace is where the autoscaler and its target are. It takes part in
	// texts alone.
	Namespace string
	// SpecReplicas is spec.replicas of the scale: the current size.
	SpecReplicas int32
	// StatusReplicas is status.replicas of the scale: the pods there are.
	StatusReplicas int32
	// Pods are those that the scale's selector lists.
	Pods []podgroup.Pod
	// Group was prepared from Pods, by a caller that decides on the same pods
	// more than once; nil otherwise.
	Group *podgroup.Group
	// Calibration is the share of SpecReplicas that Pods are, where others run
	// elsewhere, as in a federation of clusters: with 0.5, there are twice as many
	// pods as are listed. Sizes that are computed from the number of pods are divided
	// by it. 0 means that all are listed, as 1 does.
	Calibration float64
	// Readings are what the metrics APIs answered, one for each metric of the
	// spec, in its order. Where no metric is computed, they are not looked at,
	// and may be left out.
	Readings []Reading
	// ScaleError is why the scale could not be read; nil if it was. Nothing
	// else is looked at then.
	ScaleError error
	// SelectorError is what is wrong with the scale's selector; nil if
	// nothing is. No metric is computed then.
	SelectorError *SelectorError
}

// Reading is what a metrics API answered for one metric. The zero Reading is
// an answer without a sample or value.
type Reading struct {
	// Err is why there is no answer. Nothing else is looked at then. A *Failure, such
	// as that of a function for one metric, is the failure of the metric as it is.
	Err error
	// Proposed is a proposal that was made elsewhere; nil if the library is to compute
	// it. Nothing else is looked at then.
	Proposed *Proposed
	// WithoutContainer, for a ContainerResource source, is the name of the first
	// pod, as the API listed them, whose metrics do not have the container; "" if
	// all have it. Its sample is missing. Up to Kubernetes 1.32 it fails the metric.
	WithoutContainer string
	// Samples, for Resource, ContainerResource and Pods sources, belong to the
	// observation's pods by index; see podgroup.Aligner. There are as many as
	// pods, or none at all.
	Samples []metrics.Sample
	// Strays are samples of pods that are not listed, for the same sources.
	Strays []metrics.Sample
	// Values, in milli-units, are the one value of an Object source, or the
	// series of an External source, of which there may be none.
	Values []metrics.Milli
}

// SelectorError is what is wrong with the selector of a scale. Kubernetes checks
// it before it computes any metric.
type SelectorError struct {
	// Reason says what is wrong.
	Reason SelectorReason
	// Selector is the selector, for SelectorAmbiguous.
	Selector string
	// Others are the autoscalers that share the pods, for SelectorAmbiguous, as
	// they are to appear in texts: two of them, or all of them up to 1.36.
	Others string
	// Problem is what parsing said, for SelectorInvalid.
	Problem string
}

// SelectorReason is what is wrong with a selector, in Kubernetes' words.
type SelectorReason string

const (
	// SelectorRequired: there is none. The empty reason means the same.
	SelectorRequired SelectorReason = "SelectorRequired"
	// SelectorInvalid: it cannot be parsed.
	SelectorInvalid SelectorReason = "InvalidSelector"
	// SelectorAmbiguous: another autoscaler has some of its pods.
	SelectorAmbiguous SelectorReason = "AmbiguousSelector"
)

// Error returns Kubernetes' text.
func (e *SelectorError) Error() string { return string(e.appendText(nil, 0)) }
