package guarantee_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/guarantee"
	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/metrics"
)

// waves reports whether the load that alternates moves the size at each sync,
// from some sync on, after a steady load at that size. It returns the last two
// sizes.
func waves(r *ruled, size int32, low, high float64) (from, to int32, ok bool) {
	a := r.autoscaler(size)
	a.sync(float64(size))
	for range 15 { // what was before no longer counts then
		a.sync(high)
		a.sync(low)
	}
	for range 15 {
		from = a.size
		if to = a.sync(high); to <= from || a.sync(low) >= to {
			return 0, 0, false
		}
	}
	return from, to, true
}

// wavesAnywhere reports whether the load does so after a steady load at some
// size, between these two sizes in the end.
func wavesAnywhere(r *ruled, low, high float64, from, to int32) bool {
	for _, size := range r.sizes() {
		if f, t, ok := waves(r, size, low, high); ok && from <= f && t <= to {
			return true
		}
	}
	return false
}

// smallest returns the least ratio of all waves over loads that are step apart.
func smallest(r *ruled, step, most float64) float64 {
	least := math.Inf(1)
	for low := step; low < most; low += step {
		for high := low + step; high < most && high/low < least; high += step {
			if wavesAnywhere(r, low, high, 0, math.MaxInt32) {
				least = high / low
			}
		}
	}
	return least
}

// rulesOfWaves draws rules that may leave waves, with periods that are longer
// in one direction.
func rulesOfWaves(t *rapid.T) *ruled {
	r := anyRuled(t, 5)
	r.spec.Behavior = &behavior.Behavior{ScaleUp: policies(t, "up"), ScaleDown: policies(t, "down")}
	none, tolerance := int32(0), rapid.SampledFrom([]metrics.Quantity{metrics.MustParseQuantity("0"), metrics.MustParseQuantity("0.05"), metrics.MustParseQuantity("0.1"), metrics.MustParseQuantity("0.5")})
	for _, rules := range []*behavior.ScalingRules{r.spec.Behavior.ScaleUp, r.spec.Behavior.ScaleDown} {
		rules.StabilizationWindowSeconds = &none
		rules.Tolerance = tolerance.Draw(t, "tolerance of a direction")
		for i := range rules.Policies {
			rules.Policies[i].PeriodSeconds *= rapid.SampledFrom([]int32{1, 1, 4}).Draw(t, "longer")
		}
	}
	r.settings.Release = release.All()[len(release.All())-1] // that has tolerances of directions
	return r
}

// No wave is smaller, and this one moves the size at each sync.
func TestNoWaveIsSmaller(t *testing.T) {
	found, exact, none := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		r := rapid.SampledFrom([]func(*rapid.T) *ruled{rulesOfWaves, func(t *rapid.T) *ruled {
			r := anyRuled(t, 5)
			r.settings.Tolerance = rapid.SampledFrom([]float64{0.1, 0, 0.5}).Draw(t, "tolerance")
			return r
		}}).Draw(t, "rules")(t)
		if r.spec.Bounds().Min > 0 && rapid.IntRange(0, 3).Draw(t, "of pods") == 0 {
			r.spec.Metrics[0] = autoscaling.ResourceUtilizationMetric("cpu", rapid.SampledFrom([]int32{60, 7}).Draw(t, "percent"))
		}
		w := r.of(t).Wave
		const step = 0.25
		least := smallest(r, step, 5.25)
		if w.None {
			none++
			require.Equal(t, math.Inf(1), least, "%+v", w)
			return
		}
		found++
		require.True(t, wavesAnywhere(r, w.Low-1e-6, w.High+1e-9, w.From, w.To), "%+v", w)
		require.LessOrEqual(t, w.High/w.Low, least+1e-9, "%+v", w)
		if w.Bound == guarantee.Exactly {
			exact++
			if w.From > 0 {
				require.GreaterOrEqual(t, w.High/w.Low, least*(w.High/(w.High+step))*((w.Low-step)/w.Low), "%+v", w)
			}
		}
	})
	require.NotZero(t, found)
	require.NotZero(t, exact)
	require.NotZero(t, none)
}

