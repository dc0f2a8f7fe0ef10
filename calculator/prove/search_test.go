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
	"github.com/purehpa/hpa/behavior/field"
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

// wholeUpTo returns the loads of 0 to most replicas.
func wholeUpTo(most int) (levels []float64) {
	for n := range most + 1 {
		levels = append(levels, float64(n))
	}
	return levels
}

// The worst times of some rules, exactly. They count from one period before the
// load changed, as it may have done so right after the sync before.
func TestExhaustWorst(t *testing.T) {
	late := rules(8, 15*time.Second, 5*time.Minute, nil)
	late.Startup = time.Minute
	for _, tt := range []struct {
		name                        string
		setup                       *prove.Setup
		levels                      []float64
		up, tolerated, down, settle string
	}{
		{
			"default rules", rules(5, 15*time.Second, 5*time.Minute, nil), wholeUpTo(5),
			"15s, from 1 replica at load 2",
			"15s, from 1 replica at load 2",
			"5m15s, from 2 replicas at load 0",
			"5m15s, from 2 replicas at load 0",
		}, {
			"2 pods a minute", rules(10, 15*time.Second, time.Minute, func(b *behavior.Behavior) { b.ScaleUp.Policies = pods(2, 60) }), wholeUpTo(10),
			"4m15s, from 1 replica at load 10",
			"4m15s, from 1 replica at load 10",
			"never, from 10 replicas at load 9", // within tolerance
			"4m15s, from 1 replica at load 10",
		}, {
			"1 pod a minute up, 10% a minute down", rules(10, 30*time.Second, 5*time.Minute, func(b *behavior.Behavior) {
				b.ScaleUp.Policies, b.ScaleDown.Policies = pods(1, 60), percent(10, 60)
			}), []float64{0, 5, 10},
			"8m30s, from 1 replica at load 10",
			"8m30s, from 1 replica at load 10",
			"13m30s, from 10 replicas at load 0",
			"13m30s, from 10 replicas at load 0",
		}, {
			// 11 is within the tolerance of 10, and 20 within that of 19.
			"up to 20", rules(20, 15*time.Second, time.Minute, nil), wholeUpTo(20),
			"never, from 10 replicas at load 11",
			"45s, from 1 replica at load 12",
			"never, from 10 replicas at load 9",
			"1m15s, from 2 replicas at load 0",
		}, {
			"late pods", late, []float64{0, 4, 8},
			"30s, from 1 replica at load 8",
			"30s, from 1 replica at load 8",
			"5m15s, from 2 replicas at load 0",
			"5m15s, from 2 replicas at load 0",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := calctest.Exhaust(t, tt.setup, prove.Search{Levels: tt.levels})
			t.Logf("%v", x)
			require.Equal(t, tt.up, x.WorstUp.String())
			require.Equal(t, tt.tolerated, x.WorstTolerated.String())
			require.Equal(t, tt.down, x.WorstDown.String())
			require.Equal(t, tt.settle, x.WorstSettle.String())
		})
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
			for lag := time.Duration(0); lag <= 30*time.Second-startup/2; lag += 15 * time.Second {
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
			require.Len(t, broken(x), len(seen))
		})
	}
}

// Metrics that are late now and then show a load that has gone, and hide one
// that has come: no window makes up for that. The load that stays is carried as
// soon as without.
func TestExhaustMetricsLate(t *testing.T) {
	s := rules(3, 15*time.Second, time.Minute, nil)
	whole := wholeUpTo(3)
	none := calctest.Exhaust(t, s, prove.Search{Levels: whole}, prove.NeverBelow(time.Minute))
	for syncs := range int32(2) {
		search := prove.Search{Levels: whole, Troubles: []prove.Trouble{{Kind: prove.MetricsLate, N: syncs + 1}}}
		x, err := search.Run(t.Context(), s, prove.NeverBelow(time.Minute), prove.Always("A sync knows its load.", func(tr *prove.Transition) string {
			return unless(tr.After > tr.Size || float64(tr.Size) >= tr.Load)
		}))
		require.NoError(t, err)
		require.True(t, x.Complete)
		t.Log(x)
		require.Len(t, broken(x), 2)
		late := prove.Trouble{Kind: prove.MetricsLate, N: syncs + 1}.String()
		t.Logf("%s", broken(x)[0])
		require.Contains(t, broken(x)[0], late)
		require.Contains(t, broken(x)[1], late)
		require.Equal(t,
			[]worstTime{timeOf(none.WorstUp), timeOf(none.WorstTolerated), timeOf(none.WorstDown), timeOf(none.WorstSettle)},
			[]worstTime{timeOf(x.WorstUp), timeOf(x.WorstTolerated), timeOf(x.WorstDown), timeOf(x.WorstSettle)})
	}
}

