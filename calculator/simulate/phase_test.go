package simulate

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/metrics"
)

// lost returns the shares of the load that are lost with the seeds from first
// on, in ascending order. The load jumps each five minutes.
func lost(t *testing.T, first uint64, seeds int, start, lag time.Duration) []float64 {
	var load LoadSeries
	r := NewRand(5)
	for i := range 12 * 12 {
		load = append(load, LoadPoint{after(time.Duration(i) * 5 * time.Minute), metrics.Milli(20_000 + r.Below(400_000))})
	}
	w := cpuPods()
	w.Startup, w.ProbePeriod = Fixed(30*time.Second), 10*time.Second
	w.Gauges[0].Period, w.Gauges[0].Lag, w.Gauges[0].Window = 15*time.Second, lag, 15*time.Second
	a := &calculator.Autoscaler{Spec: cpuSpec(t, "")}
	var all []float64
	for i := range seeds {
		s := Scenario{Start: after(start), Duration: 12 * time.Hour, Load: load, Workload: w, Seed: first + uint64(i)}
		sum, err := Summarize(s.Run(a))
		require.NoError(t, err)
		all = append(all, sum.UnservedShare)
	}
	slices.Sort(all)
	return all
}

// TestLagMatters: later metrics lose more. A common phase of syncs and scrapes
// would hide all lags of up to 15 seconds.
func TestLagMatters(t *testing.T) {
	least := 0.0
	for _, lag := range []time.Duration{time.Second, 5 * time.Second, 15 * time.Second} {
		median := lost(t, 1, 25, 0, lag)[12]
		require.Greater(t, median, least*1.02, "%v", lag)
		least = median
	}
}

// TestStartDoesNotMatter: a start some seconds later gives figures within the
// spread of the seeds.
func TestStartDoesNotMatter(t *testing.T) {
	const seeds = 25
	spread := lost(t, 1, seeds, 0, 5*time.Second)
	require.Greater(t, spread[seeds-1], spread[0]*1.02, "phases matter")
	for _, start := range []time.Duration{4 * time.Second, 8 * time.Second, 12 * time.Second} {
		// With other seeds, the median is within the middle half of the spread.
		median := lost(t, 1001, seeds, start, 5*time.Second)[seeds/2]
		require.GreaterOrEqual(t, median, spread[seeds/4], "%v", start)
		require.LessOrEqual(t, median, spread[seeds-1-seeds/4], "%v", start)
	}
}

// TestPhases: the second sync is at any time within a period of the first one.
func TestPhases(t *testing.T) {
	var first, scrape []time.Duration
	settings := calculator.DefaultSettings()
	for seed := range uint64(1000) {
		s := rough(1)
		s.Seed = seed
		a := roughRules(t, "")
		for row, err := range s.Run(a) {
			require.NoError(t, err)
			require.Equal(t, epoch, row.Time)
			first = append(first, row.Span)
			break
		}
		plant, err := s.Workload.Plant(&RunConfig{Start: epoch, Load: s.Load, Seed: seed, Spec: a.Spec, Settings: &settings})
		require.NoError(t, err)
		scrape = append(scrape, plant.(*pods).meters[1].first.Sub(metrics.At(epoch)))
	}
	for _, tt := range []struct {
		got    []time.Duration
		period time.Duration
	}{{first, calculator.SyncPeriod}, {scrape, 30 * time.Second}} {
		require.Less(t, slices.Min(tt.got), tt.period/100)
		require.Greater(t, slices.Max(tt.got), tt.period-tt.period/100)
		require.LessOrEqual(t, slices.Max(tt.got), tt.period)
		require.InDelta(t, tt.period/2, mean(tt.got), float64(tt.period/25))
	}
	together := 0
	for i := range first {
		if first[i] < calculator.SyncPeriod/2 == (scrape[i] < 15*time.Second) {
			together++
		}
	}
	require.InDelta(t, 500, together, 60, "one does not tell the other")
}
