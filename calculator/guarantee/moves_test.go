package guarantee_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/guarantee"
	"github.com/purehpa/hpa/calculator/prove"
)

// sizes returns all sizes within bounds.
func (r *ruled) sizes() (all []int32) {
	b := r.spec.Bounds()
	for n := b.Min; n <= b.Max; n++ {
		all = append(all, n)
	}
	return all
}

// The steady times are those of an autoscaler that is asked for a size, to the
// sync.
func TestSteadyTimesAreThoseOfSyncs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := anyRuled(t, 9)
		up, down, err := guarantee.Table(&r.settings, &r.spec, r.period, r.startup, r.sizes())
		require.NoError(t, err)
		n := len(r.sizes())
		require.Len(t, append(up, down...), n*(n-1))
		for _, m := range append(up, down...) {
			a := r.autoscaler(m.From)
			require.Equal(t, m.From, a.sync(float64(m.From))) // the load changes right after this sync
			took := time.Duration(0)
			for a.size != m.To && took < time.Hour {
				a.sync(float64(m.To))
				took += r.period
			}
			require.Equal(t, a.size != m.To, m.Steady.Never, "%v", m)
			if !m.Steady.Never {
				require.Equal(t, guarantee.Time{Duration: took, Bound: guarantee.Exactly}, m.Steady, "%v", m)
			}
		}
	})
}

// exhaust tries all courses of load of the levels, by default of whole numbers:
// a load between these may stay within tolerance of too small a size.
func (r *ruled) exhaust(t *rapid.T, levels []float64, properties ...prove.Property) *prove.Result {
	for n := int32(0); levels == nil || n <= r.spec.MaxReplicas && len(levels) == int(n); n++ {
		levels = append(levels, float64(n))
	}
	setup := prove.NewSetup(&r.spec)
	setup.Settings, setup.SyncPeriod, setup.Startup = r.settings, r.period, r.startup
	x, err := prove.Search{Levels: levels, MaxStates: 2_000}.Run(t.Context(), setup, properties...)
	require.NoError(t, err)
	if !x.Timed {
		t.Skip("too many states")
	}
	return x
}

// Of all courses of load, none takes longer than the worst time, and the steady
// one is among them.
func TestLongestTimesAreThoseOfAllCourses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := anyRuled(t, 5)
		g := r.of(t)
		x := r.exhaust(t, nil)
		for _, d := range []struct {
			moves guarantee.Moves
			worst prove.Worst
		}{{g.Up, x.WorstUp}, {g.Down, x.WorstDown}} {
			m := d.moves.Longest
			require.Equal(t, d.worst.Never, m.Worst.Never, "%v %v", m, d.worst)
			require.Equal(t, d.worst.Never, m.Steady.Never)
			require.LessOrEqual(t, m.Steady.Duration, d.worst.Time)
			require.LessOrEqual(t, d.worst.Time, m.Worst.Duration)
			if m.Worst.Bound == guarantee.Exactly {
				require.Equal(t, d.worst.Time, m.Worst.Duration)
			}
			for _, other := range d.moves.Table {
				require.True(t, m.Steady.Never || !other.Steady.Never && other.Steady.Duration <= m.Steady.Duration)
				require.True(t, m.Worst.Never || !other.Worst.Never && other.Worst.Duration <= m.Worst.Duration)
			}
		}
	})
}

// The worst times are seldom bounds, and those of usual rules are known.
func TestWorstTimesOfRules(t *testing.T) {
	pods := func(value, period int32) *behavior.Behavior {
		b := behavior.Default()
		b.ScaleUp.Policies = []behavior.Policy{{Type: behavior.PodsPolicy, Value: value, PeriodSeconds: period}}
		b.ScaleDown.Policies[0].PeriodSeconds = period
		return b
	}
	for _, tt := range []struct {
		high          int32
		sync          int
		rules         *behavior.Behavior
		steady, worst int
		bound         guarantee.Bound
	}{
		{5, 15, behavior.Default(), 15, 15, guarantee.Exactly},
		{10, 15, pods(2, 60), 255, 255, guarantee.Exactly},
		{10, 30, pods(1, 60), 510, 510, guarantee.Exactly},
	} {
		r := newRuled(1, tt.high, backlog)
		r.period, r.spec.Behavior = seconds(tt.sync), tt.rules
		require.Equal(t, guarantee.Move{
			From: 1, To: tt.high,
			Steady: guarantee.Time{Duration: seconds(tt.steady), Bound: guarantee.Exactly},
			Worst:  guarantee.Time{Duration: seconds(tt.worst), Bound: tt.bound},
		}, r.of(t).Up.Longest)
	}
	// Scale-downs are forgotten after 15 s. That no policy allows anything in its
	// period, 300 s, is an upper bound; a search of all histories finds this.
	r := newRuled(1, 10, backlog)
	r.spec.Behavior = pods(2, 60)
	r.spec.Behavior.ScaleDown.Policies[0].PeriodSeconds = 15
	require.Equal(t, guarantee.Time{Duration: seconds(255), Bound: guarantee.Exactly}, r.of(t).Up.Longest.Worst)
	// A size that a pod was just added to waits for the next one.
	r.spec.Behavior = pods(2, 60)
	up, _, err := guarantee.Table(&r.settings, &r.spec, r.period, r.startup, []int32{3, 5})
	require.NoError(t, err)
	require.Equal(t, guarantee.Time{Duration: seconds(15), Bound: guarantee.Exactly}, up[0].Steady)
	require.Equal(t, guarantee.Time{Duration: seconds(60), Bound: guarantee.AtMost}, up[0].Worst)
}

