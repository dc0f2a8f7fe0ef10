package prove_test

import (
	"context"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/calctest"
	"github.com/purehpa/hpa/calculator/prove"
	"github.com/purehpa/hpa/metrics"
)

// rules returns a setup of 1 to most replicas for one Pods metric, with pods
// that start at once.
func rules(most int32, sync, window time.Duration, change func(*behavior.Behavior)) *prove.Setup {
	spec := autoscaling.NewSpec(1, most, autoscaling.PodsAverageValueMetric("qps", metrics.MustParseQuantity("10")))
	spec.ScaleTargetRef = autoscaling.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "web"}
	spec.Behavior = behavior.Default()
	seconds := int32(window / time.Second)
	spec.Behavior.ScaleDown.StabilizationWindowSeconds = &seconds
	if change != nil {
		change(spec.Behavior)
	}
	s := prove.NewSetup(&spec)
	s.SyncPeriod, s.Startup = sync, 0
	return s
}

func percent(n, seconds int32) []behavior.Policy {
	return []behavior.Policy{{Type: behavior.PercentPolicy, Value: n, PeriodSeconds: seconds}}
}

func pods(n, seconds int32) []behavior.Policy {
	return []behavior.Policy{{Type: behavior.PodsPolicy, Value: n, PeriodSeconds: seconds}}
}

// The worst times of some rules, exactly. They count from one period before the
// load changed, as it may have done so right after the sync before.
//
// The key of a state is as of the next sync. So it has none of what leaves its
// window or period until then, such as all events of the default rules. Keys as
// of the sync that ended would be 65,794 and 339,585 instead of the first two
// numbers.
func TestExhaustWorst(t *testing.T) {
	late := rules(8, 15*time.Second, 5*time.Minute, nil)
	late.Startup = time.Minute
	for _, tt := range []struct {
		name                        string
		setup                       *prove.Setup
		levels                      []float64
		states                      int
		up, tolerated, down, settle string
	}{
		{
			"default rules", rules(5, 15*time.Second, 5*time.Minute, nil), nil, 53_134,
			"15s, from 1 replica at load 2",
			"15s, from 1 replica at load 2",
			"5m15s, from 2 replicas at load 0",
			"5m15s, from 2 replicas at load 0",
		}, {
			"2 pods a minute", rules(10, 15*time.Second, time.Minute, func(b *behavior.Behavior) { b.ScaleUp.Policies = pods(2, 60) }), nil, 78_889,
			"4m15s, from 1 replica at load 10",
			"4m15s, from 1 replica at load 10",
			"never, from 10 replicas at load 9", // within tolerance
			"4m15s, from 1 replica at load 10",
		}, {
			"1 pod a minute up, 10% a minute down", rules(10, 30*time.Second, 5*time.Minute, func(b *behavior.Behavior) {
				b.ScaleUp.Policies, b.ScaleDown.Policies = pods(1, 60), percent(10, 60)
			}), []float64{0, 5, 10}, 796,
			"8m30s, from 1 replica at load 10",
			"8m30s, from 1 replica at load 10",
			"13m30s, from 10 replicas at load 0",
			"13m30s, from 10 replicas at load 0",
		}, {
			// 11 is within the tolerance of 10, and 20 within that of 19.
			"up to 20", rules(20, 15*time.Second, time.Minute, nil), nil, 16_870,
			"never, from 1 replica at load 11",
			"45s, from 1 replica at load 12",
			"never, from 10 replicas at load 9",
			"1m15s, from 2 replicas at load 0",
		}, {
			"late pods", late, []float64{0, 4, 8}, 1_586,
			"30s, from 1 replica at load 8",
			"30s, from 1 replica at load 8",
			"5m15s, from 2 replicas at load 0",
			"5m15s, from 2 replicas at load 0",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := calctest.Exhaust(t, tt.setup, prove.Search{Levels: tt.levels})
			t.Logf("%v", x)
			require.Equal(t, tt.states, x.States)
			require.Equal(t, tt.up, x.WorstUp.String())
			require.Equal(t, tt.tolerated, x.WorstTolerated.String())
			require.Equal(t, tt.down, x.WorstDown.String())
			require.Equal(t, tt.settle, x.WorstSettle.String())

			// The loads around a size are enough to find that.
			times := func(x *prove.Result) (times []string) {
				for _, w := range []prove.Worst{x.WorstUp, x.WorstTolerated, x.WorstDown, x.WorstSettle} {
					times = append(times, fmt.Sprint(w.Never, w.Time))
				}
				return times
			}
			around := calctest.Exhaust(t, tt.setup, prove.Search{Levels: tt.levels, Around: 1})
			t.Logf("%v", around)
			require.Equal(t, times(x), times(around))
		})
	}
}

