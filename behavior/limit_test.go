package behavior_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
)

func pods(value int32) *behavior.ScalingRules {
	return &behavior.ScalingRules{SelectPolicy: behavior.SelectMax, Policies: []behavior.Policy{{Type: behavior.PodsPolicy, Value: value, PeriodSeconds: 60}}}
}

func percent(value int32) *behavior.ScalingRules {
	return &behavior.ScalingRules{SelectPolicy: behavior.SelectMax, Policies: []behavior.Policy{{Type: behavior.PercentPolicy, Value: value, PeriodSeconds: 60}}}
}

func TestLimitOfOnePolicy(t *testing.T) {
	for _, tt := range []struct {
		current  int32
		rules    *behavior.ScalingRules
		up, down int32 // what the policy says
	}{
		{0, pods(4), 4, -4},
		{3, pods(4), 7, -1},
		{4, pods(4), 8, 0},
		{5, pods(4), 9, 1},
		{0, percent(100), 0, 0},
		{1, percent(1), 2, 0},
		{100, percent(1), 101, 99},
		{101, percent(1), 103, 99},
		{99, percent(1), 100, 98},
		{10, percent(99), 20, 0},
		{10, percent(100), 20, 0},
		{10, percent(101), 21, 0},
		{100, percent(101), 201, -1},
		{10, percent(900), 100, -80},
	} {
		t.Run(fmt.Sprint(tt.current, tt.rules.Policies), func(t *testing.T) {
			up, said := behavior.UpLimit(noon, tt.current, tt.rules, nil, nil)
			require.Equal(t, tt.up, said[0].Limit)
			require.Equal(t, max(tt.up, tt.current), up.Replicas)
			down, said := behavior.DownLimit(noon, tt.current, tt.rules, nil, nil)
			require.Equal(t, tt.down, said[0].Limit)
			require.Equal(t, min(tt.down, tt.current), down.Replicas)
		})
	}
}

// The float decides, not the fraction: 25 pods and 12 percent are 28, and 5
// pods less 80 percent are 1.
func TestTiesAreDecidedInFloat(t *testing.T) {
	up, _ := behavior.UpLimit(noon, 25, percent(12), nil, nil)
	require.Equal(t, int32(29), up.Replicas)
	down, _ := behavior.DownLimit(noon, 5, percent(80), nil, nil)
	require.Equal(t, int32(0), down.Replicas)
	// Most ties are as they seem.
	up, _ = behavior.UpLimit(noon, 25, percent(16), nil, nil)
	require.Equal(t, int32(29), up.Replicas)
	down, _ = behavior.DownLimit(noon, 5, percent(60), nil, nil)
	require.Equal(t, int32(2), down.Replicas)
}

