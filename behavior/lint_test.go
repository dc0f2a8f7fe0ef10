package behavior_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/stabilize"
)

// lintFacts are those of 2 to 20 replicas, 10 of them usual, with peaks of a minute.
var lintFacts = behavior.LintFacts{
	MinReplicas:   2,
	MaxReplicas:   20,
	UsualReplicas: 10,
	Peak:          time.Minute,
	SyncPeriod:    15 * time.Second,
}

// lintRules returns a behavior with its defaults, changed.
func lintRules(change func(*behavior.Behavior)) *behavior.Behavior {
	b := &behavior.Behavior{}
	b.SetDefaults()
	change(b)
	return b
}

func podsIn(value, period int32) behavior.Policy {
	return behavior.Policy{Type: behavior.PodsPolicy, Value: value, PeriodSeconds: period}
}

func percentIn(value, period int32) behavior.Policy {
	return behavior.Policy{Type: behavior.PercentPolicy, Value: value, PeriodSeconds: period}
}

// play runs a case through the pieces that rules are used by: the windows, and
// the limits.
func play(t require.TestingT, b *behavior.Behavior, f behavior.LintFacts, c []behavior.Moment) {
	windows := stabilize.Windows{Up: time.Duration(*b.ScaleUp.StabilizationWindowSeconds) * time.Second, Down: 5 * time.Minute}
	var history stabilize.History
	var events behavior.Events
	start := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	for _, m := range c {
		require.Equal(t, -1, m.Metric)
		now := start.Add(m.At)
		history.Start(now, m.Replicas)
		stable := history.Stabilize(now, m.Replicas, m.Asked, windows)
		history.Record(now, m.Asked, windows)
		l, _ := b.Limit(now, m.Replicas, stable.Replicas, f.MinReplicas, f.MaxReplicas, &events, nil)
		require.Equal(t, m.Becomes, l.Replicas, "%v", m)
		events.Record(now, m.Replicas, l.Replicas, b)
	}
}

