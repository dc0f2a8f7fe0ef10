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

// The library's own formula, proposed elsewhere, gives the same rows. Each run has a
// proposer of its own.
func TestProposeInTheLoop(t *testing.T) {
	pods := simulate.DefaultDeployment()
	pods.Capacity = 10_000
	pods.Gauges = []simulate.Gauge{{Metric: "rps", PerLoad: 1000}}
	scenario := simulate.Scenario{
		Start: morning, Duration: 3 * time.Hour,
		Load:     simulate.LoadSeries{{Time: morning, Load: 20_000}, {Time: morning.Add(time.Hour), Load: 90_000}},
		Workload: pods, Seed: 1,
	}
	own := autoscaling.NewSpec(1, 30, autoscaling.ExternalAverageValue("rps", metrics.MustParseQuantity("8")))
	foreign := autoscaling.NewSpec(1, 30, autoscaling.ProposedElsewhere("rps"))
	runs := 0
	settings := calculator.DefaultSettings()
	settings.Tolerance = 0
	autoscalers := []*simulate.Autoscaler{
		{Spec: &own, Settings: settings},
		{Spec: &foreign, Settings: settings, Propose: func() calculator.Proposer {
			runs++
			syncs := 0
			return func(now time.Time, obs *calculator.Observation) {
				syncs++
				r := &obs.Readings[0]
				require.NotNil(t, r.Values)
				m := calculator.ValueMetric{Values: r.Values, CurrentReplicas: obs.SpecReplicas, StatusReplicas: obs.StatusReplicas}
				p, err := calculator.ExternalAverageValue(&m, 8000)
				require.NoError(t, err)
				r.Proposed = &calculator.Proposed{Replicas: p.Replicas, Value: p.Usage}
				require.LessOrEqual(t, syncs, 3*60*4+1)
			}
		}},
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
	require.Equal(t, 2, runs)

	// The same in an open loop, where the recording is not changed.
	obs := &calculator.Observation{SpecReplicas: 3, StatusReplicas: 3, Readings: []calculator.Reading{{Values: []metrics.Milli{90_000}}}}
	syncs := func(yield func(simulate.RecordedSync, error) bool) {
		yield(simulate.RecordedSync{Time: scenario.Start, Observation: obs}, nil)
	}
	for a, err := range simulate.Replay(syncs, autoscalers...) {
		require.NoError(t, err)
		require.False(t, a.Differ())
		require.Equal(t, int32(12), a.Decisions[1].Choice.Replicas)
	}
	require.Nil(t, obs.Readings[0].Proposed)
}

// A proposal needs no gauge.
func TestProposeWithoutAGauge(t *testing.T) {
	spec := autoscaling.NewSpec(2, 30, autoscaling.ProposedElsewhere("schedule"))
	scenario := simulate.Scenario{
		Start: morning, Duration: 2 * time.Hour,
		Load: simulate.Steady(1000), Workload: simulate.DefaultDeployment(), Replicas: 5, Seed: 1,
	}
	a := simulate.Autoscaler{Spec: &spec, Settings: calculator.DefaultSettings(), Propose: func() calculator.Proposer {
		return func(now time.Time, obs *calculator.Observation) {
			size := int32(5)
			if now.Hour() > 0 {
				size = 9
			}
			obs.Readings[0].Proposed = &calculator.Proposed{Replicas: size}
		}
	}}
	sum, err := simulate.Summarize(scenario.Run(&a))
	require.NoError(t, err)
	require.Equal(t, 1, sum.Rescales)
	require.Equal(t, int32(9), sum.HighestReplicas)
	_, err = simulate.Summarize(scenario.Run(&simulate.Autoscaler{Spec: &spec}))
	require.NoError(t, err, "a metric that fails")
}