// Kubernetes: a policy's value that overflows int32 wraps around.
func TestLimitsBeyondInt32Stop(t *testing.T) {
	for _, tt := range []struct {
		current  int32
		rules    *behavior.ScalingRules
		up, down int32
	}{
		{1, pods(math.MaxInt32 - 2), math.MaxInt32 - 1, -math.MaxInt32 + 3},
		{1, pods(math.MaxInt32 - 1), math.MaxInt32, -math.MaxInt32 + 2},
		{1, pods(math.MaxInt32), math.MaxInt32, -math.MaxInt32 + 1},
		{math.MaxInt32, pods(math.MaxInt32), math.MaxInt32, 0},
		{math.MaxInt32, percent(math.MaxInt32), math.MaxInt32, math.MinInt32},
		{math.MaxInt32 - 1, percent(100), math.MaxInt32, 0},
		{1 << 30, percent(100), math.MaxInt32, 0},
		{1<<30 - 1, percent(100), math.MaxInt32 - 1, 0},
		{100, percent(math.MaxInt32), math.MaxInt32, -math.MaxInt32 + 100},
		{101, percent(math.MaxInt32), math.MaxInt32, math.MinInt32},
		{math.MinInt32, pods(math.MaxInt32), -1, math.MinInt32},
		{math.MinInt32, percent(math.MaxInt32), math.MinInt32, math.MaxInt32},
	} {
		t.Run(fmt.Sprint(tt.current, tt.rules.Policies), func(t *testing.T) {
			_, said := behavior.UpLimit(noon, tt.current, tt.rules, nil, nil)
			require.Equal(t, tt.up, said[0].Limit)
			_, said = behavior.DownLimit(noon, tt.current, tt.rules, nil, nil)
			require.Equal(t, tt.down, said[0].Limit)
		})
	}

	// So many events that their sum leaves int32.
	b := &behavior.Behavior{ScaleUp: pods(4), ScaleDown: pods(4)}
	var e behavior.Events
	for range 3 {
		e.Record(noon, 0, math.MaxInt32, b)
	}
	l, said := behavior.UpLimit(noon, 7, b.ScaleUp, &e, nil)
	require.Equal(t, int64(7-3*math.MaxInt32), said[0].Start)
	require.Equal(t, int32(math.MinInt32), said[0].Limit)
	require.Equal(t, int32(7), l.Replicas)
}

func TestPeriodIsOpenAtItsStart(t *testing.T) {
	b := &behavior.Behavior{ScaleUp: pods(4), ScaleDown: pods(4)}
	for _, tt := range []struct {
		after time.Duration
		want  int64
	}{
		{-1, 3}, // of the future
		{0, 3},
		{60*time.Second - 1, 3},
		{60 * time.Second, 0},
		{60*time.Second + 1, 0},
	} {
		var up, down behavior.Events
		up.Record(noon, 1, 4, b)
		down.Record(noon, 4, 1, b)
		now := noon.Add(tt.after)
		_, said := behavior.UpLimit(now, 10, b.ScaleUp, &up, nil)
		require.Equal(t, tt.want, said[0].Added, tt.after)
		require.Equal(t, 10-tt.want, said[0].Start, tt.after)
		require.Equal(t, int32(14-tt.want), said[0].Limit, tt.after)
		_, said = behavior.UpLimit(now, 10, b.ScaleUp, &down, nil)
		require.Equal(t, tt.want, said[0].Removed, tt.after)
		require.Equal(t, int32(14+tt.want), said[0].Limit, tt.after)
		_, said = behavior.DownLimit(now, 10, b.ScaleDown, &up, nil)
		require.Equal(t, int32(6-tt.want), said[0].Limit, tt.after)
		_, said = behavior.DownLimit(now, 10, b.ScaleDown, &down, nil)
		require.Equal(t, int32(6+tt.want), said[0].Limit, tt.after)
	}
}

func TestSelectPolicy(t *testing.T) {
	policies := []behavior.Policy{
		{Type: behavior.PodsPolicy, Value: 2, PeriodSeconds: 60},
		{Type: behavior.PercentPolicy, Value: 50, PeriodSeconds: 60},
		{Type: behavior.PodsPolicy, Value: 5, PeriodSeconds: 60},
		{Type: behavior.PercentPolicy, Value: 20, PeriodSeconds: 60},
	}
	for _, tt := range []struct {
		sel      behavior.SelectPolicy
		up, down int32
		index    int // the first among equals
	}{
		{behavior.SelectMax, 15, 5, 1},
		{behavior.SelectMin, 12, 8, 0},
		{"", 15, 5, 1},
		{"Median", 15, 5, 1},
	} {
		r := &behavior.ScalingRules{SelectPolicy: tt.sel, Policies: policies}
		up, said := behavior.UpLimit(noon, 10, r, nil, nil)
		require.Len(t, said, 4)
		require.Equal(t, tt.up, up.Replicas, tt.sel)
		require.Equal(t, tt.index, up.Selected, tt.sel)
		require.False(t, up.Disabled)
		down, said := behavior.DownLimit(noon, 10, r, nil, nil)
		require.Len(t, said, 4)
		require.Equal(t, tt.down, down.Replicas, tt.sel)
		require.Equal(t, tt.index, down.Selected, tt.sel)
	}

	r := &behavior.ScalingRules{SelectPolicy: behavior.SelectDisabled, Policies: policies}
	for _, limit := range []func(time.Time, int32, *behavior.ScalingRules, *behavior.Events, []behavior.PolicyLimit) (behavior.RateLimit, []behavior.PolicyLimit){behavior.UpLimit, behavior.DownLimit} {
		l, said := limit(noon, 10, r, nil, nil)
		require.Equal(t, behavior.RateLimit{Replicas: 10, Select: behavior.SelectDisabled, Disabled: true, Selected: -1}, l)
		require.Empty(t, said)
	}
}

