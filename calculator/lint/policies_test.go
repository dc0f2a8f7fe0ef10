package lint_test

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/lint"
	"github.com/purehpa/hpa/metrics"
)

// situation is facts, with bounds.
type situation struct {
	lint.Facts
	MinReplicas, MaxReplicas int32
}

// usual is 2 to 20 replicas, 10 of them usual, with peaks of a minute.
var usual = situation{
	Facts:       lint.Facts{UsualReplicas: 10, Peak: time.Minute, SyncPeriod: 15 * time.Second},
	MinReplicas: 2,
	MaxReplicas: 20,
}

// spec returns a spec of these bounds and rules.
func (s situation) spec(b *behavior.Behavior) *autoscaling.HorizontalPodAutoscalerSpec {
	spec := autoscaling.NewSpec(s.MinReplicas, s.MaxReplicas, autoscaling.ExternalAverageValueMetric("backlog", metrics.MilliQuantity(1000, metrics.DecimalSI)))
	spec.Behavior = b
	return &spec
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

func TestLintOfRules(t *testing.T) {
	window := func(seconds int32) func(*behavior.Behavior) {
		return func(b *behavior.Behavior) {
			b.ScaleUp.StabilizationWindowSeconds, b.ScaleDown.StabilizationWindowSeconds = &seconds, &seconds
		}
	}
	up := func(s behavior.SelectPolicy, list ...behavior.Policy) func(*behavior.Behavior) {
		return func(b *behavior.Behavior) { b.ScaleUp.SelectPolicy, b.ScaleUp.Policies = s, list }
	}
	down := func(s behavior.SelectPolicy, list ...behavior.Policy) func(*behavior.Behavior) {
		return func(b *behavior.Behavior) { b.ScaleDown.SelectPolicy, b.ScaleDown.Policies = s, list }
	}
	facts := func(change func(*situation)) situation {
		f := usual
		change(&f)
		return f
	}
	for _, c := range []struct {
		name  string
		rules func(*behavior.Behavior)
		facts situation
		want  string // "" for rules just short of it
	}{
		{"defaults", func(*behavior.Behavior) {}, usual, ""},
		{"defaults, as Kubernetes' documentation writes them", func(b *behavior.Behavior) { slices.Reverse(b.ScaleUp.Policies) },
			facts(func(f *situation) { f.MinReplicas = 4 }), ""},

		{"disabled", up(behavior.SelectDisabled, podsIn(1, 15)), usual,
			"spec.behavior.scaleUp.selectPolicy: ScaleUpDisabled: scale up is disabled: a size that has fallen to minReplicas, 2, stays there, though 10 is usual"},
		{"disabled, the minimum one short of usual", up(behavior.SelectDisabled, podsIn(1, 15)),
			facts(func(f *situation) { f.UsualReplicas = 3 }),
			"spec.behavior.scaleUp.selectPolicy: ScaleUpDisabled: scale up is disabled: a size that has fallen to minReplicas, 2, stays there, though 3 is usual"},
		{"disabled, the minimum is usual", up(behavior.SelectDisabled, podsIn(1, 15)), facts(func(f *situation) { f.UsualReplicas = 2 }), ""},
		{"disabled, usual is beyond the maximum", up(behavior.SelectDisabled, podsIn(1, 15)),
			facts(func(f *situation) { f.UsualReplicas, f.MaxReplicas = math.MaxInt32, 2 }),
			"spec.maxReplicas: NeverScales: no load changes the size: minReplicas and maxReplicas are 2"},
		{"both disabled", func(b *behavior.Behavior) {
			b.ScaleUp.SelectPolicy, b.ScaleDown.SelectPolicy = behavior.SelectDisabled, behavior.SelectDisabled
		}, usual, "spec.behavior: NeverScales: no load changes the size: scale up and scale down are disabled"},

		{"window a second longer than the peak", window(61), usual,
			"spec.behavior.scaleUp.stabilizationWindowSeconds: WindowOutlastsPeaks: the window of 1m1s outlasts a peak of 1m: a recommendation from before the peak holds the size throughout"},
		{"window as long as the peak", window(60), usual, ""},
		{"window a second shorter", window(59), usual, ""},
		{"peak that ends between two syncs", window(60), facts(func(f *situation) { f.Peak = 59 * time.Second }),
			"spec.behavior.scaleUp.stabilizationWindowSeconds: WindowOutlastsPeaks: the window of 1m outlasts a peak of 59s: a recommendation from before the peak holds the size throughout"},
		{"peak of one sync", window(16), facts(func(f *situation) { f.Peak = 15 * time.Second }),
			"spec.behavior.scaleUp.stabilizationWindowSeconds: WindowOutlastsPeaks: the window of 16s outlasts a peak of 15s: a recommendation from before the peak holds the size throughout"},
		{"peak of round minutes", window(3600), facts(func(f *situation) { f.Peak = 10 * time.Minute }),
			"spec.behavior.scaleUp.stabilizationWindowSeconds: WindowOutlastsPeaks: the window of 1h outlasts a peak of 10m: a recommendation from before the peak holds the size throughout"},
		{"syncs without a pause", window(61), facts(func(f *situation) { f.SyncPeriod = 1 }),
			"spec.behavior.scaleUp.stabilizationWindowSeconds: WindowOutlastsPeaks: the window of 1m1s outlasts a peak of 1m: a recommendation from before the peak holds the size throughout"},
		{"peaks too short for any window", window(3600), facts(func(f *situation) { f.Peak = 14 * time.Second }), ""},
		{"no peaks", window(3600), facts(func(f *situation) { f.Peak = 0 }), ""},
		{"no sync period", window(3600), facts(func(f *situation) { f.SyncPeriod = 0 }), ""},
		{"nowhere to go", window(3600), facts(func(f *situation) { f.MinReplicas = 20 }),
			"spec.maxReplicas: NeverScales: no load changes the size: minReplicas and maxReplicas are 20"},
		{"from zero to one", window(3600), facts(func(f *situation) { f.MinReplicas, f.MaxReplicas = 0, 1 }), ""},

		{"all at once beside one at a time", down(behavior.SelectMax, percentIn(100, 15), podsIn(4, 60)), usual,
			"spec.behavior.scaleDown.policies[1]: PolicyNeverBinds: selectPolicy Max never selects it: from any size between 2 and 20, 4 pods in 1m is no more than 100% in 15s"},
		{"almost all at once beside one at a time", down(behavior.SelectMax, percentIn(99, 15), podsIn(20, 60)), usual,
			"spec.behavior.scaleDown.policies[1]: PolicyNeverBinds: selectPolicy Max never selects it: from any size between 2 and 20, 20 pods in 1m is no more than 99% in 15s"},
		{"short of it: half at once", down(behavior.SelectMax, percentIn(50, 15), podsIn(4, 60)), usual, ""},
		{"less of the same", up(behavior.SelectMax, podsIn(4, 15), podsIn(5, 15)), usual,
			"spec.behavior.scaleUp.policies[0]: PolicyNeverBinds: selectPolicy Max never selects it: from any size between 2 and 20, 4 pods in 15s is no more than 5 pods in 15s"},
		{"the same twice", up(behavior.SelectMax, podsIn(4, 15), podsIn(4, 15)), usual,
			"spec.behavior.scaleUp.policies[1]: PolicyNeverBinds: selectPolicy Max never selects it: from any size between 2 and 20, 4 pods in 15s is no more than 4 pods in 15s"},
		{"the same in other periods", up(behavior.SelectMax, podsIn(4, 15), podsIn(4, 60)), usual, ""},
		{"percent up to the maximum", up(behavior.SelectMax, podsIn(10, 15), percentIn(100, 15)), usual,
			"spec.behavior.scaleUp.policies[1]: PolicyNeverBinds: selectPolicy Max never selects it: from any size between 2 and 20, 100% in 15s is no more than 10 pods in 15s"},
		{"percent that counts near the maximum", up(behavior.SelectMax, podsIn(8, 15), percentIn(100, 15)), usual, ""},
		{"pods from the minimum", up(behavior.SelectMin, podsIn(2, 15), percentIn(100, 15)), usual,
			"spec.behavior.scaleUp.policies[1]: PolicyNeverBinds: selectPolicy Min never selects it: from any size between 2 and 20, 100% in 15s is no less than 2 pods in 15s"},
		{"pods that count near the minimum", up(behavior.SelectMin, podsIn(3, 15), percentIn(100, 15)), usual, ""},
		{"Min, scale down", down(behavior.SelectMin, podsIn(1, 60), percentIn(100, 60)), usual,
			"spec.behavior.scaleDown.policies[1]: PolicyNeverBinds: selectPolicy Min never selects it: from any size between 2 and 20, 100% in 1m is no less than 1 pod in 1m"},
		{"default policies below 9", func(*behavior.Behavior) {}, facts(func(f *situation) { f.MaxReplicas = 8 }), ""},
		{"one size", up(behavior.SelectMax, podsIn(4, 15), podsIn(5, 15)), facts(func(f *situation) { f.MaxReplicas = 2 }),
			"spec.maxReplicas: NeverScales: no load changes the size: minReplicas and maxReplicas are 2"},
		{"disabled policies", func(b *behavior.Behavior) {
			down(behavior.SelectDisabled, percentIn(100, 15), podsIn(4, 60))(b)
		}, usual, "spec.behavior.scaleDown.selectPolicy: ScaleDownDisabled: scale down is disabled: a size that has risen to maxReplicas, 20, stays there, though minReplicas is 2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := lintAll(t, c.facts.spec(lintRules(c.rules)), calculator.DefaultSettings(), c.facts.Facts)
			if c.want == "" {
				require.Empty(t, found)
				return
			}
			require.Equal(t, []string{c.want}, texts(found))
		})
	}
}

