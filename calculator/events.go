package calculator

import "strconv"

// Event is an event that Kubernetes' controller emits about the autoscaler.
type Event struct {
	// Type is EventNormal or EventWarning.
	Type string
	// Reason is a word, such as "SuccessfulRescale".
	Reason string
	// Message is a sentence, of at most [MaxMessageLength] bytes.
	Message string
}

// The types of an Event.
const (
	EventNormal  = "Normal"
	EventWarning = "Warning"
)

// String returns the event as "TYPE REASON MESSAGE".
func (e Event) String() string { return e.Type + " " + e.Reason + " " + e.Message }

// event returns the event, with its message cut.
func event(kind, reason string, message []byte) Event {
	return Event{kind, reason, string(clip(message))}
}

// AppendEvents appends the events of the sync, in the order in which
// Kubernetes' controller emits them. That of a rescale is among them once
// State.Applied or State.Failed was called.
func (d *Decision) AppendEvents(dst []Event) []Event {
	if d.scaleErr.err != nil {
		return append(dst, Event{EventWarning, d.scaleErr.reason, clip(d.scaleErr.text)})
	}
	if d.selector.failed {
		return append(dst, event(EventWarning, d.selector.event(), d.selector.appendText(nil, d.quirks)),
			event(EventWarning, "FailedComputeMetricsReplicas", d.appendInvalid(nil)))
	}
	for i := range d.Proposals {
		if p := &d.Proposals[i]; p.Failure.Kind != NoFailure && p.Failure.Kind != SourceDisabled {
			dst = append(dst, event(EventWarning, failureReason(&p.Metric), d.appendFailure(nil, p)))
		}
	}
	if d.Choice.Blocked {
		dst = append(dst, event(EventWarning, "FailedComputeMetricsReplicas", d.appendInvalid(nil)))
	}
	switch d.Outcome {
	case OutcomeWritten:
		return append(dst, event(EventNormal, "SuccessfulRescale", d.appendRescale(nil)))
	case OutcomeNotWritten:
		return append(dst, event(EventWarning, "FailedRescale", appendAll(d.appendRescale(nil), "; error: ", d.writeErr.text)))
	}
	return dst
}

// ReasonText returns why the size changes, as the event says it: "cpu resource
// utilization (percentage of request) above target", "All metrics below target"
// or "Current number of replicas above Spec.MaxReplicas". It is empty where
// Kubernetes' is: where no metric asked for the change.
func (d *Decision) ReasonText() string { return string(d.appendReason(nil)) }

// MetricName returns what Kubernetes calls the metric in its texts: "cpu
// resource utilization (percentage of request)" or "pods metric queue". It is
// empty for an index that is not one of d.Proposals.
func (d *Decision) MetricName(i int) string {
	p := d.proposal(i)
	if p == nil {
		return ""
	}
	return string(appendMetric(nil, &p.Metric))
}

// Err returns the error that Kubernetes' sync would return, or what is wrong
// with the arguments: a *field.Error or a field.ErrorList. It is nil if all
// went well. A decision with an error may still rescale: some metrics failed,
// and the others ask for more.
//
// The error is a value of its own: it stays true when the Decision is used
// again.
func (d *Decision) Err() error {
	switch {
	case d.inputErr != nil:
		return d.inputErr
	case d.scaleErr.err != nil, d.selector.failed, d.Choice.Invalid > 0, d.Outcome == OutcomeNotWritten:
		return &syncError{text: string(d.appendError(nil)), cause: d.cause()}
	}
	return nil
}

// cause returns the error of the scale, the selector, the write or the first
// metric that failed.
func (d *Decision) cause() error {
	switch {
	case d.scaleErr.err != nil:
		return d.scaleErr.err
	case d.Outcome == OutcomeNotWritten:
		return d.writeErr.err
	case d.selector.failed:
		e := d.selector.SelectorError
		return &e
	}
	if p := d.proposal(d.Choice.FirstFailed); p != nil {
		return p.Err()
	}
	return nil
}

// syncError is the error of a sync, in upstream's words.
type syncError struct {
	text  string
	cause error
}

func (e *syncError) Error() string { return e.text }

func (e *syncError) Unwrap() error { return e.cause }

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
	case d.scaleErr.message != "":
		return append(dst, d.scaleErr.message...)
	case d.scaleErr.err != nil:
		return appendAll(d.appendTarget(append(dst, "failed to query scale subresource"...), " for "), ": ", d.scaleErr.text)
	case d.Outcome == OutcomeNotWritten:
		return appendAll(d.appendTarget(append(dst, "failed to rescale"...), " "), ": ", d.writeErr.text)
	case d.blocked():
		dst = d.appendTarget(append(dst, "failed to compute desired number of replicas based on listed metrics"...), " for ")
		dst = append(dst, ": "...)
	}
	return d.appendInvalid(dst)
}

// appendInvalid appends why metrics could not be computed.
func (d *Decision) appendInvalid(dst []byte) []byte {
	if d.selector.failed {
		return append(dst, formatted(d.selector.appendText(nil, d.quirks), d.quirks)...)
	}
	dst = append(dst, "invalid metrics ("...)
	dst = strconv.AppendInt(dst, int64(d.Choice.Invalid), 10)
	dst = append(dst, " invalid out of "...)
	dst = strconv.AppendInt(dst, int64(len(d.Proposals)), 10)
	dst = append(dst, "), first error is: "...)
	if p := d.proposal(d.Choice.FirstFailed); p != nil {
		dst = p.Failure.appendReturned(dst, &p.Metric, d.Namespace, d.quirks)
	}
	return dst
}

// appendFailure appends what the condition and the event say of the failure.
func (d *Decision) appendFailure(dst []byte, p *Proposal) []byte {
	return p.Failure.appendOf(dst, &p.Metric, d.Namespace, d.quirks)
}

// appendTarget appends what Kubernetes calls the target, after a word. Outside
// of a cluster there may be none.
func (d *Decision) appendTarget(dst []byte, word string) []byte {
	if d.ScaleTargetRef.Kind == "" && d.ScaleTargetRef.Name == "" && d.Namespace == "" {
		return dst
	}
	return appendAll(dst, word, d.ScaleTargetRef.Kind, "/", d.Namespace, "/", d.ScaleTargetRef.Name)
}
