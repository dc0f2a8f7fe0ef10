package guarantee_test

import (
	"encoding/json"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/calctest"
	"github.com/purehpa/hpa/calculator/correction"
	"github.com/purehpa/hpa/calculator/guarantee"
	"github.com/purehpa/hpa/metrics"
)

func TestNilSettingsAreTheDefaults(t *testing.T) {
	r := newRuled(1, 10, backlog)
	r.settings = calculator.DefaultSettings()
	want, err := guarantee.Compute(&r.settings, &r.spec, r.period, r.startup)
	require.NoError(t, err)
	got, err := guarantee.Compute(nil, &r.spec, r.period, r.startup)
	require.NoError(t, err)
	require.Equal(t, want, got)
	up, down, err := guarantee.Table(nil, &r.spec, r.period, r.startup, []int32{1, 10})
	require.NoError(t, err)
	require.NotEmpty(t, up)
	require.NotEmpty(t, down)
}

func TestBadArguments(t *testing.T) {
	for text, change := range map[string]func(*ruled){
		`syncPeriod: Invalid value: "999ms": must be from 1s to 1h`:    func(r *ruled) { r.period = 999 * time.Millisecond },
		`syncPeriod: Invalid value: "1h0m0.1s": must be from 1s to 1h`: func(r *ruled) { r.period = time.Hour + 100*time.Millisecond },
		"settings.cooldown: Forbidden: there are no guarantees beside a cooldown": func(r *ruled) {
			r.settings.Cooldown.Up = 1
		},
		"settings.corrections: Forbidden: the guarantees are those of Kubernetes": func(r *ruled) {
			r.settings.Corrections = correction.All()
		},
		"settings.chooseBy: Forbidden: the guarantees are those of Kubernetes": func(r *ruled) {
			r.settings.ChooseBy = calculator.ChooseMin
		},
		"settings.coldStart: Forbidden: the guarantees are those of Kubernetes": func(r *ruled) {
			r.settings.ColdStart = calculator.HoldScaleDown
		},
		`settings.downscaleStabilization: Invalid value: "17h4m0s": must be shorter than 4096 sync periods`: func(r *ruled) {
			r.settings.DownscaleStabilization = 4096 * 15 * time.Second
		},
		"spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`": func(r *ruled) {
			r.spec.MaxReplicas = 0
		},
	} {
		r := newRuled(1, 10, backlog)
		change(r)
		g, err := guarantee.Compute(&r.settings, &r.spec, r.period, r.startup)
		require.ErrorContains(t, err, text)
		require.Equal(t, guarantee.Guarantees{}, g)
	}
	r := newRuled(1, 10, backlog)
	_, err := guarantee.Compute(&calculator.Settings{}, &r.spec, r.period, r.startup)
	require.ErrorAs(t, err, new(*field.Error))
	_, err = guarantee.Compute(&r.settings, nil, r.period, r.startup)
	require.EqualError(t, err, "spec: Required value")
	for _, sizes := range [][]int32{{0}, {11}, {3, 3}, {3, 2}} {
		_, _, err = guarantee.Table(&r.settings, &r.spec, r.period, r.startup, sizes)
		require.ErrorContains(t, err, "must be within the bounds, and above the size before")
	}
	_, _, err = guarantee.Table(&calculator.Settings{}, &r.spec, r.period, r.startup, nil)
	require.ErrorContains(t, err, "settings: Required value: all flags are zero")

	selected := backlog
	selected.External = &autoscaling.ExternalMetricSource{Target: backlog.External.Target}
	selected.External.Metric.Name = "backlog"
	selected.External.Metric.Selector = &autoscaling.LabelSelector{MatchExpressions: []autoscaling.LabelSelectorRequirement{{Key: "x", Operator: "Near"}}}
	r.spec.Metrics[0] = selected
	_, err = guarantee.Compute(&r.settings, &r.spec, r.period, r.startup)
	require.ErrorContains(t, err, "spec.metrics[0]: Invalid value")
	require.ErrorContains(t, err, "the metric fails in each sync")
}