// Default rules with as many replicas as a search takes, at the loads that make
// a difference at each size.
func TestExhaustAround(t *testing.T) {
	for _, tt := range []struct {
		most              int32
		sync              time.Duration
		states            int
		tolerated, settle string
	}{
		{50, 15 * time.Second, 55_005, "1m15s, from 1 replica at load 50", "5m15s, from 2 replicas at load 0"},
		{200, 30 * time.Second, 35_001, "3m30s, from 1 replica at load 200", "5m30s, from 2 replicas at load 0"}, // 5, 10, 20, 40, 80, 160
	} {
		s := rules(tt.most, tt.sync, 5*time.Minute, nil)
		x := calctest.Exhaust(t, s, prove.Search{Around: 1}, prove.SettledWithin(5*time.Minute+tt.sync))
		t.Log(x)
		require.Contains(t, x.String(), "at loads around the size")
		require.Equal(t, tt.states, x.States)
		require.Equal(t, "never, from 10 replicas at load 11", x.WorstUp.String())
		require.Equal(t, tt.tolerated, x.WorstTolerated.String())
		require.Equal(t, "never, from 10 replicas at load 9", x.WorstDown.String())
		require.Equal(t, tt.settle, x.WorstSettle.String())
	}
}

// A search sees what timelines do: the course to each change of size that it
// finds changes the size so in a timeline, too, which Run makes sure of.
func TestExhaustEqualsTimelines(t *testing.T) {
	type change struct {
		load        float64
		troubles    uint64 // by kind
		size, after int32
	}
	setups := map[string]*prove.Setup{}
	for _, metric := range []autoscaling.MetricSpec{
		autoscaling.PodsAverageValueMetric("qps", metrics.MustParseQuantity("10")),
		autoscaling.ResourceUtilizationMetric("cpu", 60),
		setupOf(t, latency, "").Spec.Metrics[0],
	} {
		for startup := time.Duration(0); startup <= 40*time.Second; startup += 20 * time.Second {
			for lag := time.Duration(0); lag <= 30*time.Second; lag += 15 * time.Second {
				s := rules(4, 15*time.Second, 30*time.Second, nil)
				s.Spec.Metrics = []autoscaling.MetricSpec{metric}
				s.Startup, s.Lag = startup, lag
				setups[fmt.Sprintf("%v, startup %v, lag %v", metric.Type, startup, lag)] = s
			}
		}
	}
	for name, s := range setups {
		t.Run(name, func(t *testing.T) {
			search := prove.Search{Levels: []float64{0, 1.5, 4}, Troubles: []prove.Trouble{{Kind: prove.MetricFails}}}
			switch s.Lag {
			case 0:
				search.Troubles = append(search.Troubles, prove.Trouble{Kind: prove.MetricsLate, N: 1}, prove.Trouble{Kind: prove.Resized, N: 2})
			case 30 * time.Second:
				search.Troubles = nil
			}
			var lock sync.Mutex
			seen := map[change]bool{}
			of := func(tr *prove.Transition) change {
				c := change{load: tr.Load, size: tr.Size, after: tr.After}
				for _, x := range tr.Troubles {
					c.troubles |= 1 << x.Kind
				}
				return c
			}
			x := calctest.Exhaust(t, s, search, prove.Always("", func(tr *prove.Transition) string {
				lock.Lock()
				defer lock.Unlock()
				seen[of(tr)] = true
				return ""
			}))
			t.Log(x, len(seen))
			var all []prove.Property
			for c := range seen {
				all = append(all, prove.Always("", func(tr *prove.Transition) string { return unless(of(tr) != c) }))
			}
			x, err := search.Run(t.Context(), s, all...)
			require.NoError(t, err)
			require.Len(t, x.Counterexamples, len(seen))
		})
	}
}

