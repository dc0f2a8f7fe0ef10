package guarantee_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/guarantee"
)

// pace returns by how much the load may grow at a sync: by percent, by pods or,
// if both must hold, by the lesser.
func pace(g *guarantee.Growth, period time.Duration, load float64) float64 {
	percent := load * (math.Pow(1+float64(g.Percent.Value)/100, float64(period)/float64(max(g.Percent.Every, 1))) - 1)
	pods := float64(g.Pods.Value) * float64(period) / float64(max(g.Pods.Every, 1))
	switch {
	case g.Percent.Value == 0:
		return pods
	case g.Pods.Value == 0:
		return percent
	}
	return min(percent, pods)
}

// grown lets the load grow from a size at so many times the pace, and returns
// the most by which the size is below the load of Behind ago, in replicas, with
// the size.
func grown(r *ruled, g *guarantee.Growth, from int32, times float64) (most, size float64) {
	behind := int(g.Behind.Duration/r.period) - 1 // the first sync is at once
	load := float64(from)
	a := r.autoscaler(from)
	a.sync(load)
	var loads []float64
	for load < 1e4*float64(from) && len(loads) < 2000 {
		load += times * pace(g, r.period, load)
		loads = append(loads, load)
		a.sync(load)
		if past := len(loads) - 1 - behind; past >= 0 {
			most = max(most, loads[past]-float64(a.size))
		}
	}
	return most, float64(a.size)
}

// A load that grows at the pace is followed for ever, with any tolerance; one
// that grows faster is not.
func TestGrowthIsFollowed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := anyRuled(t, 9)
		g := r.of(t).Growth
		r.spec.MaxReplicas = math.MaxInt32
		require.Equal(t, guarantee.Exactly, g.Bound)
		if g.None {
			require.Equal(t, behavior.SelectDisabled, r.spec.Behavior.ScaleUp.SelectPolicy)
			return
		}
		either := []guarantee.Growth{g}
		if g.Select == behavior.SelectMax && g.Pods.Value > 0 && g.Percent.Value > 0 {
			either = []guarantee.Growth{g, g}
			either[0].Percent, either[1].Pods = guarantee.Rate{}, guarantee.Rate{}
		}
		tolerant := *r
		tolerant.settings.Tolerance = 0.1
		for i := range either {
			most, _ := grown(r, &either[i], 10, 1-1e-9)
			require.LessOrEqual(t, most, 1e-3, "%+v", g)
			most, size := grown(&tolerant, &either[i], 10, 1-1e-9)
			require.LessOrEqual(t, most, 0.1*size+1, "%+v", g)
		}
		// At small sizes, percents are rounded up to whole pods.
		most, _ := grown(r, &either[len(either)-1], 100_000, 1.1)
		require.Greater(t, most, 20.0, "%+v", g)
	})
}

func TestGrowthOfRules(t *testing.T) {
	r := newRuled(1, 10, backlog)
	g := r.of(t).Growth
	require.Equal(t, guarantee.Growth{
		Pods: guarantee.Rate{Value: 4, Every: seconds(15)}, Percent: guarantee.Rate{Value: 100, Every: seconds(15)}, Select: behavior.SelectMax,
		Behind: guarantee.Time{Duration: seconds(15), Bound: guarantee.Exactly}, Bound: guarantee.Exactly,
	}, g)
	// The period counts to the next sync, and of policies the one that adds
	// most.
	r.spec.Behavior.ScaleUp.Policies = []behavior.Policy{
		{Type: behavior.PodsPolicy, Value: 3, PeriodSeconds: 16}, {Type: behavior.PodsPolicy, Value: 7, PeriodSeconds: 60},
	}
	require.Equal(t, "7 pods every 1m", r.of(t).Growth.Pods.String())
	r.spec.Behavior.ScaleUp.SelectPolicy = behavior.SelectMin
	require.Equal(t, guarantee.Rate{Value: 3, Every: seconds(30)}, r.of(t).Growth.Pods)
}
