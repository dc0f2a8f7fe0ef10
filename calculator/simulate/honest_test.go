package simulate

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
)

// settled runs a for an hour on a constant load, with pods that start at once
// and metrics that do not lag, and returns the last row.
func settled(t require.TestingT, load metrics.Milli, from int32, w Deployment, a *calculator.Autoscaler) Row {
	s := Scenario{Start: epoch, Duration: time.Hour, Load: Steady(load), Workload: w, Replicas: from}
	var last Row
	for row, err := range s.Run(a) {
		require.NoError(t, err)
		last = row
	}
	return last
}

// TestConstantLoadSettles: at the size that arithmetic gives, from above and
// from below.
func TestConstantLoadSettles(t *testing.T) {
	cpu := func(target int) *autoscaling.HorizontalPodAutoscalerSpec {
		return testSpec(t, fmt.Sprintf(`"metrics":[{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":%d}}}]`, target))
	}
	external := testSpec(t, `"metrics":[{"type":"External","external":{"metric":{"name":"cpu"},"target":{"type":"AverageValue","averageValue":"300m"}}}]`)
	pods := testSpec(t, `"metrics":[{"type":"Pods","pods":{"metric":{"name":"cpu"},"target":{"type":"AverageValue","averageValue":"300m"}}}]`)
	for _, tt := range []struct {
		name string
		spec *autoscaling.HorizontalPodAutoscalerSpec
		load metrics.Milli
		want int32
	}{
		// A unit of load takes 30m of the 500m that a pod requests: at 60% it
		// serves 10 units.
		{"one pod", cpu(60), 10_000, 1},
		{"ten pods", cpu(60), 100_000, 10},
		{"a target of 30%", cpu(30), 100_000, 20},
		{"a target of 100%", cpu(100), 100_000, 6},
		{"rounded up", cpu(60), 105_000, 11},
		{"the maximum", cpu(60), 2_100_000, 100},
		{"nothing", cpu(60), 0, 1},
		{"external", external, 101_000, 11},
		{"pods", pods, 140_000, 14},
	} {
		for _, from := range []int32{1, tt.want, 2*tt.want + 5, 100} {
			a := &calculator.Autoscaler{Spec: tt.spec, Settings: exact()}
			w := cpuPods()
			w.Capacity = 20_000
			last := settled(t, tt.load, from, w, a)
			require.Equal(t, tt.want, last.DesiredReplicas, "%s from %d", tt.name, from)
			require.Equal(t, int(tt.want), last.Ready, "%s from %d", tt.name, from)
			require.Equal(t, tt.load, last.Load)
			if tt.want < 100 {
				require.Zero(t, last.Unserved)
				require.Zero(t, last.TimeAboveTarget)
			} else {
				require.Equal(t, tt.load-100*20_000, last.Unserved)
				require.Equal(t, last.Span, last.TimeUnserved)
			}
		}
	}
}

// TestTargetOutOfReach: pods that use at most 100% of their requests are never
// above a target of 91%, since 100/91 is within the tolerance of 10%.
func TestTargetOutOfReach(t *testing.T) {
	w := cpuPods()
	w.Gauges = []Gauge{{Metric: "cpu", PerLoad: 500, LoadUnit: w.Capacity}, {Metric: "queue", PerLoad: 1000}}
	const resource = `{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":%d}}}`
	const external = `{"type":"External","external":{"metric":{"name":"queue"},"target":{"type":"%s","%s":"900"}}}`
	first := func(metrics string, w Deployment) (Row, error) {
		a := &calculator.Autoscaler{Spec: testSpec(t, `"metrics":[`+metrics+`]`)}
		s := Scenario{Start: epoch, Duration: time.Hour, Load: Steady(100_000), Workload: w, Replicas: 2}
		for row, err := range s.Run(a) {
			return row, err
		}
		panic("no row")
	}
	cpu := func(target int) string { return fmt.Sprintf(resource, target) }
	_, err := first(cpu(91), w)
	require.EqualError(t, err, `spec.metrics[0]: Invalid value: "91%": is never exceeded: a pod at its capacity has 500m, and up to 504m is tolerated`)
	var invalid *field.Error
	require.ErrorAs(t, err, &invalid)
	_, err = first(cpu(90), w)
	require.NoError(t, err)
	unlimited := w
	unlimited.Capacity = 0
	_, err = first(cpu(91), unlimited)
	require.NoError(t, err)
	starting := w
	starting.Gauges = []Gauge{{Metric: "cpu", PerLoad: 500, LoadUnit: w.Capacity, Starting: 505}}
	_, err = first(cpu(91), starting)
	require.NoError(t, err)
	none := w
	none.Containers = nil
	_, err = first(cpu(91), none)
	require.NoError(t, err, "without requests, each sync says so")

	// Another metric can still scale up. The pods cannot serve what it
	// tolerates.
	for _, target := range []string{fmt.Sprintf(external, "Value", "value"), fmt.Sprintf(external, "AverageValue", "averageValue")} {
		row, err := first(cpu(91)+","+target, w)
		require.NoError(t, err)
		require.Equal(t, metrics.Milli(30_000), row.Capacity)
		require.Equal(t, row.Capacity, row.TargetLoad)
		require.Equal(t, row.Unserved, row.AboveTarget)
		require.Equal(t, row.TimeUnserved, row.TimeAboveTarget)
	}
}

