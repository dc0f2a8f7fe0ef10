package calculator

import (
	"encoding/json"
	"time"

	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// Status is the status of a HorizontalPodAutoscaler. It reads and writes the
// JSON of autoscaling/v2, where times are whole seconds.
type Status struct {
	// ObservedGeneration is the generation of the object that was decided on.
	ObservedGeneration *int64
	// LastScaleTime is when the size was last changed; the zero time.Time if
	// it never was.
	LastScaleTime time.Time
	// CurrentReplicas is the size before the sync.
	CurrentReplicas int32
	// DesiredReplicas is the size that was last asked for.
	DesiredReplicas int32
	// CurrentMetrics are in the order of the spec; one that failed is empty.
	CurrentMetrics []MetricStatus
	// Conditions are in the order in which they were first set.
	Conditions []Condition
}

type statusJSON struct {
	ObservedGeneration *int64         `json:"observedGeneration,omitempty"`
	LastScaleTime      *time.Time     `json:"lastScaleTime,omitempty"`
	CurrentReplicas    int32          `json:"currentReplicas,omitempty"`
	DesiredReplicas    int32          `json:"desiredReplicas"`
	CurrentMetrics     []MetricStatus `json:"currentMetrics"`
	Conditions         []Condition    `json:"conditions,omitempty"`
}

// MarshalJSON returns the status as autoscaling/v2 has it.
func (s Status) MarshalJSON() ([]byte, error) {
	return json.Marshal(statusJSON{
		ObservedGeneration: s.ObservedGeneration,
		LastScaleTime:      apiTime(s.LastScaleTime),
		CurrentReplicas:    s.CurrentReplicas,
		DesiredReplicas:    s.DesiredReplicas,
		CurrentMetrics:     s.CurrentMetrics,
		Conditions:         s.Conditions,
	})
}

// UnmarshalJSON reads a status of autoscaling/v2.
func (s *Status) UnmarshalJSON(data []byte) error {
	var j statusJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return err
	}
	*s = Status{
		ObservedGeneration: j.ObservedGeneration,
		CurrentReplicas:    j.CurrentReplicas,
		DesiredReplicas:    j.DesiredReplicas,
		CurrentMetrics:     j.CurrentMetrics,
		Conditions:         j.Conditions,
	}
	if j.LastScaleTime != nil {
		s.LastScaleTime = *j.LastScaleTime
	}
	return nil
}

// MetricStatus is what the status shows of one metric. The zero MetricStatus is
// that of a metric that failed.
type MetricStatus struct {
	Type              MetricSourceType               `json:"type"`
	Object            *ObjectMetricStatus            `json:"object,omitempty"`
	Pods              *PodsMetricStatus              `json:"pods,omitempty"`
	Resource          *ResourceMetricStatus          `json:"resource,omitempty"`
	ContainerResource *ContainerResourceMetricStatus `json:"containerResource,omitempty"`
	External          *ExternalMetricStatus          `json:"external,omitempty"`
}

// ObjectMetricStatus is the MetricStatus of an Object source.
type ObjectMetricStatus struct {
	Metric          MetricIdentifier            `json:"metric"`
	Current         MetricValueStatus           `json:"current"`
	DescribedObject CrossVersionObjectReference `json:"describedObject"`
}

// PodsMetricStatus is the MetricStatus of a Pods source.
type PodsMetricStatus struct {
	Metric  MetricIdentifier  `json:"metric"`
	Current MetricValueStatus `json:"current"`
}

// ResourceMetricStatus is the MetricStatus of a Resource source.
type ResourceMetricStatus struct {
	Name    string            `json:"name"`
	Current MetricValueStatus `json:"current"`
}

// ContainerResourceMetricStatus is the MetricStatus of a ContainerResource
// source.
type ContainerResourceMetricStatus struct {
	Name      string            `json:"name"`
	Current   MetricValueStatus `json:"current"`
	Container string            `json:"container"`
}

// ExternalMetricStatus is the MetricStatus of an External source.
type ExternalMetricStatus struct {
	Metric  MetricIdentifier  `json:"metric"`
	Current MetricValueStatus `json:"current"`
}

// MetricValueStatus is the value of a metric, by the type of its target.
type MetricValueStatus struct {
	// Value is the whole, for a target Value.
	Value metrics.Quantity `json:"value,omitzero"`
	// AverageValue is the average over the pods, for a target AverageValue or
	// Utilization.
	AverageValue metrics.Quantity `json:"averageValue,omitzero"`
	// AverageUtilization is that in percent of the requests, for a target
	// Utilization.
	AverageUtilization *int32 `json:"averageUtilization,omitempty"`
}

// Status returns the status of the autoscaler after the sync that d decided,
// and, if it rescales, after State.Applied or State.Failed. It shares the
// references and selectors of the spec and the conditions' ObservedGeneration, and
// no other memory with it, d or st.
// Where the scale could not be read, Kubernetes changes nothing but the
// conditions: of this status, only these are to be taken over then.
func (d *Decision) Status(st *State) Status {
	if st == nil {
		st = new(State)
	}
	s := Status{
		LastScaleTime:   st.LastScaleTime,
		CurrentReplicas: d.CurrentReplicas,
		DesiredReplicas: st.DesiredReplicas,
		Conditions:      append([]Condition(nil), st.Conditions...),
	}
	if len(d.Metrics) > 0 {
		s.CurrentMetrics = make([]MetricStatus, len(d.Metrics))
		for i := range d.Metrics {
			s.CurrentMetrics[i] = d.Metrics[i].status(&d.spec.Metrics[i])
		}
	}
	return s
}

// status returns what the status shows of the proposal for the metric.
func (p *Proposal) status(spec *MetricSpec) MetricStatus {
	if p.Failure.Kind != NoFailure {
		return MetricStatus{}
	}
	s := MetricStatus{Type: spec.Type}
	switch spec.source() {
	case resourceSource:
		s.Resource = &ResourceMetricStatus{Name: spec.Resource.Name, Current: p.value(spec.Resource.Name)}
	case containerResourceSource:
		c := spec.ContainerResource
		s.ContainerResource = &ContainerResourceMetricStatus{Name: c.Name, Current: p.value(c.Name), Container: c.Container}
	case podsSource:
		s.Pods = &PodsMetricStatus{Metric: spec.Pods.Metric, Current: p.value("")}
	case objectSource:
		o := spec.Object
		s.Object = &ObjectMetricStatus{Metric: o.Metric, Current: p.value(""), DescribedObject: o.DescribedObject}
	case externalSource:
		s.External = &ExternalMetricStatus{Metric: spec.External.Metric, Current: p.value("")}
	}
	return s
}

// value returns the usage as the target's type has it shown. Memory is shown in
// powers of 1024, as the metrics server does.
func (p *Proposal) value(resource string) MetricValueStatus {
	format := metrics.DecimalSI
	if resource == podgroup.Memory {
		format = metrics.BinarySI
	}
	q := metrics.MilliQuantity(p.Usage, format)
	switch p.Target.Type() {
	case metrics.ValueTarget:
		return MetricValueStatus{Value: q}
	case metrics.UtilizationTarget:
		utilization := p.Utilization
		return MetricValueStatus{AverageValue: q, AverageUtilization: &utilization}
	}
	return MetricValueStatus{AverageValue: q}
}
