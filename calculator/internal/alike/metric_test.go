package alike_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/internal/alike"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

// pods returns so many ready pods that request 100m.
func pods(n int32) []podgroup.Pod {
	list := make([]podgroup.Pod, n)
	for i := range list {
		list[i] = podgroup.RunningPod(fmt.Sprint("web-", i), noon.Add(-time.Hour), podgroup.Requests{CPU: podgroup.Requested(100)})
	}
	return list
}

// decided returns the size that calculator proposes.
func decided(m *alike.Metric, reading int64, size int32, tolerance metrics.Tolerance) int32 {
	target, p := metrics.Milli(m.Amount), calculator.Proposal{}
	if !m.OfPods() {
		v := calculator.ValueMetric{Values: []metrics.Milli{metrics.Milli(reading)}, CurrentReplicas: size, StatusReplicas: size, Pods: pods(size), Tolerance: tolerance}
		if m.Total {
			p, _ = calculator.ProposeExternalAverageValue(&v, target)
		} else {
			p, _ = calculator.ProposeExternalValue(&v, target)
		}
		return p.Replicas
	}
	v := calculator.PodMetric{Resource: podgroup.CPU, CurrentReplicas: size, Pods: pods(size), Tolerance: tolerance}
	for range size { // a request of 100m makes a milli-unit a percent
		v.Samples = append(v.Samples, metrics.NewSample(metrics.Milli(reading), noon, time.Minute))
	}
	if m.Target.Type() == metrics.UtilizationTarget {
		p, _ = calculator.ProposeResourceUtilization(noon, &v, int32(m.Amount))
	} else {
		p, _ = calculator.ProposeResourceAverageValue(noon, &v, target)
	}
	return p.Replicas
}

func metricOf(t *rapid.T) alike.Metric {
	value := metrics.MilliQuantity(metrics.Milli(rapid.Int64Range(1, 200_000).Draw(t, "target")), metrics.DecimalSI)
	whole := autoscaling.ExternalAverageValueMetric("latency", value)
	whole.External.Target = autoscaling.MetricTarget{Type: autoscaling.ValueMetricType, Value: value}
	spec := rapid.SampledFrom([]autoscaling.MetricSpec{
		autoscaling.ResourceUtilizationMetric("cpu", rapid.Int32Range(1, 150).Draw(t, "percent")),
		autoscaling.ResourceAverageValueMetric("cpu", value),
		autoscaling.ExternalAverageValueMetric("backlog", value),
		whole,
	}).Draw(t, "metric")
	return alike.New(&spec)
}

func toleranceOf(t *rapid.T) metrics.Tolerance {
	f := rapid.SampledFrom([]float64{0, 0.1, 0.1, 0.05, 0.5, 1})
	return metrics.Tolerance{Down: f.Draw(t, "down"), Up: f.Draw(t, "up"), Rounded: rapid.Bool().Draw(t, "distance")}
}

func TestProposalsAreThoseOfCalculator(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, tolerance := metricOf(t), toleranceOf(t)
		least := int32(1)
		if !m.OfPods() {
			least = 0
		}
		size := rapid.Int32Range(least, 30).Draw(t, "size")
		reading := m.Reading(rapid.Float64Range(0, 4).Draw(t, "ratio"), size) + rapid.Int64Range(0, 2).Draw(t, "more")
		require.Equal(t, decided(&m, reading, size, tolerance), m.Propose(reading, size, tolerance))
	})
}

// Reaches says of each size whether any reading proposes it.
func TestReachesEachReading(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, tolerance := metricOf(t), toleranceOf(t)
		m.Amount = min(m.Amount, 100)
		least := int32(1)
		if !m.OfPods() {
			least = 0
		}
		size := rapid.Int32Range(least, 10).Draw(t, "size")
		proposed := map[int32]bool{}
		for u := range m.Reading(3, max(size, 1)) + 100 {
			proposed[m.Propose(u, size, tolerance)] = true
		}
		for n := range max(2*size, 3) {
			if n != size && n > 0 {
				require.Equal(t, proposed[n], m.Reaches(n, size, tolerance), "%d from %d", n, size)
			}
		}
	})
}

func TestSteps(t *testing.T) {
	require.Equal(t, int64(1), alike.Step(0))
	require.Equal(t, int64(1), alike.Step(1<<45))
	require.Equal(t, int64(2), alike.Step(1<<46))
	m := alike.Metric{Amount: 10}
	require.Equal(t, int64(0), m.Reading(-1, 5))
	require.Equal(t, int64(1<<62), m.Reading(1e300, 5))
}
