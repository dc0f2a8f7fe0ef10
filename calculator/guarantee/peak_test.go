package guarantee_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/guarantee"
)

// What a peak leaves behind is what an autoscaler does after one, whatever was
// before.
func TestPeaksAreThoseOfSyncs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := anyRuled(t, 9)
		b := r.spec.Bounds()
		p := r.of(t).Peak
		a := r.autoscaler(rapid.Int32Range(b.Min, b.Max).Draw(t, "size"))
		for _, load := range rapid.SliceOfN(rapid.Int32Range(0, b.Max), 0, 8).Draw(t, "loads before") {
			a.sync(float64(load))
		}
		a.size = b.Max
		for range a.spec.Behavior.LongestPeriods().Down/r.period + 2 {
			a.sync(float64(b.Max)) // the peak ends right after the last one
		}
		var held, took time.Duration
		pods := 0.0
		for a.size > b.Min && took < time.Hour {
			pods += float64(a.size-b.Min) * r.period.Hours()
			a.sync(float64(b.Min))
			took += r.period
			if a.size < b.Max && held == 0 {
				held = took
			}
		}
		if b.Min == b.Max {
			require.Equal(t, guarantee.Peak{Held: p.Gone, Gone: guarantee.Time{Bound: guarantee.Exactly}, Bound: guarantee.Exactly}, p)
			return
		}
		require.Equal(t, a.size > b.Min, p.Gone.Never)
		require.Equal(t, held == 0, p.Held.Never)
		require.Equal(t, held, p.Held.Duration)
		if p.Gone.Never {
			require.Zero(t, p.PodHours)
			require.Equal(t, guarantee.AtLeast, p.Bound)
			return
		}
		require.Equal(t, guarantee.Time{Duration: took, Bound: guarantee.Exactly}, p.Gone)
		require.InEpsilon(t, pods/float64(b.Max-b.Min), p.PodHours, 1e-9)
		require.Equal(t, guarantee.Exactly, p.Bound)
	})
}

// A peak that policies still see in part is gone sooner: they may remove what
// they count as added.
func TestShortPeakIsGoneSooner(t *testing.T) {
	r := newRuled(1, 10, backlog)
	r.spec.Behavior.ScaleUp.Policies = []behavior.Policy{{Type: behavior.PercentPolicy, Value: 900, PeriodSeconds: 15}}
	r.spec.Behavior.ScaleDown.Policies = []behavior.Policy{{Type: behavior.PodsPolicy, Value: 1, PeriodSeconds: 300}}
	require.Equal(t, 40*time.Minute+15*time.Second, r.of(t).Peak.Gone.Duration)
	a := r.autoscaler(1)
	require.Equal(t, [3]int32{10, 10, 1}, [3]int32{a.sync(10), a.sync(10), a.sync(1)})
}

func TestPeakOfRules(t *testing.T) {
	r := newRuled(0, 10, backlog)
	r.settings.DownscaleStabilization = 5 * time.Minute
	require.InEpsilon(t, 5.0/60, r.of(t).Peak.PodHours, 1e-9)

	// One pod is left in the end.
	down := r.spec.Behavior.ScaleDown
	down.Policies = []behavior.Policy{{Type: behavior.PodsPolicy, Value: 1, PeriodSeconds: 60}}
	p := r.of(t).Peak
	require.Equal(t, [2]time.Duration{5 * time.Minute, 14 * time.Minute}, [2]time.Duration{p.Held.Duration, p.Gone.Duration})
	require.InEpsilon(t, (5*10+9*10/2)/60.0/10, p.PodHours, 1e-9)
}