// A sync whose metrics fail keeps the size, and makes no recommendation to hold
// it later.
func TestExhaustMetricsFail(t *testing.T) {
	s := rules(3, 15*time.Second, time.Minute, nil)
	calctest.Exhaust(t, s, prove.Search{}, prove.NeverBelow(time.Minute))
	for _, levels := range [][]float64{nil, wholeUpTo(3)} {
		x, err := prove.Search{Levels: levels, Troubles: []prove.Trouble{{Kind: prove.MetricFails}}}.Run(t.Context(), s,
			prove.NeverBelow(time.Minute),
			prove.Always("Without metrics the size stays.", func(tr *prove.Transition) string {
				return unless(len(tr.Troubles) == 0 || tr.After == tr.Size)
			}))
		require.NoError(t, err)
		require.True(t, x.Complete)
		require.Len(t, broken(x), 1)
		require.Contains(t, broken(x)[0], "metric 1 fails, error")
		require.Contains(t, broken(x)[0], "At 1:00, the load of the last 1m needs 2, and 2 becomes 1.")
	}
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
	x, err := prove.Search{MaxStates: 10}.Run(t.Context(), s, prove.SettledWithin(time.Minute), prove.Always("The size is below 5.", func(tr *prove.Transition) string {
		return unless(tr.After < 5)
	}))
	require.NoError(t, err)
	require.False(t, x.Complete)
	require.Contains(t, x.String(), "incomplete after")
	require.Contains(t, x.String(), "next, try a MaxStates above ")
	require.Contains(t, x.String(), ", a copy of the rules with fewer than 5 replicas, ")
	require.Contains(t, x.String(), "or a SyncPeriod longer than 15s\n")
	require.Equal(t, prove.Undecided, x.Verdicts[0].Outcome, "it needs all states")
	require.Equal(t, prove.Broken, x.Verdicts[1].Outcome)
	require.False(t, x.Timed)
	require.Zero(t, x.WorstUp)
}