// The spec is as it was, and what it leaves out has its default.
func TestSpecIsRead(t *testing.T) {
	r := newRuled(1, 10, backlog)
	r.spec.Behavior = &behavior.Behavior{ScaleUp: &behavior.ScalingRules{SelectPolicy: behavior.SelectMin}}
	before := r.spec.Clone()
	g := r.of(t)
	require.Equal(t, before, &r.spec)
	require.Equal(t, "4 pods every 15s", g.Growth.Pods.String())
}

// Beside several metrics, and while pods start, there are bounds: lower ones of
// times.
func TestBounds(t *testing.T) {
	bounds := func(startup time.Duration, m ...autoscaling.MetricSpec) [7]guarantee.Bound {
		r := newRuled(1, 10, m...)
		r.startup = startup
		g := r.of(t)
		up, down := g.Up.Longest, g.Down.Longest
		return [7]guarantee.Bound{
			up.Steady.Bound, up.Worst.Bound, down.Steady.Bound, down.Worst.Bound, g.Growth.Bound, g.Peak.Bound, g.Wave.Bound,
		}
	}
	const exactly, least, most = guarantee.Exactly, guarantee.AtLeast, guarantee.AtMost
	cpu := autoscaling.ResourceUtilizationMetric("cpu", 60)
	all := [7]guarantee.Bound{exactly, exactly, exactly, exactly, exactly, exactly, exactly}
	require.Equal(t, all, bounds(0, backlog))
	require.Equal(t, all, bounds(time.Minute, backlog))
	all[6] = most // readings are truncated
	require.Equal(t, all, bounds(0, cpu))
	require.Equal(t, [7]guarantee.Bound{least, least, exactly, least, most, exactly, most}, bounds(time.Second, cpu))
	require.Equal(t, [7]guarantee.Bound{least, least, least, least, most, least, most}, bounds(0, backlog, cpu))
}

// Whatever the spec, there is an answer, in text and JSON, before long.
func TestAnySpec(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		setup := calctest.Setups().Draw(t, "setup")
		if rapid.IntRange(0, 9).Draw(t, "huge") == 0 {
			setup.Spec.MaxReplicas = math.MaxInt32 - rapid.Int32Range(0, 2).Draw(t, "less")
		}
		g, err := guarantee.Compute(&setup.Settings, setup.Spec, setup.SyncPeriod, setup.Startup)
		if err != nil {
			return // a release that refuses it, or a selector
		}
		holdTimes(t, &g)
		require.NotContains(t, g.String(), "%!")
		text, err := json.Marshal(g)
		require.NoError(t, err)
		require.True(t, json.Valid(text))
	})
}

// holdTimes checks that the worst times are no shorter than the steady ones,
// and that no move takes longer than the longest one.
func holdTimes(t require.TestingT, g *guarantee.Guarantees) {
	noLess := func(long, short guarantee.Time) {
		require.True(t, long.Never || !short.Never && long.Duration >= short.Duration, "%v %v", long, short)
	}
	for _, moves := range []guarantee.Moves{g.Up, g.Down} {
		for _, m := range append(moves.Table, moves.Longest) {
			noLess(m.Worst, m.Steady)
			noLess(moves.Longest.Steady, m.Steady)
			noLess(moves.Longest.Worst, m.Worst)
		}
	}
}

// Where a time takes too long to compute, the times are still in order.
func TestTimesOfLongWaysAreInOrder(t *testing.T) {
	for _, policies := range [][]behavior.Policy{
		{{Type: behavior.PodsPolicy, Value: 1, PeriodSeconds: 1800}},
		{{Type: behavior.PodsPolicy, Value: 4, PeriodSeconds: 15}, {Type: behavior.PercentPolicy, Value: 1, PeriodSeconds: 1800}},
	} {
		for _, by := range []behavior.SelectPolicy{behavior.SelectMax, behavior.SelectMin} {
			r := newRuled(1, math.MaxInt32, backlog)
			r.period = time.Second
			for _, rules := range []*behavior.ScalingRules{r.spec.Behavior.ScaleUp, r.spec.Behavior.ScaleDown} {
				rules.Policies, rules.SelectPolicy = policies, by
			}
			g := r.of(t)
			require.Equal(t, guarantee.AtLeast, g.Up.Longest.Worst.Bound)
			holdTimes(t, &g)
		}
	}
}

