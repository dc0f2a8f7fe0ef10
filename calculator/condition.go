package calculator

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/purehpa/hpa/metrics"
)

// ConditionType names a condition of a HorizontalPodAutoscaler's status.
type ConditionType string

// The conditions that Kubernetes sets.
const (
	// ScalingActive tells whether a size could be computed.
	ScalingActive ConditionType = "ScalingActive"
	// AbleToScale tells whether the scale could be read and written, and what
	// stabilization did.
	AbleToScale ConditionType = "AbleToScale"
	// ScalingLimited tells whether a bound or a policy keeps the size from what
	// the metrics ask for.
	ScalingLimited ConditionType = "ScalingLimited"
	// ScaledToZero tells whether the autoscaler itself took the target to zero,
	// and so may bring it back (KEP-2021).
	ScaledToZero ConditionType = "ScaledToZero"
)

// ConditionStatus is the status of a condition.
type ConditionStatus string

// The statuses of a condition.
const (
	ConditionTrue    ConditionStatus = "True"
	ConditionFalse   ConditionStatus = "False"
	ConditionUnknown ConditionStatus = "Unknown"
)

// Condition is a condition of the status. It reads and writes the JSON of
// autoscaling/v2, where times are whole seconds.
type Condition struct {
	Type   ConditionType
	Status ConditionStatus
	// Reason is Kubernetes' word for why.
	Reason string
	// Message is Kubernetes' sentence about it.
	Message Message
	// LastTransitionTime is when Status last changed.
	LastTransitionTime time.Time
	// ObservedGeneration is carried along; Kubernetes 1.37 does not set it.
	ObservedGeneration *int64
}

// Equal reports whether both conditions read the same.
func (c Condition) Equal(d Condition) bool {
	g, h := c.ObservedGeneration, d.ObservedGeneration
	return c.Type == d.Type && c.Status == d.Status && c.Reason == d.Reason &&
		wall(c.LastTransitionTime).Equal(wall(d.LastTransitionTime)) &&
		(g == h || g != nil && h != nil && *g == *h) &&
		c.Message.Equal(d.Message)
}

type conditionJSON struct {
	Type               ConditionType   `json:"type"`
	Status             ConditionStatus `json:"status"`
	LastTransitionTime *time.Time      `json:"lastTransitionTime"`
	Reason             string          `json:"reason,omitempty"`
	Message            string          `json:"message,omitempty"`
	ObservedGeneration *int64          `json:"observedGeneration,omitempty"`
}

// MarshalJSON returns the condition as autoscaling/v2 has it.
func (c Condition) MarshalJSON() ([]byte, error) {
	return json.Marshal(conditionJSON{
		Type:               c.Type,
		Status:             c.Status,
		LastTransitionTime: apiTime(c.LastTransitionTime),
		Reason:             c.Reason,
		Message:            c.Message.String(),
		ObservedGeneration: c.ObservedGeneration,
	})
}

// UnmarshalJSON reads a condition of autoscaling/v2.
func (c *Condition) UnmarshalJSON(data []byte) error {
	var j conditionJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return err
	}
	*c = Condition{
		Type:               j.Type,
		Status:             j.Status,
		Reason:             j.Reason,
		Message:            Text(j.Message),
		ObservedGeneration: j.ObservedGeneration,
	}
	if j.LastTransitionTime != nil {
		c.LastTransitionTime = *j.LastTransitionTime
	}
	return nil
}

// apiTime returns t as Kubernetes' API has it: whole seconds in UTC, and null
// for the zero time.
func apiTime(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC().Truncate(time.Second)
	return &t
}

// Message is the message of a condition. Its text is made when it is asked for.
// The zero Message is empty.
type Message struct {
	form    messageForm
	size    int32
	metric  metricName
	failure Failure
	text    string
}

// Text returns the message that says s.
func Text(s string) Message { return Message{text: s} }

type messageForm uint8

