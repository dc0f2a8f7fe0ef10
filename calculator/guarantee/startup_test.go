package guarantee_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/guarantee"
	"github.com/purehpa/hpa/calculator/prove"
	"github.com/purehpa/hpa/metrics"
)

// holds checks that the time says what it says of the worst one that happened.
func holds(t require.TestingT, said guarantee.Time, worst prove.Worst, of string) {
	switch {
	case said.Never:
		require.True(t, worst.Never, of)
	case said.Bound == guarantee.Exactly:
		require.False(t, worst.Never, of)
		require.Equal(t, said.Duration, worst.Time, of)
	case said.Bound == guarantee.AtLeast:
		require.True(t, worst.Never || said.Duration <= worst.Time, "%s: %v, %v", of, said, worst)
	case said.Bound == guarantee.AtMost:
		require.True(t, !worst.Never && worst.Time <= said.Duration, "%s: %v, %v", of, said, worst)
	}
}

// Of all courses of load, with any metric and startup, none is outside of the
// bounds. Times start right after a sync in both.
func TestBoundsHoldWhilePodsStart(t *testing.T) {
	exact, slower := 0, 0
	pods := autoscaling.PodsAverageValueMetric("queue", metrics.MustParseQuantity("1"))
	cpu := autoscaling.ResourceUtilizationMetric("cpu", 60)
	rapid.Check(t, func(t *rapid.T) {
		r := anyRuled(t, 5)
		r.spec.Metrics[0] = rapid.SampledFrom([]autoscaling.MetricSpec{cpu, backlog, pods}).Draw(t, "metric")
		if r.spec.Bounds().Min == 0 && r.spec.Metrics[0].Type != backlog.Type {
			r.spec.MinReplicas = nil
		}
		// Samples of cpu are of 15 seconds.
		r.period = time.Duration(rapid.SampledFrom([]int{15, 20, 30}).Draw(t, "sync period of 15 s or more")) * time.Second
		r.startup = time.Duration(rapid.SampledFrom([]int{0, 20, 40}).Draw(t, "startup")) * time.Second
		g, x := r.of(t), r.exhaust(t, nil)
		holds(t, g.Up.Longest.Worst, x.WorstUp, "up")
		holds(t, g.Down.Longest.Worst, x.WorstDown, "down")
		for worst, steady := range map[*prove.Worst]guarantee.Time{&x.WorstUp: g.Up.Longest.Steady, &x.WorstDown: g.Down.Longest.Steady} {
			steady.Bound = guarantee.AtLeast
			holds(t, steady, *worst, "steady")
		}
		for moves, worst := range map[*guarantee.Moves]prove.Worst{&g.Up: x.WorstUp, &g.Down: x.WorstDown} {
			switch w := moves.Longest.Worst; {
			case w.Bound == guarantee.Exactly:
				exact++
			case worst.Never || worst.Time > w.Duration:
				slower++
			}
		}
	})
	require.NotZero(t, exact)
	require.NotZero(t, slower)
}

// Pods that serve while they still count as young show less than the load, so
// that scaling up takes longer: there is no upper bound.
func TestYoungPodsSlowScalingUp(t *testing.T) {
	r := newRuled(4, 20, autoscaling.ResourceUtilizationMetric("cpu", 60))
	r.settings.Tolerance, r.settings.DownscaleStabilization = 0.1, 5*time.Minute
	for startup, took := range map[time.Duration]time.Duration{0: 45 * time.Second, 20 * time.Second: 75 * time.Second} {
		r.startup = startup
		setup := prove.NewSetup(&r.spec)
		setup.Settings, setup.Startup = r.settings, startup
		x, err := prove.Search{Levels: []float64{4, 30}}.Run(t.Context(), setup)
		require.NoError(t, err)
		require.Equal(t, took, x.WorstUp.Time)
		holds(t, r.of(t).Up.Longest.Worst, x.WorstUp, "up")
	}
	g := r.of(t)
	least := guarantee.Time{Duration: 45 * time.Second, Bound: guarantee.AtLeast}
	r.startup = 20 * time.Second
	g = r.of(t)
	require.Equal(t, [2]guarantee.Time{least, least}, [2]guarantee.Time{g.Up.Longest.Steady, g.Up.Longest.Worst})
	require.NotContains(t, g.String(), "at most 45s")
	require.Contains(t, g.String(), "From 4 to 20 replicas, a sync each 15s, pods ready after 20s\n")
	r.startup = 0
	require.Contains(t, r.of(t).String(), "From 4 to 20 replicas, a sync each 15s, pods ready by the next one\n")
	r.startup = -1
	_, err := guarantee.Compute(&r.settings, &r.spec, r.period, r.startup)
	require.EqualError(t, err, `startup: Invalid value: "-1ns": must be greater than or equal to 0s`)
}

// Histories whose events are forgotten are searched, so that the times are
// exact, or nearly so beside a window.
func TestTimesAfterForgottenEvents(t *testing.T) {
	exact, most := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		r := anyRuled(t, 5)
		r.spec.Behavior = &behavior.Behavior{ScaleUp: policies(t, "up"), ScaleDown: policies(t, "down")}
		g, x := r.of(t), r.exhaust(t, nil)
		holds(t, g.Up.Longest.Worst, x.WorstUp, "up")
		holds(t, g.Down.Longest.Worst, x.WorstDown, "down")
		for _, w := range []guarantee.Time{g.Up.Longest.Worst, g.Down.Longest.Worst} {
			if w.Bound == guarantee.Exactly {
				exact++
			} else {
				most++
			}
		}
	})
	require.Less(t, most, exact/10)
}
