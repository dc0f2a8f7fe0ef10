package guarantee_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/guarantee"
)

// pace returns by how much the load may grow at a sync: by percent, by pods or,
// if both must hold, by the lesser.
func pace(g *guarantee.Growth, period time.Duration, load float64) float64 {
	percent := load * (math.Pow(1+g.Percent.Value/100, float64(period)/float64(max(g.Percent.Every, 1))) - 1)
	pods := g.Pods.Value * float64(period) / float64(max(g.Pods.Every, 1))
	switch {
	case g.Percent.Value == 0:
		return pods
	case g.Pods.Value == 0:
		return percent
	}
	return min(percent, pods)
}

// grown lets the load grow from a size at so many times the pace, for so many
// syncs, and returns the most by which the load of Behind ago exceeds what the
// size tolerates, in replicas.
func grown(r *ruled, g *guarantee.Growth, from int32, times float64, syncs int) (most float64) {
	behind := int(g.Behind.Duration/r.period) - 1 // the first sync is at once
	load := float64(from)
	a := r.autoscaler(from)
	a.sync(load)
	var loads []float64
	for load < 1e4*float64(from) && len(loads) < syncs {
		load += times * pace(g, r.period, load)
		loads = append(loads, load)
		a.sync(load)
		if past := len(loads) - 1 - behind; past >= 0 {
			most = max(most, loads[past]-a.tolerated())
		}
	}
	return most
}

// tolerated returns the load up to which the size stays: as a reading that is
// truncated, it is within tolerance.
func (a *autoscaler) tolerated() float64 {
	share := 1 + a.settings.Tolerance
	if m := a.spec.Metrics[0].Resolve(); m.OfPods() {
		target := float64(m.Target.Percent())
		share = (math.Floor(target*share) + 1) / target
	}
	return share * float64(a.size)
}

// followed returns the growth that one type of policies follows, or both if it
// must be no more than each.
func followed(g guarantee.Growth) []guarantee.Growth {
	if g.Select == behavior.SelectMin || g.Pods.Value == 0 || g.Percent.Value == 0 {
		return []guarantee.Growth{g}
	}
	pods, percent := g, g
	pods.Percent, percent.Pods = guarantee.Rate{}, guarantee.Rate{}
	return []guarantee.Growth{pods, percent}
}

// A load that grows at the pace is followed for ever, with any tolerance; one
// that grows a little faster is not.
func TestGrowthIsFollowed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := anyRuled(t, 9)
		r.settings.Tolerance = rapid.SampledFrom([]float64{0, 0.1, 0.4}).Draw(t, "tolerance")
		g := r.of(t).Growth
		r.spec.MaxReplicas = math.MaxInt32
		require.Equal(t, guarantee.Exactly, g.Bound)
		if g.None {
			require.Equal(t, behavior.SelectDisabled, r.spec.Behavior.ScaleUp.SelectPolicy)
			return
		}
		either := followed(g)
		for i := range either {
			require.LessOrEqual(t, grown(r, &either[i], 10, 1-1e-9, 2000), 2e-3, "%+v", g)
		}
		// Percents are rounded up to whole pods, which matters at small sizes. Of
		// pods and percents, percents are the faster ones in the long run.
		fastest := either[len(either)-1]
		if fastest.Percent.Value == 0 {
			require.Greater(t, grown(r, &fastest, 10, 1.02, 2000), 3.0, "%+v", g)
		} else if fastest.Pods.Value == 0 {
			times := 1.1
			if fastest.Percent.Value >= 50 {
				times = 1.5 // the load ends within a few periods
			}
			require.Greater(t, grown(r, &fastest, 100_000, times, 8000), 20.0, "%+v", g)
		}
	})
}

// Beside a percentage, pods are the lesser growth from some size on.
func TestLesserGrowthIsFollowed(t *testing.T) {
	r := newRuled(1, math.MaxInt32, backlog)
	r.settings.Tolerance = 0.1
	r.spec.Behavior.ScaleUp.SelectPolicy = behavior.SelectMin
	r.spec.Behavior.ScaleUp.Policies = []behavior.Policy{
		{Type: behavior.PercentPolicy, Value: 10, PeriodSeconds: 60}, {Type: behavior.PodsPolicy, Value: 7, PeriodSeconds: 30},
	}
	g := r.of(t).Growth
	require.Equal(t, 7.7, g.Pods.Value)
	require.LessOrEqual(t, grown(r, &g, 10, 1-1e-9, 20_000), 2e-3)
	require.Greater(t, grown(r, &g, 10, 1.02, 20_000), 100.0)
}