// The case of a policy is the size at which the two differ most; among equals
// the one with the longest way still to go.
func TestCasesOfRules(t *testing.T) {
	type rules = func(*behavior.Behavior)
	up := func(s behavior.SelectPolicy, list ...behavior.Policy) rules {
		return func(b *behavior.Behavior) { b.ScaleUp.SelectPolicy, b.ScaleUp.Policies = s, list }
	}
	down := func(s behavior.SelectPolicy, list ...behavior.Policy) rules {
		return func(b *behavior.Behavior) { b.ScaleDown.SelectPolicy, b.ScaleDown.Policies = s, list }
	}
	window := func(seconds int32) rules {
		return func(b *behavior.Behavior) {
			b.ScaleUp.StabilizationWindowSeconds, b.ScaleDown.StabilizationWindowSeconds = &seconds, &seconds
		}
	}
	facts := func(least, most int32) situation {
		f := usual
		f.MinReplicas, f.MaxReplicas = least, most
		return f
	}
	short := usual
	short.Peak = 15 * time.Second
	at := func(at time.Duration, current, proposed, desired int32) lint.Moment {
		return lint.Moment{At: at, Current: current, Metric: -1, Proposed: proposed, Desired: desired}
	}
	for _, c := range []struct {
		name  string
		rules rules
		facts situation
		want  []lint.Moment // of all findings
	}{
		{"differing by one, up", up(behavior.SelectMax, podsIn(4, 15), podsIn(5, 15)), usual,
			[]lint.Moment{at(0, 2, 2, 2), at(2*time.Hour, 2, 20, 7)}},
		{"differing by one, down", down(behavior.SelectMax, podsIn(4, 15), podsIn(5, 15)), usual,
			[]lint.Moment{at(0, 20, 20, 20), at(2*time.Hour, 20, 2, 15)}},
		{"never differing, up", up(behavior.SelectMin, podsIn(4, 15), podsIn(4, 15)), usual,
			[]lint.Moment{at(0, 2, 2, 2), at(2*time.Hour, 2, 20, 6)}},
		{"never differing, down", down(behavior.SelectMin, podsIn(4, 15), podsIn(4, 15)), usual,
			[]lint.Moment{at(0, 20, 20, 20), at(2*time.Hour, 20, 2, 16)}},
		{"allowing less, most of all at the minimum", up(behavior.SelectMax, percentIn(100, 15), podsIn(10, 15)), usual,
			[]lint.Moment{at(0, 2, 2, 2), at(2*time.Hour, 2, 20, 12)}},
		{"allowing more, most of all at 7", up(behavior.SelectMin, percentIn(200, 15), podsIn(3, 15)), usual,
			[]lint.Moment{at(0, 7, 7, 7), at(2*time.Hour, 7, 20, 10)}},
		{"allowing less, most of all at the maximum", down(behavior.SelectMax, percentIn(100, 15), podsIn(1, 15)), usual,
			[]lint.Moment{at(0, 20, 20, 20), at(2*time.Hour, 20, 2, 2)}},
		{"two that others cover", up(behavior.SelectMax, podsIn(4, 15), podsIn(5, 15), podsIn(6, 15)), usual,
			[]lint.Moment{at(0, 2, 2, 2), at(2*time.Hour, 2, 20, 8), at(0, 2, 2, 2), at(2*time.Hour, 2, 20, 8)}},
		{"three that are the same", up(behavior.SelectMax, podsIn(4, 15), podsIn(4, 15), podsIn(4, 15)), usual,
			[]lint.Moment{at(0, 2, 2, 2), at(2*time.Hour, 2, 20, 6), at(0, 2, 2, 2), at(2*time.Hour, 2, 20, 6)}},
		{"from zero to one", up(behavior.SelectMax, podsIn(4, 15), podsIn(5, 15)), facts(0, 1),
			[]lint.Moment{at(0, 0, 0, 0), at(2*time.Hour, 0, 1, 1)}},
		{"the last of the sizes looked at decides", up(behavior.SelectMax, percentIn(100, 15), podsIn(20002, 15)), facts(2, 1_000_000),
			[]lint.Moment{at(0, 2, 2, 2), at(2*time.Hour, 2, 1_000_000, 20004)}},
		{"it counts at the last of them", up(behavior.SelectMax, percentIn(100, 15), podsIn(20001, 15)), facts(2, 1_000_000), nil},
		{"the last of them differs most", up(behavior.SelectMin, percentIn(200, 15), podsIn(3, 15)), facts(2, 1_000_000),
			[]lint.Moment{at(0, 20002, 20002, 20002), at(2*time.Hour, 20002, 1_000_000, 20005)}},

		{"window and a peak of some syncs", window(61), usual,
			[]lint.Moment{at(0, 2, 2, 2), at(15*time.Second, 2, 20, 2), at(time.Minute, 2, 20, 2), at(75*time.Second, 2, 2, 2)}},
		{"window and a peak of one sync", window(61), short,
			[]lint.Moment{at(0, 2, 2, 2), at(15*time.Second, 2, 20, 2), at(30*time.Second, 2, 2, 2)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []lint.Moment
			for _, f := range lintAll(t, c.facts.spec(lintRules(c.rules)), calculator.DefaultSettings(), c.facts.Facts) {
				got = append(got, f.Case...)
			}
			require.Equal(t, c.want, got)
		})
	}
}

