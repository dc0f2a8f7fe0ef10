package calctest

import (
	"math"
	"math/bits"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// aim is what a metric is held against.
type aim struct {
	// ofPods tells that each pod has samples of it, of the resource and the
	// container that are named, if any are.
	ofPods              bool
	resource, container string
	// whole tells that the target is for all pods together.
	whole bool
	// amount is what each replica, or all of them, should come to; for a
	// utilization, percent says how much of the request that is.
	amount, request metrics.Milli
	percent         int32
}

// aimOf returns the aim of the metric, for pods like the given one.
func aimOf(spec *calculator.MetricSpec, pod *podgroup.Pod) aim {
	var a aim
	var t *calculator.MetricTarget
	switch spec.Type {
	case calculator.ResourceMetricSourceType:
		a.ofPods, a.resource, t = true, spec.Resource.Name, &spec.Resource.Target
	case calculator.ContainerResourceMetricSourceType:
		a.ofPods, a.resource, t = true, spec.ContainerResource.Name, &spec.ContainerResource.Target
		a.container = spec.ContainerResource.Container
	case calculator.PodsMetricSourceType:
		a.ofPods, t = true, &spec.Pods.Target
	case calculator.ObjectMetricSourceType:
		t = &spec.Object.Target
		a.whole = t.Type == calculator.ValueMetricType
	default:
		t = &spec.External.Target
		a.whole = !t.AverageValue.IsSet()
	}
	a.amount = t.AverageValue.Milli()
	if a.whole {
		a.amount = t.Value.Milli()
	}
	if a.resource != "" {
		a.request, _ = pod.Request(a.resource, a.container)
	}
	if t.AverageUtilization != nil {
		a.percent = *t.AverageUtilization
		a.amount = share(a.request, int64(a.percent), 100)
	}
	return a
}

// total returns what the metric reads in all if so many pods carry that share of
// the load, in percent.
func (a *aim) total(load float64, percent int64, pods int) metrics.Milli {
	of := int64(1000)
	if a.whole {
		// The more pods share the load, the lower is the value.
		of *= int64(max(pods, 1))
	}
	return share(a.amount, milli(load)*percent/100, of)
}

// ratio returns the total of that many ready pods as a multiple of the target,
// as the autoscaler rounds it: a utilization to whole percent, an average to
// whole milli-units.
func (a *aim) ratio(total metrics.Milli, pods int) float64 {
	n := metrics.Milli(max(pods, 1))
	switch {
	case a.whole:
		return float64(total) / float64(a.amount)
	case !a.ofPods:
		return float64(total) / (float64(a.amount) * float64(n))
	case a.percent > 0:
		percent := share(total, 100, max(int64(a.request*n), 1))
		return float64(percent) / float64(a.percent)
	}
	return float64(total/n) / float64(a.amount)
}

// share returns m*n/of, which is not negative, rounded down, and stopping at the
// largest Milli.
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
