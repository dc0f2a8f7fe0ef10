package pace_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/internal/pace"
	"github.com/purehpa/hpa/stabilize"
)

var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

const much = 1 << 20

// rules draws the rules of a direction.
func rules(t *rapid.T, name string) *behavior.ScalingRules {
	policy := rapid.Custom(func(t *rapid.T) behavior.Policy {
		return behavior.Policy{
			Type:          rapid.SampledFrom([]behavior.PolicyType{behavior.PodsPolicy, behavior.PercentPolicy}).Draw(t, "type"),
			Value:         rapid.OneOf(rapid.Int32Range(1, 12), rapid.Int32Range(1, 200)).Draw(t, "value"),
			PeriodSeconds: rapid.SampledFrom([]int32{1, 14, 15, 16, 30, 44, 60, 61, 300, 1800}).Draw(t, "period"),
		}
	})
	return &behavior.ScalingRules{
		StabilizationWindowSeconds: new(int32),
		SelectPolicy:               rapid.SampledFrom([]behavior.SelectPolicy{behavior.SelectMax, behavior.SelectMin}).Draw(t, name+" select"),
		Policies:                   rapid.SliceOfN(policy, 1, 4).Draw(t, name+" policies"),
	}
}

// world is a Scaler, synced again and again.
type world struct {
	scaler behavior.Scaler
	bounds behavior.Bounds
	size   int32
	now    time.Time
	period time.Duration
}

func newWorld(t *rapid.T) *world {
	w := &world{bounds: behavior.Bounds{Min: rapid.Int32Range(0, 3).Draw(t, "min"), Max: 60}, now: noon}
	w.period = time.Duration(rapid.SampledFrom([]int{15, 10, 7, 60}).Draw(t, "sync period")) * time.Second
	w.scaler.ScaledToZero = true
	if rapid.IntRange(0, 9).Draw(t, "with a behavior") > 0 {
		w.scaler.Behavior = &behavior.Behavior{ScaleUp: rules(t, "up"), ScaleDown: rules(t, "down")}
	} else {
		w.scaler.DownscaleStabilization = -1
	}
	w.size = rapid.Int32Range(w.bounds.Min, w.bounds.Max).Draw(t, "size")
	return w
}

func (w *world) sync(desired int32) {
	next := w.scaler.Step(w.now, behavior.Change{Current: w.size, Desired: desired}, w.bounds).Replicas
	w.scaler.Applied(w.now, w.size, next)
	w.size, w.now = next, w.now.Add(w.period)
}

// A walk is the course of a Scaler that is asked for one size, sync by sync.
func TestWalksAreThoseOfScalers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t)
		to := rapid.Int32Range(w.bounds.Min, w.bounds.Max).Draw(t, "to")
		walk := pace.New(w.scaler.Behavior, to > w.size, w.period).Steady(w.size, to)
		more := walk.Next(much)
		for sync := range int64(400) {
			before := w.size
			w.sync(to)
			switch {
			case more && walk.Sync == sync:
				require.Equal(t, walk.Size, w.size, "sync %d", sync)
				more = walk.Next(much)
			default:
				require.Equal(t, before, w.size, "sync %d", sync)
			}
		}
		require.True(t, more || walk.Size == to || walk.Stuck)
		require.Equal(t, more, w.size != to && !walk.Stuck)
	})
}

// After any history, a size is at least as far as that of a walk from the
// bound, or of one that is blocked if events are forgotten.
func TestNoHistoryIsSlower(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t)
		for _, n := range rapid.SliceOfN(rapid.Int32Range(w.bounds.Min, w.bounds.Max), 0, 30).Draw(t, "history") {
			w.sync(n)
		}
		to := rapid.Int32Range(w.bounds.Min, w.bounds.Max).Draw(t, "to")
		up := to > w.size
		r := pace.New(w.scaler.Behavior, up, w.period)
		walk := r.Blocked(w.size, to, 1)
		if !r.Forgets(pace.New(w.scaler.Behavior, !up, w.period)) {
			before := w.bounds.Max
			if up {
				before = w.bounds.Min
			}
			walk = r.Recent(before, w.size, to, 1)
		}
		at := w.size
		for more, sync := walk.Next(much), int64(0); sync < 300; sync++ {
			w.sync(to)
			if more && walk.Sync == sync {
				at = walk.Size
				more = walk.Next(much)
			}
			if up {
				require.GreaterOrEqual(t, w.size, at, "sync %d", sync)
			} else {
				require.LessOrEqual(t, w.size, at, "sync %d", sync)
			}
		}
	})
}