func TestLintFindsWhatItNames(t *testing.T) {
	window := func(seconds int32) func(*behavior.Behavior) {
		return func(b *behavior.Behavior) { b.ScaleUp.StabilizationWindowSeconds = &seconds }
	}
	up := func(s behavior.SelectPolicy, list ...behavior.Policy) func(*behavior.Behavior) {
		return func(b *behavior.Behavior) { b.ScaleUp.SelectPolicy, b.ScaleUp.Policies = s, list }
	}
	down := func(s behavior.SelectPolicy, list ...behavior.Policy) func(*behavior.Behavior) {
		return func(b *behavior.Behavior) { b.ScaleDown.SelectPolicy, b.ScaleDown.Policies = s, list }
	}
	facts := func(change func(*behavior.LintFacts)) behavior.LintFacts {
		f := lintFacts
		change(&f)
		return f
	}
	for _, c := range []struct {
		name  string
		rules func(*behavior.Behavior)
		facts behavior.LintFacts
		want  string // "" for rules just short of it
	}{
		{"defaults", func(*behavior.Behavior) {}, lintFacts, ""},

		{"disabled", up(behavior.SelectDisabled, podsIn(1, 15)), lintFacts,
			"spec.behavior.scaleUp.selectPolicy: ScaleUpDisabled: scaling up is disabled, so that a size which has once fallen to minReplicas, 2, stays there, though 10 is usual"},
		{"disabled, the minimum one short of usual", up(behavior.SelectDisabled, podsIn(1, 15)),
			facts(func(f *behavior.LintFacts) { f.UsualReplicas = 3 }),
			"spec.behavior.scaleUp.selectPolicy: ScaleUpDisabled: scaling up is disabled, so that a size which has once fallen to minReplicas, 2, stays there, though 3 is usual"},
		{"disabled, the minimum is usual", up(behavior.SelectDisabled, podsIn(1, 15)), facts(func(f *behavior.LintFacts) { f.UsualReplicas = 2 }), ""},
		{"disabled, usual is beyond the maximum", up(behavior.SelectDisabled, podsIn(1, 15)),
			facts(func(f *behavior.LintFacts) { f.UsualReplicas, f.MaxReplicas = math.MaxInt32, 2 }), ""},
		{"both disabled", func(b *behavior.Behavior) {
			b.ScaleUp.SelectPolicy, b.ScaleDown.SelectPolicy = behavior.SelectDisabled, behavior.SelectDisabled
		}, lintFacts, ""},

		{"window a second longer than the peak", window(61), lintFacts,
			"spec.behavior.scaleUp.stabilizationWindowSeconds: WindowOutlastsPeaks: a peak of 1m is over before the window of 1m1s is: the recommendation from before the peak holds the size throughout"},
		{"window as long as the peak", window(60), lintFacts, ""},
		{"window a second shorter", window(59), lintFacts, ""},
		{"peak that ends between two syncs", window(60), facts(func(f *behavior.LintFacts) { f.Peak = 59 * time.Second }),
			"spec.behavior.scaleUp.stabilizationWindowSeconds: WindowOutlastsPeaks: a peak of 59s is over before the window of 1m is: the recommendation from before the peak holds the size throughout"},
		{"peak of one sync", window(16), facts(func(f *behavior.LintFacts) { f.Peak = 15 * time.Second }),
			"spec.behavior.scaleUp.stabilizationWindowSeconds: WindowOutlastsPeaks: a peak of 15s is over before the window of 16s is: the recommendation from before the peak holds the size throughout"},
		{"peak of round minutes", window(3600), facts(func(f *behavior.LintFacts) { f.Peak = 10 * time.Minute }),
			"spec.behavior.scaleUp.stabilizationWindowSeconds: WindowOutlastsPeaks: a peak of 10m is over before the window of 1h is: the recommendation from before the peak holds the size throughout"},
		{"syncs without a pause", window(61), facts(func(f *behavior.LintFacts) { f.SyncPeriod = 1 }),
			"spec.behavior.scaleUp.stabilizationWindowSeconds: WindowOutlastsPeaks: a peak of 1m is over before the window of 1m1s is: the recommendation from before the peak holds the size throughout"},
		{"peaks too short for any window", window(3600), facts(func(f *behavior.LintFacts) { f.Peak = 14 * time.Second }), ""},
		{"no peaks", window(3600), facts(func(f *behavior.LintFacts) { f.Peak = 0 }), ""},
		{"no sync period", window(3600), facts(func(f *behavior.LintFacts) { f.SyncPeriod = 0 }), ""},
		{"nowhere to go", window(3600), facts(func(f *behavior.LintFacts) { f.MinReplicas = 20 }), ""},
		{"from zero to one", window(3600), facts(func(f *behavior.LintFacts) { f.MinReplicas, f.MaxReplicas = 0, 1 }), ""},

		{"all at once beside one at a time", down(behavior.SelectMax, percentIn(100, 15), podsIn(4, 60)), lintFacts,
			"spec.behavior.scaleDown.policies[1]: PolicyNeverBinds: it never counts: with selectPolicy Max, Pods 4 in 60s allows no more than Percent 100 in 15s from any size between 2 and 20"},
		{"almost all at once beside one at a time", down(behavior.SelectMax, percentIn(99, 15), podsIn(20, 60)), lintFacts,
			"spec.behavior.scaleDown.policies[1]: PolicyNeverBinds: it never counts: with selectPolicy Max, Pods 20 in 60s allows no more than Percent 99 in 15s from any size between 2 and 20"},
		{"short of it: half at once", down(behavior.SelectMax, percentIn(50, 15), podsIn(4, 60)), lintFacts, ""},
		{"less of the same", up(behavior.SelectMax, podsIn(4, 15), podsIn(5, 15)), lintFacts,
			"spec.behavior.scaleUp.policies[0]: PolicyNeverBinds: it never counts: with selectPolicy Max, Pods 4 in 15s allows no more than Pods 5 in 15s from any size between 2 and 20"},
		{"the same twice", up(behavior.SelectMax, podsIn(4, 15), podsIn(4, 15)), lintFacts,
			"spec.behavior.scaleUp.policies[1]: PolicyNeverBinds: it never counts: with selectPolicy Max, Pods 4 in 15s allows no more than Pods 4 in 15s from any size between 2 and 20"},
		{"the same in other periods", up(behavior.SelectMax, podsIn(4, 15), podsIn(4, 60)), lintFacts, ""},
		{"percent up to the maximum", up(behavior.SelectMax, podsIn(10, 15), percentIn(100, 15)), lintFacts,
			"spec.behavior.scaleUp.policies[1]: PolicyNeverBinds: it never counts: with selectPolicy Max, Percent 100 in 15s allows no more than Pods 10 in 15s from any size between 2 and 20"},
		{"percent that counts near the maximum", up(behavior.SelectMax, podsIn(8, 15), percentIn(100, 15)), lintFacts, ""},
		{"pods from the minimum", up(behavior.SelectMin, podsIn(2, 15), percentIn(100, 15)), lintFacts,
			"spec.behavior.scaleUp.policies[1]: PolicyNeverBinds: it never counts: with selectPolicy Min, Percent 100 in 15s allows no less than Pods 2 in 15s from any size between 2 and 20"},
		{"pods that count near the minimum", up(behavior.SelectMin, podsIn(3, 15), percentIn(100, 15)), lintFacts, ""},
		{"Min on the way down", down(behavior.SelectMin, podsIn(1, 60), percentIn(100, 60)), lintFacts,
			"spec.behavior.scaleDown.policies[1]: PolicyNeverBinds: it never counts: with selectPolicy Min, Percent 100 in 60s allows no less than Pods 1 in 60s from any size between 2 and 20"},
		{"default policies below 9", func(*behavior.Behavior) {}, facts(func(f *behavior.LintFacts) { f.MaxReplicas = 8 }), ""},
		{"one size", up(behavior.SelectMax, podsIn(4, 15), podsIn(5, 15)), facts(func(f *behavior.LintFacts) { f.MaxReplicas = 2 }), ""},
		{"disabled policies", func(b *behavior.Behavior) {
			down(behavior.SelectDisabled, percentIn(100, 15), podsIn(4, 60))(b)
		}, lintFacts, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := lintRules(c.rules)
			require.NoError(t, b.Validate().Err())
			found := b.Lint(c.facts)
			if c.want == "" {
				require.Empty(t, found)
				return
			}
			require.Len(t, found, 1)
			require.Equal(t, c.want, found[0].String())
			require.NotEmpty(t, found[0].Case)
			play(t, b, c.facts, found[0].Case)
		})
	}
}