// Kubernetes: no policies, and a select policy of Min, are no limit at all.
func TestNoPoliciesKeepTheSize(t *testing.T) {
	for _, sel := range []behavior.SelectPolicy{behavior.SelectMax, behavior.SelectMin} {
		b := &behavior.Behavior{ScaleUp: &behavior.ScalingRules{SelectPolicy: sel}, ScaleDown: &behavior.ScalingRules{SelectPolicy: sel, Policies: []behavior.Policy{}}}
		for _, desired := range []int32{5, 10, 15} {
			l, said := b.Limit(noon, behavior.Change{10, desired}, behavior.Bounds{1, 100}, nil, nil)
			require.Equal(t, int32(10), l.Replicas)
			require.Empty(t, said)
		}
		l, _ := behavior.UpLimit(noon, 10, b.ScaleUp, nil, nil)
		require.Equal(t, behavior.RateLimit{Replicas: 10, Select: sel, Selected: -1}, l)
	}
}

func TestNilRulesAreTheDefaultOnes(t *testing.T) {
	full := &behavior.Behavior{}
	full.SetDefaults()
	var e behavior.Events
	e.Record(noon, 6, 10, full)
	e.Record(noon, 12, 10, full)
	for _, desired := range []int32{1, 10, 100} {
		want, wantSaid := full.Limit(noon, behavior.Change{10, desired}, behavior.Bounds{1, 100}, &e, nil)
		got, said := (&behavior.Behavior{}).Limit(noon, behavior.Change{10, desired}, behavior.Bounds{1, 100}, &e, nil)
		require.Equal(t, want, got)
		require.Equal(t, wantSaid, said)
	}
	want, _ := behavior.UpLimit(noon, 10, full.ScaleUp, &e, nil)
	got, _ := behavior.UpLimit(noon, 10, nil, &e, nil)
	require.Equal(t, want, got)
	want, _ = behavior.DownLimit(noon, 10, full.ScaleDown, &e, nil)
	got, _ = behavior.DownLimit(noon, 10, nil, &e, nil)
	require.Equal(t, want, got)
}

// A nil behavior is no behavior, not one of default rules.
func TestNilBehaviorHasNoRules(t *testing.T) {
	first := []behavior.PolicyLimit{{Limit: 77}}
	for _, desired := range []int32{0, 5, 10, 15, 25, 200} {
		l, said := (*behavior.Behavior)(nil).Limit(noon, behavior.Change{10, desired}, behavior.Bounds{1, 100}, nil, first)
		require.Equal(t, behavior.LimitWithoutBehavior(behavior.Change{10, desired}, behavior.Bounds{1, 100}), l)
		require.Equal(t, first, said)
	}
}

