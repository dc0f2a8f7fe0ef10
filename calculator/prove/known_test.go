package prove_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/calctest"
	"github.com/purehpa/hpa/calculator/prove"
	"github.com/purehpa/hpa/metrics"
)

// What is known to go wrong, each with the rules that do so and what keeps the
// default rules from it, if anything does.

// cpuRules are rules for cpu, whose samples of new pods come too early.
func cpuRules(window, startup time.Duration) *prove.Setup {
	s := rules(5, 15*time.Second, window, nil)
	s.Spec.Metrics = []autoscaling.MetricSpec{autoscaling.ResourceUtilizationMetric("cpu", 60)}
	s.Startup = startup
	return s
}

// Without a window for scaling down, pods that start late make the size flap
// under a constant load: while their samples are too early, the load that they
// took over from the others is missing.
func TestExhaustFindsFlapping(t *testing.T) {
	search := prove.Search{Levels: []float64{4.4}}
	x, err := search.Run(t.Context(), cpuRules(0, 20*time.Second), prove.TurnsWithin(4.4, 4.4, 4), prove.SettledWithin(time.Hour))
	require.NoError(t, err)
	require.True(t, x.WorstSettle.Never)
	require.Len(t, broken(x), 2)
	require.Contains(t, broken(x)[0], "At 2:00, the size turns for the 5th time, from 5 to 1.")
	require.Contains(t, broken(x)[0], "4 unready (sample too early)")
	require.Contains(t, broken(x)[1], "and the size still changes, and will forever")
	// The ask for 1 comes 15 s after the last ask for 5.
	for seconds, flaps := range map[int]bool{15: true, 16: false} {
		x := calctest.Exhaust(t, cpuRules(time.Duration(seconds)*time.Second, 20*time.Second), search)
		require.Equal(t, flaps, x.WorstSettle.Never, "a window of %d s", seconds)
	}
}

// What holds for some levels says nothing about those in between: 4.4 asks for
// 5 replicas, and is then below their tolerance. A search of all loads finds
// such a load without its name.
func TestExhaustFindsTheLoadBetweenLevels(t *testing.T) {
	s := cpuRules(0, 20*time.Second)
	calctest.Exhaust(t, s, prove.Search{Levels: []float64{4, 5}}, prove.SettledWithin(time.Minute))
	for _, search := range []prove.Search{{}, {Low: 4, High: 5}, {Levels: []float64{4, 4.4, 5}}} {
		x, err := search.Run(t.Context(), s, prove.SettledWithin(time.Hour), prove.TurnsWithin(4.4, 4.4, 10))
		require.NoError(t, err)
		require.True(t, x.Complete)
		require.True(t, x.WorstSettle.Never, "%v", x)
		require.Len(t, broken(x), 2)
		require.Contains(t, broken(x)[0], "and the size still changes, and will forever")
		require.Contains(t, broken(x)[1], "the size turns for the 11th time")
		if search.Low > 0 {
			require.Greater(t, x.WorstSettle.Load, 4.0)
			require.Less(t, x.WorstSettle.Load, 5.0)
		}
		load := x.WorstSettle.Load
		flaps, err := prove.Search{Levels: []float64{load}}.Run(t.Context(), s)
		require.NoError(t, err)
		require.True(t, flaps.WorstSettle.Never, "a load of %v", load)
	}
}

// A counterexample is a shortest one: a size that changes at once takes one
// sync, although others change after 21.
func TestExhaustFindsTheShortestChange(t *testing.T) {
	spec := autoscaling.NewSpec(1, 7, autoscaling.ResourceUtilizationMetric("cpu", 60))
	s := prove.NewSetup(&spec)
	s.Startup = 0
	x, err := prove.Search{Levels: []float64{1, 6}}.Run(t.Context(), s, prove.SettledWithin(0))
	require.NoError(t, err)
	require.Equal(t, prove.Broken, x.Verdicts[0].Outcome)
	require.Equal(t, 1, syncsOf(x.Verdicts[0].Counterexample.Timeline), "%v", &x.Verdicts[0])
	require.Equal(t, "5m30s, from 2 replicas at load 1", x.WorstSettle.String())
}

// The default rules do not flap under a constant load: from any state that
// these levels lead to, the size only rises or only falls, also if pods are
// late.
func TestExhaustProvesThatDefaultRulesDoNotFlap(t *testing.T) {
	levels := []float64{0, 2, 3.3, 4.4, 5}
	never := []prove.Property{prove.SettledWithin(8 * time.Minute)}
	for _, l := range levels {
		never = append(never, prove.TurnsWithin(l, l, 0))
	}
	for _, startup := range []time.Duration{0, 20 * time.Second, 100 * time.Second} {
		x := calctest.Exhaust(t, cpuRules(5*time.Minute, startup), prove.Search{Levels: levels}, never...)
		t.Logf("%v", x)
	}
}

