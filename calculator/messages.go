package calculator

import (
	"strconv"
	"unicode/utf8"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/metrics"
)

// This file holds what Kubernetes' controller says: the names of metrics, and
// the texts of conditions, events and errors. They are an interface, and equal
// to the letter.

// MaxMessageLength is the most bytes of a condition's reason or message: the
// limit of meta/v1's Condition. The error of a metrics API can be of any length,
// and a status that is too large is not stored at all.
const MaxMessageLength = 32768

// appendAll appends the parts.
func appendAll(dst []byte, parts ...string) []byte {
	for _, p := range parts {
		dst = append(dst, p...)
	}
	return dst
}

// clip cuts a text at MaxMessageLength, between two runes.
func clip[T string | []byte](text T) T {
	if len(text) <= MaxMessageLength {
		return text
	}
	end := MaxMessageLength
	for end > MaxMessageLength-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

// appendMetric appends what Kubernetes calls the metric, as in "New size: 3;
// reason: cpu resource utilization (percentage of request) above target".
func appendMetric(dst []byte, m *autoscaling.Metric) []byte {
	switch m.Source {
	case autoscaling.ResourceMetricSourceType, autoscaling.ContainerResourceMetricSourceType:
		dst = append(dst, m.Name...)
		if m.Source == autoscaling.ContainerResourceMetricSourceType && m.Target.Type() == metrics.UtilizationTarget {
			dst = append(dst, " container"...)
		}
		dst = append(dst, " resource"...)
		if m.Target.Type() == metrics.UtilizationTarget {
			dst = append(dst, " utilization (percentage of request)"...)
		}
		return dst
	case autoscaling.PodsMetricSourceType:
		return appendAll(dst, "pods metric ", m.Name)
	case autoscaling.ObjectMetricSourceType:
		if m.Target.Type() == metrics.ValueTarget {
			return appendAll(dst, m.DescribedObject.Kind, " metric ", m.Name)
		}
	}
	if m.Source == autoscaling.ProposalMetricSourceType {
		return appendAll(dst, "proposal ", m.Name)
	}
	dst = appendAll(dst, "external metric ", m.Name, "(")
	dst, _ = m.Selector.AppendText(dst)
	return append(dst, ')')
}

// failureReason is the reason of the condition and the event of a failure.
func failureReason(m *autoscaling.Metric) string {
	switch m.Source {
	case autoscaling.ResourceMetricSourceType:
		return "FailedGetResourceMetric"
	case autoscaling.ContainerResourceMetricSourceType:
		return "FailedGetContainerResourceMetric"
	case autoscaling.PodsMetricSourceType:
		return "FailedGetPodsMetric"
	case autoscaling.ObjectMetricSourceType:
		return "FailedGetObjectMetric"
	case autoscaling.ExternalMetricSourceType:
		return "FailedGetExternalMetric"
	case autoscaling.ProposalMetricSourceType:
		return "FailedGetProposal"
	}
	return "InvalidMetricSourceType"
}

// appendFailure appends what the condition and the event say of the failure.
func (d *Decision) appendFailure(dst []byte, p *Proposal) []byte {
	m, f, namespace := &p.Metric, &p.Failure, d.Namespace
	if f.Kind == NoTarget {
		return f.appendText(dst)
	}
	unavailable := f.Kind == MetricUnavailable
	switch m.Source {
	case autoscaling.ResourceMetricSourceType, autoscaling.ContainerResourceMetricSourceType:
		usage := " usage: "
		if m.Target.Type() == metrics.UtilizationTarget {
			usage = " utilization: "
		}
		dst = appendAll(dst, "failed to get ", m.Name, usage)
		if unavailable {
			dst = appendAll(dst, "unable to get metrics for resource ", m.Name, ": ")
		}
	case autoscaling.PodsMetricSourceType:
		if unavailable {
			dst = appendAll(dst, "unable to get metric ", m.Name, ": ")
		}
	case autoscaling.ObjectMetricSourceType:
		switch object := m.DescribedObject; {
		case unavailable && d.as.Has(release.ObjectErrorSwapped):
			dst = appendAll(dst, "unable to get metric ", m.Name, ": ", object.Kind, " on ", namespace, " ", object.Name, "/")
		case unavailable:
			dst = appendAll(dst, "unable to get metric ", m.Name, " on ", object.Kind, " ", namespace, "/", object.Name, ": ")
		}
	case autoscaling.ExternalMetricSourceType:
		if unavailable {
			dst = appendAll(dst, "unable to get external metric ", namespace, "/", m.Name, "/")
			dst, _ = m.Selector.AppendText(dst)
			dst = append(dst, ": "...)
		}
	case autoscaling.ProposalMetricSourceType:
		dst = appendAll(dst, "unable to get proposal ", m.Name, ": ")
	}
	if f.Kind == NoPods && !m.OfPods() {
		dst = append(dst, "unable to calculate ready pods: "...)
	}
	return f.appendText(dst)
}

// appendMetricError appends what the error of the sync says of the failure.
func (d *Decision) appendMetricError(dst []byte, p *Proposal) []byte {
	m, f := &p.Metric, &p.Failure
	average := m.Target.Type() == metrics.AverageValueTarget
	if f.Kind == UnknownSource || f.Kind == SourceDisabled {
		return f.appendText(dst)
	}
	dst = append(dst, "failed to get "...)
	switch m.Source {
	case autoscaling.ResourceMetricSourceType:
		dst = appendAll(dst, m.Name, " resource metric value: ")
	case autoscaling.ContainerResourceMetricSourceType:
		dst = appendAll(dst, m.Container, " container metric value: ")
	case autoscaling.PodsMetricSourceType:
		dst = append(dst, "pods metric value: "...)
	case autoscaling.ObjectMetricSourceType:
		dst = append(dst, "object metric value: "...)
		if average && f.Kind != NoTarget && f.Kind != InvalidSelector {
			dst = appendAll(dst, "failed to get ", m.Name, " object metric: ")
		}
	case autoscaling.ProposalMetricSourceType:
		dst = appendAll(dst, m.Name, " proposal: ")
	case autoscaling.ExternalMetricSourceType:
		dst = appendAll(dst, m.Name, " external metric value: ")
		switch {
		case f.Kind == NoTarget:
		case average:
			dst = appendAll(dst, "failed to get ", m.Name, " external metric: ")
		default:
			dst = appendAll(dst, "failed to get external metric ", m.Name, ": ")
		}
	}
	return d.appendFailure(dst, p)
}

// appendText appends what Kubernetes says of the selector.
func (e *SelectorError) appendText(dst []byte, as release.Differences) []byte {
	switch e.Reason {
	case SelectorInvalid:
		return appendAll(dst, "couldn't convert selector into a corresponding internal selector object: ", e.Problem)
	case SelectorAmbiguous:
		if as.Has(release.SharedSelectorByAll) {
			return appendAll(dst, "pods by selector ", e.Selector, " are controlled by multiple HPAs: ", e.Others)
		}
		return appendAll(dst, "pods by selector ", e.Selector, " are controlled by more than one HPA (e.g. ", e.Others, ")")
	}
	return append(dst, "selector is required"...)
}

// event is the reason of the event.
func (e *SelectorError) event() string {
	switch e.Reason {
	case SelectorInvalid, SelectorAmbiguous:
		return string(e.Reason)
	}
	return string(SelectorRequired)
}

// appendCondition appends the message of the condition ScalingActive, whose
// reason it returns.
func (e *SelectorError) appendCondition(dst []byte, as release.Differences) (reason string, message []byte) {
	if e.event() == string(SelectorRequired) {
		return string(SelectorInvalid), append(dst, "the HPA target's scale is missing a selector"...)
	}
	return e.event(), e.appendText(dst, as)
}

// appendRescale appends the message of the event of a rescale.
func (d *Decision) appendRescale(dst []byte) []byte {
	dst = append(dst, "New size: "...)
	dst = strconv.AppendInt(dst, int64(d.DesiredReplicas), 10)
	dst = append(dst, "; reason: "...)
	return d.appendReason(dst)
}

func (d *Decision) appendReason(dst []byte) []byte {
	switch d.Reason {
	case AboveTarget:
		if p := d.proposal(d.Choice.Metric); p != nil {
			dst = append(appendMetric(dst, &p.Metric), ' ')
		}
		return append(dst, "above target"...)
	case BelowTarget:
		return append(dst, "All metrics below target"...)
	case AboveMaxReplicas:
		return append(dst, "Current number of replicas above Spec.MaxReplicas"...)
	case BelowMinReplicas:
		return append(dst, "Current number of replicas below Spec.MinReplicas"...)
	}
	return dst
}

// appendError appends the text of Err, which is not an error of the input.
func (d *Decision) appendError(dst []byte) []byte {
	switch {
	case d.scaleErr.err != nil:
		return appendAll(d.appendReference(append(dst, "failed to query scale subresource for "...)), ": ", d.scaleErr.text)
	case d.Outcome == OutcomeNotWritten:
		return appendAll(d.appendReference(append(dst, "failed to rescale "...)), ": ", d.writeErr.text)
	case d.blocked():
		dst = d.appendReference(append(dst, "failed to compute desired number of replicas based on listed metrics for "...))
		dst = append(dst, ": "...)
	}
	return d.appendInvalid(dst)
}

// appendInvalid appends why metrics could not be computed.
func (d *Decision) appendInvalid(dst []byte) []byte {
	if d.selector.failed {
		return append(dst, formatted(d.selector.appendText(nil, d.as), d.as)...)
	}
	dst = append(dst, "invalid metrics ("...)
	dst = strconv.AppendInt(dst, int64(d.Choice.Invalid), 10)
	dst = append(dst, " invalid out of "...)
	dst = strconv.AppendInt(dst, int64(len(d.Proposals)), 10)
	dst = append(dst, "), first error is: "...)
	if p := d.proposal(d.Choice.FirstFailed); p != nil {
		dst = d.appendMetricError(dst, p)
	}
	return dst
}

// appendReference appends what Kubernetes calls the target.
func (d *Decision) appendReference(dst []byte) []byte {
	return appendAll(dst, d.ScaleTargetRef.Kind, "/", d.Namespace, "/", d.ScaleTargetRef.Name)
}