// The case of a policy is the size at which the two differ most; among equals
// the one with the longest way ahead of it.
func TestLintCases(t *testing.T) {
	type rules = func(*behavior.Behavior)
	up := func(s behavior.SelectPolicy, list ...behavior.Policy) rules {
		return func(b *behavior.Behavior) { b.ScaleUp.SelectPolicy, b.ScaleUp.Policies = s, list }
	}
	down := func(s behavior.SelectPolicy, list ...behavior.Policy) rules {
		return func(b *behavior.Behavior) { b.ScaleDown.SelectPolicy, b.ScaleDown.Policies = s, list }
	}
	window := func(seconds int32) rules {
		return func(b *behavior.Behavior) { b.ScaleUp.StabilizationWindowSeconds = &seconds }
	}
	facts := func(least, most int32) behavior.LintFacts {
		f := lintFacts
		f.MinReplicas, f.MaxReplicas = least, most
		return f
	}
	short := lintFacts
	short.Peak = 15 * time.Second
	at := func(at time.Duration, replicas, asked, becomes int32) behavior.Moment {
		return behavior.Moment{At: at, Replicas: replicas, Metric: -1, Asked: asked, Becomes: becomes}
	}
	for _, c := range []struct {
		name  string
		rules rules
		facts behavior.LintFacts
		want  []behavior.Moment // of all findings
	}{
		{"differing by one, up", up(behavior.SelectMax, podsIn(4, 15), podsIn(5, 15)), lintFacts,
			[]behavior.Moment{at(0, 2, 2, 2), at(2*time.Hour, 2, 20, 7)}},
		{"differing by one, down", down(behavior.SelectMax, podsIn(4, 15), podsIn(5, 15)), lintFacts,
			[]behavior.Moment{at(0, 20, 20, 20), at(2*time.Hour, 20, 2, 15)}},
		{"never differing, up", up(behavior.SelectMin, podsIn(4, 15), podsIn(4, 15)), lintFacts,
			[]behavior.Moment{at(0, 2, 2, 2), at(2*time.Hour, 2, 20, 6)}},
		{"never differing, down", down(behavior.SelectMin, podsIn(4, 15), podsIn(4, 15)), lintFacts,
			[]behavior.Moment{at(0, 20, 20, 20), at(2*time.Hour, 20, 2, 16)}},
		{"allowing less, most of all at the minimum", up(behavior.SelectMax, percentIn(100, 15), podsIn(10, 15)), lintFacts,
			[]behavior.Moment{at(0, 2, 2, 2), at(2*time.Hour, 2, 20, 12)}},
		{"allowing more, most of all at 7", up(behavior.SelectMin, percentIn(200, 15), podsIn(3, 15)), lintFacts,
			[]behavior.Moment{at(0, 7, 7, 7), at(2*time.Hour, 7, 20, 10)}},
		{"allowing less, most of all at the maximum", down(behavior.SelectMax, percentIn(100, 15), podsIn(1, 15)), lintFacts,
			[]behavior.Moment{at(0, 20, 20, 20), at(2*time.Hour, 20, 2, 2)}},
		{"two that others cover", up(behavior.SelectMax, podsIn(4, 15), podsIn(5, 15), podsIn(6, 15)), lintFacts,
			[]behavior.Moment{at(0, 2, 2, 2), at(2*time.Hour, 2, 20, 8), at(0, 2, 2, 2), at(2*time.Hour, 2, 20, 8)}},
		{"three that are the same", up(behavior.SelectMax, podsIn(4, 15), podsIn(4, 15), podsIn(4, 15)), lintFacts,
			[]behavior.Moment{at(0, 2, 2, 2), at(2*time.Hour, 2, 20, 6), at(0, 2, 2, 2), at(2*time.Hour, 2, 20, 6)}},
		{"from zero to one", up(behavior.SelectMax, podsIn(4, 15), podsIn(5, 15)), facts(0, 1),
			[]behavior.Moment{at(0, 0, 0, 0), at(2*time.Hour, 0, 1, 1)}},
		{"the last of the sizes looked at decides", up(behavior.SelectMax, percentIn(100, 15), podsIn(20002, 15)), facts(2, 1_000_000),
			[]behavior.Moment{at(0, 2, 2, 2), at(2*time.Hour, 2, 1_000_000, 20004)}},
		{"it counts at the last of them", up(behavior.SelectMax, percentIn(100, 15), podsIn(20001, 15)), facts(2, 1_000_000), nil},
		{"the last of them differs most", up(behavior.SelectMin, percentIn(200, 15), podsIn(3, 15)), facts(2, 1_000_000),
			[]behavior.Moment{at(0, 20002, 20002, 20002), at(2*time.Hour, 20002, 1_000_000, 20005)}},

		{"window and a peak of some syncs", window(61), lintFacts,
			[]behavior.Moment{at(0, 2, 2, 2), at(15*time.Second, 2, 20, 2), at(time.Minute, 2, 20, 2), at(75*time.Second, 2, 2, 2)}},
		{"window and a peak of one sync", window(61), short,
			[]behavior.Moment{at(0, 2, 2, 2), at(15*time.Second, 2, 20, 2), at(30*time.Second, 2, 2, 2)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := lintRules(c.rules)
			require.NoError(t, b.Validate().Err())
			var got []behavior.Moment
			for _, f := range b.Lint(c.facts) {
				got = append(got, f.Case...)
				play(t, b, c.facts, f.Case)
			}
			require.Equal(t, c.want, got)
		})
	}
}

