package calctest_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/calctest"
	"github.com/purehpa/hpa/metrics"
)

// rules returns a setup of 1 to most replicas for one Pods metric, with pods that
// start at once.
func rules(most int32, sync, window time.Duration, change func(*behavior.Behavior)) *calctest.Setup {
	spec := autoscaling.NewSpec(1, most, autoscaling.PodsAverageValue("qps", metrics.MustParseQuantity("10")))
	spec.ScaleTargetRef = autoscaling.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "web"}
	spec.Behavior = behavior.Default()
	seconds := int32(window / time.Second)
	spec.Behavior.ScaleDown.StabilizationWindowSeconds = &seconds
	if change != nil {
		change(spec.Behavior)
	}
	s := calctest.NewSetup(&spec)
	s.SyncPeriod, s.Startup = sync, 0
	return s
}

func percent(n, seconds int32) []behavior.Policy {
	return []behavior.Policy{{Type: behavior.PercentPolicy, Value: n, PeriodSeconds: seconds}}
}

func pods(n, seconds int32) []behavior.Policy {
	return []behavior.Policy{{Type: behavior.PodsPolicy, Value: n, PeriodSeconds: seconds}}
}

// The worst times of some rules, exactly. They count from one period before the load
// changed, as it may have done so right after the sync before.
//
// The key of a state is as of the next sync. So it has none of what leaves its window
// or period until then, such as all events of the default rules. Keys as of the sync
// that ended would be 65,794 and 339,585 instead of the first two numbers.
func TestExhaustWorst(t *testing.T) {
	late := rules(8, 15*time.Second, 5*time.Minute, nil)
	late.Startup = time.Minute
	for _, tt := range []struct {
		name                        string
		setup                       *calctest.Setup
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
			"19 to 20", rules(20, 15*time.Second, 0, nil), []float64{20}, 31,
			"never, from 19 replicas at load 20",
			"45s, from 1 replica at load 20",
			"at once",
			"45s, from 1 replica at load 20",
		}, {
			"late pods", late, []float64{0, 4, 8}, 1_586,
			"30s, from 1 replica at load 8",
			"30s, from 1 replica at load 8",
			"5m15s, from 2 replicas at load 0",
			"5m15s, from 2 replicas at load 0",
		}, {
			// Of so few pods, 10 percent is one: rounded up when adding, and the rest
			// truncated when removing.
			"10 percent of few", rules(5, 15*time.Second, 0, func(b *behavior.Behavior) {
				b.ScaleUp.Policies, b.ScaleDown.Policies = percent(10, 60), percent(10, 60)
			}), nil, 630,
			"3m15s, from 1 replica at load 5",
			"3m15s, from 1 replica at load 5",
			"3m15s, from 5 replicas at load 0",
			"3m15s, from 5 replicas at load 0",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := calctest.Exhaust(t, tt.setup, calctest.Search{Levels: tt.levels})
			t.Logf("%v", x)
			require.Equal(t, tt.states, x.States)
			require.Equal(t, tt.up, x.WorstUp.String())
			require.Equal(t, tt.tolerated, x.WorstTolerated.String())
			require.Equal(t, tt.down, x.WorstDown.String())
			require.Equal(t, tt.settle, x.WorstSettle.String())
		})
	}
}

// cpuRules are rules for cpu, whose samples of new pods come too early.
func cpuRules(window, startup time.Duration) *calctest.Setup {
	s := rules(5, 15*time.Second, window, nil)
	s.Spec.Metrics = []autoscaling.MetricSpec{autoscaling.ResourceUtilization("cpu", 60)}
	s.Startup = startup
	return s
}

