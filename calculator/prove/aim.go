package prove

import (
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/internal/alike"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// Aim is a metric of a spec with its target for the pods of timelines.
type Aim struct {
	metric alike.Metric
	// amount is the target in milli-units, of each pod or, if whole, of all.
	// request is the pod's request of the resource.
	amount, request metrics.Milli
}

// AimsOf returns the metrics of the spec, in its order.
func AimsOf(spec *autoscaling.HorizontalPodAutoscalerSpec) []Aim {
	plain, _, _ := PodsOf(spec)
	return aimsOf(spec, &plain)
}

func aimsOf(spec *autoscaling.HorizontalPodAutoscalerSpec, pod *podgroup.Pod) []Aim {
	aims := make([]Aim, len(spec.Metrics))
	for i := range aims {
		aims[i] = aimOf(&spec.Metrics[i], pod)
	}
	return aims
}

func aimOf(spec *autoscaling.MetricSpec, pod *podgroup.Pod) Aim {
	a := Aim{metric: alike.New(spec)}
	if r := a.metric.Resource(); r != "" {
		a.request, _ = pod.Request(r, a.metric.Container)
	}
	a.amount = metrics.Milli(a.metric.Amount)
	if a.metric.Target.Type() == metrics.UtilizationTarget {
		a.amount = share(a.request, a.metric.Amount)
	}
	return a
}

// whole reports whether the target is for all pods together.
func (a *Aim) whole() bool { return a.metric.Target.Type() == metrics.ValueTarget }

// total returns the sum of the metric if ready pods carry that percentage of
// the load.
func (a *Aim) total(load float64, percent int64, ready int) metrics.Milli {
	var sum metrics.Sum // in tenths, as the load is in thousandths
	sum.AddShare(a.amount, milli(load)*percent/100)
	if a.whole() {
		// The more pods share the load, the lower the value.
		return sum.Average(10 * max(ready, 1))
	}
	return sum.Average(10)
}

// Amount returns the target in milli-units. It is that of each pod, and for a
// target Value that of all pods together.
func (a *Aim) Amount() metrics.Milli { return a.amount }

// Ratio returns the usage ratio of so many ready pods, if the metric adds up to
// the total. Like the autoscaler, it truncates a utilization to whole percents
// and an average to whole milli-units.
func (a *Aim) Ratio(total metrics.Milli, ready int) float64 {
	n := max(ready, 1)
	reading := int64(total)
	switch {
	case a.metric.Target.Type() == metrics.UtilizationTarget:
		var usage, requests metrics.Sum
		usage.Add(total)
		requests.AddTimes(a.request, n)
		reading = int64(usage.Percent(requests))
	case a.metric.OfPods():
		reading /= int64(n)
	}
	return a.metric.Ratio(reading, int32(n))
}

// share returns that percentage of m, truncated and saturated.
func share(m metrics.Milli, percent int64) metrics.Milli {
	var sum metrics.Sum
	sum.AddShare(m, percent)
	return sum.Milli()
}