// A latency that is measured late is answered again and again.
func TestExhaustFindsLateAnswers(t *testing.T) {
	s := rules(6, 15*time.Second, 0, nil)
	s.Spec.Metrics = setupOf(t, latency, "").Spec.Metrics
	search := prove.Search{Levels: []float64{3}}
	require.False(t, calctest.Exhaust(t, s, search).WorstSettle.Never)
	s.Lag = 15 * time.Second
	require.True(t, calctest.Exhaust(t, s, search).WorstSettle.Never)
}

// From 19 replicas, a load of 20 is within tolerance: the last pod never comes.
// That is so for the default rules, too: from a size of 10 on, tolerance is a
// pod or more. A smaller tolerance brings it.
func TestExhaustFindsThat19StayAt19(t *testing.T) {
	s := rules(20, 15*time.Second, 5*time.Minute, nil)
	search := prove.Search{Levels: []float64{20}}
	x := calctest.Exhaust(t, s, search, prove.CarriedWithin(45*time.Second))
	require.Equal(t, "never, from 19 replicas at load 20", x.WorstUp.String())
	s.Settings.Tolerance = 0.05
	require.Equal(t, "45s, from 1 replica at load 20", calctest.Exhaust(t, s, search).WorstUp.String())
}

// Of up to 9 pods, 10 percent is one: rounded up when adding, and the rest
// truncated when removing. So 10% a minute is a pod a minute, and from 5 to 1
// takes as long as from 1 to 5. The default rules double the size and more.
func TestExhaustPercentOfFewPods(t *testing.T) {
	slow := rules(5, 15*time.Second, 0, func(b *behavior.Behavior) {
		b.ScaleUp.Policies, b.ScaleDown.Policies = percent(10, 60), percent(10, 60)
	})
	whole := prove.Search{Levels: wholeUpTo(5)}
	x := calctest.Exhaust(t, slow, whole)
	require.Equal(t, "3m15s, from 1 replica at load 5", x.WorstUp.String())
	require.Equal(t, "3m15s, from 5 replicas at load 0", x.WorstDown.String())
	x = calctest.Exhaust(t, rules(5, 15*time.Second, 0, nil), whole)
	require.Equal(t, "15s, from 1 replica at load 2", x.WorstUp.String())
	require.Equal(t, "15s, from 2 replicas at load 0", x.WorstDown.String())
}

// rollout returns rules for 3 to 12 replicas, as in
// kubernetes/kubernetes#25238, which Kivi (USENIX ATC 2024) takes up.
func rollout(metric autoscaling.MetricSpec) *prove.Setup {
	s := rules(12, 15*time.Second, time.Minute, nil)
	least := int32(3)
	s.Spec.MinReplicas, s.Spec.Metrics = &least, []autoscaling.MetricSpec{metric}
	return s
}

var jobs = autoscaling.ExternalAverageValueMetric("jobs", metrics.MustParseQuantity("10"))

func surging(percent int32) prove.Search {
	search := prove.Search{Troubles: []prove.Trouble{{Kind: prove.Surge, N: percent}}}
	for l := range 25 {
		search.Levels = append(search.Levels, float64(l)/2)
	}
	return search
}

var noGrowth = prove.Always("A size that carries the load does not grow.", func(tr *prove.Transition) string {
	if float64(tr.Size) >= tr.Load && tr.After > tr.Size {
		return fmt.Sprintf("%d carries %v, and becomes %d", tr.Size, tr.Load, tr.After)
	}
	return ""
})

// Within tolerance, an AverageValue of an Object or External metric asks for
// status.replicas, which counts the pods of a rollout
// (kubernetes/kubernetes#138505).
func TestExhaustFindsThatRolloutsRatchet(t *testing.T) {
	for _, tt := range []struct {
		surge     int32
		tolerance float64
		grows     string
	}{
		{10, 0.1, "9 carries 9, and becomes 10."},
		{20, 0.1, ""},
		{50, 0.1, ""},
		{50, 0.3, ""},
		{50, 0.4, "3 carries 3, and becomes 5."},
	} {
		s := rollout(jobs)
		s.Settings.Tolerance = tt.tolerance
		x, err := surging(tt.surge).Run(t.Context(), s, noGrowth)
		require.NoError(t, err)
		require.True(t, x.Complete)
		if tt.grows == "" {
			require.Empty(t, broken(x), "%v", tt)
			continue
		}
		require.Len(t, broken(x), 1, "%v", tt)
		t.Logf("%s", broken(x)[0])
		require.Contains(t, broken(x)[0], fmt.Sprintf("surge of %d%%", tt.surge))
		require.Contains(t, broken(x)[0], "At 0:00, "+tt.grows)
		require.Contains(t, broken(x)[0], "as in status.replicas, because the ratio is within the tolerance")
	}

	// So a rollout after another takes 3 replicas to 12, while loads ask for 8.
	s := rollout(jobs)
	s.Settings.Tolerance = 0.4
	sizes := []int32{3}
	tl := prove.Timeline{Setup: s, Size: 3}
	for _, load := range []float64{3, 4.8, 7.2} {
		tl.Segments = append(tl.Segments, prove.Segment{Syncs: 1, Load: load, Troubles: surging(50).Troubles})
	}
	require.NoError(t, tl.Run(func(s *prove.Sync) bool {
		sizes = append(sizes, s.After)
		return true
	}))
	require.Equal(t, []int32{3, 5, 8, 12}, sizes)
}