// Without a window for scaling down, pods that start late make the size flap under a
// constant load: while their samples are too early, the load that they took over from
// the others is missing.
func TestExhaustFindsFlapping(t *testing.T) {
	search := calctest.Search{Levels: []float64{4.4}}
	x, err := search.Run(cpuRules(0, 20*time.Second), calctest.TurnsWithin(4.4, 4.4, 4), calctest.SettledWithin(time.Hour))
	require.NoError(t, err)
	require.True(t, x.WorstSettle.Never)
	require.Len(t, x.Counterexamples, 2)
	require.Contains(t, x.Counterexamples[0], "At 2:00, the size turns for the 5th time, from 5 to 1.")
	require.Contains(t, x.Counterexamples[0], "4 unready (sample too early)")
	require.Contains(t, x.Counterexamples[1], "the load has been 4.4 since 0:00, perhaps since -0:15, and the size still changes, and will forever.")
	// The ask for 1 comes 15 s after the last ask for 5.
	for seconds, flaps := range map[int]bool{15: true, 16: false} {
		x := calctest.Exhaust(t, cpuRules(time.Duration(seconds)*time.Second, 20*time.Second), search)
		require.Equal(t, flaps, x.WorstSettle.Never, "a window of %d s", seconds)
	}
}

// The default rules do not flap under a constant load: from any state that these levels
// lead to, the size only rises or only falls, also if pods are late.
func TestExhaustProvesThatDefaultRulesDoNotFlap(t *testing.T) {
	levels := []float64{0, 2, 3.3, 4.4, 5}
	never := []calctest.Property{calctest.SettledWithin(8 * time.Minute)}
	for _, l := range levels {
		never = append(never, calctest.TurnsWithin(l, l, 0))
	}
	for _, startup := range []time.Duration{0, 20 * time.Second, 100 * time.Second} {
		x := calctest.Exhaust(t, cpuRules(5*time.Minute, startup), calctest.Search{Levels: levels}, never...)
		t.Logf("%v", x)
	}
}

// A search sees what timelines do: the course to each change of size that it finds
// changes the size so in a timeline, too, which Run makes sure of.
func TestExhaustEqualsTimelines(t *testing.T) {
	type change struct {
		load        float64
		troubles    int
		size, after int32
	}
	setups := map[string]*calctest.Setup{}
	for _, metric := range []autoscaling.MetricSpec{
		autoscaling.PodsAverageValue("qps", metrics.MustParseQuantity("10")),
		autoscaling.ResourceUtilization("cpu", 60),
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
			search := calctest.Search{Levels: []float64{0, 1.5, 4}, Troubles: []calctest.Trouble{{Kind: calctest.MetricFails}}}
			if s.Lag == 30*time.Second {
				search.Troubles = nil
			}
			var lock sync.Mutex
			seen := map[change]bool{}
			of := func(tr *calctest.Transition) change { return change{tr.Load, len(tr.Troubles), tr.Size, tr.After} }
			x := calctest.Exhaust(t, s, search, calctest.Always("", func(tr *calctest.Transition) string {
				lock.Lock()
				defer lock.Unlock()
				seen[of(tr)] = true
				return ""
			}))
			t.Log(x, len(seen))
			var all []calctest.Property
			for c := range seen {
				all = append(all, calctest.Always("", func(tr *calctest.Transition) string { return unless(of(tr) != c) }))
			}
			x, err := search.Run(s, all...)
			require.NoError(t, err)
			require.Len(t, x.Counterexamples, len(seen))
		})
	}
}

// A latency that is measured late is answered again and again.
func TestExhaustFindsLateAnswers(t *testing.T) {
	s := rules(6, 15*time.Second, 0, nil)
	s.Spec.Metrics = setupOf(t, latency, "").Spec.Metrics
	search := calctest.Search{Levels: []float64{3}}
	require.False(t, calctest.Exhaust(t, s, search).WorstSettle.Never)
	s.Lag = 15 * time.Second
	require.True(t, calctest.Exhaust(t, s, search).WorstSettle.Never)
}

