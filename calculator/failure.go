package calculator

import (
	"fmt"

	"github.com/purehpa/hpa/podgroup"
)

// FailureKind is why a metric gave no proposal.
type FailureKind uint8

const (
	// NoFailure: there is a proposal.
	NoFailure FailureKind = iota
	// MetricUnavailable: the metrics API answered with an error.
	MetricUnavailable
	// NoPods: the selector lists no pod.
	NoPods
	// NoSamples: no pod that counts has a sample.
	NoSamples
	// NoRequest: a pod, maybe one that does not count, requests nothing of
	// the resource.
	NoRequest
	// NoMatchingSamples: all samples belong to pods that are not listed.
	NoMatchingSamples
	// ZeroRequests: the pods that count request zero of the resource, so that
	// no usage is a percentage of it. Kubernetes calls it NoMatchingSamples.
	ZeroRequests
	// NoTarget: the spec's target is of a type that the source does not have.
	NoTarget
	// InvalidTarget: the target is zero or negative.
	InvalidTarget
	// InvalidSelector: the metric's selector is not valid.
	InvalidSelector
)

// String returns the kind in a word for people.
func (k FailureKind) String() string {
	switch k {
	case NoFailure:
		return "none"
	case MetricUnavailable:
		return "metric unavailable"
	case NoPods:
		return "no pods"
	case NoSamples:
		return "no samples"
	case NoRequest:
		return "no request"
	case NoMatchingSamples:
		return "no matching samples"
	case ZeroRequests:
		return "zero requests"
	case NoTarget:
		return "no target"
	case InvalidTarget:
		return "invalid target"
	case InvalidSelector:
		return "invalid selector"
	}
	return fmt.Sprintf("FailureKind(%d)", uint8(k))
}

// identifier returns the value's name for machines, which stays as it is.
func (k FailureKind) identifier() string {
	switch k {
	case NoFailure:
		return "none"
	case MetricUnavailable:
		return "metricUnavailable"
	case NoPods:
		return "noPods"
	case NoSamples:
		return "noSamples"
	case NoRequest:
		return "noRequest"
	case NoMatchingSamples:
		return "noMatchingSamples"
	case ZeroRequests:
		return "zeroRequests"
	case NoTarget:
		return "noTarget"
	case InvalidTarget:
		return "invalidTarget"
	case InvalidSelector:
		return "invalidSelector"
	}
	return k.String()
}

// MarshalText returns the value's name for machines, such as "metricUnavailable".
func (k FailureKind) MarshalText() ([]byte, error) { return []byte(k.identifier()), nil }

// UnmarshalText reads what MarshalText writes. The error is a *metrics.WordError.
func (k *FailureKind) UnmarshalText(text []byte) error {
	return parseWord(k, "calculator.FailureKind", text, FailureKind.identifier)
}

// Failure is why a metric gave no proposal. It is an error whose text, which is
// upstream's, is made when it is asked for.
type Failure struct {
	// Kind says what is wrong; NoFailure if nothing is.
	Kind FailureKind
	// Request is the pod at fault of a NoRequest.
	Request podgroup.RequestError
	// Cause is the error of the metrics API of MetricUnavailable, and of the
	// selector of InvalidSelector.
	Cause error
}

// Error returns the reason as upstream's ReplicaCalculator words it.
func (f *Failure) Error() string { return string(f.appendText(nil)) }

func (f *Failure) appendText(dst []byte) []byte {
	switch f.Kind {
	case MetricUnavailable, InvalidSelector:
		if f.Cause != nil {
			return append(dst, f.Cause.Error()...)
		}
		return append(dst, f.Kind.String()...)
	case NoPods:
		return append(dst, "no pods returned by selector while calculating replica count"...)
	case NoSamples:
		return append(dst, "did not receive metrics for targeted pods (pods might be unready)"...)
	case NoRequest:
		return append(dst, f.Request.Error()...)
	case NoMatchingSamples:
		return append(dst, "no metrics returned matched known pods"...)
	case ZeroRequests:
		return append(dst, "the requests of the pods with metrics are zero"...)
	case InvalidTarget:
		return append(dst, "the target is not positive"...)
	}
	return append(dst, f.Kind.String()...)
}

// Unwrap returns the cause, or the *podgroup.RequestError of a NoRequest.
func (f *Failure) Unwrap() error {
	if f.Kind == NoRequest {
		return &f.Request
	}
	return f.Cause
}
