package calctest

import (
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/internal/alike"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// aim is a metric of the spec with its target for pods like a given one.
type aim struct {
	alike.Metric
	// amount is the target in milli-units, of each pod or, if whole, of all.
	// request is the pod's request of the resource.
	amount, request metrics.Milli
}

func aimOf(spec *autoscaling.MetricSpec, pod *podgroup.Pod) aim {
	a := aim{Metric: alike.New(spec)}
	if r := a.Resource(); r != "" {
		a.request, _ = pod.Request(r, a.Container)
	}
	a.amount = metrics.Milli(a.Amount)
	if a.Target.Type() == metrics.UtilizationTarget {
		a.amount = share(a.request, a.Amount)
	}
	return a
}

// whole reports whether the target is for all pods together.
func (a *aim) whole() bool { return a.Target.Type() == metrics.ValueTarget }

// total returns the sum of the metric if ready pods carry that percentage of
// the load.
func (a *aim) total(load float64, percent int64, ready int) metrics.Milli {
	var sum metrics.Sum // in tenths, as the load is in thousandths
	sum.AddShare(a.amount, milli(load)*percent/100)
	if a.whole() {
		// The more pods share the load, the lower the value.
		return sum.Average(10 * max(ready, 1))
	}
	return sum.Average(10)
}

// ratio returns the usage ratio of ready pods. Like the autoscaler, it
// truncates a utilization to whole percents and an average to whole
// milli-units.
func (a *aim) ratio(total metrics.Milli, ready int) float64 {
	n := max(ready, 1)
	reading := int64(total)
	switch {
	case a.Target.Type() == metrics.UtilizationTarget:
		var usage, requests metrics.Sum
		usage.Add(total)
		requests.AddTimes(a.request, n)
		reading = int64(usage.Percent(requests))
	case a.OfPods():
		reading /= int64(n)
	}
	return a.Ratio(reading, int32(n))
}

// share returns that percentage of m, truncated and saturated.
func share(m metrics.Milli, percent int64) metrics.Milli {
	var sum metrics.Sum
	sum.AddShare(m, percent)
	return sum.Milli()
}
