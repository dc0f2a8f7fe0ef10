package calculator

import (
	"strconv"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/podgroup"
)

// FailureKind is why a metric gave no proposal. Its values are names for
// machines, which stay as they are.
type FailureKind string

const (
	// NoFailure: there is a proposal.
	NoFailure FailureKind = ""
	// MetricUnavailable: the metrics API answered with an error.
	MetricUnavailable FailureKind = "metricUnavailable"
	// NoPods: the selector lists no pod.
	NoPods FailureKind = "noPods"
	// NoSamples: no pod that counts has a sample.
	NoSamples FailureKind = "noSamples"
	// NoRequest: a pod, maybe one that does not count, requests nothing of
	// the resource.
	NoRequest FailureKind = "noRequest"
	// NoMatchingSamples: all samples belong to pods that are not listed.
	NoMatchingSamples FailureKind = "noMatchingSamples"
	// ZeroRequests: the pods that count request zero of the resource, so that
	// no usage is a percentage of it. Kubernetes calls it NoMatchingSamples.
	ZeroRequests FailureKind = "zeroRequests"
	// UnknownSource: the spec's metric is of an unknown type.
	UnknownSource FailureKind = "unknownSource"
	// SourceDisabled: the gate of ContainerResource metrics is off, in Kubernetes
	// 1.29.
	SourceDisabled FailureKind = "sourceDisabled"
	// NoTarget: the spec sets no target that the source can have.
	NoTarget FailureKind = "noTarget"
	// NotProposed: a metric of type Proposal has no proposal.
	NotProposed FailureKind = "notProposed"
	// InvalidTarget: the target is zero or negative.
	InvalidTarget FailureKind = "invalidTarget"
	// InvalidSelector: the metric's selector is not valid.
	InvalidSelector FailureKind = "invalidSelector"
)

// Failure is why a metric gave no proposal. It is an error that owns what it
// says: its text, which is upstream's, does not change with what Err does.
type Failure struct {
	// Kind says what is wrong; NoFailure if nothing is.
	Kind FailureKind
	// Request is the pod at fault, for NoRequest.
	Request podgroup.RequestError
	// Message is what the metrics API said, for MetricUnavailable, or the check
	// of the selector, for InvalidSelector. It is the whole text for NoTarget, and
	// the unknown type for UnknownSource.
	Message string
	// Err is the error of the API or the check itself, for errors.Is and errors.As.
	Err error
}

// failed returns the failure of the kind that err is the reason of.
func failed(kind FailureKind, err error) Failure {
	return Failure{Kind: kind, Message: textOf(err), Err: err}
}

// unavailable returns the failure of a reading. One of the library's is what it was.
func unavailable(err error) Failure {
	if f, ok := err.(*Failure); ok && f != nil && f.Kind != NoFailure {
		return *f
	}
	return failed(MetricUnavailable, err)
}

// textOf returns the text of an error that may be nil.
func textOf(err error) string {
	if err == nil {
		return "<nil>"
	}
	return err.Error()
}

// noTarget returns the failure of a source without a target.
func noTarget(source autoscaling.MetricSourceType) Failure {
	switch source {
	case autoscaling.ObjectMetricSourceType:
		return Failure{Kind: NoTarget, Message: "invalid object metric source: neither a value target nor an average value target was set"}
	case autoscaling.ExternalMetricSourceType:
		return Failure{Kind: NoTarget, Message: "invalid external metric source: neither a value target nor an average value target was set"}
	case autoscaling.ResourceMetricSourceType, autoscaling.ContainerResourceMetricSourceType:
		return Failure{Kind: NoTarget, Message: "invalid resource metric source: neither an average utilization target nor an average value (usage) target was set"}
	}
	return Failure{Kind: UnknownSource, Message: string(source)}
}

// Error returns the reason as upstream's ReplicaCalculator words it.
func (f *Failure) Error() string { return string(f.appendText(nil)) }

func (f *Failure) appendText(dst []byte) []byte {
	switch f.Kind {
	case MetricUnavailable, InvalidSelector, NoTarget:
		return append(dst, f.Message...)
	case UnknownSource:
		return strconv.AppendQuote(append(dst, "unknown metric source type "...), f.Message)
	case SourceDisabled:
		return append(dst, "ContainerResource metric type is not supported: disabled by the feature gate"...)
	case NoPods:
		return append(dst, "no pods returned by selector while calculating replica count"...)
	case NoSamples:
		return append(dst, "did not receive metrics for targeted pods (pods might be unready)"...)
	case NoRequest:
		dst, _ = f.Request.AppendText(dst)
		return dst
	case NoMatchingSamples:
		return append(dst, "no metrics returned matched known pods"...)
	case ZeroRequests:
		return append(dst, "the requests of the pods with metrics are zero"...)
	case NotProposed:
		return append(dst, "no size was proposed"...)
	case InvalidTarget:
		return append(dst, "the target is not positive"...)
	}
	return append(dst, f.Kind...)
}

// Unwrap returns the cause: Err, or the *podgroup.RequestError of a NoRequest.
func (f *Failure) Unwrap() error {
	if f.Kind == NoRequest {
		request := f.Request
		return &request
	}
	return f.Err
}
