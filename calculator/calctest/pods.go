package calctest

import (
	"fmt"
	"slices"
	"time"

	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/prove"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// Pods draws up to 12 pods as of prove.Start, of any phase, readiness and age,
// with the containers and requests that the spec needs. Some are of another owner
// or are being resized, which only corrections look at. It shrinks to ready pods
// that are an hour old.
func Pods(spec *autoscaling.HorizontalPodAutoscalerSpec) *rapid.Generator[[]podgroup.Pod] {
	plain, bare, zero := prove.PodsOf(spec)
	pod := rapid.Custom(func(t *rapid.T) podgroup.Pod {
		p := plain
		switch rapid.IntRange(0, 15).Draw(t, "requests") {
		case 14:
			p = zero
		case 15:
			p = bare
		}
		p.Phase = rapid.SampledFrom([]podgroup.Phase{
			podgroup.PhaseRunning, podgroup.PhaseRunning, podgroup.PhaseRunning, podgroup.PhasePending,
			podgroup.PhaseFailed, podgroup.PhaseSucceeded, podgroup.PhaseUnknown, podgroup.NoPhase,
		}).Draw(t, "phase")
		p.Ready = rapid.SampledFrom([]podgroup.Readiness{
			podgroup.ReadyTrue, podgroup.ReadyTrue, podgroup.ReadyFalse, podgroup.ReadyUnknown, podgroup.NoReadiness,
		}).Draw(t, "ready")
		p.Deleted = rapid.IntRange(0, 7).Draw(t, "deleted") == 7
		p.Foreign = rapid.IntRange(0, 7).Draw(t, "foreign") == 7
		if rapid.IntRange(0, 7).Draw(t, "resized") == 7 && len(p.Containers) > 0 {
			p.Containers = slices.Clone(p.Containers)
			p.Containers[0].InForce = &podgroup.Requests{CPU: podgroup.Requested(150), Memory: podgroup.Requested(150_000)}
		}
		age := ages().Draw(t, "age")
		if rapid.IntRange(0, 15).Draw(t, "start") < 15 {
			p.StartTime = metrics.At(prove.Start.Add(-age))
		}
		if p.Ready != podgroup.NoReadiness {
			p.ReadyTransition = metrics.At(prove.Start.Add(-min(ages().Draw(t, "ready for"), age)))
		}
		return p
	})
	return rapid.Map(rapid.SliceOfN(pod, 0, 12), func(pods []podgroup.Pod) []podgroup.Pod {
		for i := range pods {
			pods[i].Name = fmt.Sprintf("web-%d", i)
		}
		return pods
	})
}

// ages draws ages around the boundaries of Kubernetes' periods.
func ages() *rapid.Generator[time.Duration] {
	return rapid.Map(rapid.SampledFrom([]int{3600, 0, 10, 29, 30, 31, 120, 299, 300, 301}), func(seconds int) time.Duration {
		return time.Duration(seconds) * time.Second
	})
}

// Readings draws a reading for each metric of the spec: samples of these pods,
// some missing and some of pods that are not listed, values, even negative
// ones, and errors. It shrinks to samples and values of 0.
func Readings(spec *autoscaling.HorizontalPodAutoscalerSpec, pods []podgroup.Pod) *rapid.Generator[[]calculator.Reading] {
	aims := prove.AimsOf(spec)
	return rapid.Custom(func(t *rapid.T) []calculator.Reading {
		readings := make([]calculator.Reading, len(spec.Metrics))
		for i := range readings {
			readings[i] = reading(spec.Metrics[i].Resolve(), aims[i].Amount(), len(pods)).Draw(t, "reading")
		}
		return readings
	})
}

func reading(m autoscaling.Metric, amount metrics.Milli, pods int) *rapid.Generator[calculator.Reading] {
	// Mostly near the target, where the decision changes.
	values := rapid.Custom(func(t *rapid.T) metrics.Milli {
		if rapid.IntRange(0, 31).Draw(t, "odd") == 31 {
			return metrics.Milli(rapid.Int64().Draw(t, "value"))
		}
		return share(amount, rapid.Int64Range(0, 300).Draw(t, "percent of the target"))
	})
	sample := rapid.Custom(func(t *rapid.T) metrics.Sample {
		return metrics.Sample{
			Value:   max(values.Draw(t, "value"), 0),
			Time:    metrics.At(prove.Start.Add(-min(ages().Draw(t, "measured"), 2*time.Minute))),
			Window:  15 * time.Second,
			Present: rapid.IntRange(0, 7).Draw(t, "missing") < 7,
		}
	})
	stray := rapid.Map(sample, func(s metrics.Sample) metrics.Sample {
		s.Present = true
		return s
	})
	return rapid.Custom(func(t *rapid.T) calculator.Reading {
		switch n := rapid.IntRange(0, 15).Draw(t, "answer"); {
		case n == 15:
			return calculator.Reading{Err: prove.ErrMetric}
		case m.Source == autoscaling.ObjectMetricSourceType:
			return calculator.Reading{Values: []metrics.Milli{values.Draw(t, "value")}}
		case !m.OfPods():
			return calculator.Reading{Values: rapid.SliceOfN(values, 0, 4).Draw(t, "values")}
		case n == 14:
			return calculator.Reading{}
		default:
			r := calculator.Reading{Samples: rapid.SliceOfN(sample, pods, pods).Draw(t, "samples")}
			if n == 13 {
				r.Strays = rapid.SliceOfN(stray, 1, 3).Draw(t, "strays")
			}
			return r
		}
	})
}