// What cannot be decided on is not looked at.
func TestLintOfInvalidRules(t *testing.T) {
	var none *behavior.Behavior
	require.Empty(t, none.Lint(lintFacts))
	require.Empty(t, (&behavior.Behavior{}).Lint(lintFacts))
	b := lintRules(func(b *behavior.Behavior) { b.ScaleUp.Policies = []behavior.Policy{podsIn(4, 15), podsIn(4, 15)} })
	require.Len(t, b.Lint(lintFacts), 1)
	for _, f := range []behavior.LintFacts{{MinReplicas: -1, MaxReplicas: 5}, {MaxReplicas: 0}, {MinReplicas: 6, MaxReplicas: 5}} {
		require.Empty(t, b.Lint(f))
	}
	require.NotPanics(t, func() {
		b.Lint(behavior.LintFacts{MaxReplicas: math.MaxInt32, UsualReplicas: math.MinInt32, Peak: math.MinInt64, SyncPeriod: math.MinInt64})
	})
}

func lintedRules(t *rapid.T, label string) *behavior.Rules {
	r := &behavior.Rules{
		SelectPolicy: rapid.SampledFrom([]behavior.SelectPolicy{behavior.SelectMax, behavior.SelectMin}).Draw(t, label),
		Policies: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) behavior.Policy {
			return behavior.Policy{
				Type:          rapid.SampledFrom([]behavior.PolicyType{behavior.PodsPolicy, behavior.PercentPolicy}).Draw(t, "type"),
				Value:         rapid.Int32Range(1, 120).Draw(t, "value"),
				PeriodSeconds: rapid.SampledFrom([]int32{15, 60}).Draw(t, "period"),
			}
		}), 1, 3).Draw(t, label+" policies"),
	}
	w := rapid.Int32Range(0, 120).Draw(t, label+" window")
	r.StabilizationWindowSeconds = &w
	return r
}