// Small waves that policies end are no reason to miss a larger one.
func TestWavesBehindThoseThatPoliciesEnd(t *testing.T) {
	policy := func(typ behavior.PolicyType, value, period int32) []behavior.Policy {
		return []behavior.Policy{{Type: typ, Value: value, PeriodSeconds: period}}
	}
	r := newRuled(1, 101, backlog)
	r.settings.Tolerance = 0.1
	r.spec.Behavior.ScaleUp.Policies = policy(behavior.PercentPolicy, 25, 300)
	r.spec.Behavior.ScaleDown.Policies = policy(behavior.PodsPolicy, 2, 15)
	require.True(t, wavesAnywhere(r, 90, 117, 99, 101))
	w := r.of(t).Wave
	require.Equal(t, guarantee.Wave{Low: 90.9, High: 108.901, From: 99, To: 101, Bound: guarantee.AtMost}, w)
	require.True(t, wavesAnywhere(r, w.Low-0.0005, w.High+1e-9, w.From, w.To))

	r = newRuled(1, 7, backlog)
	r.period = seconds(30)
	r.spec.Behavior.ScaleUp.Policies = policy(behavior.PodsPolicy, 2, 120)
	r.spec.Behavior.ScaleDown.Policies = policy(behavior.PercentPolicy, 27, 300)
	r.spec.Behavior.ScaleUp.Tolerance, r.spec.Behavior.ScaleDown.Tolerance = metrics.MustParseQuantity("0.05"), metrics.MustParseQuantity("0")
	require.True(t, wavesAnywhere(r, 6, 6.3015, 6, 7))
	w = r.of(t).Wave
	require.False(t, w.None)
	require.LessOrEqual(t, w.High/w.Low, 6.301/6.001)
	require.True(t, wavesAnywhere(r, w.Low-0.0005, w.High+1e-9, w.From, w.To))
}

func TestWaveOfRules(t *testing.T) {
	r := newRuled(1, 20, autoscaling.ResourceUtilizationMetric("cpu", 60))
	r.settings.Tolerance = 0.1
	w := r.of(t).Wave
	require.Equal(t, guarantee.AtMost, w.Bound, "readings in whole percents")
	require.True(t, wavesAnywhere(r, w.Low-1e-9, w.High+1e-9, w.From, w.To), "%+v", w)
	require.False(t, wavesAnywhere(r, w.Low+0.02, w.High, 0, 20), "%+v", w)

	r = newRuled(1, 20, backlog)
	r.settings.Tolerance = 0.1
	w = r.of(t).Wave
	require.Equal(t, guarantee.Wave{Low: 1.001, High: 1.101, From: 1, To: 2, Bound: guarantee.Exactly}, w)

	// The default window holds longer than a sync.
	r.settings.DownscaleStabilization = seconds(16)
	require.Equal(t, guarantee.Wave{None: true, Bound: guarantee.Exactly}, r.of(t).Wave)
	r.settings.DownscaleStabilization = seconds(15)
	require.False(t, r.of(t).Wave.None)
}

// Scale-downs that are forgotten before scale-ups leave no room for the next
// one.
func TestWaveThatPoliciesEnd(t *testing.T) {
	r := newRuled(1, 3, backlog)
	r.spec.Behavior.ScaleUp.Policies = []behavior.Policy{{Type: behavior.PodsPolicy, Value: 1, PeriodSeconds: 60}}
	require.False(t, r.of(t).Wave.None)
	r.spec.Behavior.ScaleUp.Policies[0].PeriodSeconds = 120
	require.Equal(t, guarantee.Wave{None: true, Bound: guarantee.AtLeast}, r.of(t).Wave)
	require.False(t, wavesAnywhere(r, 1, 2, 1, 3))
	r.spec.Behavior.ScaleDown.Policies[0].PeriodSeconds = 120
	require.False(t, r.of(t).Wave.None)
	require.True(t, wavesAnywhere(r, 1, 2, 1, 2))
}

// Of waves of the same ratio, it is always the same one: with a target of 8%, from
// 7 to 8 replicas and from 14 to 16.
func TestWaveIsAlwaysTheSame(t *testing.T) {
	r := newRuled(5, 16, autoscaling.ResourceUtilizationMetric("cpu", 8))
	r.settings.Tolerance = 0.1
	none := int32(0)
	r.spec.Behavior.ScaleDown.StabilizationWindowSeconds = &none
	want := r.of(t).Wave
	for range 30 {
		require.Equal(t, want, r.of(t).Wave)
	}
}
