package calculator

import (
	"encoding/json"
	"math"
	"slices"
	"time"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/correction"
	"github.com/purehpa/hpa/calculator/internal/words"
	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
	"github.com/purehpa/hpa/stabilize"
)

// MarshalJSON returns the decision with all that led to it. The fields have the
// names of the Go fields, with a small first letter, and a proposal has those
// of its metric beside them. The names stay: releases add some, and take none
// away. A stage that was not reached is left out, and so is what does not apply
// to it. Amounts are Kubernetes quantities, times are RFC 3339 in UTC, and the
// windows are in seconds.
//
// A ratio that is infinite or not a number, as it is for an AverageValue of an
// Object or External metric at size zero, is null. A year that RFC 3339 does
// not have is the nearest that it has. The JSON is for reading: a Decision is
// not decoded from it.
func (d Decision) MarshalJSON() ([]byte, error) {
	type plain Decision
	d.Policies = slices.Clone(d.Policies)
	j := struct {
		plain
		Error       string             `json:"error,omitempty"`
		Tolerance   *toleranceJSON     `json:"tolerance,omitempty"`
		Proposals   []proposalJSON     `json:"proposals,omitempty"`
		Calibration floatJSON          `json:"calibration,omitempty"`
		Choice      *ChooseResult      `json:"choice,omitempty"`
		Windows     *stabilize.Windows `json:"windows,omitempty"`
		Conditions  []conditionJSON    `json:"conditions,omitempty"`
	}{Error: d.errText(), Calibration: floatJSON(d.Calibration)}
	for i := range d.Proposals {
		j.Proposals = append(j.Proposals, d.trace(&d.Proposals[i]))
		j.Tolerance = &toleranceJSON{floatJSON(d.Tolerance.Down), floatJSON(d.Tolerance.Up)}
		j.Choice = &d.Choice
	}
	if d.normalized() {
		j.Windows = &d.Windows
	}
	for i := range d.Conditions {
		c := &d.Conditions[i]
		j.Conditions = append(j.Conditions, conditionJSON{c.Type, c.Status, words.JSONTime(c.LastTransitionTime), c.Reason, c.Message})
	}
	for i := range d.Policies {
		d.Policies[i].Until = words.JSONTime(d.Policies[i].Until)
	}
	for _, t := range []*time.Time{&d.Now, &d.Until, &d.Stabilization.Until, &d.Stabilization.Bound.Time, &d.Limits.Until, &d.Cooldown.Until} {
		*t = words.JSONTime(*t)
	}
	j.plain = plain(d)
	return json.Marshal(j)
}

type toleranceJSON struct {
	Down floatJSON `json:"down"`
	Up   floatJSON `json:"up"`
}

// conditionJSON is a condition with the exact time.
type conditionJSON struct {
	Type               autoscaling.HorizontalPodAutoscalerConditionType `json:"type"`
	Status             autoscaling.ConditionStatus                      `json:"status"`
	LastTransitionTime time.Time                                        `json:"lastTransitionTime"`
	Reason             string                                           `json:"reason"`
	Message            string                                           `json:"message"`
}