func TestLimitReasons(t *testing.T) {
	b := &behavior.Behavior{ScaleUp: pods(4), ScaleDown: pods(4)}
	disabled := &behavior.Behavior{
		ScaleUp:   &behavior.ScalingRules{SelectPolicy: behavior.SelectDisabled},
		ScaleDown: &behavior.ScalingRules{SelectPolicy: behavior.SelectDisabled},
	}
	for _, tt := range []struct {
		name          string
		b             *behavior.Behavior
		desired       int32
		least, most   int32
		want          int32
		reason        behavior.LimitReason
		policiesAsked bool
	}{
		{"no change", b, 10, 1, 100, 10, behavior.DesiredWithinRange, false},
		{"no change, below the minimum", b, 10, 11, 100, 10, behavior.DesiredWithinRange, false},
		{"up, below the limit", b, 13, 1, 100, 13, behavior.DesiredWithinRange, true},
		{"up to the limit", b, 14, 1, 100, 14, behavior.DesiredWithinRange, true},
		{"up, above the limit", b, 15, 1, 100, 14, behavior.ScaleUpLimit, true},
		{"up, the limit below the maximum", b, 20, 1, 15, 14, behavior.ScaleUpLimit, true},
		{"up, the limit at the maximum", b, 20, 1, 14, 14, behavior.TooManyReplicas, true},
		{"up, the limit above the maximum", b, 20, 1, 13, 13, behavior.TooManyReplicas, true},
		{"up, the maximum behind", b, 20, 1, 9, 9, behavior.TooManyReplicas, true},
		{"up, disabled", disabled, 11, 1, 100, 10, behavior.ScaleUpLimit, false},
		{"up, disabled at the maximum", disabled, 11, 1, 10, 10, behavior.TooManyReplicas, false},
		{"down, above the limit", b, 7, 1, 100, 7, behavior.DesiredWithinRange, true},
		{"down to the limit", b, 6, 1, 100, 6, behavior.DesiredWithinRange, true},
		{"down, below the limit", b, 5, 1, 100, 6, behavior.ScaleDownLimit, true},
		{"down, the limit above the minimum", b, 0, 5, 100, 6, behavior.ScaleDownLimit, true},
		{"down, the limit at the minimum", b, 0, 6, 100, 6, behavior.TooFewReplicas, true},
		{"down, the limit below the minimum", b, 0, 7, 100, 7, behavior.TooFewReplicas, true},
		{"down, the minimum behind", b, 0, 11, 100, 11, behavior.TooFewReplicas, true},
		{"down, disabled", disabled, 9, 1, 100, 10, behavior.ScaleDownLimit, false},
		{"down, disabled at the minimum", disabled, 9, 10, 100, 10, behavior.TooFewReplicas, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l, said := tt.b.Limit(noon, behavior.Change{10, tt.desired}, behavior.Bounds{tt.least, tt.most}, nil, nil)
			require.Equal(t, tt.desired, l.Desired)
			require.Equal(t, tt.want, l.Replicas)
			require.Equal(t, tt.reason, l.Reason)
			require.Equal(t, tt.policiesAsked, len(said) > 0)
			require.Zero(t, l.Until)
		})
	}
}

func TestLimitsAgainstReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := behaviors().Draw(t, "behavior")
		t.Log(b.ScaleUp, b.ScaleDown)
		e, recorded, now := drawEvents(t, b, 12)
		now = now.Add(steps().Draw(t, "step") - time.Duration(rapid.SampledFrom([]int{0, 0, 2, 700}).Draw(t, "back"))*time.Second)
		want := recorded.asOf(now)
		current := sizes().Draw(t, "current")
		desired := sizes().Draw(t, "desired")
		least, most := rapid.Int32Range(0, 12).Draw(t, "min"), sizes().Draw(t, "max")

		first := []behavior.PolicyLimit{{Limit: 77}}
		rate, said := behavior.UpLimit(now, current, b.ScaleUp, &e, first)
		wantRate, wantSaid := refRate(now, current, b.ScaleUp, want, true)
		require.Equal(t, wantRate, rate)
		require.Equal(t, append(first, wantSaid...), said)

		rate, said = behavior.DownLimit(now, current, b.ScaleDown, &e, first)
		wantRate, wantSaid = refRate(now, current, b.ScaleDown, want, false)
		require.Equal(t, wantRate, rate)
		require.Equal(t, append(first, wantSaid...), said)

		wantLimit, wantSaid := refLimit(now, current, desired, least, most, b, want)
		wantLimit.Until = refUntil(now, current, desired, least, most, b, want)
		limit, said := b.Limit(now, behavior.Change{current, desired}, behavior.Bounds{least, most}, &e, first)
		require.Equal(t, wantLimit, limit)
		require.Equal(t, append(first, wantSaid...), said)
		requireEvents(t, recorded, &e) // reading changes nothing

		e.Advance(now, b)
		again, _ := b.Limit(now, behavior.Change{current, desired}, behavior.Bounds{least, most}, &e, nil)
		require.Equal(t, limit, again, "reading needs no Advance")
	})
}

