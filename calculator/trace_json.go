package calculator

import (
	"encoding/json"
	"math"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/stabilize"
)

// MarshalJSON returns the decision with all that led to it. The fields have the
// names of the Go fields, with a small first letter, and a metric has those of
// its spec beside them. The names stay: releases add some, and take none away. A
// stage that was not reached is left out, and so is what does not apply to it.
// Enums are the words of their MarshalText, amounts are Kubernetes quantities,
// times are RFC 3339 in UTC, and the windows are in seconds.
//
// A ratio that is infinite or not a number, as it is for an AverageValue of an
// Object or External metric at size zero, is null. The JSON is for reading: a
// Decision is not decoded from it.
func (d Decision) MarshalJSON() ([]byte, error) { return json.Marshal(d.trace()) }

type traceJSON struct {
	Now             timeJSON           `json:"now"`
	CurrentReplicas int32              `json:"currentReplicas"`
	DesiredReplicas int32              `json:"desiredReplicas"`
	Rescale         bool               `json:"rescale"`
	Reason          RescaleReason      `json:"reason"`
	Outcome         Outcome            `json:"outcome"`
	Error           string             `json:"error,omitempty"`
	MinReplicas     int32              `json:"minReplicas"`
	MaxReplicas     int32              `json:"maxReplicas"`
	Zone            Zone               `json:"zone"`
	Tolerance       *toleranceJSON     `json:"tolerance,omitempty"`
	Metrics         []proposalJSON     `json:"metrics,omitempty"`
	Choice          *choiceJSON        `json:"choice,omitempty"`
	Started         bool               `json:"started"`
	ColdStart       bool               `json:"coldStart"`
	Windows         *windowsJSON       `json:"windows,omitempty"`
	Stabilization   *stabilizationJSON `json:"stabilization,omitempty"`
	Limits          *limitsJSON        `json:"limits,omitempty"`
	Policies        []policyJSON       `json:"policies,omitempty"`
	RaisedToMin     bool               `json:"raisedToMin"`
	Cooldown        *cooldownJSON      `json:"cooldown,omitempty"`
	Until           *timeJSON          `json:"until,omitempty"`
	Conditions      []traceCondition   `json:"conditions,omitempty"`
}

type toleranceJSON struct {
	Down floatJSON `json:"down"`
	Up   floatJSON `json:"up"`
}

type proposalJSON struct {
	Type      MetricSourceType             `json:"type"`
	Object    *CrossVersionObjectReference `json:"describedObject,omitempty"`
	Name      string                       `json:"name"`
	Container string                       `json:"container,omitempty"`
	Selector  *LabelSelector               `json:"selector,omitempty"`
	Replicas  int32                        `json:"replicas"`
	Rule      Rule                         `json:"rule"`
	Failure   *failureJSON                 `json:"failure,omitempty"`
	Target    MetricTarget                 `json:"target"`
	Current   int32                        `json:"current"`

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
	MissingAs Assumption `json:"missingAs"`
	UnreadyAs Assumption `json:"unreadyAs"`
	Counted   int        `json:"counted"`
	Until     *timeJSON  `json:"until,omitempty"`
}

type failureJSON struct {
	Kind    FailureKind `json:"kind"`
	Message string      `json:"message"`
}

type podsJSON struct {
	Ready   int `json:"ready"`
	Unready int `json:"unready"`
	Missing int `json:"missing"`
	Ignored int `json:"ignored"`
	Strays  int `json:"strays"`
}

type choiceJSON struct {
	Replicas int32 `json:"replicas"`
	Metric   int   `json:"metric"`
	Invalid  int   `json:"invalid"`
	First    int   `json:"first"`
	Blocked  bool  `json:"blocked"`
}

type windowsJSON struct {
	Up   float64 `json:"up"`
	Down float64 `json:"down"`
}

type stabilizationJSON struct {
	Desired  int32            `json:"desired"`
	Replicas int32            `json:"replicas"`
	Reason   stabilize.Reason `json:"reason"`
	Bound    *boundJSON       `json:"bound,omitempty"`
	Until    *timeJSON        `json:"until,omitempty"`
}

type boundJSON struct {
	Time  timeJSON `json:"time"`
	Value int32    `json:"value"`
	Stale bool     `json:"stale"`
}

type limitsJSON struct {
	Desired  int32                `json:"desired"`
	Replicas int32                `json:"replicas"`
	Reason   behavior.LimitReason `json:"reason"`
	Rate     *rateJSON            `json:"rate,omitempty"`
	Until    *timeJSON            `json:"until,omitempty"`
}

type rateJSON struct {
	Replicas int32                 `json:"replicas"`
	Select   behavior.SelectPolicy `json:"select,omitempty"`
	Disabled bool                  `json:"disabled"`
	Selected int                   `json:"selected"`
}

type policyJSON struct {
	behavior.Policy
	Added   int64     `json:"added"`
	Removed int64     `json:"removed"`
	Start   int64     `json:"start"`
	Limit   int32     `json:"limit"`
	Until   *timeJSON `json:"until,omitempty"`
}

type cooldownJSON struct {
	Desired  int32            `json:"desired"`
	Replicas int32            `json:"replicas"`
	Backoff  behavior.Backoff `json:"backoff"`
	Until    *timeJSON        `json:"until,omitempty"`
}

// traceCondition is a condition with the exact time.
type traceCondition struct {
	Type               ConditionType   `json:"type"`
	Status             ConditionStatus `json:"status"`
	LastTransitionTime timeJSON        `json:"lastTransitionTime"`
	Reason             string          `json:"reason"`
	Message            string          `json:"message"`
}

