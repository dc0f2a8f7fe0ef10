package guarantee_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/guarantee"
	"github.com/purehpa/hpa/calculator/prove"
	"github.com/purehpa/hpa/metrics"
)

func has(ranges []guarantee.Range, n int32) bool {
	for _, r := range ranges {
		if r.First <= n && n <= r.Last {
			return true
		}
	}
	return false
}

// All courses of load together lead to the sizes that are reached, and to no
// other.
func TestAllCoursesLeaveOutTheUnreached(t *testing.T) {
	exact, left := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		r := anyRuled(t, 7)
		r.settings.Tolerance = rapid.SampledFrom([]float64{0.1, 0.3, 0.5, 0}).Draw(t, "tolerance")
		u := r.of(t).Unreached
		require.Equal(t, r.spec.MaxReplicas, u.UpTo)
		// The most and the least load that asks for each size.
		levels := []float64{0, 20}
		for n := range r.spec.MaxReplicas {
			levels = append(levels, float64(n+1), float64(n)+0.001)
		}
		var mu sync.Mutex
		led := map[int32]bool{}
		r.exhaust(t, levels, prove.Always("", func(tr *prove.Transition) string {
			if tr.After != tr.Size {
				mu.Lock()
				defer mu.Unlock()
				led[tr.After] = true
			}
			return ""
		}))
		for _, n := range r.sizes() {
			switch {
			case has(u.Sizes, n):
				left++
				require.False(t, led[n], "%d of %+v", n, u)
			case u.Bound == guarantee.Exactly:
				exact++
				require.True(t, led[n], "%d of %+v", n, u)
			}
		}
	})
	require.NotZero(t, exact)
	require.NotZero(t, left)
}

func TestUnreachedOfRules(t *testing.T) {
	unreached := func(low, high int32, m autoscaling.MetricSpec, change func(*behavior.Behavior)) guarantee.Unreached {
		r := newRuled(low, high, m)
		r.settings.Tolerance = 0.1
		if change != nil {
			change(r.spec.Behavior)
		}
		return r.of(t).Unreached
	}
	// Lint has the same example.
	u := unreached(20, 22, backlog, nil)
	require.Equal(t, guarantee.Unreached{Sizes: []guarantee.Range{{First: 21, Last: 21}}, UpTo: 22, Bound: guarantee.Exactly}, u)
	// A policy ends there.
	u = unreached(20, 22, backlog, func(b *behavior.Behavior) {
		b.ScaleUp.Policies = []behavior.Policy{{Type: behavior.PodsPolicy, Value: 1, PeriodSeconds: 60}}
	})
	require.Equal(t, guarantee.Unreached{Sizes: []guarantee.Range{}, UpTo: 22, Bound: guarantee.Exactly}, u)
	// With a target of 1%, pods propose whole multiples of their number.
	u = unreached(5, 12, autoscaling.ResourceUtilizationMetric("cpu", 1), func(b *behavior.Behavior) {
		b.ScaleUp.Policies = b.ScaleUp.Policies[1:] // no more than twice as many
	})
	require.Equal(t, []guarantee.Range{{First: 6, Last: 9}, {First: 11, Last: 11}}, u.Sizes)
	// Whether policies of several periods end a change at 9 depends on the
	// history.
	percent := autoscaling.ResourceUtilizationMetric("cpu", 1)
	pods := func(value, period int32) behavior.Policy {
		return behavior.Policy{Type: behavior.PodsPolicy, Value: value, PeriodSeconds: period}
	}
	u = unreached(5, 12, percent, func(b *behavior.Behavior) {
		b.ScaleUp.Policies[0] = pods(4, 60)
		b.ScaleDown.Policies = []behavior.Policy{{Type: behavior.PercentPolicy, Value: 100, PeriodSeconds: 60}}
	})
	require.Equal(t, guarantee.Unreached{Sizes: []guarantee.Range{{First: 6, Last: 8}}, UpTo: 12, Bound: guarantee.AtLeast}, u)
	r := newRuled(5, 12, percent)
	r.spec.Behavior.ScaleUp.Policies[0] = pods(4, 60)
	r.spec.Behavior.ScaleDown.Policies[0].PeriodSeconds = 60
	require.Contains(t, r.of(t).String(), "  6 to 8; the history decides whether there are more\n")
	// Where scale-downs are forgotten before scale-ups, policies start
	// anywhere.
	for down, listed := range map[int32]int{120: 1, 15: 0} {
		u = unreached(5, 12, percent, func(b *behavior.Behavior) {
			b.ScaleUp.Policies = []behavior.Policy{pods(4, 120)}
			b.ScaleDown.Policies = []behavior.Policy{{Type: behavior.PercentPolicy, Value: 100, PeriodSeconds: down}}
		})
		require.Len(t, u.Sizes, listed)
	}
	// Scaling down is all that is left.
	u = unreached(5, 12, backlog, func(b *behavior.Behavior) { b.ScaleUp.SelectPolicy = behavior.SelectDisabled })
	require.Equal(t, []guarantee.Range{{First: 12, Last: 12}}, u.Sizes)
	// From none, the tolerance does not count.
	u = unreached(0, 3, backlog, func(b *behavior.Behavior) {
		b.ScaleUp.Tolerance, b.ScaleDown.Tolerance = metrics.MustParseQuantity("1"), metrics.MustParseQuantity("0.7")
	})
	require.Equal(t, guarantee.Unreached{Sizes: []guarantee.Range{}, UpTo: 3, Bound: guarantee.Exactly}, u)
	// More than can be looked at.
	u = unreached(1000, 1_000_000, autoscaling.ResourceUtilizationMetric("cpu", 1), nil)
	require.Equal(t, guarantee.AtLeast, u.Bound)
	require.Less(t, u.UpTo, int32(1_000_000))
}