// What validation forbids is limited somehow, too: never in the wrong
// direction.
func TestLimitsOfNonsense(t *testing.T) {
	nonsense := rapid.Custom(func(t *rapid.T) *behavior.ScalingRules {
		r := &behavior.ScalingRules{SelectPolicy: behavior.SelectPolicy(rapid.SampledFrom([]string{"", "Max", "Min", "Disabled", "Median"}).Draw(t, "select"))}
		for range rapid.IntRange(0, 3).Draw(t, "policies") {
			r.Policies = append(r.Policies, behavior.Policy{
				Type:          behavior.PolicyType(rapid.SampledFrom([]string{"", "Pods", "Percent", "Nodes"}).Draw(t, "type")),
				Value:         rapid.Int32().Draw(t, "value"),
				PeriodSeconds: rapid.Int32().Draw(t, "period"),
			})
		}
		return r
	})
	rapid.Check(t, func(t *rapid.T) {
		b := &behavior.Behavior{ScaleUp: rapid.OneOf(nonsense, rapid.Just[*behavior.ScalingRules](nil)).Draw(t, "up")}
		b.ScaleDown = rapid.OneOf(nonsense, rapid.Just[*behavior.ScalingRules](nil)).Draw(t, "down")
		e, _, now := drawEvents(t, b, 6)
		current, desired := rapid.Int32().Draw(t, "current"), rapid.Int32().Draw(t, "desired")
		l, _ := b.Limit(now, behavior.Change{current, desired}, behavior.Bounds{math.MinInt32, math.MaxInt32}, &e, nil)
		require.Equal(t, desired, l.Desired)
		require.Equal(t, l.Replicas != desired, l.Reason != behavior.DesiredWithinRange)
		if desired >= current {
			require.GreaterOrEqual(t, l.Replicas, current)
			require.LessOrEqual(t, l.Replicas, desired)
		} else {
			require.GreaterOrEqual(t, l.Replicas, desired)
			require.LessOrEqual(t, l.Replicas, current)
		}
		if !l.Until.IsZero() {
			require.True(t, l.Until.After(now))
		}
	})
}