// What never counts can be left out: from any two sizes within the bounds at
// the starts of the periods, the limit is the same without it. And the cases
// are so.
func TestLintedPoliciesCanBeLeftOut(t *testing.T) {
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		b := &behavior.Behavior{ScaleUp: lintedRules(t, "up"), ScaleDown: lintedRules(t, "down")}
		f := lintFacts
		f.MinReplicas = rapid.Int32Range(0, 5).Draw(t, "minimum")
		f.MaxReplicas = rapid.Int32Range(max(f.MinReplicas, 1), 30).Draw(t, "maximum")
		now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
		size := func(label string) int32 { return rapid.Int32Range(f.MinReplicas, f.MaxReplicas).Draw(t, label) }
		current, long, short := size("current"), size("a minute ago"), size("15 seconds ago")
		var events behavior.Events
		events.Record(now.Add(-40*time.Second), long, short, b)
		events.Record(now.Add(-5*time.Second), short, current, b)
		for _, x := range b.Lint(f) {
			found++
			play(t, b, f, x.Case)
			var way string
			var index int
			if n, _ := fmt.Sscanf(x.Field, "spec.behavior.scaleUp.policies[%d]", &index); n == 1 {
				way = "up"
			} else if n, _ := fmt.Sscanf(x.Field, "spec.behavior.scaleDown.policies[%d]", &index); n == 1 {
				way = "down"
			} else {
				continue
			}
			less := b.Clone()
			r := map[string]*behavior.Rules{"up": less.ScaleUp, "down": less.ScaleDown}[way]
			r.Policies = append(r.Policies[:index], r.Policies[index+1:]...)
			asked := map[string]int32{"up": f.MaxReplicas, "down": f.MinReplicas}[way]
			with, _ := b.Limit(now, current, asked, f.MinReplicas, f.MaxReplicas, &events, nil)
			without, _ := less.Limit(now, current, asked, f.MinReplicas, f.MaxReplicas, &events, nil)
			if with.Replicas != without.Replicas {
				t.Fatalf("%v\n%d becomes %d with it and %d without", x, current, with.Replicas, without.Replicas)
			}
		}
	})
	require.NotZero(t, found)
}

func TestMomentText(t *testing.T) {
	for want, m := range map[string]behavior.Moment{
		"after 0s, at 1 replica, the metrics ask for 3: the size stays": {Replicas: 1, Metric: -1, Asked: 3, Becomes: 1},
		"after 1m, at 2 replicas, metric 2 reads 67% and asks for 3: the size becomes 3": {
			At: time.Minute, Replicas: 2, Metric: 1, Usage: 67, Target: metrics.Utilization(60), Asked: 3, Becomes: 3,
		},
		"after 0s, at 2 replicas, metric 1 reads 250m and asks for 1: the size becomes 1": {
			Replicas: 2, Usage: 250, Target: metrics.AverageValue(500), Asked: 1, Becomes: 1,
		},
	} {
		require.Equal(t, want, m.String())
	}
}

func ExampleBehavior_Lint() {
	b := &behavior.Behavior{ScaleDown: &behavior.Rules{Policies: []behavior.Policy{
		{Type: behavior.PodsPolicy, Value: 1, PeriodSeconds: 60},
		{Type: behavior.PercentPolicy, Value: 100, PeriodSeconds: 15},
	}}}
	b.SetDefaults()
	for _, f := range b.Lint(behavior.LintFacts{MinReplicas: 1, MaxReplicas: 10}) {
		fmt.Println(f)
		for _, m := range f.Case {
			fmt.Println(" ", m)
		}
	}
	// Output:
	// spec.behavior.scaleDown.policies[0]: PolicyNeverBinds: it never counts: with selectPolicy Max, Pods 1 in 60s allows no more than Percent 100 in 15s from any size between 1 and 10
	//   after 0s, at 10 replicas, the metrics ask for 10: the size stays
	//   after 2h, at 10 replicas, the metrics ask for 1: the size becomes 1
}
