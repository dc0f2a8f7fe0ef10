package lint

import (
	"math"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
)

// metric is a metric of the spec, with its target as a number.
type metric struct {
	autoscaling.Metric
	// target is in whole percent, or in milli-units.
	target int64
	// total reports whether the target is per pod and the reading is of all
	// pods together.
	total bool
}

func newMetric(spec *autoscaling.MetricSpec) metric {
	m := metric{Metric: spec.Resolve()}
	m.target = int64(m.Target.Milli())
	if m.Target.Type() == metrics.UtilizationTarget {
		m.target = int64(m.Target.Percent())
	}
	m.total = m.Target.Type() == metrics.AverageValueTarget && !m.OfPods()
	return m
}

// usage returns the reading whose ratio to the target is f at that size, or one
// next to it: the arithmetic is in floating point.
func (m *metric) usage(f float64, size int32) int64 {
	f *= float64(m.target)
	if m.total {
		f *= float64(size)
	}
	if !(f > 0) {
		return 0
	}
	return int64(min(f, math.MaxInt64/2))
}

// propose returns the size that the metric proposes at a size of ready pods.
func (m *metric) propose(usage int64, size int32, t metrics.Tolerance) int32 {
	ratio := metrics.UsageRatio(metrics.Milli(usage), metrics.Milli(m.target))
	perPod, replicas := ratio, ratio*float64(size)
	if m.total {
		perPod, replicas = float64(usage)/(float64(m.target)*float64(size)), ratio
	}
	if t.Within(perPod) {
		return size
	}
	return metrics.Replicas(replicas)
}

// step is a difference from a reading that floating point does not lose.
func step(usage int64) int64 { return max(1, usage>>45) }

// reaches reports whether some reading at that size proposes n, another size.
func (m *metric) reaches(n, size int32, t metrics.Tolerance) bool {
	// Of the readings that propose n, the last one is furthest from tolerance
	// when scaling up, and the first one when scaling down.
	end := float64(n)
	if n < size {
		end--
	}
	around := m.usage(end/float64(size), size)
	by := step(around)
	for u := max(around-by, 0); u <= around+2*by; u += by {
		if m.propose(u, size, t) == n {
			return true
		}
	}
	return false
}
