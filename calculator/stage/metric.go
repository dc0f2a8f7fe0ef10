package stage

import (
	"time"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
)

// Metric is what a metric proposes, and how that came about. Bound of its stage
// is the rule that keeps the size, such as "WithinTolerance", or Kubernetes'
// reason of the failure, such as "FailedGetPodsMetric". Until is when a pod
// changes its class, the proposal its size, or a fallback begins to count.
type Metric struct {
	// Number is the metric's number in the spec, from 1, and Of the number of
	// metrics.
	Number int `json:"number"`
	Of     int `json:"of"`
	// Type to Target are the metric in the words of the spec; see
	// autoscaling.Metric.
	Type            autoscaling.MetricSourceType            `json:"type"`
	Name            string                                  `json:"name"`
	Container       string                                  `json:"container,omitempty"`
	DescribedObject autoscaling.CrossVersionObjectReference `json:"describedObject,omitzero"`
	Selector        *autoscaling.LabelSelector              `json:"selector,omitempty"`
	Target          autoscaling.MetricTarget                `json:"target,omitzero"`
	// Tolerance is how far the ratio may be from 1.
	Tolerance Tolerance `json:"tolerance"`
	// Failure is why there is no proposal, or only a fallback; nil if nothing
	// failed.
	Failure *Failure `json:"failure,omitempty"`
	// Adopted is the caller's own proposal; nil if the library computed it.
	Adopted *Adopted `json:"adopted,omitempty"`
	// Pods are the pods of each class; nil for a metric that does not look at
	// them, or failed before it did.
	Pods *Pods `json:"pods,omitempty"`
	// Usage is what was measured; nil if the metric failed.
	Usage *Usage `json:"usage,omitempty"`
	// Corrected is Usage with the missing and unready pods; nil if there was
	// nothing to correct.
	Corrected *Corrected `json:"corrected,omitempty"`
	// Proposal is how the size was computed; nil if the metric failed.
	Proposal *Proposal `json:"proposal,omitempty"`
	// Quirks and Corrections are those that mattered.
	Quirks      []Quirk      `json:"quirks,omitempty"`
	Corrections []Correction `json:"corrections,omitempty"`
}

// NewMetric returns the metric of a spec, with its tolerance. It shares no
// memory with m.
func NewMetric(m *autoscaling.Metric, t metrics.Tolerance) *Metric {
	return &Metric{
		Type:            m.Source,
		Name:            m.Name,
		Container:       m.Container,
		DescribedObject: m.DescribedObject,
		Selector:        m.Selector.Clone(),
		Target:          targetOf(m),
		Tolerance:       Tolerance{Down: Float(t.Down), Up: Float(t.Up), Rounded: t.Rounded},
	}
}

// targetOf returns the target of the metric as a spec has it.
func targetOf(m *autoscaling.Metric) autoscaling.MetricTarget {
	t := autoscaling.MetricTarget{Type: m.Target.Type()}
	amount := metrics.MilliQuantity(m.Target.Milli(), m.Format())
	switch t.Type {
	case metrics.UtilizationTarget:
		percent := m.Target.Percent()
		t.AverageUtilization = &percent
	case metrics.AverageValueTarget:
		t.AverageValue = amount
	case metrics.ValueTarget:
		t.Value = amount
	}
	return t
}

// titled reports whether the metric has a source or a target.
func (m *Metric) titled() bool { return m.title() != "" }

// title is the source, what it measures, and the target.
func (m *Metric) title() string {
	name, target := m.name(), m.target()
	if name != "" && target != "" {
		name += ", "
	}
	return name + target
}

func (m *Metric) name() string {
	if m.Type == "" {
		return ""
	}
	s := string(m.Type) + " " + m.Name
	switch m.Type {
	case autoscaling.ContainerResourceMetricSourceType:
		s += " of container " + m.Container
	case autoscaling.ObjectMetricSourceType:
		s += " of " + m.DescribedObject.Kind + " " + m.DescribedObject.Name
	}
	if m.Selector != nil {
		s += " {" + m.Selector.Short() + "}"
	}
	return plain(s)
}

func (m *Metric) target() string {
	switch t := &m.Target; {
	case t.AverageUtilization != nil:
		return "target averageUtilization " + percent(*t.AverageUtilization)
	case t.AverageValue.IsSet():
		return "target averageValue " + t.AverageValue.String()
	case t.Value.IsSet():
		return "target value " + t.Value.String()
	}
	return ""
}

func (m *Metric) appendTo(w *writer) {
	if title := m.title(); title != "" {
		w.say("%s: ", title)
	}
	switch {
	case m.Failure != nil:
		m.Failure.appendTo(w, m.Pods)
	case m.Adopted != nil:
		m.Adopted.appendTo(w)
		m.appendRatio(w)
		if !w.until.IsZero() {
			w.say(" That changes at %s.", w.moment(w.until))
		}
	case m.Usage != nil:
		m.appendCalculation(w)
	default:
		w.say("%s.", w.size())
	}
	if m.Proposal != nil {
		m.appendProposal(w)
	}
	appendDifferences(w, "  ", m.Quirks, m.Corrections)
}

// appendCalculation says how the usage leads to a ratio.
func (m *Metric) appendCalculation(w *writer) {
	if m.Pods != nil {
		m.Pods.appendTo(w, "", "")
		w.say("\n  Usage: ")
	}
	m.Usage.appendTo(w, m.Name, m.Pods)
	m.appendRatio(w)
	if m.Corrected != nil {
		m.Corrected.appendTo(w, m.Name, m.Target.AverageUtilization)
		m.Tolerance.appendRatio(w, "corrected ", float64(m.Corrected.Ratio))
	}
}

// appendRatio says the ratio before any correction, and how the tolerance takes
// it.
func (m *Metric) appendRatio(w *writer) {
	switch {
	case m.Usage == nil:
	case m.Proposal != nil && m.Proposal.Rule == ratioFromZero:
		w.say(" The ratio to the target is %s. From size 0, the tolerance does not count.", m.Tolerance.digits(float64(m.Usage.Ratio)))
	default:
		m.Tolerance.appendRatio(w, "", float64(m.Usage.Ratio))
	}
}

// appendProposal says the size and the rule that gave it.
func (m *Metric) appendProposal(w *writer) {
	pod, since := "running and ready pod", time.Time{}
	switch {
	case m.Failure != nil:
		since = m.Failure.Since
	case m.Adopted != nil:
		pod = "pod"
	case m.Pods != nil:
		pod = "ready pod"
	}
	m.Proposal.appendTo(w, m.Tolerance, pod, since)
}
