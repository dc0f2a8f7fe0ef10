package series_test

import (
	"encoding/binary"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/stabilize/codec"
	"github.com/purehpa/hpa/stabilize/series"
)

// recorded draws a series, and a time that no entry is after.
func recorded(t *rapid.T) (s series.Series, now time.Time) {
	now = noon
	for range rapid.IntRange(0, 12).Draw(t, "records") {
		now = now.Add(steps().Draw(t, "step"))
		age := ages().Draw(t, "age")
		switch rapid.SampledFrom([]string{"record", "record", "record", "mark stale", "forget"}).Draw(t, "do") {
		case "mark stale":
			s.MarkStale(now, age)
		case "forget":
			s.Forget(now, age)
		default:
			v := rapid.OneOf(rapid.Int32Range(-2, 5), rapid.Int32()).Draw(t, "value")
			s.Record(now, v, forever, 100, series.MergeMax)
		}
	}
	s.Rewind(now)
	return s, now
}

// readKey returns the series that a key stands for.
func readKey(t require.TestingT, key []byte, now time.Time) (s series.Series) {
	r := codec.NewReader("series.Series", key)
	s.ReadKey(r, now)
	r.End()
	require.NoError(t, r.Err(), "%q", key)
	return s
}

// later draws a time of a later reader.
func later(t *rapid.T, now time.Time) time.Time {
	return now.Add(max(steps().Draw(t, "later"), 0))
}

func TestPeaksOfAKeyAreThoseOfTheSeries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, now := recorded(t)
		longest := ages().Draw(t, "longest")
		both := s.AppendPeaksKey(nil, now, longest, longest)
		k := readKey(t, both, now)
		require.Equal(t, both, k.AppendPeaksKey(nil, now, longest, longest))
		require.Equal(t, s.Places() == 0, k.Places() == 0)
		highs := readKey(t, s.AppendPeaksKey(nil, now, longest, 0), now)
		lows := readKey(t, s.AppendPeaksKey(nil, now, 0, longest), now)
		require.LessOrEqual(t, k.Len(), highs.Len()+lows.Len())
		requireAll(t, values(&highs), func(v, last int64) bool { return 0 < v && v < last }, math.MaxInt64)
		requireAll(t, values(&lows), func(v, last int64) bool { return last < v }, math.MinInt64)

		at, period := later(t, now), min(ages().Draw(t, "period"), longest)
		for _, floor := range []int32{0, rapid.Int32Range(0, 6).Draw(t, "floor")} {
			for _, far := range []int32{floor + 1, math.MaxInt32} {
				want, ok := s.Highest(at, period, floor, far)
				for _, peaks := range []*series.Series{&highs, &k} {
					got, gotOK := peaks.Highest(at, period, floor, far)
					require.Equal(t, ok, gotOK, "highest")
					// Where values count as far, the latest is asked for, and
					// that may be another one below them: only its value is
					// what decides.
					require.Equal(t, min(want.Value, far), min(got.Value, far), "highest")
				}
			}
		}
		for _, ceiling := range []int32{math.MaxInt32, rapid.Int32Range(-2, 6).Draw(t, "ceiling")} {
			want, ok := s.Lowest(at, period, ceiling, math.MinInt32)
			for _, peaks := range []*series.Series{&lows, &k} {
				got, gotOK := peaks.Lowest(at, period, ceiling, math.MinInt32)
				require.Equal(t, ok, gotOK, "lowest")
				require.Equal(t, want.Value, got.Value, "lowest")
			}
		}
	})
}

// requireAll requires that each value holds with the one before it.
func requireAll(t require.TestingT, values []int32, holds func(v, last int64) bool, last int64) {
	for _, v := range values {
		require.True(t, holds(int64(v), last), "%d after %d", v, last)
		last = int64(v)
	}
}

// What is recorded later takes the same places, so that windows go on agreeing.
func TestWindowsOfAKeyAreThoseOfTheSeries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, now := recorded(t)
		longest, age := ages().Draw(t, "longest"), ages().Draw(t, "kept for")
		key := s.AppendWithinKey(nil, now, longest, age)
		k := readKey(t, key, now)
		require.Equal(t, key, k.AppendWithinKey(nil, now, longest, age))

		for range rapid.IntRange(1, 8).Draw(t, "syncs") {
			period := min(ages().Draw(t, "period"), longest)
			require.Equal(t, s.Within(now, period), k.Within(now, period), "%v, and as read %v", s, k)
			require.Equal(t, s.AppendWithinKey(nil, now, longest, age), k.AppendWithinKey(nil, now, longest, age))
			s.MarkStale(now, age)
			k.MarkStale(now, age)
			if rapid.Bool().Draw(t, "record") {
				v := rapid.Int32Range(0, 5).Draw(t, "value")
				s.Record(now, v, age, 100, series.MergeMax)
				k.Record(now, v, age, 100, series.MergeMax)
			}
			now = later(t, now)
		}
	})
}

// A key says nothing of the time at which it was made.
func TestKeyMovesWithTheClock(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, now := recorded(t)
		longest, age := ages().Draw(t, "longest"), ages().Draw(t, "kept for")
		key := s.AppendWithinKey(nil, now, longest, age)
		shifted := now.Add(rapid.SampledFrom([]time.Duration{-50 * 365 * 24 * time.Hour, -time.Nanosecond, time.Hour}).Draw(t, "shift"))
		moved := readKey(t, key, shifted)
		require.Equal(t, key, moved.AppendWithinKey(nil, shifted, longest, age))

		want, got := s.Within(now, longest), moved.Within(shifted, longest)
		require.Equal(t, want.Expires.Sub(now), got.Expires.Sub(shifted))
		want.Expires, got.Expires = time.Time{}, time.Time{}
		require.Equal(t, want, got)
	})
}

// What is no key leaves a series empty.
func TestReadKeyErrors(t *testing.T) {
	var s series.Series
	s.Record(noon.Add(-time.Second), 3, forever, 100, series.MergeMax)
	s.Record(noon, 4, forever, 100, series.MergeMax)
	key := s.AppendWithinKey(nil, noon, time.Hour, time.Hour)
	for n := range key {
		r := codec.NewReader("series.Series", key[:n])
		s.ReadKey(r, noon)
		require.ErrorContains(t, r.Err(), "cut short")
		require.Zero(t, s.Places())
	}
	r := codec.NewReader("series.Series", binary.AppendUvarint(nil, series.MaxEntries+1))
	s.ReadKey(r, noon)
	require.EqualError(t, r.Err(), "series.Series: byte 0: places: 4097 is more than 4096")
}