const (
	// textMessage says text.
	textMessage messageForm = iota
	// validMetricMessage names metric.
	validMetricMessage
	// failureMessage tells the failure of metric.
	failureMessage
	// sizeMessage says text and size.
	sizeMessage
	// causeMessage says text and the cause of failure.
	causeMessage
)

// Equal reports whether both messages read the same.
func (m Message) Equal(n Message) bool {
	if m.form == textMessage && n.form == textMessage {
		return m.text == n.text
	}
	return m.String() == n.String()
}

// String returns the message's text.
func (m Message) String() string {
	if m.form == textMessage {
		return m.text
	}
	return string(m.AppendText(nil))
}

// AppendText appends the message's text.
func (m *Message) AppendText(dst []byte) []byte {
	switch m.form {
	case validMetricMessage:
		dst = append(dst, "the HPA was able to successfully calculate a replica count from "...)
		return m.metric.appendName(dst)
	case failureMessage:
		dst = append(dst, "the HPA was unable to compute the replica count: "...)
		return m.metric.appendFailure(dst, &m.failure)
	case sizeMessage:
		dst = append(dst, m.text...)
		return strconv.AppendInt(dst, int64(m.size), 10)
	case causeMessage:
		dst = append(dst, m.text...)
		return m.failure.appendText(dst)
	}
	return append(dst, m.text...)
}

// metricName is what Kubernetes' texts say of a metric. It keeps nothing of the
// spec but strings and the selector.
type metricName struct {
	source    sourceKind
	target    metrics.TargetType
	namespace string
	// name is the metric's name or the resource's.
	name      string
	container string
	kind      string
	object    string
	selector  *LabelSelector
}

// sourceKind is a MetricSourceType in a byte.
type sourceKind uint8

const (
	noSource sourceKind = iota
	resourceSource
	containerResourceSource
	podsSource
	objectSource
	externalSource
)

// name fills n with what texts say of the metric, whose fields are there.
func (s *MetricSpec) name(namespace string, n *metricName) {
	*n = metricName{namespace: namespace}
	t, _ := s.target()
	n.target = t.Type()
	switch s.source() {
	case resourceSource:
		n.source, n.name = resourceSource, s.Resource.Name
	case containerResourceSource:
		n.source, n.name, n.container = containerResourceSource, s.ContainerResource.Name, s.ContainerResource.Container
	case podsSource:
		n.source, n.name, n.selector = podsSource, s.Pods.Metric.Name, s.Pods.Metric.Selector
	case objectSource:
		n.source, n.name, n.selector = objectSource, s.Object.Metric.Name, s.Object.Metric.Selector
		n.kind, n.object = s.Object.DescribedObject.Kind, s.Object.DescribedObject.Name
	case externalSource:
		n.source, n.name, n.selector = externalSource, s.External.Metric.Name, s.External.Metric.Selector
	}
}

// appendName appends what Kubernetes calls the metric, as in "New size: 3;
// reason: cpu resource utilization (percentage of request) above target".
func (n *metricName) appendName(dst []byte) []byte {
	switch n.source {
	case resourceSource, containerResourceSource:
		dst = append(dst, n.name...)
		switch {
		case n.target != metrics.UtilizationTarget:
			return append(dst, " resource"...)
		case n.source == containerResourceSource:
			return append(dst, " container resource utilization (percentage of request)"...)
		}
		return append(dst, " resource utilization (percentage of request)"...)
	case podsSource:
		dst = append(dst, "pods metric "...)
		return append(dst, n.name...)
	case objectSource:
		if n.target == metrics.ValueTarget {
			dst = append(dst, n.kind...)
			dst = append(dst, " metric "...)
			return append(dst, n.name...)
		}
	}
	dst = append(dst, "external metric "...)
	dst = append(dst, n.name...)
	dst = append(dst, '(')
	dst = n.selector.AppendText(dst)
	return append(dst, ')')
}