// Work does not grow with maxReplicas, nor what is said.
func TestHugeSpecs(t *testing.T) {
	r := newRuled(0, math.MaxInt32, backlog)
	r.period = time.Second
	for i := range int32(10_000) {
		p := behavior.Policy{Type: behavior.PodsPolicy, Value: 1 + i%7, PeriodSeconds: 1 + i%1800}
		if i%3 == 0 {
			p.Type = behavior.PercentPolicy
		}
		r.spec.Behavior.ScaleUp.Policies = append(r.spec.Behavior.ScaleUp.Policies, p)
		r.spec.Behavior.ScaleDown.Policies = append(r.spec.Behavior.ScaleDown.Policies, p)
	}
	for _, policy := range []behavior.SelectPolicy{behavior.SelectMax, behavior.SelectMin} {
		r.spec.Behavior.ScaleUp.SelectPolicy, r.spec.Behavior.ScaleDown.SelectPolicy = policy, policy
		g := r.of(t)
		require.LessOrEqual(t, len(g.Up.Table), 33*32/2)
		require.LessOrEqual(t, len(g.Unreached.Sizes), 1001)
	}
	r.spec.Behavior.ScaleUp.Policies = []behavior.Policy{{Type: behavior.PodsPolicy, Value: 1, PeriodSeconds: 60}}
	require.Equal(t, guarantee.Time{Duration: 60*10_000*time.Second + time.Second, Bound: guarantee.AtLeast}, r.of(t).Up.Longest.Steady)

	// Of many metrics, some are looked at.
	many := newRuled(1, math.MaxInt32, slices.Repeat([]autoscaling.MetricSpec{backlog}, 1000)...)
	require.Equal(t, guarantee.AtLeast, many.of(t).Unreached.Bound)
}

func TestJSON(t *testing.T) {
	r := newRuled(1, 2, backlog)
	r.settings.DownscaleStabilization = 5 * time.Minute
	text, err := json.Marshal(r.of(t))
	require.NoError(t, err)
	up := `{"from":1,"to":2,"steady":{"bound":"Exactly","seconds":15},"worst":{"bound":"Exactly","seconds":15}}`
	down := `{"from":2,"to":1,"steady":{"bound":"Exactly","seconds":300},"worst":{"bound":"Exactly","seconds":315}}`
	require.JSONEq(t, `{
		"minReplicas": 1, "maxReplicas": 2, "syncPeriodSeconds": 15, "startupSeconds": 0,
		"up": {"longest": `+up+`, "table": [`+up+`]},
		"down": {"longest": `+down+`, "table": [`+down+`]},
		"growth": {"pods": {"value": 4, "everySeconds": 15}, "percent": {"value": 100, "everySeconds": 15}, "select": "Max",
			"behind": {"bound": "Exactly", "seconds": 15}, "bound": "Exactly"},
		"peak": {"held": {"bound": "Exactly", "seconds": 300}, "gone": {"bound": "Exactly", "seconds": 300}, "podHours": 0.08333333333333333, "bound": "Exactly"},
		"bands": [
			{"metric": 0, "size": 1, "lowUsage": "1m", "highUsage": "1", "lowLoad": 0.001, "highLoad": 1.001},
			{"metric": 0, "size": 2, "lowUsage": "1001m", "highUsage": "2", "lowLoad": 1.001, "highLoad": 2.001}],
		"wave": {"none": true, "metric": 0, "bound": "Exactly"},
		"unreached": {"sizes": [], "upTo": 2, "bound": "Exactly"}}`, string(text))

	r.spec.Behavior.ScaleUp.SelectPolicy = behavior.SelectDisabled
	r.spec.Behavior.ScaleDown.SelectPolicy = behavior.SelectDisabled
	text, err = json.Marshal(r.of(t))
	require.NoError(t, err)
	require.Contains(t, string(text), `"steady":{"bound":"Exactly","never":true}`)
	require.Contains(t, string(text), `"growth":{"none":true,`)
	require.Contains(t, string(text), `"sizes":[{"first":1,"last":2}]`)
}