func lintedRules(t *rapid.T, label string) *behavior.ScalingRules {
	r := &behavior.ScalingRules{
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

// What is never selected can be left out: from any two sizes within the bounds
// at the starts of the periods, the limit is the same without it.
func TestLintedPoliciesCanBeLeftOut(t *testing.T) {
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		b := &behavior.Behavior{ScaleUp: lintedRules(t, "up"), ScaleDown: lintedRules(t, "down")}
		f := usual
		f.MinReplicas = rapid.Int32Range(0, 5).Draw(t, "minimum")
		f.MaxReplicas = rapid.Int32Range(max(f.MinReplicas, 1), 30).Draw(t, "maximum")
		size := func(label string) int32 { return rapid.Int32Range(f.MinReplicas, f.MaxReplicas).Draw(t, label) }
		current, long, short := size("current"), size("a minute ago"), size("15 seconds ago")
		var events behavior.Events
		events.Record(noon.Add(-40*time.Second), long, short, b)
		events.Record(noon.Add(-5*time.Second), short, current, b)
		spec, settings := f.spec(b), calculator.DefaultSettings()
		for _, x := range mustLint(t, spec, settings, f.Facts) {
			found++
			if what := newLinted(spec, settings, x).decide(x); what != "" {
				t.Fatalf("%v\n%s", x, what)
			}
			less := b.Clone()
			r, desired := less.ScaleUp, f.MaxReplicas
			var index int
			if n, _ := fmt.Sscanf(x.Field, "spec.behavior.scaleUp.policies[%d]", &index); n == 0 {
				r, desired = less.ScaleDown, f.MinReplicas
				if n, _ := fmt.Sscanf(x.Field, "spec.behavior.scaleDown.policies[%d]", &index); n == 0 {
					continue
				}
			}
			r.Policies = append(r.Policies[:index], r.Policies[index+1:]...)
			change := behavior.Change{Current: current, Desired: desired}
			with, _ := b.Limit(noon, change, spec.Bounds(), &events, nil)
			without, _ := less.Limit(noon, change, spec.Bounds(), &events, nil)
			if with.Replicas != without.Replicas {
				t.Fatalf("%v\n%d becomes %d with it and %d without", x, current, with.Replicas, without.Replicas)
			}
		}
	})
	require.NotZero(t, found)
}

// Of many policies, the first 8 are compared; all of them decide.
func TestComparedPoliciesAreBounded(t *testing.T) {
	s := usual
	s.MaxReplicas = math.MaxInt32
	b := lintRules(func(b *behavior.Behavior) {
		b.ScaleUp.Policies = nil
		for i := range int32(4000) {
			b.ScaleUp.Policies = append(b.ScaleUp.Policies, podsIn(i+1, 15))
		}
	})
	found := lintAll(t, s.spec(b), calculator.DefaultSettings(), s.Facts)
	require.Len(t, found, 7)
	for i, f := range found {
		require.Equal(t, fmt.Sprintf("spec.behavior.scaleUp.policies[%d]", i), f.Field)
		require.Contains(t, f.Message, fmt.Sprintf("is no more than %d pods in 15s", i+2))
		require.EqualValues(t, 4002, f.Case[1].Desired)
	}
}
