package simulate_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/simulate"
	"github.com/purehpa/hpa/metrics"
)

var morning = time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)

// thrifty proposes, by the library's own formula, the size for 8 of a metric
// for each pod, and counts the syncs of its run.
type thrifty struct{ syncs, clones *int }

func (p thrifty) Propose(_ time.Time, obs *calculator.Observation) {
	*p.syncs++
	r := &obs.Readings[0]
	m := calculator.ValueMetric{Values: r.Values, CurrentReplicas: obs.SpecReplicas, StatusReplicas: obs.StatusReplicas}
	q, err := calculator.ProposeExternalAverageValue(&m, 8000)
	r.Proposed, r.Err = &calculator.Proposed{Replicas: q.Replicas, Value: q.Usage}, err
}

func (p thrifty) Clone() calculator.Proposer {
	*p.clones++
	return thrifty{new(int), p.clones}
}

// The library's own formula, proposed by the caller, gives the same rows. Each
// run has a proposer of its own.
func TestProposeInTheLoop(t *testing.T) {
	pods := simulate.DefaultDeployment()
	pods.Capacity = 10_000
	pods.Gauges = []simulate.Gauge{{Metric: "rps", PerLoad: 1000}}
	scenario := simulate.Scenario{
		Start: morning, Duration: 3 * time.Hour,
		Load:     simulate.LoadSeries{{Time: morning, Load: 20_000}, {Time: morning.Add(time.Hour), Load: 90_000}},
		Workload: pods, Seed: 1,
	}
	own := autoscaling.NewSpec(1, 30, autoscaling.ExternalAverageValueMetric("rps", metrics.MustParseQuantity("8")))
	foreign := autoscaling.NewSpec(1, 30, autoscaling.ProposalMetric("rps"))
	settings := calculator.DefaultSettings()
	settings.Tolerance = 0
	by := thrifty{new(int), new(int)}
	autoscalers := []*calculator.Autoscaler{
		{Settings: &settings, Spec: &own},
		{Settings: &settings, Spec: &foreign, Proposer: by},
	}
	var rows [2][]int32
	for i, a := range autoscalers {
		for range 2 {
			rows[i] = nil
			for row, err := range scenario.Run(a) {
				require.NoError(t, err)
				rows[i] = append(rows[i], row.DesiredReplicas)
			}
		}
	}
	require.Equal(t, rows[0], rows[1])
	require.Contains(t, rows[0], int32(12))
	require.Equal(t, 2, *by.clones)
	require.Zero(t, *by.syncs, "the caller's stays as it is")
}

// The load above target does not depend on who computes the size, if the gauge
// has the target that the metric lacks. Without one, it is not known.
func TestProposalsAreMeasured(t *testing.T) {
	pods := simulate.DefaultDeployment()
	pods.Capacity = 10_000
	pods.Startup = simulate.Fixed(time.Minute)
	gauge := simulate.Gauge{Metric: "rps", PerLoad: 1000}
	summary := func(metric autoscaling.MetricSpec, target metrics.Target) simulate.Summary {
		gauge.Target = target
		pods.Gauges = []simulate.Gauge{gauge}
		scenario := simulate.Scenario{
			Start: morning, Duration: 3 * time.Hour,
			Load:     simulate.LoadSeries{{Time: morning, Load: 20_000}, {Time: morning.Add(time.Hour), Load: 90_000}},
			Workload: pods, Seed: 1,
		}
		spec := autoscaling.NewSpec(1, 30, metric)
		scenario.Replicas = 3
		sum, err := simulate.Summarize(scenario.Run(&calculator.Autoscaler{Spec: &spec, Proposer: thrifty{new(int), new(int)}}))
		require.NoError(t, err)
		return sum
	}
	external := summary(autoscaling.ExternalAverageValueMetric("rps", metrics.MustParseQuantity("8")), metrics.Target{})
	require.False(t, external.TargetUnknown)
	require.Greater(t, external.AboveTarget, external.Unserved)
	require.Equal(t, external, summary(autoscaling.ProposalMetric("rps"), metrics.AverageValue(8000)))
	require.Equal(t, external, summary(autoscaling.ExternalAverageValueMetric("rps", metrics.MustParseQuantity("8")), metrics.AverageValue(1)),
		"a target of the spec counts")
	require.NotEqual(t, external.AboveTarget, summary(autoscaling.ProposalMetric("rps"), metrics.Value(8000)).AboveTarget)

	unknown := summary(autoscaling.ProposalMetric("rps"), metrics.Target{})
	require.True(t, unknown.TargetUnknown)
	require.Equal(t, unknown.Unserved, unknown.AboveTarget)
	unknown.TargetUnknown = external.TargetUnknown
	require.Equal(t, external.PodHours, unknown.PodHours)
}

// A proposal needs no gauge.
func TestProposeWithoutAGauge(t *testing.T) {
	spec := autoscaling.NewSpec(2, 30, autoscaling.ProposalMetric("schedule"))
	scenario := simulate.Scenario{
		Start: morning, Duration: 2 * time.Hour,
		Load: simulate.Steady(1000), Workload: simulate.DefaultDeployment(), Replicas: 5, Seed: 1,
	}
	a := calculator.Autoscaler{Spec: &spec, Proposer: calculator.ProposerFunc(func(now time.Time, obs *calculator.Observation) {
		size := int32(5)
		if now.Hour() > 0 {
			size = 9
		}
		obs.Readings[0].Proposed = &calculator.Proposed{Replicas: size}
	})}
	sum, err := simulate.Summarize(scenario.Run(&a))
	require.NoError(t, err)
	require.Equal(t, 1, sum.Rescales)
	require.Equal(t, int32(9), sum.HighestReplicas)
	require.True(t, sum.TargetUnknown)
	_, err = simulate.Summarize(scenario.Run(&calculator.Autoscaler{Spec: &spec}))
	require.NoError(t, err, "a metric that fails")
}
