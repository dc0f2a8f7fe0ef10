package calculator

import "strconv"

// Event is an event that Kubernetes' controller emits about the autoscaler.
type Event struct {
	// Type is "Normal" or "Warning".
	Type string
	// Reason is a word, such as "SuccessfulRescale".
	Reason string
	// Message is a sentence.
	Message string
}

// The types of an Event.
const (
	EventNormal  = "Normal"
	EventWarning = "Warning"
)

// String returns the event as "TYPE REASON MESSAGE".
func (e Event) String() string { return e.Type + " " + e.Reason + " " + e.Message }

// AppendEvents appends the events of the sync, in the order in which
// Kubernetes' controller emits them. That of a rescale is among them once
// State.Applied or State.Failed was called.
func (d *Decision) AppendEvents(dst []Event) []Event {
	if d.scaleErr != nil {
		return append(dst, Event{EventWarning, "FailedGetScale", d.scaleErr.Error()})
	}
	if d.selector != nil {
		dst = append(dst, Event{EventWarning, d.selector.event(), d.selector.Error()})
		return append(dst, Event{EventWarning, "FailedComputeMetricsReplicas", d.selector.Error()})
	}
	for i := range d.Metrics {
		if d.Metrics[i].Failure.Kind == NoFailure {
			continue
		}
		var m metricName
		d.spec.Metrics[i].name(d.namespace, &m)
		dst = append(dst, Event{EventWarning, m.reason(), string(m.appendFailure(nil, &d.Metrics[i].Failure))})
	}
	if d.Choice.Blocked {
		dst = append(dst, Event{EventWarning, "FailedComputeMetricsReplicas", string(d.appendInvalid(nil))})
	}
	switch d.Outcome {
	case Written:
		return append(dst, Event{EventNormal, "SuccessfulRescale", string(d.appendRescale(nil))})
	case NotWritten:
		text := append(d.appendRescale(nil), "; error: "...)
		return append(dst, Event{EventWarning, "FailedRescale", string(appendErr(text, d.writeErr))})
	}
	return dst
}

func (d *Decision) appendRescale(dst []byte) []byte {
	dst = append(dst, "New size: "...)
	dst = strconv.AppendInt(dst, int64(d.DesiredReplicas), 10)
	dst = append(dst, "; reason: "...)
	return d.appendReason(dst)
}

// ReasonText returns why the size changes, as the event says it: "cpu resource
// utilization (percentage of request) above target", "All metrics below target"
// or "Current number of replicas above Spec.MaxReplicas". It is empty where
// Kubernetes' is: where no metric asked for the change.
func (d *Decision) ReasonText() string { return string(d.appendReason(nil)) }

func (d *Decision) appendReason(dst []byte) []byte {
	switch d.Reason {
	case AboveTarget:
		var m metricName
		d.spec.Metrics[d.Choice.Metric].name(d.namespace, &m)
		return append(m.appendName(dst), " above target"...)
	case BelowTarget:
		return append(dst, "All metrics below target"...)
	case AboveMaxReplicas:
		return append(dst, "Current number of replicas above Spec.MaxReplicas"...)
	case BelowMinReplicas:
		return append(dst, "Current number of replicas below Spec.MinReplicas"...)
	}
	return dst
}

// MetricName returns what Kubernetes calls the metric in its texts: "cpu
// resource utilization (percentage of request)" or "pods metric queue". It is
// empty for an index that is not one of d.Metrics.
func (d *Decision) MetricName(i int) string {
	if i < 0 || i >= len(d.Metrics) {
		return ""
	}
	var m metricName
	d.spec.Metrics[i].name(d.namespace, &m)
	return string(m.appendName(nil))
}

// Err returns the error that Kubernetes' sync would return, or what is wrong
// with the arguments: an *InputError or field.ErrorList. It is nil if all went well.
// A decision with an error may still rescale: some metrics failed, and the
// others ask for more.
//
// The error's text is made when it is asked for. The error is good until the
// Decision is used again.
func (d *Decision) Err() error {
	switch {
	case d.inputErr != nil:
		return d.inputErr
	case d.scaleErr != nil, d.selector != nil, d.Choice.Invalid > 0, d.Outcome == NotWritten:
		return (*syncError)(d)
	}
	return nil
}

// syncError is a Decision as the error of its sync.
type syncError Decision

// Error returns upstream's text.
func (e *syncError) Error() string {
	d := (*Decision)(e)
	var dst []byte
	switch {
	case d.scaleErr != nil:
		dst = append(dst, "failed to query scale subresource for "...)
		dst = d.appendReference(dst)
		dst = append(dst, ": "...)
		return string(appendErr(dst, d.scaleErr))
	case d.Outcome == NotWritten:
		dst = append(dst, "failed to rescale "...)
		dst = d.appendReference(dst)
		dst = append(dst, ": "...)
		return string(appendErr(dst, d.writeErr))
	}
	if d.blocked() {
		dst = append(dst, "failed to compute desired number of replicas based on listed metrics for "...)
		dst = d.appendReference(dst)
		dst = append(dst, ": "...)
	}
	return string(d.appendInvalid(dst))
}

// Unwrap returns the error of the scale, the selector, the write or the first
// metric that failed.
func (e *syncError) Unwrap() error {
	switch {
	case e.scaleErr != nil:
		return e.scaleErr
	case e.Outcome == NotWritten:
		return e.writeErr
	case e.selector != nil:
		return e.selector
	}
	return &e.Metrics[e.Choice.First].Failure
}

// appendInvalid appends why metrics could not be computed.
func (d *Decision) appendInvalid(dst []byte) []byte {
	if d.selector != nil {
		return append(dst, d.selector.Error()...)
	}
	dst = append(dst, "invalid metrics ("...)
	dst = strconv.AppendInt(dst, int64(d.Choice.Invalid), 10)
	dst = append(dst, " invalid out of "...)
	dst = strconv.AppendInt(dst, int64(len(d.Metrics)), 10)
	dst = append(dst, "), first error is: "...)
	first := d.Choice.First
	var m metricName
	d.spec.Metrics[first].name(d.namespace, &m)
	return m.appendError(dst, &d.Metrics[first].Failure)
}

// appendReference appends what Kubernetes calls the target.
func (d *Decision) appendReference(dst []byte) []byte {
	dst = append(dst, d.spec.ScaleTargetRef.Kind...)
	dst = append(dst, '/')
	dst = append(dst, d.namespace...)
	dst = append(dst, '/')
	return append(dst, d.spec.ScaleTargetRef.Name...)
}

func appendErr(dst []byte, err error) []byte {
	if err == nil {
		return append(dst, "<nil>"...)
	}
	return append(dst, err.Error()...)
}
