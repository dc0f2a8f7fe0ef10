// Package alike computes what one metric of a spec proposes while all pods are
// alike: ready, with the same samples and requests, and as many as the scale
// asks for.
package alike

import (
	"math"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
)

// Metric is a metric of a spec, with its target as a number. Its readings are
// in whole percent of the requests for a target Utilization, else in
// milli-units. For metrics of pods they are the average, for others the total.
type Metric struct {
	autoscaling.Metric
	// Amount is the target, in the unit of readings.
	Amount int64
	// Total reports whether the target is per pod and the reading is of all
	// pods together.
	Total bool
}

// MostReading is the highest reading that is looked at.
const MostReading int64 = math.MaxInt64 / 2

// New returns the metric of the spec.
func New(spec *autoscaling.MetricSpec) Metric {
	m := Metric{Metric: spec.Resolve()}
	m.Amount = int64(m.Target.Milli())
	m.Total = m.Target.Type() == metrics.AverageValueTarget && !m.OfPods()
	switch {
	case m.Target.Type() == metrics.UtilizationTarget:
		m.Amount = int64(m.Target.Percent())
	case m.Source == autoscaling.ProposalMetricSourceType:
		m.Amount, m.Total = 1000, true // milli-replicas
	}
	return m
}

// Reading returns the reading whose ratio to the target is f at that size, or
// one next to it: the arithmetic is in floating point.
func (m *Metric) Reading(f float64, size int32) int64 {
	f *= float64(m.Amount)
	if m.Total {
		f *= float64(size)
	}
	if !(f > 0) {
		return 0
	}
	return int64(min(f, float64(MostReading)))
}

// Ratio returns the usage ratio of a size of ready pods, which tolerance is
// about. It is above 1 when usage exceeds the target.
func (m *Metric) Ratio(reading int64, size int32) float64 {
	if m.Total {
		return float64(reading) / (float64(m.Amount) * float64(size))
	}
	return metrics.UsageRatio(metrics.Milli(reading), metrics.Milli(m.Amount))
}

// Propose returns the size that the metric proposes at a size of ready pods. At
// size 0 it is for metrics of something other than the pods.
func (m *Metric) Propose(reading int64, size int32, t metrics.Tolerance) int32 {
	ratio := m.Ratio(reading, size)
	if size > 0 && t.Within(ratio) {
		return size
	}
	if m.Total || size == 0 {
		return metrics.Replicas(metrics.UsageRatio(metrics.Milli(reading), metrics.Milli(m.Amount)))
	}
	return metrics.Replicas(ratio * float64(size))
}

// Step is a difference from a reading that floating point does not lose.
func Step(reading int64) int64 { return max(1, reading>>45) }

// Reaches reports whether some reading at that size proposes n, another size.
func (m *Metric) Reaches(n, size int32, t metrics.Tolerance) bool {
	// Of the readings that propose n, the last one is furthest from tolerance
	// when scaling up, and the first one when scaling down.
	end := float64(n)
	if n < size {
		end--
	}
	some := max(size, 1) // from none, there is no tolerance, and n times the target proposes n
	around := m.Reading(end/float64(some), some)
	by := Step(around)
	for u := max(around-by, 0); u <= around+2*by; u += by {
		if m.Propose(u, size, t) == n {
			return true
		}
	}
	return false
}