// A hold ends at the first sync that no recommendation holds.
func TestHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		period := time.Duration(rapid.Int64Range(1, 40).Draw(t, "period")) * time.Second
		window := time.Duration(rapid.Int32Range(-1, 200).Draw(t, "window")) * time.Second
		var b *behavior.Behavior
		if rapid.Bool().Draw(t, "with a behavior") {
			b = behavior.Default()
		}
		for _, up := range []bool{true, false} {
			r := pace.New(b, up, period)
			for fresh, want := range map[bool]int64{false: r.Hold(window, period), true: r.HoldNew(window, period)} {
				var h stabilize.History
				w := stabilize.Windows{Up: window, Down: window}
				low, high := int32(2), int32(5)
				from, to := high, low
				if up {
					from, to = low, high
				}
				if !fresh {
					h.Record(noon, from, w)
				}
				for sync := int64(1); ; sync++ {
					now := noon.Add(time.Duration(sync) * period)
					h.Start(now, from)
					if got := b.Stabilize(now, behavior.Change{Current: from, Desired: to}, w, &h).Replicas; got == to {
						require.Equal(t, sync, want, "up %v, new %v", up, fresh)
						break
					}
					h.Record(now, to, w)
				}
			}
		}
	})
}

func TestWorkIsBounded(t *testing.T) {
	b := behavior.Default()
	b.ScaleUp.Policies = []behavior.Policy{{Type: behavior.PodsPolicy, Value: 1, PeriodSeconds: 60}, {Type: behavior.PodsPolicy, Value: 2, PeriodSeconds: 120}}
	w := pace.New(b, true, 15*time.Second).Steady(1, math.MaxInt32)
	for w.Next(1000) {
	}
	require.False(t, w.Stuck)
	require.LessOrEqual(t, w.Work, 1000)
	require.Greater(t, w.Size, int32(100))

	w = pace.New(b, true, 15*time.Second).Steady(1, math.MaxInt32)
	require.False(t, w.Next(0))
	require.Equal(t, int32(1), w.Size)
}

func TestNothingIsAllowed(t *testing.T) {
	b := behavior.Default()
	b.ScaleUp.Policies = []behavior.Policy{{Type: behavior.PercentPolicy, Value: 100, PeriodSeconds: 60}}
	b.ScaleDown.SelectPolicy = behavior.SelectDisabled
	w := pace.New(b, true, 15*time.Second).Steady(0, 5)
	require.True(t, w.Next(much)) // the first sync changes nothing
	require.Equal(t, int32(0), w.Size)
	require.False(t, w.Next(much))
	require.True(t, w.Stuck)

	r := pace.New(b, false, 15*time.Second)
	require.True(t, r.Disabled)
	require.Equal(t, int32(5), r.Limit(5))
	w = r.Steady(5, 0)
	require.True(t, w.Next(much))
	require.False(t, w.Next(much))
	require.True(t, w.Stuck)
	require.Equal(t, int32(2), pace.New(b, true, 15*time.Second).Limit(1))
	require.Equal(t, int32(4), pace.New(nil, true, 15*time.Second).Limit(1))
}

// Of the policies of a type and number of syncs, one counts.
func TestPoliciesAreFew(t *testing.T) {
	b := behavior.Default()
	for i := range int32(10_000) {
		b.ScaleUp.Policies = append(b.ScaleUp.Policies, behavior.Policy{Type: behavior.PodsPolicy, Value: 1 + i%50, PeriodSeconds: 1 + i%60})
	}
	r := pace.New(b, true, 15*time.Second)
	require.Len(t, r.Policies, 5)
	require.Equal(t, behavior.Policy{Type: behavior.PercentPolicy, Value: 100, PeriodSeconds: 15}, r.Policies[0].Policy)
	for i, p := range r.Policies[1:] {
		require.Equal(t, int64(i+1), p.Syncs)
		require.GreaterOrEqual(t, p.Value, int32(45))
	}
	require.Equal(t, behavior.SelectMax, r.Select)
}

func TestByPeriod(t *testing.T) {
	b := behavior.Default()
	b.ScaleUp.Policies = append(b.ScaleUp.Policies, behavior.Policy{Type: behavior.PodsPolicy, Value: 8, PeriodSeconds: 60})
	groups := pace.New(b, true, 15*time.Second).ByPeriod()
	require.Len(t, groups, 2)
	require.Equal(t, int32(5), groups[0].Limit(1))
	require.Equal(t, int32(20), groups[0].Limit(10))
	require.Equal(t, int32(18), groups[1].Limit(10))
}

// The longest period counts, even if no limit depends on it.
func TestForgets(t *testing.T) {
	b := behavior.Default()
	b.ScaleUp.Policies = []behavior.Policy{{Type: behavior.PodsPolicy, Value: 9, PeriodSeconds: 16}, {Type: behavior.PodsPolicy, Value: 1, PeriodSeconds: 30}}
	b.ScaleDown.Policies[0].PeriodSeconds = 20
	up, down := pace.New(b, true, 15*time.Second), pace.New(b, false, 15*time.Second)
	require.Len(t, up.Policies, 1)
	require.True(t, up.Forgets(down))
	require.False(t, down.Forgets(up))
	b.ScaleDown.SelectPolicy = behavior.SelectDisabled
	require.False(t, up.Forgets(pace.New(b, false, 15*time.Second)))
}