// exact returns Kubernetes' settings without a tolerance.
func exact() *calculator.Settings {
	s := calculator.DefaultSettings()
	s.Tolerance = 0
	return &s
}

// TestAnyConstantLoadSettles: an External metric divides the load by its
// target, and rounds up.
func TestAnyConstantLoadSettles(t *testing.T) {
	spec := testSpec(t, `"metrics":[{"type":"External","external":{"metric":{"name":"cpu"},"target":{"type":"AverageValue","averageValue":"7"}}}]`)
	w := cpuPods()
	w.Gauges[0].PerLoad = 1000
	rapid.Check(t, func(t *rapid.T) {
		load := rapid.Int64Range(0, 800_000).Draw(t, "load")
		a := &calculator.Autoscaler{Spec: spec, Settings: exact()}
		want := min(max((load+6999)/7000, 1), 100)
		last := settled(t, metrics.Milli(load), int32(rapid.IntRange(1, 100).Draw(t, "from")), w, a)
		require.Equal(t, int32(want), last.DesiredReplicas)
	})
}

// TestTolerance: a size stays that is within the tolerance, and what is above
// target is what the autoscaler does not tolerate.
func TestTolerance(t *testing.T) {
	a := &calculator.Autoscaler{Spec: cpuSpec(t, "")}
	last := settled(t, 111_660, 10, cpuPods(), a)
	require.Equal(t, int32(10), last.DesiredReplicas)
	require.Zero(t, last.TimeAboveTarget)
	last = settled(t, 111_670, 10, cpuPods(), a)
	require.Equal(t, int32(12), last.DesiredReplicas)
}

// TestSlowerStartsLoseMore on a load that goes up and down at once, by rules of
// several kinds.
func TestSlowerStartsLoseMore(t *testing.T) {
	var load LoadSeries
	r := NewRand(5)
	for i := range 48 {
		load = append(load, LoadPoint{after(time.Duration(i) * 10 * time.Minute), metrics.Milli(50_000 + r.Below(400_000))})
	}
	for _, rules := range []string{
		``,
		`,"behavior":{}`,
		`,"behavior":{"scaleDown":{"stabilizationWindowSeconds":0}}`,
		`,"behavior":{"scaleUp":{"policies":[{"type":"Percent","value":20,"periodSeconds":60}]}}`,
	} {
		for _, startup := range []Distribution{Fixed(15 * time.Second), Uniform{5 * time.Second, 25 * time.Second}} {
			least := -1.0
			for _, factor := range []int32{0, 1, 2, 4, 8, 16, 32} {
				w := cpuPods()
				w.Gauges[0].Period, w.Gauges[0].Lag, w.Gauges[0].Window = 15*time.Second, 5*time.Second, 15*time.Second
				w.Startup = Multiple{startup, factor}
				s := Scenario{Start: epoch, Duration: 8 * time.Hour, Load: load, Workload: w}
				sum, err := Summarize(s.Run(&calculator.Autoscaler{Spec: cpuSpec(t, rules)}))
				require.NoError(t, err)
				require.GreaterOrEqual(t, sum.Unserved, least, "%d times %v, %s", factor, startup, rules)
				least = sum.Unserved
			}
			require.Positive(t, least)
		}
	}
}