func TestLimitWithoutBehavior(t *testing.T) {
	for _, tt := range []struct {
		name             string
		current, desired int32
		least, most      int32
		want             int32
		reason           behavior.LimitReason
	}{
		{"in range", 10, 15, 1, 100, 15, behavior.DesiredWithinRange},
		{"just below twice", 10, 19, 1, 100, 19, behavior.DesiredWithinRange},
		{"twice", 10, 20, 1, 100, 20, behavior.DesiredWithinRange},
		{"more than twice", 10, 21, 1, 100, 20, behavior.ScaleUpLimit},
		{"from zero", 0, 5, 1, 100, 4, behavior.ScaleUpLimit},
		{"from one", 1, 5, 1, 100, 4, behavior.ScaleUpLimit},
		{"from two", 2, 5, 1, 100, 4, behavior.ScaleUpLimit},
		{"from three", 3, 7, 1, 100, 6, behavior.ScaleUpLimit},
		{"four is fine", 0, 4, 1, 100, 4, behavior.DesiredWithinRange},
		{"just below the maximum", 10, 14, 1, 15, 14, behavior.DesiredWithinRange},
		{"the maximum", 10, 15, 1, 15, 15, behavior.DesiredWithinRange},
		{"above the maximum", 10, 16, 1, 15, 15, behavior.TooManyReplicas},
		{"twice is below the maximum", 10, 100, 1, 21, 20, behavior.ScaleUpLimit},
		{"twice is the maximum", 10, 100, 1, 20, 20, behavior.TooManyReplicas},
		{"twice is above the maximum", 10, 100, 1, 19, 19, behavior.TooManyReplicas},
		{"below the minimum", 10, 4, 5, 100, 5, behavior.TooFewReplicas},
		{"the minimum", 10, 5, 5, 100, 5, behavior.DesiredWithinRange},
		{"above the minimum", 10, 6, 5, 100, 6, behavior.DesiredWithinRange},
		{"no change, below the minimum", 4, 4, 5, 100, 5, behavior.TooFewReplicas},
		{"the minimum above the limit", 1, 2, 50, 100, 50, behavior.TooFewReplicas},
		{"a large size", 1<<30 - 1, math.MaxInt32, 1, math.MaxInt32, math.MaxInt32 - 1, behavior.ScaleUpLimit},
		{"a larger size", 1 << 30, math.MaxInt32, 1, math.MaxInt32, math.MaxInt32, behavior.DesiredWithinRange},
		{"the largest size", math.MaxInt32, math.MaxInt32, 1, math.MaxInt32, math.MaxInt32, behavior.DesiredWithinRange},
		{"a negative size", math.MinInt32, 5, 1, 100, 4, behavior.ScaleUpLimit},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := behavior.LimitWithoutBehavior(behavior.Change{tt.current, tt.desired}, behavior.Bounds{tt.least, tt.most})
			require.Equal(t, tt.want, l.Replicas)
			require.Equal(t, tt.reason, l.Reason)
			require.Equal(t, tt.desired, l.Desired)
			require.Equal(t, -1, l.Rate.Selected)
			require.Zero(t, l.Until)
		})
	}
}

func TestLimitWithoutBehaviorAgainstReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		current, desired := sizes().Draw(t, "current"), sizes().Draw(t, "desired")
		least, most := rapid.Int32Range(0, 12).Draw(t, "min"), sizes().Draw(t, "max")
		l := behavior.LimitWithoutBehavior(behavior.Change{current, desired}, behavior.Bounds{least, most})

		twice := max(int64(current)*2, 4)
		want, reason := int64(desired), behavior.DesiredWithinRange
		if want > int64(most) && int64(most) <= twice {
			want, reason = int64(most), behavior.TooManyReplicas
		}
		if want > twice {
			want, reason = twice, behavior.ScaleUpLimit
		}
		if desired < least {
			want, reason = int64(least), behavior.TooFewReplicas
		}
		require.Equal(t, want, int64(l.Replicas))
		require.Equal(t, reason, l.Reason)
		require.Equal(t, min(twice, math.MaxInt32), int64(l.Rate.Replicas))
	})
}

func TestLimitReasonWords(t *testing.T) {
	for r, words := range map[behavior.LimitReason][2]string{
		behavior.DesiredWithinRange: {"DesiredWithinRange", "the desired count is within the acceptable range"},
		behavior.TooFewReplicas:     {"TooFewReplicas", "the desired replica count is less than the minimum replica count"},
		behavior.TooManyReplicas:    {"TooManyReplicas", "the desired replica count is more than the maximum replica count"},
		behavior.ScaleUpLimit:       {"ScaleUpLimit", "the desired replica count is increasing faster than the maximum scale rate"},
		behavior.ScaleDownLimit:     {"ScaleDownLimit", "the desired replica count is decreasing faster than the maximum scale rate"},
		"":                          {"", "the desired count is within the acceptable range"},
	} {
		require.Equal(t, words[0], string(r))
		require.Equal(t, words[1], r.Message())
	}
}