// Each pod of a Pods policy carries what the tolerance leaves to it.
func TestGrowthOfPodsHasTheTolerance(t *testing.T) {
	r := newRuled(1, 1_000_000, backlog)
	r.settings.Tolerance = 0.1
	r.spec.Behavior.ScaleUp.Policies = []behavior.Policy{{Type: behavior.PodsPolicy, Value: 4, PeriodSeconds: 15}}
	g := r.of(t).Growth
	require.Equal(t, guarantee.Rate{Value: 4.4, Every: seconds(15)}, g.Pods)
	require.LessOrEqual(t, grown(r, &g, 10, 4.36/4.4, 20_000), 2e-3)
	require.Greater(t, grown(r, &g, 10, 4*1.12/4.4, 20_000), 1000.0)

	// A reading of 81% is too high: a tolerance of 0.4, and 1% more, that
	// truncation leaves.
	r = newRuled(1, 400, autoscaling.ResourceUtilizationMetric("cpu", 50))
	r.settings.Tolerance = 0.4
	r.spec.Behavior.ScaleUp.Policies = []behavior.Policy{{Type: behavior.PodsPolicy, Value: 4, PeriodSeconds: 15}}
	g = r.of(t).Growth
	require.Equal(t, guarantee.Rate{Value: 4 * 71.0 / 50, Every: seconds(15)}, g.Pods)
	require.LessOrEqual(t, grown(r, &g, 10, 1.3/1.42, 60), 2e-3)
	require.LessOrEqual(t, grown(r, &g, 10, 1-1e-9, 60), 2e-3)
	require.Greater(t, grown(r, &g, 10, 1.05, 60), 5.0)
}

func TestGrowthOfRules(t *testing.T) {
	r := newRuled(1, 10, backlog)
	g := r.of(t).Growth
	require.Equal(t, guarantee.Growth{
		Pods: guarantee.Rate{Value: 4, Every: seconds(15)}, Percent: guarantee.Rate{Value: 100, Every: seconds(15)}, Select: behavior.SelectMax,
		Behind: guarantee.Time{Duration: seconds(15), Bound: guarantee.Exactly}, Bound: guarantee.Exactly,
	}, g)
	// No load exceeds a tolerance without end.
	r.settings.Tolerance = math.Inf(1)
	g = r.of(t).Growth
	require.True(t, g.None)
	r.settings.Tolerance = 0
	// The period counts to the next sync, and of policies the one that adds
	// most.
	r.spec.Behavior.ScaleUp.Policies = []behavior.Policy{
		{Type: behavior.PodsPolicy, Value: 3, PeriodSeconds: 16}, {Type: behavior.PodsPolicy, Value: 7, PeriodSeconds: 60},
	}
	require.Equal(t, "7 pods every 1m", r.of(t).Growth.Pods.String())
	r.spec.Behavior.ScaleUp.SelectPolicy = behavior.SelectMin
	require.Equal(t, guarantee.Rate{Value: 3, Every: seconds(30)}, r.of(t).Growth.Pods)
}

// Without a behavior, the limit is not that of the default policies.
func TestGrowthWithoutBehavior(t *testing.T) {
	r := newRuled(1, 100, backlog)
	r.spec.Behavior = nil
	g := r.of(t)
	require.Equal(t, guarantee.Growth{
		Percent: guarantee.Rate{Value: 100, Every: seconds(15)}, AtOnce: 4, Select: behavior.SelectMax,
		Behind: guarantee.Time{Duration: seconds(15), Bound: guarantee.Exactly}, Bound: guarantee.Exactly,
	}, g.Growth)
	require.Contains(t, g.String(), "  100% every 15s, or to 4 pods at once; the size is 15s behind\n"+
		"  (there is no behavior; with behavior: {} the policies are 100% or 4 pods every 15s)\n")
	a := r.autoscaler(1)
	require.Equal(t, int32(4), a.sync(100))
}
