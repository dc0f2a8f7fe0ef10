package simulate

import (
	"math"
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

func TestShowsAndCarries(t *testing.T) {
	g := Gauge{Idle: 20, PerLoad: 30}
	require.Equal(t, metrics.Milli(20), g.shows(0))
	require.Equal(t, metrics.Milli(20), g.shows(33))
	require.Equal(t, metrics.Milli(21), g.shows(34))
	require.Equal(t, metrics.Milli(50), g.shows(1000))
	require.Equal(t, metrics.Milli(-1), g.carries(19))
	require.Equal(t, metrics.Milli(33), g.carries(20))
	require.Equal(t, metrics.Milli(66), g.carries(21))
	require.Equal(t, metrics.Milli(1033), g.carries(50))
	require.Equal(t, metrics.Milli(math.MaxInt64), g.carries(math.MaxInt64))

	g = Gauge{Idle: 5, PerLoad: 500, LoadUnit: 15_000}
	require.Equal(t, metrics.Milli(505), g.shows(15_000))
	require.Equal(t, metrics.Milli(15_029), g.carries(505))
	require.Equal(t, metrics.Milli(math.MaxInt64), (&Gauge{}).carries(0), "a metric that does not follow the load")
	require.Equal(t, metrics.Milli(math.MaxInt64), (&Gauge{PerLoad: math.MaxInt64, LoadUnit: 1}).shows(math.MaxInt64))
	require.Equal(t, metrics.Milli(math.MaxInt64), (&Gauge{PerLoad: 1, LoadUnit: math.MaxInt64}).carries(math.MaxInt64-1))
}

// TestCarriesIsTheLast: it shows no more than most, and one milli-unit of load
// more does.
func TestCarriesIsTheLast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		amount := func(name string) metrics.Milli {
			return metrics.Milli(rapid.Int64Range(0, 1<<rapid.IntRange(1, 62).Draw(t, name+" bits")).Draw(t, name))
		}
		g := Gauge{Idle: amount("idle"), PerLoad: amount("perLoad"), LoadUnit: amount("unit")}
		most := amount("most")
		shows := func(load metrics.Milli) *big.Int {
			unit := big.NewInt(int64(g.LoadUnit))
			if g.LoadUnit == 0 {
				unit.SetInt64(1000)
			}
			v := new(big.Int).Mul(big.NewInt(int64(load)), big.NewInt(int64(g.PerLoad)))
			return v.Add(v.Quo(v, unit), big.NewInt(int64(g.Idle)))
		}
		load := g.carries(most)
		if load < 0 {
			require.Greater(t, g.Idle, most)
			return
		}
		require.LessOrEqual(t, shows(load).Cmp(big.NewInt(int64(most))), 0)
		if load < math.MaxInt64 {
			require.Positive(t, shows(load+1).Cmp(big.NewInt(int64(most))))
		}
		require.LessOrEqual(t, g.shows(load), most)
	})
}

// TestHoldsIsWhatTheCalculatorTolerates: with the load that n pods hold, the
// calculator does not scale up; with a little more, it does.
func TestHoldsIsWhatTheCalculatorTolerates(t *testing.T) {
	specs := []*autoscaling.HorizontalPodAutoscalerSpec{
		testSpec(t, `"metrics":[{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":60}}}]`),
		testSpec(t, `"metrics":[{"type":"Resource","resource":{"name":"cpu","target":{"type":"AverageValue","averageValue":"300m"}}}]`),
		testSpec(t, `"metrics":[{"type":"ContainerResource","containerResource":{"name":"cpu","container":"app","target":{"type":"Utilization","averageUtilization":77}}}]`),
		testSpec(t, `"metrics":[{"type":"Pods","pods":{"metric":{"name":"rps"},"target":{"type":"AverageValue","averageValue":"7"}}}]`),
		testSpec(t, `"metrics":[{"type":"External","external":{"metric":{"name":"rps"},"target":{"type":"AverageValue","averageValue":"7"}}}]`),
		testSpec(t, `"metrics":[{"type":"External","external":{"metric":{"name":"rps"},"target":{"type":"Value","value":"700"}}}]`),
		testSpec(t, `"metrics":[{"type":"Object","object":{"metric":{"name":"rps"},"describedObject":{"kind":"Ingress","name":"web"},"target":{"type":"Value","value":"700"}}}]`),
		testSpec(t, `"metrics":[
			{"type":"Pods","pods":{"metric":{"name":"rps"},"target":{"type":"AverageValue","averageValue":"7"}}},
			{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":60}}}]`),
		testSpec(t, `"metrics":[{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":60}}}],
			"behavior":{"scaleUp":{"tolerance":"0.25"}}`),
	}
	rapid.Check(t, func(t *rapid.T) {
		spec := rapid.SampledFrom(specs).Draw(t, "spec")
		settings := calculator.Settings{ZeroFlags: true, Tolerance: rapid.SampledFrom([]float64{0, 0.01, 0.1, 0.5}).Draw(t, "tolerance")}
		gauge := func(name, container string) Gauge {
			return Gauge{
				Metric: name, Container: container,
				Idle:    metrics.Milli(rapid.IntRange(0, 100).Draw(t, "idle")),
				PerLoad: metrics.Milli(rapid.IntRange(1, 2000).Draw(t, "perLoad")),
			}
		}
		n := rapid.IntRange(1, 40).Draw(t, "pods")
		w := Deployment{
			Containers: []podgroup.Container{
				{Name: "app", Requests: podgroup.Requests{CPU: podgroup.Requested(metrics.Milli(rapid.IntRange(1, 2000).Draw(t, "request")))}},
				{Name: "proxy", Requests: podgroup.Requests{CPU: podgroup.Requested(10)}},
			},
			Gauges: []Gauge{gauge("cpu", ""), gauge("cpu", "app"), gauge("rps", "")},
		}
		proposes := func(load metrics.Milli) int32 {
			plant, err := w.Plant(&RunConfig{Start: epoch, Load: Steady(load), Replicas: int32(n), Spec: spec, Settings: &settings})
			require.NoError(t, err)
			var obs calculator.Observation
			plant.Observe(epoch, &obs)
			d := calculator.Decide(epoch, &settings, spec, &obs, new(calculator.State))
			require.NoError(t, d.Err())
			return d.Choice.Replicas
		}
		plant, err := w.Plant(&RunConfig{Start: epoch, Load: Steady(0), Replicas: int32(n), Spec: spec, Settings: &settings})
		require.NoError(t, err)
		holds := plant.(*pods).holds(n)
		if holds == math.MaxInt64 {
			return
		}
		if proposes(0) <= int32(n) {
			require.LessOrEqual(t, proposes(holds), int32(n), "load %v", holds)
		}
		require.Greater(t, proposes(holds+1), int32(n), "load %v", holds+1)
	})
}