// Each property holds up to its limit, and not beyond.
func TestExhaustProperties(t *testing.T) {
	s := rules(6, 15*time.Second, time.Minute, func(b *behavior.Behavior) { b.ScaleUp.Policies = pods(2, 60) })
	search := prove.Search{Levels: []float64{0, 2, 3, 6}}
	adds := func(n int32) prove.Property {
		return prove.Always("A sync adds few.", func(tr *prove.Transition) string { return unless(tr.After <= tr.Size+n) })
	}
	calctest.Exhaust(t, s, search,
		prove.CarriedWithin(135*time.Second),
		prove.SettledWithin(135*time.Second),
		prove.NeverBelow(time.Minute),
		prove.TurnsWithin(3, 3, 0),
		adds(5), // after removing 5
		prove.Property{},
	)
	x, err := search.Run(t.Context(), s,
		prove.CarriedWithin(135*time.Second-1),
		prove.SettledWithin(135*time.Second-1),
		prove.NeverBelow(time.Minute+time.Second),
		prove.TurnsWithin(2, 3, 2),
		adds(4),
	)
	require.NoError(t, err)
	require.True(t, x.Complete)
	require.Len(t, x.Counterexamples, 5)
	for i, said := range []string{
		"At 1:45, the load has been 6 since 0:00, perhaps since -0:15, and the size is still too small.",
		"At 2:00, the load has been 6 since 0:00, perhaps since -0:15, and the size still changes.",
		"At 1:00, the load was 2 within 1m1s, and 2 becomes 1.",
		"the size turns for the 3rd time, from 3 to 2.",
		"it does.",
	} {
		t.Logf("%s", x.Counterexamples[i])
		require.Contains(t, x.Counterexamples[i], said)
	}
}

// Metrics that are late now and then show a load that has gone, and hide one
// that has come: no window makes up for that. The load that stays is carried as
// soon as without.
func TestExhaustMetricsLate(t *testing.T) {
	s := rules(3, 15*time.Second, time.Minute, nil)
	none := calctest.Exhaust(t, s, prove.Search{}, prove.NeverBelow(time.Minute))
	for syncs := range int32(2) {
		search := prove.Search{Troubles: []prove.Trouble{{Kind: prove.MetricsLate, N: syncs + 1}}}
		x, err := search.Run(t.Context(), s, prove.NeverBelow(time.Minute), prove.Always("A sync knows its load.", func(tr *prove.Transition) string {
			return unless(tr.After > tr.Size || float64(tr.Size) >= tr.Load)
		}))
		require.NoError(t, err)
		require.True(t, x.Complete)
		t.Log(x)
		require.Len(t, x.Counterexamples, 2)
		late := prove.Trouble{Kind: prove.MetricsLate, N: syncs + 1}.String()
		t.Logf("%s", x.Counterexamples[0])
		require.Contains(t, x.Counterexamples[0], late)
		require.Contains(t, x.Counterexamples[1], late)
		require.Equal(t,
			[]prove.Worst{none.WorstUp, none.WorstTolerated, none.WorstDown, none.WorstSettle},
			[]prove.Worst{x.WorstUp, x.WorstTolerated, x.WorstDown, x.WorstSettle})
	}
}

// A sync whose metrics fail keeps the size, and makes no recommendation to hold
// it later.
func TestExhaustMetricsFail(t *testing.T) {
	s := rules(3, 15*time.Second, time.Minute, nil)
	calctest.Exhaust(t, s, prove.Search{}, prove.NeverBelow(time.Minute))
	x, err := prove.Search{Troubles: []prove.Trouble{{Kind: prove.MetricFails}}}.Run(t.Context(), s,
		prove.NeverBelow(time.Minute),
		prove.Always("Without metrics the size stays.", func(tr *prove.Transition) string {
			return unless(len(tr.Troubles) == 0 || tr.After == tr.Size)
		}))
	require.NoError(t, err)
	require.True(t, x.Complete)
	require.Len(t, x.Counterexamples, 1)
	require.Contains(t, x.Counterexamples[0], "metric 1 fails, error")
	require.Contains(t, x.Counterexamples[0], "At 1:00, the load was 2 within 1m, and 2 becomes 1.")
}