func TestText(t *testing.T) {
	r := newRuled(1, 300, autoscaling.ResourceUtilizationMetric("cpu", 60), autoscaling.ResourceAverageValueMetric("memory", metrics.MustParseQuantity("1Gi")))
	b := r.spec.Behavior
	b.ScaleDown.SelectPolicy = behavior.SelectDisabled
	r.startup = 20 * time.Second
	text := r.of(t).String()
	for _, part := range []string{
		"From 1 to 300 replicas, a sync each 15s, pods ready after 20s\n",
		"from   to 1   to 4  to 16  to 64  to 256  to 300\n",
		", up at least\n",
		"1 to 300: at least 1m45s after a steady load; at least 1m45s after the worst history, if each sync asks for it\n",
		"300 to 1: never after a steady load; never after the worst history",
		"at most 100% every 15s, or 4.067 pods every 15s; the size is at least 15s behind\n",
		"After a peak that outlasts the scaleDown periods\n  no pod is ever removed\n",
		"Load at which no sync asks for another size, in replicas\n",
		"metric 1, 300", "metric 2, 300",
	} {
		require.Contains(t, text, part)
	}
	b.ScaleUp.SelectPolicy = behavior.SelectMin
	require.Contains(t, r.of(t).String(), "100% every 15s, and no more than 4.067 pods every 15s")
	b.ScaleUp.SelectPolicy = behavior.SelectDisabled
	require.Contains(t, r.of(t).String(), "none: no load scales up\n")
	require.Contains(t, r.of(t).String(), "Sizes that no load leads to\n  1 to 300\n")
	require.Contains(t, newRuled(3, 3, backlog).of(t).String(), "The size never changes.\n")
	require.Contains(t, newRuled(1, 2, backlog).of(t).String(), "  load that alternates between just below 1.001 and 1.001 replicas: from size 1 to 2 and back\n")

	text = newRuled(0, 2, autoscaling.ExternalAverageValueMetric("backlog", metrics.MustParseQuantity("30"))).of(t).String()
	require.Contains(t, text, "any load that comes and goes: from size 0 to 1 and back\n")
	require.Contains(t, text, "1    above 0         1          1m  30\n")
	require.Contains(t, newRuled(1, 2, autoscaling.ResourceUtilizationMetric("cpu", 60)).of(t).String(), "  no larger than load that alternates ")

	r = newRuled(20, 22, backlog)
	r.settings.Tolerance = 0.5
	require.Contains(t, r.of(t).String(), "Sizes that no load leads to\n  21\n")
	r.spec.Behavior.ScaleUp.Policies = []behavior.Policy{{Type: behavior.PodsPolicy, Value: 1, PeriodSeconds: 60}}
	r.spec.Behavior.ScaleUp.SelectPolicy = behavior.SelectMin
	require.Contains(t, r.of(t).String(), "Sizes that no load leads to\n  none\n")
	r.spec.Behavior.ScaleUp.Policies = append(r.spec.Behavior.ScaleUp.Policies, behavior.Policy{Type: behavior.PercentPolicy, Value: 10, PeriodSeconds: 30})
	r.spec.MaxReplicas = 300_000
	require.Contains(t, r.of(t).String(), "; sizes above ")
	require.Contains(t, newRuled(5, 12, autoscaling.ResourceUtilizationMetric("cpu", 1)).of(t).String(), "Sizes that no load leads to\n  6 to 9, 11\n")
	require.Equal(t, "at least 15s", guarantee.Time{Duration: seconds(15), Bound: guarantee.AtLeast}.String())
	require.Equal(t, "4 pods every 15s", guarantee.Rate{Value: 4, Every: seconds(15)}.String())
}
