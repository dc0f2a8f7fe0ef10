package calctest

import (
	"math"
	"math/bits"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// aim is a metric of the spec with its target for pods like a given one.
type aim struct {
	autoscaling.Metric
	// amount is the target in milli-units, of each pod or, if whole, of all.
	// request is the pod's request of the resource.
	amount, request metrics.Milli
}

func aimOf(spec *autoscaling.MetricSpec, pod *podgroup.Pod) aim {
	a := aim{Metric: spec.Resolve()}
	if r := a.Resource(); r != "" {
		a.request, _ = pod.Request(r, a.Container)
	}
	a.amount = a.Target.Milli()
	switch {
	case a.Source == autoscaling.ProposalMetricSourceType:
		a.amount = 1000 // milli-replicas
	case a.Target.Type() == metrics.UtilizationTarget:
		a.amount = share(a.request, int64(a.Target.Percent()), 100)
	}
	return a
}

// whole reports whether the target is for all pods together.
func (a *aim) whole() bool { return a.Target.Type() == metrics.ValueTarget }

// total returns the sum of the metric if ready pods carry that percentage of the
// load.
func (a *aim) total(load float64, percent int64, ready int) metrics.Milli {
	of := int64(1000)
	if a.whole() {
		// The more pods share the load, the lower the value.
		of *= int64(max(ready, 1))
	}
	return share(a.amount, milli(load)*percent/100, of)
}

// ratio returns the usage ratio of ready pods, above 1 when usage exceeds the
// target. Like the autoscaler, it truncates a utilization to whole percents and an
// average to whole milli-units.
func (a *aim) ratio(total metrics.Milli, ready int) float64 {
	n := metrics.Milli(max(ready, 1))
	switch {
	case a.whole():
		return float64(total) / float64(a.amount)
	case !a.OfPods():
		return float64(total) / (float64(a.amount) * float64(n))
	case a.Target.Type() == metrics.UtilizationTarget:
		percent := share(total, 100, max(int64(a.request*n), 1))
		return float64(percent) / float64(a.Target.Percent())
	}
	return float64(total/n) / float64(a.amount)
}

// share returns m*n/of, truncated and saturated; 0 if m or n is negative.
func share(m metrics.Milli, n, of int64) metrics.Milli {
	if m <= 0 || n <= 0 {
		return 0
	}
	hi, lo := bits.Mul64(uint64(m), uint64(n))
	if hi >= uint64(of) {
		return math.MaxInt64
	}
	q, _ := bits.Div64(hi, lo, uint64(of))
	return metrics.Milli(min(q, math.MaxInt64))
}