// Each property holds up to its limit, and not beyond.
func TestExhaustProperties(t *testing.T) {
	s := rules(6, 15*time.Second, time.Minute, func(b *behavior.Behavior) { b.ScaleUp.Policies = pods(2, 60) })
	search := calctest.Search{Levels: []float64{0, 2, 3, 6}}
	adds := func(n int32) calctest.Property {
		return calctest.Always("A sync adds few.", func(tr *calctest.Transition) string { return unless(tr.After <= tr.Size+n) })
	}
	calctest.Exhaust(t, s, search,
		calctest.CarriedWithin(135*time.Second),
		calctest.SettledWithin(135*time.Second),
		calctest.NeverBelow(time.Minute),
		calctest.TurnsWithin(3, 3, 0),
		calctest.TurnsWithin(7, 8, 0), // no level is
		adds(5),                       // after removing 5
		calctest.Property{},
	)
	x, err := search.Run(s,
		calctest.CarriedWithin(135*time.Second-1),
		calctest.SettledWithin(135*time.Second-1),
		calctest.NeverBelow(time.Minute+time.Second),
		calctest.TurnsWithin(2, 3, 2),
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

// A sync whose metrics fail keeps the size, and makes no recommendation to hold it later.
func TestExhaustMetricsFail(t *testing.T) {
	s := rules(3, 15*time.Second, time.Minute, nil)
	calctest.Exhaust(t, s, calctest.Search{}, calctest.NeverBelow(time.Minute))
	x, err := calctest.Search{Troubles: []calctest.Trouble{{Kind: calctest.MetricFails}}}.Run(s,
		calctest.NeverBelow(time.Minute),
		calctest.Always("Without metrics the size stays.", func(tr *calctest.Transition) string {
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

// An autoscaler that scales to zero comes back only if it was the one that did so.
func TestExhaustToZero(t *testing.T) {
	spec := autoscaling.NewSpec(0, 3, autoscaling.ExternalAverageValue("jobs", metrics.MustParseQuantity("10")))
	spec.ScaleTargetRef = autoscaling.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "web"}
	s := calctest.NewSetup(&spec)
	s.Settings.DownscaleStabilization = time.Minute
	x := calctest.Exhaust(t, s, calctest.Search{}, calctest.CarriedWithin(15*time.Second), calctest.NeverBelow(time.Minute+1))
	require.Equal(t, "1m30s, from 1 replica at load 0", x.WorstDown.String())
}

func TestExhaustIncomplete(t *testing.T) {
	s := rules(5, 15*time.Second, 5*time.Minute, nil)
	x, err := calctest.Search{MaxStates: 1000}.Run(s, calctest.SettledWithin(time.Minute), calctest.Always("The size is below 5.", func(tr *calctest.Transition) string {
		return unless(tr.After < 5)
	}))
	require.NoError(t, err)
	require.False(t, x.Complete)
	require.Contains(t, x.String(), "incomplete after")
	require.Len(t, x.Counterexamples, 1, "what needs all states is not said")
	require.Zero(t, x.WorstUp)
}

func TestExhaustErrors(t *testing.T) {
	_, err := calctest.Search{}.Run(rules(5, time.Second, time.Minute, nil), calctest.NeverBelow(5*time.Minute))
	require.EqualError(t, err, "calctest: a window of 300 syncs is too long for a search")
	for problem, change := range map[string]func(*calctest.Setup, *calctest.Search){
		"calctest: Setup.Lag: 1h0m0s is too long for a search":     func(s *calctest.Setup, _ *calctest.Search) { s.Lag = time.Hour },
		"calctest: Setup.Startup: 1h0m0s is too long for a search": func(s *calctest.Setup, _ *calctest.Search) { s.Startup = time.Hour },
		"calctest: spec.maxReplicas: 256 is too many for a search": func(s *calctest.Setup, _ *calctest.Search) { s.Spec.MaxReplicas = 256 },
		"calctest: Search.MaxStates: -1 is not a number of states": func(_ *calctest.Setup, x *calctest.Search) { x.MaxStates = -1 },
		"calctest: Search.Levels: there are none":                  func(_ *calctest.Setup, x *calctest.Search) { x.Levels = []float64{} },
		"calctest: Search.Levels[1]: -1 is not a load":             func(_ *calctest.Setup, x *calctest.Search) { x.Levels = []float64{1, -1} },
		"calctest: Search.Levels: 257 are too many for a search":   func(_ *calctest.Setup, x *calctest.Search) { x.Levels = make([]float64, 257) },
		"calctest: SyncPeriod: 1ns is not a number of seconds":     func(s *calctest.Setup, _ *calctest.Search) { s.SyncPeriod = 1 },
	} {
		s, search := rules(5, 15*time.Second, time.Minute, nil), calctest.Search{}
		change(s, &search)
		_, err := search.Run(s)
		require.EqualError(t, err, problem)
	}
}