// reason is the reason of the condition and the event of a failure.
func (n *metricName) reason() string {
	switch n.source {
	case resourceSource:
		return "FailedGetResourceMetric"
	case containerResourceSource:
		return "FailedGetContainerResourceMetric"
	case podsSource:
		return "FailedGetPodsMetric"
	case objectSource:
		return "FailedGetObjectMetric"
	case externalSource:
		return "FailedGetExternalMetric"
	}
	return "InvalidMetricSourceType"
}

// appendFailure appends what the condition and the event say of the failure.
func (n *metricName) appendFailure(dst []byte, f *Failure) []byte {
	if f.Kind == NoTarget {
		return n.appendNoTarget(dst)
	}
	switch n.source {
	case resourceSource, containerResourceSource:
		dst = append(dst, "failed to get "...)
		dst = append(dst, n.name...)
		if n.target == metrics.UtilizationTarget {
			dst = append(dst, " utilization: "...)
		} else {
			dst = append(dst, " usage: "...)
		}
		if f.Kind == MetricUnavailable {
			dst = append(dst, "unable to get metrics for resource "...)
			dst = append(dst, n.name...)
			dst = append(dst, ": "...)
		}
	case podsSource:
		if f.Kind == MetricUnavailable {
			dst = append(dst, "unable to get metric "...)
			dst = append(dst, n.name...)
			dst = append(dst, ": "...)
		}
	case objectSource:
		switch f.Kind {
		case MetricUnavailable:
			dst = append(dst, "unable to get metric "...)
			dst = append(dst, n.name...)
			dst = append(dst, " on "...)
			dst = append(dst, n.kind...)
			dst = append(dst, ' ')
			dst = append(dst, n.namespace...)
			dst = append(dst, '/')
			dst = append(dst, n.object...)
			dst = append(dst, ": "...)
		case NoPods:
			dst = append(dst, "unable to calculate ready pods: "...)
		}
	case externalSource:
		switch f.Kind {
		case MetricUnavailable:
			dst = append(dst, "unable to get external metric "...)
			dst = append(dst, n.namespace...)
			dst = append(dst, '/')
			dst = append(dst, n.name...)
			dst = append(dst, '/')
			dst = n.selector.AppendText(dst)
			dst = append(dst, ": "...)
		case NoPods:
			dst = append(dst, "unable to calculate ready pods: "...)
		}
	}
	return f.appendText(dst)
}

func (n *metricName) appendNoTarget(dst []byte) []byte {
	switch n.source {
	case objectSource:
		return append(dst, "invalid object metric source: neither a value target nor an average value target was set"...)
	case externalSource:
		return append(dst, "invalid external metric source: neither a value target nor an average value target was set"...)
	}
	return append(dst, "invalid resource metric source: neither an average utilization target nor an average value (usage) target was set"...)
}

// appendError appends what the sync's error says of the failure.
func (n *metricName) appendError(dst []byte, f *Failure) []byte {
	dst = append(dst, "failed to get "...)
	inner := f.Kind != NoTarget && f.Kind != InvalidSelector
	switch n.source {
	case resourceSource:
		dst = append(dst, n.name...)
		dst = append(dst, " resource metric value: "...)
	case containerResourceSource:
		dst = append(dst, n.container...)
		dst = append(dst, " container metric value: "...)
	case podsSource:
		dst = append(dst, "pods metric value: "...)
	case objectSource:
		dst = append(dst, "object metric value: "...)
		if inner && n.target == metrics.AverageValueTarget {
			dst = append(dst, "failed to get "...)
			dst = append(dst, n.name...)
			dst = append(dst, " object metric: "...)
		}
	case externalSource:
		dst = append(dst, n.name...)
		dst = append(dst, " external metric value: "...)
		switch {
		case f.Kind == NoTarget:
		case n.target == metrics.AverageValueTarget:
			dst = append(dst, "failed to get "...)
			dst = append(dst, n.name...)
			dst = append(dst, " external metric: "...)
		default:
			dst = append(dst, "failed to get external metric "...)
			dst = append(dst, n.name...)
			dst = append(dst, ": "...)
		}
	}
	return n.appendFailure(dst, f)
}