func TestHoldsWithoutTarget(t *testing.T) {
	noRequest := podgroup.Pod{Containers: []podgroup.Container{{Name: "app"}}}
	spec := testSpec(t, `"metrics":[{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":60}}}]`)
	m, err := newMeter("spec.metrics[0]", spec.Metrics[0].Resolve(), []Gauge{{Metric: "cpu", PerLoad: 1}}, &noRequest, metrics.Symmetric(0.1))
	require.NoError(t, err)
	require.Equal(t, metrics.Milli(math.MaxInt64), m.holds(1), "nobody knows what fits")
	require.Zero(t, m.holds(0))

	unset := autoscaling.MetricSpec{Type: "Resource", Resource: &autoscaling.ResourceMetricSource{Name: "cpu"}}
	m, err = newMeter("spec.metrics[0]", unset.Resolve(), []Gauge{{Metric: "cpu", PerLoad: 1}}, &noRequest, metrics.Symmetric(0.1))
	require.NoError(t, err)
	require.Equal(t, metrics.Milli(math.MaxInt64), m.holds(1))

	busy := podgroup.Pod{Containers: []podgroup.Container{{Name: "app", Requests: podgroup.Requests{CPU: podgroup.Requested(100)}}}}
	m, err = newMeter("spec.metrics[0]", spec.Metrics[0].Resolve(), []Gauge{{Metric: "cpu", Idle: 90, PerLoad: 1}}, &busy, metrics.Symmetric(0.1))
	require.NoError(t, err)
	require.Zero(t, m.holds(5), "idle pods are above target")

	for _, broken := range []autoscaling.MetricSpec{{}, {Type: "Resource"}, {Type: "Pods"}, {Type: "Object"}, {Type: "External"}, {Type: "ContainerResource"}, {Type: "Other"}} {
		_, err = newMeter("spec.metrics[0]", broken.Resolve(), []Gauge{{Metric: "cpu"}}, &busy, metrics.Symmetric(0.1))
		require.EqualError(t, err, `spec.metrics[0]: Invalid value: "": no gauge has this metric`)
	}
}

// TestScrapes: what a sync sees is the last scrape that is as old as the lag.
func TestScrapes(t *testing.T) {
	at := func(d time.Duration) metrics.Instant { return metrics.At(after(d)) }
	m := meter{Gauge: Gauge{Period: 15 * time.Second, Lag: 5 * time.Second}, first: at(0)}
	for _, tt := range []struct {
		now, scrape time.Duration
		number      int64
	}{
		{-10*time.Second - 1, -30 * time.Second, -2},
		{-10 * time.Second, -15 * time.Second, -1},
		{0, -15 * time.Second, -1},
		{5*time.Second - 1, -15 * time.Second, -1},
		{5 * time.Second, 0, 0},
		{20*time.Second - 1, 0, 0},
		{20 * time.Second, 15 * time.Second, 1},
	} {
		scrape, number := m.scrapeOf(at(tt.now))
		require.Equal(t, at(tt.scrape), scrape, "%v", tt.now)
		require.Equal(t, uint64(tt.number), number, "%v", tt.now)
	}
	m.Period = 0
	scrape, _ := m.scrapeOf(at(time.Minute))
	require.Equal(t, at(55*time.Second), scrape, "without a period there is a scrape for each sync")
}