func unless(holds bool) string {
	if holds {
		return ""
	}
	return "it does"
}

// An autoscaler that scales to zero comes back only if it was the one that did
// so.
func TestExhaustToZero(t *testing.T) {
	spec := autoscaling.NewSpec(0, 3, autoscaling.ExternalAverageValueMetric("jobs", metrics.MustParseQuantity("10")))
	spec.ScaleTargetRef = autoscaling.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "web"}
	s := prove.NewSetup(&spec)
	s.Settings.DownscaleStabilization = time.Minute
	x := calctest.Exhaust(t, s, prove.Search{}, prove.CarriedWithin(15*time.Second), prove.NeverBelow(time.Minute+1))
	require.Equal(t, "1m30s, from 1 replica at load 0", x.WorstDown.String())
}

func TestExhaustIncomplete(t *testing.T) {
	s := rules(5, 15*time.Second, 5*time.Minute, nil)
	x, err := prove.Search{MaxStates: 1000}.Run(t.Context(), s, prove.SettledWithin(time.Minute), prove.Always("The size is below 5.", func(tr *prove.Transition) string {
		return unless(tr.After < 5)
	}))
	require.NoError(t, err)
	require.False(t, x.Complete)
	require.Contains(t, x.String(), "incomplete after")
	require.Len(t, x.Counterexamples, 1, "what needs all states is not said")
	require.Zero(t, x.WorstUp)
}

