package metrics_test

import (
	"math"
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/metrics"
)

// The first and last whole seconds since 1970 that an Instant can hold.
const (
	firstSecond = -9223372035
	lastSecond  = 9223372035
)

// times draws moments, many of them at a boundary.
func times() *rapid.Generator[time.Time] {
	return rapid.Custom(func(t *rapid.T) time.Time {
		s := rapid.OneOf(
			rapid.SampledFrom([]int64{firstSecond - 1, firstSecond, firstSecond + 1, -1, 0, 1, lastSecond - 1, lastSecond, lastSecond + 1, -62135596800}),
			rapid.Int64Range(-1<<35, 1<<35),
		).Draw(t, "seconds")
		ns := rapid.OneOf(rapid.SampledFrom([]int64{0, 1, 999_999_999}), rapid.Int64Range(0, 999_999_999)).Draw(t, "nanoseconds")
		return time.Unix(s, ns)
	})
}

func instants() *rapid.Generator[metrics.Instant] {
	return rapid.Custom(func(t *rapid.T) metrics.Instant {
		return metrics.Instant(rapid.OneOf(
			rapid.SampledFrom([]uint64{0, 1, 2, 1<<63 - 1, 1 << 63, 1<<63 + 1, math.MaxUint64 - 1, math.MaxUint64}),
			rapid.Uint64(),
		).Draw(t, "instant"))
	})
}

func durations() *rapid.Generator[time.Duration] {
	return rapid.Custom(func(t *rapid.T) time.Duration {
		return time.Duration(rapid.OneOf(
			rapid.SampledFrom([]int64{math.MinInt64, math.MinInt64 + 1, -1, 0, 1, math.MaxInt64 - 1, math.MaxInt64}),
			rapid.Int64(),
		).Draw(t, "duration"))
	})
}

func TestAt(t *testing.T) {
	berlin := time.FixedZone("CET", 3600)
	for _, tt := range []struct {
		name string
		t    time.Time
		want metrics.Instant
	}{
		{"the zero time", time.Time{}, 1},
		{"the zero time in another location", time.Time{}.In(berlin), 1},
		{"just after the zero time", time.Time{}.Add(1), 1},
		{"just before the zero time", time.Time{}.Add(-1), 1},
		{"before 1970", time.Unix(0, -1), 1<<63 - 1},
		{"1970", time.Unix(0, 0), 1 << 63},
		{"after 1970", time.Unix(0, 1), 1<<63 + 1},
		{"before the first second", time.Unix(firstSecond, -1), 1},
		{"the first second", time.Unix(firstSecond, 0), 1<<63 + firstSecond*1_000_000_000},
		{"after the first second", time.Unix(firstSecond, 1), 1<<63 + firstSecond*1_000_000_000 + 1},
		{"before the end of the last second", time.Unix(lastSecond, 999_999_998), 1<<63 + lastSecond*1_000_000_000 + 999_999_998},
		{"the end of the last second", time.Unix(lastSecond, 999_999_999), 1<<63 + lastSecond*1_000_000_000 + 999_999_999},
		{"after the last second", time.Unix(lastSecond+1, 0), math.MaxUint64},
		{"the year 9999", time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, time.UTC), math.MaxUint64},
		{"the end of time.Time", time.Unix(math.MaxInt64, 999_999_999), math.MaxUint64},
		{"the start of time.Time", time.Unix(math.MinInt64, 0), 1},
		{"another location", time.Unix(12, 34).In(berlin), 1<<63 + 12_000_000_034},
	} {
		t.Run(tt.name, func(t *testing.T) {
			i := metrics.At(tt.t)
			require.Equal(t, tt.want, i)
			require.True(t, i.IsSet())
		})
	}

	// The monotonic clock does not matter.
	now := time.Now()
	require.Equal(t, metrics.At(now.Round(0)), metrics.At(now))
}

func TestInstantTime(t *testing.T) {
	for i, want := range map[metrics.Instant]string{
		0:                  "not set",
		1:                  "1677-09-21T00:12:43.145224193Z",
		1<<63 - 1:          "1969-12-31T23:59:59.999999999Z",
		1 << 63:            "1970-01-01T00:00:00Z",
		1<<63 + 1:          "1970-01-01T00:00:00.000000001Z",
		math.MaxUint64:     "2262-04-11T23:47:16.854775807Z",
		math.MaxUint64 - 1: "2262-04-11T23:47:16.854775806Z",
	} {
		require.Equal(t, want, i.String())
		require.Equal(t, time.UTC, i.Time().Location())
		if i != 0 {
			require.Equal(t, want, i.Time().Format(time.RFC3339Nano))
		}
	}
	require.True(t, metrics.Instant(0).Time().IsZero())
}

func TestInstantsAreOrderedAsTimeIs(t *testing.T) {
	first, last := time.Unix(firstSecond, 0), time.Unix(lastSecond, 999_999_999)
	rapid.Check(t, func(t *rapid.T) {
		a, b := times().Draw(t, "a"), times().Draw(t, "b")
		i, j := metrics.At(a), metrics.At(b)
		inRange := !a.Before(first) && !a.After(last) && !b.Before(first) && !b.After(last)
		if inRange {
			require.Equal(t, a.Before(b), i < j)
			require.Equal(t, a.Equal(b), i == j)
			require.True(t, i.Time().Equal(a))
			require.Equal(t, b.Sub(a), j.Sub(i))
		} else if !a.IsZero() && !b.IsZero() && a.Before(b) {
			require.LessOrEqual(t, i, j)
		}
	})
}

func TestInstantArithmetic(t *testing.T) {
	limit := func(n, low, high *big.Int) *big.Int {
		switch {
		case n.Cmp(low) < 0:
			return low
		case n.Cmp(high) > 0:
			return high
		}
		return n
	}
	whole := func(i metrics.Instant) *big.Int { return new(big.Int).SetUint64(uint64(i)) }
	rapid.Check(t, func(t *rapid.T) {
		i, j, d := instants().Draw(t, "i"), instants().Draw(t, "j"), durations().Draw(t, "d")

		sum := new(big.Int).Add(whole(i), big.NewInt(int64(d)))
		require.Equal(t, limit(sum, new(big.Int), whole(math.MaxUint64)).Uint64(), uint64(i.Add(d)))

		gap := new(big.Int).Sub(whole(i), whole(j))
		require.Equal(t, limit(gap, big.NewInt(math.MinInt64), big.NewInt(math.MaxInt64)).Int64(), int64(i.Sub(j)))
	})
}