// A policy in percent allows nothing from size 0, unless its period began with
// pods.
func TestNeverIsOfTheWorstHistory(t *testing.T) {
	r := newRuled(0, 20, backlog)
	r.settings.Release, r.period = scaleToZero, seconds(10)
	r.spec.Behavior.ScaleUp = &behavior.ScalingRules{SelectPolicy: behavior.SelectMin, Policies: []behavior.Policy{
		{Type: behavior.PercentPolicy, Value: 25, PeriodSeconds: 300}, {Type: behavior.PodsPolicy, Value: 4, PeriodSeconds: 30},
	}}
	g := r.of(t)
	require.Equal(t, guarantee.Time{Never: true, Bound: guarantee.Exactly}, g.Up.Longest.Steady)
	require.Equal(t, guarantee.Time{Never: true, Bound: guarantee.Exactly}, g.Up.Longest.Worst)
	require.Contains(t, g.String(), "0 to 20: never after a steady load; never after the worst history, if each sync asks for it\n")

	a := r.autoscaler(8)
	require.Equal(t, [3]int32{8, 0, 2}, [3]int32{a.sync(8), a.sync(0), a.sync(2)}, "never is not true of this history")
	a = r.autoscaler(0)
	for range 400 {
		require.Zero(t, a.sync(2))
	}
}

// New autoscalers wait for a sync more.
func TestWorstTimesHappen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		window := rapid.Int32Range(0, 60).Draw(t, "window")
		r := newRuled(1, rapid.Int32Range(2, 6).Draw(t, "max"), backlog)
		r.spec.Behavior.ScaleUp.StabilizationWindowSeconds = &window
		r.spec.Behavior.ScaleDown.StabilizationWindowSeconds = &window
		g, x := r.of(t), r.exhaust(t, nil)
		require.Equal(t, x.WorstUp.Time, g.Up.Longest.Worst.Duration)
		require.Equal(t, x.WorstDown.Time, g.Down.Longest.Worst.Duration)
	})
}

// After any history, no move between any sizes takes longer than its worst
// time.
func TestNoHistoryTakesLonger(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := anyRuled(t, 9)
		up, down, err := guarantee.Table(&r.settings, &r.spec, r.period, 0, r.sizes())
		require.NoError(t, err)
		b := r.spec.Bounds()
		a := r.autoscaler(rapid.Int32Range(b.Min, b.Max).Draw(t, "size"))
		for _, load := range rapid.SliceOfN(rapid.Int32Range(0, b.Max), 0, 20).Draw(t, "loads before") {
			a.sync(float64(load))
		}
		from, to, took := a.size, rapid.Int32Range(b.Min, b.Max).Draw(t, "load"), time.Duration(0)
		for up := from < to; (a.size < to) == up && a.size != to && took < time.Hour; took += r.period {
			a.sync(float64(to))
		}
		for _, m := range append(up, down...) {
			if m.From == from && m.To == to && !m.Worst.Never {
				require.NotEqual(t, guarantee.AtLeast, m.Worst.Bound)
				require.LessOrEqual(t, took, m.Worst.Duration, "%+v", m)
			}
		}
	})
}

// In a cluster, syncs are late by a little. Without a behavior, a scale-down
// then takes a sync less; with one, as long.
func TestLateSyncs(t *testing.T) {
	for _, b := range []*behavior.Behavior{nil, behavior.Default()} {
		for _, window := range []time.Duration{0, seconds(15), seconds(16), seconds(300)} {
			r := newRuled(1, 4, backlog)
			r.settings.DownscaleStabilization, r.spec.Behavior = window, b
			g, a := r.of(t), r.autoscaler(4)
			a.period += time.Millisecond
			a.sync(4)
			syncs := 0
			for ; a.size > 1; syncs++ {
				a.sync(1)
			}
			less := seconds(0)
			if g.LessIfLate {
				less = seconds(15)
			}
			require.Equal(t, g.Down.Longest.Steady.Duration-less, time.Duration(syncs)*seconds(15), "%v %v", b, window)
			require.Equal(t, b == nil && window%seconds(15) == 0 && window > 0, g.LessIfLate)
		}
	}
	r := newRuled(1, 4, backlog)
	r.settings.DownscaleStabilization, r.spec.Behavior = seconds(300), nil
	require.Contains(t, r.of(t).String(), "\nWith syncs exactly 15s apart; in a cluster they are a little late, and scaling down takes 15s less.\n")
	require.Contains(t, r.of(t).String(), "4 to 1: 5m15s after a steady load")
	text, err := json.Marshal(r.of(t))
	require.NoError(t, err)
	require.Contains(t, string(text), `"lessIfLate":true,`)
}
