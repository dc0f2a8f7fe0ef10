package calculator

import (
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/podgroup"
)

// FailureKind is why a metric gave no proposal. Its values are names for
// machines and do not change.
type FailureKind string

const (
	// NoFailure: there is a proposal.
	NoFailure FailureKind = ""
	// MetricUnavailable: the metrics API answered with an error.
	MetricUnavailable FailureKind = "MetricUnavailable"
	// NoPods: the selector lists no pod.
	NoPods FailureKind = "NoPods"
	// NoSamples: no pod that counts has a sample.
	NoSamples FailureKind = "NoSamples"
	// NoRequest: a pod, maybe one that does not count, requests nothing of
	// the resource.
	NoRequest FailureKind = "NoRequest"
	// NoMatchingSamples: all samples belong to pods that are not listed.
	NoMatchingSamples FailureKind = "NoMatchingSamples"
	// ZeroRequests: the pods that count request zero of the resource, so that a
	// percentage has no meaning. Kubernetes reports NoMatchingSamples.
	ZeroRequests FailureKind = "ZeroRequests"
	// UnknownSource: the spec's metric is of an unknown type.
	UnknownSource FailureKind = "UnknownSource"
	// SourceDisabled: the gate of ContainerResource metrics is off, in
	// Kubernetes 1.29.
	SourceDisabled FailureKind = "SourceDisabled"
	// NoTarget: the spec sets no target that the source can have.
	NoTarget FailureKind = "NoTarget"
	// NotProposed: a metric of type Proposal has no proposal.
	NotProposed FailureKind = "NotProposed"
	// InvalidTarget: the target is zero or negative.
	InvalidTarget FailureKind = "InvalidTarget"
	// InvalidSelector: the metric's selector is not valid.
	InvalidSelector FailureKind = "InvalidSelector"
)

// Failure is why a metric gave no proposal. It is an error that owns its data:
// its text, which is upstream's, does not change with Err.
type Failure struct {
	// Kind says what is wrong; NoFailure if nothing is.
	Kind FailureKind
	// Request is the pod at fault, for NoRequest.
	Request podgroup.RequestError
	// Message is what the metrics API said, for MetricUnavailable, or the check
	// of the selector, for InvalidSelector. It is the whole text for NoTarget,
	// and the unknown type for UnknownSource.
	Message string
	// Err is the error of the API or the check itself, for errors.Is and
	// errors.As.
	Err error
}

// failed returns the failure of the kind that err is the reason of.
func failed(kind FailureKind, err error) Failure {
	return Failure{Kind: kind, Message: textOf(err), Err: err}
}

// unavailable returns the failure of a reading. A *Failure is passed through
// unchanged.
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

// noTarget returns the failure of a metric without a target.
func noTarget(kind autoscaling.MetricSourceType) Failure {
	if text := sources[sourceOf(kind)].noTarget; text != "" {
		return Failure{Kind: NoTarget, Message: text}
	}
	return Failure{Kind: UnknownSource, Message: string(kind)}
}

// failureReason returns the reason of the condition and the event of a failure.
func failureReason(m *autoscaling.Metric) string { return sources[sourceOf(m.Source)].reason }

// appendOf appends what the condition and the event say of the metric's
// failure.
func (f *Failure) appendOf(dst []byte, m *autoscaling.Metric, namespace string, quirks release.Quirks) []byte {
	row := sourceOf(m.Source)
	if f.Kind == NoTarget {
		return f.appendText(dst)
	}
	dst = sources[row].failed.append(dst, m, namespace)
	switch {
	case f.Kind == MetricUnavailable && sources[row].ofObject && quirks.Has(release.ObjectErrorSwapped):
		swapped := wording{usual: "unable to get metric {name}: {kind} on {namespace} {object}/"}
		dst = swapped.append(dst, m, namespace)
	case f.Kind == MetricUnavailable:
		dst = sources[row].unavailable.append(dst, m, namespace)
	case f.Kind == NoPods && !m.OfPods():
		dst = append(dst, "unable to calculate ready pods: "...)
	}
	return f.appendText(dst)
}

// appendReturned appends what the error of the sync says of the metric's
// failure.
func (f *Failure) appendReturned(dst []byte, m *autoscaling.Metric, namespace string, quirks release.Quirks) []byte {
	row := sourceOf(m.Source)
	if f.Kind == UnknownSource || f.Kind == SourceDisabled {
		return f.appendText(dst)
	}
	dst = sources[row].returned.append(dst, m, namespace)
	if f.Kind != NoTarget && (f.Kind != InvalidSelector || sources[row].targetFirst) {
		dst = sources[row].calculated.append(dst, m, namespace)
	}
	return f.appendOf(dst, m, namespace, quirks)
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

// FailingMetric is a failing metric that has a fallback, and since when it
// fails.
type FailingMetric struct {
	// Metric is its name in texts, such as "external metric queue(nil)".
	Metric string
	// Since is the time of the first failure since the metric last succeeded.
	Since time.Time
}

// MaxFailing is the most failing metrics that a state remembers. The fallback
// of any further metric does not count.
const MaxFailing = 64

// find returns the entry of the metric, or nil.
func find(failing []FailingMetric, metric []byte) *FailingMetric {
	for i := range failing {
		if failing[i].is(metric) {
			return &failing[i]
		}
	}
	return nil
}

// is reports whether m is the metric of that name. An entry has the name as
// encodings have it.
func (m *FailingMetric) is(metric []byte) bool {
	if utf8.Valid(metric) && len(metric) <= MaxMessageLength {
		return m.Metric == string(metric)
	}
	return m.Metric == shown(string(metric))
}