func (d *Decision) trace() *traceJSON {
	j := &traceJSON{
		Now:             timeJSON(d.Now),
		CurrentReplicas: d.CurrentReplicas,
		DesiredReplicas: d.DesiredReplicas,
		Rescale:         d.Rescale,
		Reason:          d.Reason,
		Outcome:         d.Outcome,
		Error:           d.errText(),
		MinReplicas:     d.MinReplicas,
		MaxReplicas:     d.MaxReplicas,
		Zone:            d.Zone,
		Started:         d.Started,
		ColdStart:       d.ColdStart,
		RaisedToMin:     d.RaisedToMin,
		Until:           moreTime(d.Until),
	}
	for i := range d.Conditions {
		c := &d.Conditions[i]
		j.Conditions = append(j.Conditions, traceCondition{c.Type, c.Status, timeJSON(c.LastTransitionTime), c.Reason, c.Message.String()})
	}
	if len(d.Metrics) == 0 {
		return j
	}
	j.Tolerance = &toleranceJSON{floatJSON(d.Tolerance.Down), floatJSON(d.Tolerance.Up)}
	for i := range d.Metrics {
		j.Metrics = append(j.Metrics, d.proposalJSON(i))
	}
	c := choiceJSON(d.Choice)
	j.Choice = &c
	if !d.normalized() {
		return j
	}
	j.Windows = &windowsJSON{d.Windows.Up.Seconds(), d.Windows.Down.Seconds()}
	j.stages(d)
	return j
}

// stages fills in what follows the choice.
func (j *traceJSON) stages(d *Decision) {
	s := &d.Stabilization
	j.Stabilization = &stabilizationJSON{Desired: s.Desired, Replicas: s.Replicas, Reason: s.Reason, Until: moreTime(s.Until)}
	if s.Bound != (stabilize.Entry{}) {
		j.Stabilization.Bound = &boundJSON{timeJSON(s.Bound.Time), s.Bound.Value, s.Bound.Stale}
	}
	l := &d.Limits
	j.Limits = &limitsJSON{Desired: l.Desired, Replicas: l.Replicas, Reason: l.Reason, Until: moreTime(l.Until)}
	if l.Rate != (behavior.RateLimit{}) {
		r := rateJSON(l.Rate)
		j.Limits.Rate = &r
	}
	for _, p := range d.Policies {
		j.Policies = append(j.Policies, policyJSON{p.Policy, p.Added, p.Removed, p.Start, p.Limit, moreTime(p.Until)})
	}
	if c := &d.Cooldown; *c != (behavior.Cooled{}) {
		j.Cooldown = &cooldownJSON{c.Desired, c.Replicas, c.Backoff, moreTime(c.Until)}
	}
}

func (d *Decision) proposalJSON(i int) proposalJSON {
	p := &d.Metrics[i]
	m := metricText{text: &text{d: d}, p: p, spec: d.metricSpec(i)}
	amount := func(v metrics.Milli) metrics.Quantity { return metrics.MilliQuantity(v, m.format()) }
	j := proposalJSON{
		Replicas:       p.Replicas,
		Rule:           p.Rule,
		Current:        p.Current,
		Sum:            amount(p.Sum),
		Usage:          amount(p.Usage),
		Ratio:          floatJSON(p.Ratio),
		CorrectedRatio: floatJSON(p.CorrectedRatio),
		MissingAs:      p.MissingAs,
		UnreadyAs:      p.UnreadyAs,
		Counted:        p.Counted,
	}
	if s := m.spec; s != nil {
		j.Type = s.Type
		j.Name, j.Container = s.measured()
		j.Selector = s.selector()
		if s.source() == objectSource {
			j.Object = &s.Object.DescribedObject
		}
	}
	if p.Failure.Kind != NoFailure {
		j.Failure = &failureJSON{p.Failure.Kind, m.failureText()}
	}
	if p.Until.IsSet() {
		j.Until = moreTime(p.Until.Time())
	}
	switch t := p.Target; t.Type() {
	case metrics.UtilizationTarget:
		percent := t.Percent()
		j.Target = MetricTarget{Type: UtilizationMetricType, AverageUtilization: &percent}
		j.Requests, j.Utilization = amount(p.Requests), &p.Utilization
	case metrics.AverageValueTarget:
		j.Target = MetricTarget{Type: AverageValueMetricType, AverageValue: amount(t.Milli())}
	case metrics.ValueTarget:
		j.Target = MetricTarget{Type: ValueMetricType, Value: amount(t.Milli())}
	}
	if m.looksAtPods() {
		pods := podsJSON(p.Pods)
		j.Pods = &pods
		j.CorrectedSum = amount(p.CorrectedSum)
		if p.Target.Type() == metrics.UtilizationTarget {
			j.CorrectedRequests, j.CorrectedUtilization = amount(p.CorrectedRequests), &p.CorrectedUtilization
		} else {
			j.CorrectedUsage = amount(p.CorrectedUsage)
		}
	}
	return j
}

// timeJSON is a time that is written whatever its year.
type timeJSON time.Time

// MarshalJSON returns the time in RFC 3339.
func (t timeJSON) MarshalJSON() ([]byte, error) {
	return []byte(`"` + moment(time.Time(t)) + `"`), nil
}

// moreTime leaves out the zero time.
func moreTime(t time.Time) *timeJSON {
	if t.IsZero() {
		return nil
	}
	return (*timeJSON)(&t)
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
