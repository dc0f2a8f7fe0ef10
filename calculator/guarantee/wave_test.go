package guarantee_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/guarantee"
)

// waves reports whether the load that alternates moves the size at each sync,
// from that size on.
func waves(r *ruled, from int32, low, high float64) bool {
	a := r.autoscaler(from)
	a.sync(high)
	for range 4 { // what was before no longer counts then
		a.sync(low)
		a.sync(high)
	}
	for range 4 {
		if before := a.size; a.sync(low) >= before {
			return false
		}
		if before := a.size; a.sync(high) <= before {
			return false
		}
	}
	return true
}

// smallest returns the least ratio of all waves over loads that are step apart.
func smallest(r *ruled, step, most float64) float64 {
	least := math.Inf(1)
	for low := step; low < most; low += step {
		for high := low + step; high < most && high/low < least; high += step {
			for _, size := range r.sizes() {
				if waves(r, size, low, high) {
					least = high / low
					break
				}
			}
		}
	}
	return least
}

// No wave is smaller, and this one moves the size at each sync.
func TestNoWaveIsSmaller(t *testing.T) {
	found, exact, missed := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		r := anyRuled(t, 5)
		r.settings.Tolerance = rapid.SampledFrom([]float64{0.1, 0, 0.5}).Draw(t, "tolerance")
		w := r.of(t).Wave
		const step = 0.25
		least := smallest(r, step, 5)
		if w.None && w.Bound == guarantee.AtLeast {
			missed++
			return
		}
		if w.None {
			require.Equal(t, math.Inf(1), least, "%+v", w)
			return
		}
		found++
		// The load is in thousandths.
		require.True(t, waves(r, w.From, w.Low-0.0005, w.High+1e-9), "%+v", w)
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
	require.Less(t, missed, found/2)
}

func TestWaveOfRules(t *testing.T) {
	r := newRuled(1, 20, autoscaling.ResourceUtilizationMetric("cpu", 60))
	r.settings.Tolerance = 0.1
	w := r.of(t).Wave
	require.Equal(t, guarantee.AtMost, w.Bound, "readings in whole percents")
	require.True(t, waves(r, w.From, w.Low-1e-9, w.High+1e-9), "%+v", w)
	for _, size := range r.sizes() {
		require.False(t, waves(r, size, w.Low+0.02, w.High), "%+v", w)
	}

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
	require.False(t, waves(r, 1, 1, 2))
	r.spec.Behavior.ScaleDown.Policies[0].PeriodSeconds = 120
	require.False(t, r.of(t).Wave.None)
	require.True(t, waves(r, 1, 1, 2))
}