// Without a rollout, no metric makes a size grow that carries the load. With
// one, only an AverageValue that is not of pods does: others take no more than
// spec.replicas.
func TestExhaustProvesThatOtherMetricsDoNotRatchet(t *testing.T) {
	still := surging(0)
	still.Troubles = nil
	calctest.Exhaust(t, rollout(jobs), still, noGrowth)
	for _, metric := range []autoscaling.MetricSpec{
		autoscaling.ResourceUtilizationMetric("cpu", 50),
		autoscaling.PodsAverageValueMetric("qps", metrics.MustParseQuantity("10")),
		setupOf(t, latency, "").Spec.Metrics[0],
	} {
		s := rollout(metric)
		calctest.Exhaust(t, s, still, noGrowth)
		for _, tolerance := range []float64{0.1, 0.4} {
			s.Settings.Tolerance = tolerance
			calctest.Exhaust(t, s, surging(50), noGrowth)
		}
	}
}

// The manifest of kubernetes/kubernetes#25238 says replicas: 6 and maxSurge:
// 50%. Each time that it is applied at 3 replicas, there are 9 pods, which go
// right away: nothing asked for 6, so no window holds them. No rules help; a
// manifest without replicas does.
func TestExhaustFindsThatManifestsSetTheSize(t *testing.T) {
	applied := func(tr *prove.Transition) bool {
		return slices.ContainsFunc(tr.Troubles, func(x prove.Trouble) bool { return x.Kind == prove.Resized })
	}
	s := rollout(autoscaling.ResourceUtilizationMetric("cpu", 50))
	s.Spec.Behavior.ScaleDown.StabilizationWindowSeconds = nil // 5 minutes
	search := prove.Search{Levels: []float64{3}, Troubles: []prove.Trouble{
		{Kind: prove.Resized, N: 6},
		{Kind: prove.Surge, N: 50},
	}}
	holds := prove.Always("What a manifest adds stays for a window.", func(tr *prove.Transition) string {
		if applied(tr) && len(tr.Observation.Pods) == 9 && tr.After < tr.Size {
			return fmt.Sprintf("%d of 9 pods stay", tr.After)
		}
		return ""
	})
	x, err := search.Run(t.Context(), s, holds)
	require.NoError(t, err)
	require.True(t, x.Complete)
	require.Len(t, broken(x), 1)
	t.Logf("%s", broken(x)[0])
	require.Contains(t, broken(x)[0], "At 0:15, 3 of 9 pods stay.")
	require.Contains(t, broken(x)[0], "resized to 6, surge of 50%")
	search.Troubles = search.Troubles[1:]
	calctest.Exhaust(t, s, search, holds)
}

// A load that is never carried is not within any time. The counterexample ends
// with syncs that repeat.
func TestExhaustFindsWhatIsNeverCarried(t *testing.T) {
	s := rules(2, 30*time.Second, 105*time.Second, func(b *behavior.Behavior) {
		b.ScaleUp.SelectPolicy = behavior.SelectDisabled
		b.ScaleDown.Policies = percent(25, 90)
	})
	for _, troubles := range [][]prove.Trouble{nil, {{Kind: prove.Resized, N: 3}}} {
		for syncs := range 6 {
			x, err := prove.Search{Troubles: troubles}.Run(t.Context(), s, prove.CarriedWithin(time.Duration(syncs)*30*time.Second))
			require.NoError(t, err)
			require.True(t, x.WorstTolerated.Never)
			require.Equal(t, prove.Broken, x.Verdicts[0].Outcome, "within %d syncs", syncs)
			require.Contains(t, broken(x)[0], "the size is still too small, and will forever")
			require.LessOrEqual(t, syncsOf(x.Verdicts[0].Counterexample.Timeline), 3)
		}
	}
}