func TestLimitDoesNotAllocate(t *testing.T) {
	b := &behavior.Behavior{}
	b.SetDefaults()
	var e behavior.Events
	for i := range int32(30) {
		e.Record(noon.Add(time.Duration(i)*time.Second), i, i+1, b)
		e.Record(noon.Add(time.Duration(i)*time.Second), i+1, i, b)
	}
	said := make([]behavior.PolicyLimit, 0, 8)
	now := noon.Add(31 * time.Second)
	require.Zero(t, testing.AllocsPerRun(10, func() {
		b.Limit(now, behavior.Change{10, 100}, behavior.Bounds{1, 100}, &e, said)
		b.Limit(now, behavior.Change{10, 1}, behavior.Bounds{1, 100}, &e, said)
		now = now.Add(time.Second)
		e.Record(now, 10, 11, b)
		e.Record(now, 11, 10, b)
	}))
}

// A select policy that was left out is the default one, and is called so.
func TestSelectPolicyLeftOut(t *testing.T) {
	r := &behavior.ScalingRules{Policies: []behavior.Policy{
		{Type: behavior.PodsPolicy, Value: 1, PeriodSeconds: 60},
		{Type: behavior.PodsPolicy, Value: 3, PeriodSeconds: 60},
	}}
	for replicas, limit := range map[int32]func(time.Time, int32, *behavior.ScalingRules, *behavior.Events, []behavior.PolicyLimit) (behavior.RateLimit, []behavior.PolicyLimit){
		8: behavior.UpLimit,
		2: behavior.DownLimit,
	} {
		l, _ := limit(noon, 5, r, nil, nil)
		require.Equal(t, behavior.RateLimit{Replicas: replicas, Select: behavior.SelectMax, Selected: 1}, l)
	}
}

// With many policies and events, each policy says what it says alone.
func TestManyPoliciesAndEvents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(behavior.MaxEvents/2, behavior.MaxEvents).Draw(t, "events")
		rules := &behavior.ScalingRules{SelectPolicy: rapid.SampledFrom([]behavior.SelectPolicy{behavior.SelectMax, behavior.SelectMin}).Draw(t, "select")}
		for range 16 {
			rules.Policies = append(rules.Policies, behavior.Policy{
				Type:          rapid.SampledFrom([]behavior.PolicyType{behavior.PodsPolicy, behavior.PercentPolicy}).Draw(t, "type"),
				Value:         rapid.Int32Range(1, 150).Draw(t, "value"),
				PeriodSeconds: rapid.SampledFrom([]int32{1, 2, 60, 599, 600, 1799, 1800, 1801}).Draw(t, "period"),
			})
		}
		b := &behavior.Behavior{ScaleUp: rules, ScaleDown: rules}
		var e behavior.Events
		now := noon
		for i := range n {
			e.Record(now, 0, 1+int32(i%3), b)
			now = now.Add(time.Duration(i%4) * 250 * time.Millisecond)
			e.Record(now, 1+int32(i%5), 0, b)
		}
		for _, limit := range []func(time.Time, int32, *behavior.ScalingRules, *behavior.Events, []behavior.PolicyLimit) (behavior.RateLimit, []behavior.PolicyLimit){behavior.UpLimit, behavior.DownLimit} {
			_, got := limit(now, 5000, rules, &e, nil)
			var want []behavior.PolicyLimit
			for _, p := range rules.Policies {
				_, want = limit(now, 5000, &behavior.ScalingRules{SelectPolicy: rules.SelectPolicy, Policies: []behavior.Policy{p}}, &e, want)
			}
			require.Equal(t, want, got)
		}
	})
}