func TestExhaustErrors(t *testing.T) {
	always := func(*prove.Transition) bool { return true }
	for problem, p := range map[string]prove.Property{
		`prove: NeverBelow: Invalid value: "-1ns": must not be negative`:                             prove.NeverBelow(-1),
		`prove: RemovedAtMost: Invalid value: "8784h0m0.000000001s": must not be longer than a year`: prove.RemovedAtMost(1, 366*24*time.Hour+1),
		`prove: CarriedWithin: Invalid value: "-1m0s": must not be negative`:                         prove.CarriedWithin(-time.Minute),
		`prove: SettledWithin: Invalid value: "-15s": must not be negative`:                          prove.SettledWithin(-15 * time.Second),
		`prove: ReleasedWithin: Invalid value: "-15s": must not be negative`:                         prove.ReleasedWithin(-15*time.Second, 1),
		`prove: ReleasedWithin: Invalid value: "0.5": must be a factor of at least 1`:                prove.ReleasedWithin(time.Minute, 0.5),
		`prove: ReleasedWithin: Invalid value: "NaN": must be a factor of at least 1`:                prove.ReleasedWithin(time.Minute, math.NaN()),
		`prove: RemovedAtMost: Invalid value: -1: must not be negative`:                              prove.RemovedAtMost(-1, time.Minute),
		`prove: RemovedAtMost: Invalid value: "-1s": must not be negative`:                           prove.RemovedAtMost(1, -time.Second),
		`prove: AddedAtMost: Invalid value: -1: must not be negative`:                                prove.AddedAtMost(-1, time.Minute),
		`prove: AddedAtMost: Invalid value: "-1s": must not be negative`:                             prove.AddedAtMost(1, -time.Second),
		`prove: LeadsTo: Invalid value: "-1s": must not be negative`:                                 prove.LeadsTo("", always, -time.Second, always, 0),
		`prove: LeadsTo: Invalid value: "-2s": must not be negative`:                                 prove.LeadsTo("", always, 0, always, -2*time.Second),
		`prove: TurnsWithin: Invalid value: "4.1 to 4.9": must have a load of the search`:            prove.TurnsWithin(4.1, 4.9, 0),
		`prove: TurnsWithin: Invalid value: "5 to 0": must have a load of the search`:                prove.TurnsWithin(5, 0, 0),
		`prove: TurnsWithin: Invalid value: "NaN to 4": must have a load of the search`:              prove.TurnsWithin(math.NaN(), 4, 0),
		`prove: TurnsWithin: Invalid value: "6 to +Inf": must have a load of the search`:             prove.TurnsWithin(6, math.Inf(1), 0),
	} {
		_, err := prove.Search{Levels: wholeUpTo(5)}.Run(t.Context(), rules(5, 15*time.Second, time.Minute, nil), prove.TurnsWithin(4, 5, 9), p)
		require.EqualError(t, err, problem)
		var typed *field.Error
		require.ErrorAs(t, err, &typed)
	}
	_, err := prove.Search{High: 8}.Run(t.Context(), rules(5, 15*time.Second, time.Minute, nil), prove.TurnsWithin(8, 9, 1), prove.TurnsWithin(8.1, 9, 1))
	require.EqualError(t, err, `prove: TurnsWithin: Invalid value: "8.1 to 9": must have a load of the search`)
	for problem, change := range map[string]func(*prove.Setup, *prove.Search){
		"prove: Setup.Lag: 1h0m0s is too long for a search":                   func(s *prove.Setup, _ *prove.Search) { s.Lag = time.Hour },
		"prove: Setup.Startup: 1h0m0s is too long for a search":               func(s *prove.Setup, _ *prove.Search) { s.Startup = time.Hour },
		"prove: spec.maxReplicas: 256 is too many for a search":               func(s *prove.Setup, _ *prove.Search) { s.Spec.MaxReplicas = 256 },
		"prove: Setup.Lag: 2562047h47m16.854775807s is too long for a search": func(s *prove.Setup, _ *prove.Search) { s.Lag = math.MaxInt64 },
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
		"prove: Search.MaxStates: -1 is not a number of states":              func(_ *prove.Setup, x *prove.Search) { x.MaxStates = -1 },
		"prove: Search.Levels: the list is empty":                            func(_ *prove.Setup, x *prove.Search) { x.Levels = []float64{} },
		"prove: Search.Levels[1]: -1 is not a load":                          func(_ *prove.Setup, x *prove.Search) { x.Levels = []float64{1, -1} },
		"prove: Search.Levels: 65537 are too many for a search":              func(_ *prove.Setup, x *prove.Search) { x.Levels = make([]float64, 65537) },
		"prove: Search.Low: -1 is not a load":                                func(_ *prove.Setup, x *prove.Search) { x.Low = -1 },
		"prove: Search.High: 2 is not a load from Search.Low":                func(_ *prove.Setup, x *prove.Search) { x.Low, x.High = 3, 2 },
		"prove: Search.Edges: NaN is not a load":                             func(_ *prove.Setup, x *prove.Search) { x.Edges = []float64{math.NaN()} },
		`prove: Search.Ages[1]: Invalid value: "-1s": must not be negative`:  func(_ *prove.Setup, x *prove.Search) { x.Ages = []time.Duration{0, -time.Second} },
		"prove: Search.Missed: 9 is not from 0 to 8":                         func(_ *prove.Setup, x *prove.Search) { x.Missed = 9 },
		"prove: Search.Jitter: 7.5s is not less than half of a sync period":  func(_ *prove.Setup, x *prove.Search) { x.Jitter = 7500 * time.Millisecond },
		"prove: Search.Jitter and Search.Missed do not go with late metrics": func(s *prove.Setup, x *prove.Search) { s.Lag, x.Missed = 15*time.Second, 1 },
		"prove: 300 syncs in a window are too many for a search; name a longer Setup.SyncPeriod": func(s *prove.Setup, _ *prove.Search) {
			s.SyncPeriod = time.Second
			*s.Spec.Behavior.ScaleDown.StabilizationWindowSeconds = 301
		},
		"prove: SyncPeriod: 1ns is not a number of seconds": func(s *prove.Setup, _ *prove.Search) { s.SyncPeriod = 1 },
	} {
		s, search := rules(5, 15*time.Second, time.Minute, nil), prove.Search{}
		change(s, &search)
		_, err := search.Run(t.Context(), s)
		require.EqualError(t, err, problem)
	}
}

// A search ends with its context, whatever it is doing.
func TestSearchEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var seen atomic.Int32
	x, err := prove.Search{}.Run(ctx, rules(50, 15*time.Second, 5*time.Minute, nil), prove.Always("", func(*prove.Transition) string {
		if seen.Add(1) == 1000 {
			cancel()
		}
		return ""
	}))
	require.ErrorIs(t, err, context.Canceled)
	require.Nil(t, x)
}

// Each property looks back over its own window, whatever others do.
func TestExhaustWindowsAreApart(t *testing.T) {
	s := rules(5, 15*time.Second, time.Minute, nil)
	search := prove.Search{Levels: []float64{0, 3, 5}}
	x, err := search.Run(t.Context(), s, prove.NeverBelow(3*time.Minute), prove.NeverBelow(time.Minute), prove.NeverBelow(61*time.Second))
	require.NoError(t, err)
	require.True(t, x.Complete)
	require.Len(t, broken(x), 2)
	require.Contains(t, broken(x)[0], "the load of the last 3m needs 3, ")
	require.Contains(t, broken(x)[1], "At 1:00, the load of the last 1m1s needs 3, and 3 becomes 1.")
}