func TestExhaustErrors(t *testing.T) {
	for problem, p := range map[string]prove.Property{
		"prove: a window of 300 syncs is too long for a search":               prove.NeverBelow(5 * time.Minute),
		"prove: a window of 536870911 syncs is too long for a search":         prove.NeverBelow(math.MaxInt64),
		`prove: NeverBelow: Invalid value: "-1ns": must not be negative`:      prove.NeverBelow(-1),
		`prove: CarriedWithin: Invalid value: "-1m0s": must not be negative`:  prove.CarriedWithin(-time.Minute),
		`prove: SettledWithin: Invalid value: "-15s": must not be negative`:   prove.SettledWithin(-15 * time.Second),
		`prove: TurnsWithin: Invalid value: "4.1 to 4.9": no level is within`: prove.TurnsWithin(4.1, 4.9, 0),
		`prove: TurnsWithin: Invalid value: "5 to 0": no level is within`:     prove.TurnsWithin(5, 0, 0),
		`prove: TurnsWithin: Invalid value: "NaN to 4": no level is within`:   prove.TurnsWithin(math.NaN(), 4, 0),
		`prove: TurnsWithin: Invalid value: "6 to +Inf": no level is within`:  prove.TurnsWithin(6, math.Inf(1), 0),
	} {
		_, err := prove.Search{}.Run(t.Context(), rules(5, time.Second, time.Minute, nil), prove.TurnsWithin(4, 5, 9), p)
		require.EqualError(t, err, problem)
	}
	for problem, change := range map[string]func(*prove.Setup, *prove.Search){
		"prove: Setup.Lag: 1h0m0s is too long for a search":                   func(s *prove.Setup, _ *prove.Search) { s.Lag = time.Hour },
		"prove: Setup.Startup: 1h0m0s is too long for a search":               func(s *prove.Setup, _ *prove.Search) { s.Startup = time.Hour },
		"prove: spec.maxReplicas: 256 is too many for a search":               func(s *prove.Setup, _ *prove.Search) { s.Spec.MaxReplicas = 256 },
		"prove: Setup.Lag: 2562047h47m16.854775807s is too long for a search": func(s *prove.Setup, _ *prove.Search) { s.Lag = math.MaxInt64 },
		"prove: Search.Around: -1 is negative":                                func(_ *prove.Setup, x *prove.Search) { x.Around = -1 },
		"prove: Search.Troubles[1]: 256 is not from 0 to 255": func(_ *prove.Setup, x *prove.Search) {
			x.Troubles = []prove.Trouble{{}, {Kind: prove.Resized, N: 256}}
		},
		`prove: Search.Troubles[1].N: Invalid value: 1: must be the index of a metric`: func(_ *prove.Setup, x *prove.Search) {
			x.Troubles = []prove.Trouble{{Kind: prove.MetricFails}, {Kind: prove.MetricEmpty, N: 1}}
		},
		`prove: Search.Troubles[0].Kind: Invalid value: "TroubleKind(99)": must be known`: func(_ *prove.Setup, x *prove.Search) {
			x.Troubles = []prove.Trouble{{Kind: 99}}
		},
		`prove: Search.Troubles[0].N: Invalid value: 0: must be above 0`: func(_ *prove.Setup, x *prove.Search) {
			x.Troubles = []prove.Trouble{{Kind: prove.PodsMute}}
		},
		"prove: Search.Troubles: metrics late by 101 syncs are too late for a search": func(_ *prove.Setup, x *prove.Search) {
			x.Troubles = []prove.Trouble{{Kind: prove.MetricsLate, N: 101}}
		},
		"prove: Search.Troubles: 8 are too many for a search": func(_ *prove.Setup, x *prove.Search) {
			for k := range 8 {
				x.Troubles = append(x.Troubles, prove.Trouble{Kind: prove.PodsMute + prove.TroubleKind(k), N: 1})
			}
		},
		"prove: Search.MaxStates: -1 is not a number of states": func(_ *prove.Setup, x *prove.Search) { x.MaxStates = -1 },
		"prove: Search.Levels: the list is empty":               func(_ *prove.Setup, x *prove.Search) { x.Levels = []float64{} },
		"prove: Search.Levels[1]: -1 is not a load":             func(_ *prove.Setup, x *prove.Search) { x.Levels = []float64{1, -1} },
		"prove: Search.Levels: 257 are too many for a search":   func(_ *prove.Setup, x *prove.Search) { x.Levels = make([]float64, 257) },
		"prove: SyncPeriod: 1ns is not a number of seconds":     func(s *prove.Setup, _ *prove.Search) { s.SyncPeriod = 1 },
	} {
		s, search := rules(5, 15*time.Second, time.Minute, nil), prove.Search{}
		change(s, &search)
		_, err := search.Run(t.Context(), s)
		require.EqualError(t, err, problem)
	}
}

// A search ends with its context, whatever it is doing.
func TestSearchEndsWithItsContext(t *testing.T) {
	for _, around := range []int{0, 1} {
		ctx, cancel := context.WithCancel(t.Context())
		var seen atomic.Int32
		x, err := prove.Search{Around: around}.Run(ctx, rules(50, 15*time.Second, 5*time.Minute, nil), prove.Always("", func(*prove.Transition) string {
			if seen.Add(1) == 1000 {
				cancel()
			}
			return ""
		}))
		require.ErrorIs(t, err, context.Canceled)
		require.Nil(t, x)
		require.Less(t, seen.Load(), int32(2000))
	}
}

// Each property looks back over its own window, whatever others do.
func TestExhaustWindowsAreApart(t *testing.T) {
	s := rules(5, 15*time.Second, time.Minute, nil)
	search := prove.Search{Levels: []float64{0, 3, 5}}
	x, err := search.Run(t.Context(), s, prove.NeverBelow(3*time.Minute), prove.NeverBelow(time.Minute), prove.NeverBelow(61*time.Second))
	require.NoError(t, err)
	require.True(t, x.Complete)
	require.Len(t, x.Counterexamples, 2)
	require.Contains(t, x.Counterexamples[0], "within 3m, ")
	require.Contains(t, x.Counterexamples[1], "At 1:00, the load was 3 within 1m1s, and 3 becomes 1.")
}
