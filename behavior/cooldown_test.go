package behavior_test

import (
	"math"
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
)

func TestDefaultCooldown(t *testing.T) {
	require.Equal(t, behavior.Cooldown{Up: 3 * time.Minute, Down: 5 * time.Minute}, behavior.DefaultCooldown())
}

func TestCooldown(t *testing.T) {
	c := behavior.DefaultCooldown()
	for _, tt := range []struct {
		age      time.Duration // of the last scale
		up, down bool          // whether it forbids
		backoff  behavior.Backoff
	}{
		{-time.Hour, true, true, behavior.BackoffBoth}, // the clock went back
		{-1, true, true, behavior.BackoffBoth},
		{0, true, true, behavior.BackoffBoth},
		{1, true, true, behavior.BackoffBoth},
		{c.Up - 1, true, true, behavior.BackoffBoth},
		{c.Up, true, true, behavior.BackoffBoth},
		{c.Up + 1, false, true, behavior.BackoffDownscale},
		{c.Down - 1, false, true, behavior.BackoffDownscale},
		{c.Down, false, true, behavior.BackoffDownscale},
		{c.Down + 1, false, false, behavior.NoBackoff},
	} {
		last := noon.Add(-tt.age)
		start := last
		if tt.age < 0 {
			start = noon
		}
		for desired, window := range map[int32]time.Duration{11: c.Up, 9: c.Down, 10: 0} {
			want := behavior.CooldownResult{Desired: desired, Replicas: desired, Backoff: tt.backoff}
			if desired > 10 && tt.up || desired < 10 && tt.down {
				want.Replicas = 10
				want.Until = start.Add(window + 1)
			}
			require.Equal(t, want, c.Apply(noon, last, 10, desired), "%v to %d", tt.age, desired)

			if !want.Until.IsZero() {
				require.Equal(t, int32(10), c.Apply(want.Until.Add(-1), start, 10, desired).Replicas)
				require.Equal(t, desired, c.Apply(want.Until, start, 10, desired).Replicas)
			}
		}
	}

	// The shortest delays.
	c = behavior.Cooldown{Up: 1, Down: 1}
	require.Equal(t, behavior.BackoffBoth, c.Apply(noon, noon.Add(-1), 10, 10).Backoff)
	require.Equal(t, behavior.NoBackoff, c.Apply(noon, noon.Add(-2), 10, 10).Backoff)

	// With the windows the other way round.
	c = behavior.DefaultCooldown()
	c.Up, c.Down = c.Down, c.Up
	require.Equal(t, behavior.BackoffUpscale, c.Apply(noon, noon.Add(-4*time.Minute), 10, 10).Backoff)
}

func TestCooldownForbidsNothing(t *testing.T) {
	for _, desired := range []int32{0, 9, 10, 11, math.MaxInt32} {
		want := behavior.CooldownResult{Desired: desired, Replicas: desired}
		require.Equal(t, want, behavior.DefaultCooldown().Apply(noon, time.Time{}, 10, desired), "no scale yet")
		require.Equal(t, want, behavior.DefaultCooldown().Apply(time.Time{}.Add(1), time.Time{}, 10, desired), "no scale yet, in the year 1")
		for _, last := range []time.Time{noon, noon.Add(-1), noon.Add(time.Hour)} {
			require.Equal(t, want, behavior.Cooldown{}.Apply(noon, last, 10, desired), "no delay")
			require.Equal(t, want, behavior.Cooldown{Up: -1, Down: math.MinInt64}.Apply(noon, last, 10, desired), "negative delays")
		}
	}
}

func TestCooldownLooksAtTheWallClock(t *testing.T) {
	now := time.Now() // has a monotonic reading, unlike what a state was read from
	last := now.Add(-time.Second)
	c := behavior.Cooldown{Up: time.Minute}
	want := c.Apply(now.Round(0).UTC(), last.Round(0).UTC(), 1, 2)
	require.Equal(t, int32(1), want.Replicas)
	require.Equal(t, want, c.Apply(now, last, 1, 2))
	require.Equal(t, want, c.Apply(now, last.Round(0).In(time.FixedZone("CET", 3600)), 1, 2))
}

func TestCooldownAgainstBig(t *testing.T) {
	ns := func(at time.Time) *big.Int {
		s := new(big.Int).Mul(big.NewInt(at.Unix()), big.NewInt(1e9))
		return s.Add(s, big.NewInt(int64(at.Nanosecond())))
	}
	rapid.Check(t, func(t *rapid.T) {
		delay := rapid.OneOf(rapid.Int64Range(-2, 5), rapid.SampledFrom([]int64{math.MaxInt64 - 1, math.MaxInt64, math.MinInt64}))
		c := behavior.Cooldown{Up: time.Duration(delay.Draw(t, "up")), Down: time.Duration(delay.Draw(t, "down"))}
		last := noon.Add(time.Duration(rapid.Int64Range(-7, 2).Draw(t, "last")))
		if rapid.IntRange(0, 9).Draw(t, "long ago") == 0 {
			// Further than a time.Duration reaches, or just not.
			last = noon.Add(math.MinInt64).Add(time.Duration(rapid.Int64Range(-3, 3).Draw(t, "off")))
		}
		current, desired := rapid.Int32Range(0, 2).Draw(t, "current"), rapid.Int32Range(0, 2).Draw(t, "desired")

		age := new(big.Int).Sub(ns(noon), ns(last))
		if age.Sign() < 0 {
			age.SetInt64(0)
		}
		forbids := func(d time.Duration) bool { return d > 0 && age.Cmp(big.NewInt(int64(d))) <= 0 }
		got := c.Apply(noon, last, current, desired)
		require.Equal(t, forbids(c.Up), got.Backoff == behavior.BackoffUpscale || got.Backoff == behavior.BackoffBoth)
		require.Equal(t, forbids(c.Down), got.Backoff == behavior.BackoffDownscale || got.Backoff == behavior.BackoffBoth)

		delayed := c.Up
		if desired < current {
			delayed = c.Down
		}
		if desired == current || !forbids(delayed) {
			require.Equal(t, behavior.CooldownResult{Desired: desired, Replicas: desired, Backoff: got.Backoff}, got)
			return
		}
		require.Equal(t, current, got.Replicas)
		left := new(big.Int).Sub(ns(got.Until), ns(noon))
		left.Add(left, age)
		require.Equal(t, left.Sub(left, big.NewInt(1)), big.NewInt(int64(delayed)))
	})
}

func TestBackoffWords(t *testing.T) {
	for b, words := range map[behavior.Backoff][2]string{
		behavior.NoBackoff:        {"", "the last scale time was sufficiently old as to warrant a new scale"},
		behavior.BackoffUpscale:   {"BackoffUpscale", "the time since the previous scale is still within the upscale forbidden window"},
		behavior.BackoffDownscale: {"BackoffDownscale", "the time since the previous scale is still within the downscale forbidden window"},
		behavior.BackoffBoth:      {"BackoffBoth", "the time since the previous scale is still within both the downscale and upscale forbidden windows"},
		"Unknown":                 {"Unknown", "the last scale time was sufficiently old as to warrant a new scale"},
	} {
		require.Equal(t, words[0], string(b))
		require.Equal(t, words[1], b.Message())
	}
}