type proposalJSON struct {
	Type      autoscaling.MetricSourceType            `json:"type"`
	Object    autoscaling.CrossVersionObjectReference `json:"describedObject,omitzero"`
	Name      string                                  `json:"name"`
	Container string                                  `json:"container,omitempty"`
	Selector  *autoscaling.LabelSelector              `json:"selector,omitempty"`
	Replicas  int32                                   `json:"replicas"`
	Rule      Rule                                    `json:"rule,omitempty"`
	Failure   *failureJSON                            `json:"failure,omitempty"`
	Target    autoscaling.MetricTarget                `json:"target"`
	Current   int32                                   `json:"current"`

	Sum         metrics.Quantity `json:"sum"`
	Requests    metrics.Quantity `json:"requests,omitzero"`
	Usage       metrics.Quantity `json:"usage"`
	Utilization *int32           `json:"utilization,omitempty"`
	Ratio       floatJSON        `json:"ratio"`

	CorrectedSum         metrics.Quantity `json:"correctedSum,omitzero"`
	CorrectedRequests    metrics.Quantity `json:"correctedRequests,omitzero"`
	CorrectedUsage       metrics.Quantity `json:"correctedUsage,omitzero"`
	CorrectedUtilization *int32           `json:"correctedUtilization,omitempty"`
	CorrectedRatio       floatJSON        `json:"correctedRatio"`

	Pods      *podsJSON  `json:"pods,omitempty"`
	MissingAs Assumption `json:"missingAs,omitempty"`
	UnreadyAs Assumption `json:"unreadyAs,omitempty"`
	Counted   int        `json:"counted"`
	Until     time.Time  `json:"until,omitzero"`

	Text         string    `json:"text,omitempty"`
	FailingSince time.Time `json:"failingSince,omitzero"`

	Quirks      release.Quirks `json:"quirks,omitzero"`
	Corrections correction.Set `json:"corrections,omitzero"`
}

type failureJSON struct {
	Kind    FailureKind `json:"kind"`
	Message string      `json:"message"`
}

type podsJSON struct {
	PodCounts
	// Reasons counts the pods that are not ready by why.
	Reasons map[podgroup.Reason]int32 `json:"reasons,omitempty"`
}

func (d *Decision) trace(p *Proposal) proposalJSON {
	m := &p.Metric
	amount := func(v metrics.Milli) metrics.Quantity { return metrics.MilliQuantity(v, m.Format()) }
	j := proposalJSON{
		Type:           m.Source,
		Object:         m.DescribedObject,
		Name:           m.Name,
		Container:      m.Container,
		Selector:       m.Selector,
		Replicas:       p.Replicas,
		Rule:           p.Rule,
		Target:         autoscaling.MetricTarget{Type: m.Target.Type()},
		Current:        p.Current,
		Sum:            amount(p.Sum),
		Usage:          amount(p.Usage),
		Ratio:          floatJSON(p.Ratio),
		CorrectedRatio: floatJSON(p.CorrectedRatio),
		MissingAs:      p.MissingAs,
		UnreadyAs:      p.UnreadyAs,
		Counted:        p.Counted,
		Until:          words.JSONTime(p.Until),
		Text:           clip(p.Text),
		FailingSince:   words.JSONTime(d.failingSince(p)),
		Quirks:         p.Quirks,
		Corrections:    p.Corrections,
	}
	if p.Failure.Kind != NoFailure {
		j.Failure = &failureJSON{p.Failure.Kind, string(clip(d.appendFailure(nil, p)))}
	}
	if m.OfPods() {
		j.Pods = &podsJSON{PodCounts: p.Pods, Reasons: map[podgroup.Reason]int32{}}
		for reason, n := range p.Pods.Reasons {
			if n > 0 {
				j.Pods.Reasons[podgroup.Reason(reason)] = n
			}
		}
		j.CorrectedSum = amount(p.CorrectedSum)
	}
	switch m.Target.Type() {
	case metrics.UtilizationTarget:
		percent := m.Target.Percent()
		j.Target.AverageUtilization = &percent
		j.Requests, j.Utilization = amount(p.Requests), &p.Utilization
		j.CorrectedRequests, j.CorrectedUtilization = amount(p.CorrectedRequests), &p.CorrectedUtilization
	case metrics.AverageValueTarget:
		j.Target.AverageValue = amount(m.Target.Milli())
		if m.OfPods() {
			j.CorrectedUsage = amount(p.CorrectedUsage)
		}
	case metrics.ValueTarget:
		j.Target.Value = amount(m.Target.Milli())
	}
	return j
}

// floatJSON is a float that is null where JSON has no number.
type floatJSON float64

// MarshalJSON returns the number or null.
func (f floatJSON) MarshalJSON() ([]byte, error) {
	if v := float64(f); !math.IsNaN(v) && !math.IsInf(v, 0) {
		return json.Marshal(v)
	}
	return []byte("null"), nil
}
